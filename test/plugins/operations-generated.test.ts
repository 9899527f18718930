// time-limit: 240
import { operations } from '../../plugins/operations/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('operations', operations);
