// time-limit: 240
import { operations } from '../../plugins/oauth/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('oauth', operations);
