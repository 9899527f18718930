// time-limit: 240
import { operations } from '../../plugins/brand/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('brand', operations);
