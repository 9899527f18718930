// time-limit: 240
import { operations } from '../../plugins/links/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('links', operations);
