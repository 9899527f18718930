// time-limit: 240
import { operations } from '../../plugins/approvals/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('approvals', operations);
