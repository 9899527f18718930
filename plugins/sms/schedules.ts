import type { RetentionDeclaration, ScheduleDeclaration } from '../../core/index.ts';

const day = 86_400_000;

export const retention = {
  sms_messages: { rows: 'SMS with their timelines', since: 'the request', default: '400 days', min: '7 days' },
  sms_contents: { rows: 'The sealed texts of SMS', since: 'the final state of the SMS', default: '7 days' },
} as const satisfies Readonly<Record<string, RetentionDeclaration>>;

/** Erases texts after their retention, and later the messages themselves. Consents are kept as proof. */
export const schedules: readonly ScheduleDeclaration[] = [
  {
    id: 'sms.erase_contents',
    description: 'Erases the texts of SMS that have long reached their final state.',
    everyMs: 3_600_000,
    async run(context) {
      await context.purge('sms_contents', 'finished_at', context.keptSince('sms_contents'));
    },
  },
  {
    id: 'sms.erase_messages',
    description: 'Removes old SMS and their timelines.',
    everyMs: day,
    async run(context) {
      await context.purgeByWorkspace('sms_messages', 'created_at', context.keptSince('sms_messages'), {
        sms_events: 'sms_id',
        sms_contents: 'sms_id',
      });
    },
  },
];
