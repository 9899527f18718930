import { cancelSend } from './cancel-send.ts';
import { listSends } from './list-sends.ts';
import { previewEmail } from './preview-email.ts';
import { readSend } from './read-send.ts';
import { readStatistics } from './read-statistics.ts';
import { sendBatch } from './send-batch.ts';
import { sendEmail } from './send-email.ts';
import { sendEmailAlias } from './send-email-alias.ts';
import { sendTest } from './send-test.ts';

export const operations = [
  sendEmail,
  sendEmailAlias,
  sendTest,
  sendBatch,
  cancelSend,
  previewEmail,
  readSend,
  listSends,
  readStatistics,
] as const;
