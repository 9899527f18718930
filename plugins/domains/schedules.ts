import type { ScheduleDeclaration } from '../../core/index.ts';

const dayMs = 86_400_000;

export const schedules: readonly ScheduleDeclaration[] = [
  {
    id: 'domains.forget_slots',
    description: 'Removes the slots of mails in the ramps of past days.',
    everyMs: dayMs,
    async run(context) {
      await context.purge('domain_ramp_slots', 'day', context.now - 2 * dayMs);
    },
  },
];
