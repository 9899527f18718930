// time-limit: 240
import { operations } from '../../plugins/keys/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('keys', operations);
