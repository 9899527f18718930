// time-limit: 300
import { operations } from '../../plugins/sequences/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('sequences', operations);
