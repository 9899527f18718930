// time-limit: 240
import { operations } from '../../plugins/jobs/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('jobs', operations);
