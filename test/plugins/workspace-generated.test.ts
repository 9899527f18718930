// time-limit: 240
import { operations } from '../../plugins/workspace/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('workspace', operations);
