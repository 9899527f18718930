// time-limit: 300
import { operations } from '../../plugins/creations/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('creations', operations);
