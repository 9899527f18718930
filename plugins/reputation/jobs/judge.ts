// Judges the windows that contain mail of one hour, after faults of that mail were reported. Reports that arrive
// together are judged together, because a waiting job covers all reports about mail of its hour.
import { defineJob, type TransactionContext, z } from '../../../core/index.ts';
import type { ReputationRule } from '../options.ts';
import { applyFinding } from '../state.ts';
import { countedSince, findState, readMailCounts } from '../store.ts';
import { judgeWindows } from '../windows/judge-windows.ts';
import { judgeKind } from './kinds.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** The delay before windows with enough faults but too little mail are judged again. */
const retryDelayMs = 30_000;

/** Judges the windows of mail that was handed over at this time. */
export function enqueueJudging(ctx: TransactionContext, handedOverAt: number, runAt?: number): void {
  const hour = handedOverAt - (handedOverAt % hourMs);
  ctx.enqueue({
    kind: judgeKind,
    payload: { hour },
    key: `${judgeKind} ${hour}`,
    ...(runAt === undefined ? {} : { runAt }),
  });
}

export const createJudgeJob = (rules: readonly ReputationRule[]) =>
  defineJob({
    kind: judgeKind,
    payload: z.object({ hour: z.int() }),

    async handler(ctx, { hour }) {
      const hourEnd = hour + hourMs + dayMs;
      const { state, judgement } = await ctx.read(async ({ trx, now }) => {
        const stored = await findState(trx);
        if (stored.state === 'held') return { state: stored, judgement: undefined };
        const span = { from: hour - dayMs, until: hourEnd, counted_since: countedSince(stored, now) };
        return { state: stored, judgement: judgeWindows(await readMailCounts(trx, span), rules, hour) };
      });
      const { worst, isTooEarly } = judgement ?? { worst: undefined, isTooEarly: false };
      const now = ctx.ports.now();
      const isOpen = isTooEarly && now < hourEnd;
      if (worst === undefined && !isOpen) return ctx.complete();
      await ctx.complete(async (tx) => {
        const isCurrent = worst === undefined || (await applyFinding(tx, worst, state, rules));
        if (!isCurrent) enqueueJudging(tx, hour);
        else if (isOpen && worst?.level !== 'held') enqueueJudging(tx, hour, now + retryDelayMs);
      });
    },
  });
