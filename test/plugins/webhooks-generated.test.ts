// time-limit: 300
// full-run: slow
import { operations } from '../../plugins/webhooks/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('webhooks', operations);
