// time-limit: 240
// full-run: slow
import { operations } from '../../plugins/pages/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('pages', operations);
