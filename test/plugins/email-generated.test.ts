// time-limit: 400
// full-run: slow
import { operations } from '../../plugins/email/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('email', operations);
