// time-limit: 400
import { operations } from '../../plugins/email/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('email', operations);
