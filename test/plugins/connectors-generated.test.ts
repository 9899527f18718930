// time-limit: 240
import { operations } from '../../plugins/connectors/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('connectors', operations);
