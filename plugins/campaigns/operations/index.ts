import { cancelPlannedEmail } from './cancel-planned-email.ts';
import { createPlannedEmail, readPlannedEmail, updatePlannedEmail } from './planned-emails.ts';

export const operations = [createPlannedEmail, readPlannedEmail, updatePlannedEmail, cancelPlannedEmail] as const;
