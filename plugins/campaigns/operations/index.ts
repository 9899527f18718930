import { cancelPlannedEmail } from './cancel-planned-email.ts';
import { createPlannedEmail } from './create-planned-email.ts';
import { readPlannedEmail } from './read-planned-email.ts';
import { updatePlannedEmail } from './update-planned-email.ts';

export const operations = [createPlannedEmail, readPlannedEmail, updatePlannedEmail, cancelPlannedEmail] as const;
