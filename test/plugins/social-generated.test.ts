// time-limit: 240
// full-run: slow
import { operations } from '../../plugins/social/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('social', operations);
