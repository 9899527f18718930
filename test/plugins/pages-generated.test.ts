// time-limit: 240
import { operations } from '../../plugins/pages/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('pages', operations);
