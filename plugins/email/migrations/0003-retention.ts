import { defineMigration } from '../../../core/index.ts';

export const migration0003 = defineMigration({
  id: '0003-retention',
  changes: [
    { index: 'send_contents_finished', on: 'send_contents', columns: ['finished_at'] },
    { index: 'send_attachments_finished', on: 'send_attachments', columns: ['finished_at'] },
  ],
});
