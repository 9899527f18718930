// time-limit: 240
import { operations } from '../../plugins/blog/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('blog', operations);
