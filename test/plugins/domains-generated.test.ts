import { operations } from '../../plugins/domains/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('domains', operations);
