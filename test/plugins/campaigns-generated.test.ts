// time-limit: 240
import { operations } from '../../plugins/campaigns/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('campaigns', operations);
