// time-limit: 240
import { operations } from '../../plugins/assets/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('assets', operations({}));
