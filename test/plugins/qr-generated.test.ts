// time-limit: 240
import { operations } from '../../plugins/qr/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('qr', operations);
