import type { ScheduleDeclaration } from '../../core/index.ts';

/** Removes suppressions whose time is over. */
export const expireSuppressions: ScheduleDeclaration = {
  id: 'suppressions.expire',
  description: 'Removes suppressions whose time is over.',
  everyMs: 3_600_000,
  async run(context) {
    await context.purge('suppressions', 'expires_at', context.now);
  },
};
