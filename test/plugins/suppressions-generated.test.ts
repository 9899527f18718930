// time-limit: 240
import { operations } from '../../plugins/suppressions/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('suppressions', operations);
