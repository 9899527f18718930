import { listSends } from './list-sends.ts';
import { readSend } from './read-send.ts';
import { sendEmail } from './send-email.ts';

export const operations = [sendEmail, readSend, listSends] as const;
