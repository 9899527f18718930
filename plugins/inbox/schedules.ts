import type { ScheduleDeclaration } from '../../core/index.ts';

const day = 86_400_000;
/** As long as what a send was rendered from is kept. */
export const messageDays = 7;

/** Empties the inbox of what is old. What is too much goes whenever a message comes. */
export const schedules: readonly ScheduleDeclaration[] = [
  {
    id: 'inbox.expire',
    description: 'Removes messages of the inbox after 7 days.',
    everyMs: 3_600_000,
    async run(context) {
      const before = context.now - messageDays * day;
      await context.purge('inbox_parts', 'created_at', before);
      await context.purge('inbox_messages', 'created_at', before);
    },
  },
];
