import type { RetentionDeclaration, ScheduleDeclaration } from '../../core/index.ts';

export const retention = {
  social_event_runs: { rows: 'Runs of social events', since: 'the run', default: '400 days', min: '30 days' },
  social_event_variables: { rows: 'The variables of social events', since: 'the run', default: '30 days' },
} as const satisfies Readonly<Record<string, RetentionDeclaration>>;

export const retentionSchedules: readonly ScheduleDeclaration[] = [
  {
    id: 'social_events.remove_old',
    description: 'Removes variables of social events, later their runs, and their dedupeKeys.',
    everyMs: 3_600_000,
    async run(context) {
      const { now, keptSince, purge, purgeByWorkspace } = context;
      await purge('social_event_keys', 'expires_at', now);
      await purge('social_event_variables', 'created_at', keptSince('social_event_variables'));
      await purgeByWorkspace('social_event_runs', 'created_at', keptSince('social_event_runs'), {
        social_event_variables: 'run_id',
      });
    },
  },
];
