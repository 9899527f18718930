// time-limit: 240
import { operations } from '../../plugins/lead-magnets/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('lead-magnets', operations);
