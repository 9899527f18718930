// time-limit: 240
import { operations } from '../../plugins/segments/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('segments', operations);
