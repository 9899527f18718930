// time-limit: 240
import { operations } from '../../plugins/events/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('events', operations);
