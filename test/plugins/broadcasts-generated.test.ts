// time-limit: 240
import { operations } from '../../plugins/broadcasts/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('broadcasts', operations);
