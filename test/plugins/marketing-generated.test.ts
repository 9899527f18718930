// time-limit: 240
import { operations } from '../../plugins/marketing/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('marketing', operations);
