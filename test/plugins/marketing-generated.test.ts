// time-limit: 240
// full-run: slow
import { operations } from '../../plugins/marketing/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('marketing', operations);
