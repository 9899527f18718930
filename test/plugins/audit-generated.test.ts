// time-limit: 240
import { operations } from '../../plugins/audit/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('audit', operations);
