// time-limit: 300
// full-run: slow
import { operations } from '../../plugins/content-plan/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('content plan', operations);
