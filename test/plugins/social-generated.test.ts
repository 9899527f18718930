// time-limit: 240
import { operations } from '../../plugins/social/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('social', operations);
