import type { ScheduleDeclaration } from '../../core/index.ts';

const day = 86_400_000;
const contentDays = 7;
const sendDays = 400;

/** Erases what was kept for rendering, and in the end the sends themselves. */
export const schedules: readonly ScheduleDeclaration[] = [
  {
    id: 'email.erase_contents',
    description: 'Erases variables and attachments 7 days after the final state of their send.',
    everyMs: 3_600_000,
    async run(context) {
      const before = context.now - contentDays * day;
      await context.purge('send_contents', 'finished_at', before);
      await context.purge('send_attachments', 'finished_at', before);
    },
  },
  {
    id: 'email.erase_sends',
    description: 'Removes sends and their timelines after 400 days.',
    everyMs: day,
    async run(context) {
      await context.purgeByWorkspace('sends', 'created_at', context.now - sendDays * day, {
        send_events: 'send_id',
        send_contents: 'send_id',
        send_attachments: 'send_id',
      });
    },
  },
];
