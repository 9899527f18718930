// time-limit: 240
import { operations } from '../../plugins/lists/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('lists', operations);
