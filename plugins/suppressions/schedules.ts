import type { ScheduleDeclaration } from '../../core/index.ts';

/** Removes expired suppressions. */
export const expireSuppressions: ScheduleDeclaration = {
  id: 'suppressions.expire',
  description: 'Removes expired suppressions.',
  everyMs: 3_600_000,
  async run(context) {
    await context.purge('suppressions', 'expires_at', context.now);
  },
};
