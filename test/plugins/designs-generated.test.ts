// time-limit: 240
import { operations } from '../../plugins/designs/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('designs', operations);
