// time-limit: 240
import { operations } from '../../plugins/topics/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('topics', operations);
