// time-limit: 240
import { operations } from '../../plugins/sms/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('sms', operations);
