import type { ScheduleDeclaration } from '../../core/index.ts';

const day = 86_400_000;
/** As long as sends and their timelines are kept. */
const eventDays = 400;

export const expireEvents: ScheduleDeclaration = {
  id: 'contacts.expire_events',
  description: 'Removes custom events from timelines after 400 days.',
  everyMs: day,
  async run(context) {
    await context.purgeByWorkspace('contact_events', 'ts', context.now - eventDays * day);
  },
};
