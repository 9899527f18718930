// time-limit: 240
import { operations } from '../../plugins/contacts/operations/index.ts';
import { generatedTests } from '../support/generated.ts';

await generatedTests('contacts', operations);
