// time-limit: 240
// full-run: slow
import { operations } from '../../plugins/designs/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('designs', operations);
