// time-limit: 300
// full-run: slow
import { operations } from '../../plugins/creations/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('creations', operations);
