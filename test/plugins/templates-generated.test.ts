// time-limit: 240
import { operations } from '../../plugins/templates/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('templates', operations);
