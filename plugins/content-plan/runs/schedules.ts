// Expires runs without a decision in time, and removes old runs.
import {
  defineJob,
  type JobDeclaration,
  type RetentionDeclaration,
  type ScheduleDeclaration,
  z,
} from '../../../core/index.ts';
import { endRun } from './store.ts';
import { runRows } from './tables.ts';

const expireKind = 'content_plan.expire';
const batch = 100;

export const runRetention = {
  plan_runs: {
    rows: 'Plans of a week that have ended',
    since: 'their end',
    default: '400 days',
    min: '1 day',
  },
} as const satisfies Readonly<Record<string, RetentionDeclaration>>;

/** Expires the runs of one side whose time for a decision is over. */
export const expireRuns: JobDeclaration = defineJob({
  kind: expireKind,
  payload: z.object({}),
  async handler(ctx) {
    const due = await ctx.read(({ trx }) =>
      runRows.between(trx, { time: 'expires_at', from: 0, until: ctx.ports.now(), limit: batch }),
    );
    for (const { id } of due)
      await ctx.checkpoint(async (tx) => {
        const run = await runRows.lock(tx.trx, id);
        if (run?.status !== 'awaiting_decision' || (run.expires_at ?? Number.POSITIVE_INFINITY) > tx.now) return;
        await endRun(tx, run, 'expired', 'No decision came within 14 days.');
      });
    await ctx.complete();
  },
});

export const runSchedules: readonly ScheduleDeclaration[] = [
  {
    id: 'content_plan.expire',
    description: 'Expires plans of a week that have waited for a decision for 14 days.',
    everyMs: 3_600_000,
    async run({ eachWorkspace }) {
      await eachWorkspace(async ({ enqueue }) => {
        for (const sandbox of [false, true]) enqueue({ kind: expireKind, payload: {}, key: 'expire', sandbox });
      });
    },
  },
  {
    id: 'content_plan.remove_runs',
    description: 'Removes plans of a week that ended long ago.',
    everyMs: 86_400_000,
    async run({ keptSince, purgeByWorkspace }) {
      await purgeByWorkspace('plan_runs', 'ended_at', keptSince('plan_runs'));
    },
  },
];
