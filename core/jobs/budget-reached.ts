// Emits an event when a workspace has used 80 or 100 percent of a budget. Each share is emitted once a month over all
// processes, because the row that records it and the event commit together. Enqueued by the call that may have reached
// the share (metering.ts).

import { defineJob, type JobDeclaration } from '../contract/declaration/jobs.ts';
import * as z from '../contract/schemas/zod.ts';
import { budgetShares, reachedKind } from '../pipeline/budget-marks.ts';
import { readCounter } from '../pipeline/budget-rows.ts';
import { creditBudget, monthPool } from '../pipeline/credits.ts';

/** The delay until the job looks again, while running calls may still reach the share. */
const recheckDelayMs = 1_000;

/** The job that emits `budget.reached`. Declared with the core's own jobs. */
export const budgetReachedJob: JobDeclaration = defineJob({
  kind: reachedKind,
  payload: z.object({ budget: z.string(), period: z.string(), limit: z.number() }),
  retryDelaysMs: [1_000, 5_000, 30_000, 600_000, 3_600_000, 21_600_000],
  async handler(context, payload) {
    const { budget, period, limit } = payload;
    const credits = budget === creditBudget;
    const pool = credits ? monthPool(period) : period;
    const counter = {
      budget,
      period: credits ? 'balance' : period,
      pools: [pool, pool] as const,
      sign: credits ? (-1 as const) : (1 as const),
    };
    const { used, promised, marks } = await context.read(async ({ trx }) => ({
      ...(await readCounter(trx, counter, context.ports.now())),
      marks: await trx.db
        .selectFrom('budget_marks')
        .select('percent')
        .where('budget', '=', budget)
        .where('period', '=', period)
        .execute(),
    }));
    const announced = new Set(marks.map(({ percent }) => Number(percent)));
    const missing = budgetShares.filter((percent) => !announced.has(percent));
    const reached = missing.filter((percent) => used * 100 >= percent * limit);
    const isNear = missing.some((percent) => !reached.includes(percent) && (used + promised) * 100 >= percent * limit);
    await context.complete(async (ctx) => {
      for (const percent of reached) {
        const marked = await ctx.trx.db
          .insertInto('budget_marks')
          .values({ workspace_id: context.workspace.id, budget, period, percent, reached_at: ctx.now })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        // Another job has emitted the event at the same time.
        if (Number(marked.numInsertedOrUpdatedRows ?? 0) === 0) continue;
        ctx.emit('budget.reached', { budget, percent, used, limit, month: period });
      }
      if (isNear) {
        const key = `${budget} ${period}`;
        ctx.enqueue({ kind: reachedKind, payload, runAt: ctx.now + recheckDelayMs, key });
      }
    });
  },
});
