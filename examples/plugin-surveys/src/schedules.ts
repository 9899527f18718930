import type { ScheduleDeclaration } from 'postrider';

const day = 86_400_000;

/** Deletes surveys a year after their answer. */
export const deleteOldAnswers: ScheduleDeclaration = {
  id: 'surveys.retention',
  description: 'Deletes surveys a year after their answer.',
  everyMs: 3_600_000,
  run: async ({ now, purge }) => void (await purge('surveys', 'answered_at', now - 365 * day)),
};
