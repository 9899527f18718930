// time-limit: 240
// full-run: slow
import { operations } from '../../plugins/lead-magnets/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('lead-magnets', operations);
