import type { RetentionDeclaration, ScheduleDeclaration } from '../../core/index.ts';
import { emptyRunsKind } from './jobs/kinds.ts';
import { runsToEmpty } from './store.ts';

const hour = 3_600_000;
const day = 24 * hour;
/** The longest period that a frequency cap looks back, plus a day. */
const messagesMs = 31 * day;

export const retention = {
  sequence_runs: {
    rows: 'Runs of sequences with their steps',
    since: 'the end of the run',
    default: '400 days',
    min: '7 days',
  },
  sequence_run_contents: {
    rows: 'Variables of runs and outputs of their steps',
    since: 'the end of the run',
    default: '7 days',
  },
} as const satisfies Readonly<Record<string, RetentionDeclaration>>;

export const schedules: readonly ScheduleDeclaration[] = [
  {
    id: 'sequences.empty_runs',
    description: 'Empties variables and outputs of runs that ended long ago.',
    everyMs: hour,
    async run(context) {
      const before = context.keptSince('sequence_run_contents');
      await context.eachWorkspace(async ({ trx, enqueue, sandbox }) => {
        for (const side of sandbox ? [true] : [false, true])
          if ((await runsToEmpty(trx.onSide(side), before, 1)).length > 0)
            enqueue({ kind: emptyRunsKind, payload: { before }, sandbox: side, key: 'empty' });
      });
    },
  },
  {
    id: 'sequences.expire_runs',
    description: 'Removes old runs with their steps, and the rows for frequency caps and progress.',
    everyMs: day,
    async run(context) {
      await context.purgeByWorkspace('sequence_runs', 'completed_at', context.keptSince('sequence_runs'), {
        sequence_steps: 'run_id',
      });
      await context.purgeByWorkspace('sequence_messages', 'sent_at', context.now - messagesMs);
      await context.purge('sequence_enrollments', 'finished_at', context.keptSince('sequence_runs'));
    },
  },
];
