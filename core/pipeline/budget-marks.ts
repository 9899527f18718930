// The shares of a budget at which `budget.reached` is emitted, and the shares for which this process has already enqueued the
// job. The job (jobs/budget-reached.ts) decides by the rows. Called by metering.ts.

/** The shares at which `budget.reached` is emitted, in percent. */
export const budgetShares = [80, 100] as const;

/** The job that emits `budget.reached`. */
export const reachedKind = 'core.budget_reached';

/** After a call in a transaction of the program, which may be rolled back, other calls enqueue the job again after this time. */
const enqueueAgainMs = 10_000;

/** A budget of one month. */
export interface MonthlyBudget {
  readonly workspaceId: string;
  readonly budget: string;
  readonly period: string;
}

/** Remembers the shares for which this process has enqueued a job. */
export interface BudgetMarks {
  /** The share that `usedOrPromised` may be the first to reach and whose job must be enqueued; otherwise undefined. */
  due(budget: MonthlyBudget & { readonly limit: number; readonly usedOrPromised: number }): number | undefined;
  /** Call after a job for the share was committed, or was written in a transaction of the program. */
  recordEnqueued(share: MonthlyBudget & { readonly percent: number }, joined: boolean): void;
}

/** The largest of the shares that `used` reaches. */
export const shareOf = (used: number, limit: number): number | undefined =>
  limit > 0 && Number.isFinite(limit) ? budgetShares.findLast((percent) => used * 100 >= percent * limit) : undefined;

const keyOf = ({ workspaceId, budget, period }: MonthlyBudget): string => `${workspaceId} ${budget} ${period}`;

/** The marks of one process. */
export function createBudgetMarks(): BudgetMarks {
  const enqueued = new Map<string, { readonly percent: number; readonly until: number }>();
  return {
    due({ limit, usedOrPromised, ...budget }) {
      const percent = shareOf(usedOrPromised, limit);
      if (percent === undefined) return undefined;
      const earlier = enqueued.get(keyOf(budget));
      return earlier !== undefined && earlier.percent >= percent && performance.now() < earlier.until
        ? undefined
        : percent;
    },
    recordEnqueued({ percent, ...budget }, joined) {
      if (enqueued.size > 10_000) enqueued.clear();
      enqueued.set(keyOf(budget), {
        percent,
        until: joined ? performance.now() + enqueueAgainMs : Number.POSITIVE_INFINITY,
      });
    },
  };
}
