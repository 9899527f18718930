import type { RetentionDeclaration, ScheduleDeclaration } from '../../core/index.ts';
import { mergeKind } from './jobs/kinds.ts';
import { settledMs } from './jobs/merge.ts';
import { findState, hasUnmerged } from './store.ts';
import { minuteOf } from './windows/series.ts';

const hour = 3_600_000;
const day = 24 * hour;

/**
 * A report about older mail no longer counts. The rows before such mail must still exist, because its windows begin a
 * day earlier.
 */
const countedDays = 8;

export const retention = {
  reputation_history: {
    rows: "Changes of the state of a workspace's reputation",
    since: 'the change',
    default: '400 days',
    min: '7 days',
  },
} as const satisfies Readonly<Record<string, RetentionDeclaration>>;

export const schedules: readonly ScheduleDeclaration[] = [
  {
    id: 'reputation.merge',
    description: 'Merges the rows that count mail, one minute after another.',
    everyMs: hour / 4,
    async run(context) {
      const until = minuteOf(context.now - settledMs);
      await context.eachWorkspace(async (ctx) => {
        if (ctx.sandbox) return;
        const { merged_until: since } = await findState(ctx.trx);
        if (await hasUnmerged(ctx.trx, since, until))
          ctx.enqueue({ kind: mergeKind, key: mergeKind, payload: {}, lane: 'bulk' });
      });
    },
  },
  {
    id: 'reputation.forget',
    description: 'Removes the counts of old mail, and old changes of the state.',
    everyMs: hour,
    async run(context) {
      const oldest = context.now - countedDays * day;
      await context.purgeByWorkspace('reputation_hand_overs', 'minute', oldest);
      await context.purgeByWorkspace('reputation_faults', 'minute', oldest);
      await context.purgeByWorkspace('reputation_history', 'created_at', context.keptSince('reputation_history'));
    },
  },
];
