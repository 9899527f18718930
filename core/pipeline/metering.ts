// Charges, budgets and credit holds of a transaction: the effects that use credits or budgets of the workspace. Created
// by call-effects.ts for operations, jobs and the calls inside them. The ledger is in credits.ts, the counters in
// budgets.ts.
import type { TransactionContext } from '../contract/context/context.ts';
import type { WorkspaceHandle } from '../contract/context/handle.ts';
import type { Workspace } from '../contract/context/workspace.ts';
import type { TransactionScope } from '../storage/database.ts';
import { reachedKind } from './budget-marks.ts';
import type { TakenAmount } from './budget-reservations.ts';
import { addToBudget, insertBudget, monthlyCounter, nextPeriodAt, periodOf } from './budget-rows.ts';
import type { Core } from './core.ts';
import {
  type CreditDetails,
  type CreditPools,
  chargeCredits,
  creditBudget,
  creditCounter,
  creditPools,
  endHold,
  exhausted,
  holdCredits,
} from './credits.ts';
import type { RecordedEffects, TransactionTotals } from './inner-call-context.ts';
import type { LeashedCall } from './leash.ts';

/** The default lifetime of a hold that is neither settled nor released. */
const holdMs = 86_400_000;

const totalsByScope = new WeakMap<object, Map<string, TransactionTotals>>();

/**
 * The amounts that a transaction has taken from a workspace's budgets. Calls inside the transaction and the ends of many jobs
 * share them.
 */
export function totalsOf(scope: object, workspaceId: string): TransactionTotals {
  const ofScope = totalsByScope.get(scope) ?? new Map<string, TransactionTotals>();
  totalsByScope.set(scope, ofScope);
  const totals = ofScope.get(workspaceId) ?? { budgets: new Map(), parts: [] };
  ofScope.set(workspaceId, totals);
  return totals;
}

/** Gives back all parts but the first `keptCount`. Call it after the rollback of a call in the transaction. */
export function giveBackParts(totals: TransactionTotals, keptCount: number): void {
  for (const { budget, amount, giveBack } of totals.parts.splice(keptCount)) {
    const counted = totals.budgets.get(budget);
    if (counted !== undefined) counted.alreadyTaken -= amount;
    giveBack();
  }
  markAllWritten(totals);
}

/** Records that no amount is unwritten. Call it after a flush, when no write is deferred any more. */
function markAllWritten(totals: TransactionTotals): void {
  for (const counted of totals.budgets.values()) counted.unwritten = 0;
}

/** The transaction and its workspace. */
export interface MeteringContext {
  readonly core: Core;
  readonly scope: Pick<TransactionScope, 'onEnd' | 'beforeFlush' | 'joined' | 'locks' | 'tryLock'>;
  readonly trx: WorkspaceHandle;
  readonly workspace: Workspace;
  readonly now: number;
  readonly sandbox: boolean;
  readonly totals: TransactionTotals;
  readonly recorded: Pick<RecordedEffects, 'credits'>;
  readonly leashed: LeashedCall | undefined;
  newId(prefix: string): string;
  enqueue: TransactionContext['enqueue'];
  afterCommit(work: () => void): void;
}

/** The metered effects. */
export type Metering = Pick<TransactionContext, 'charge' | 'spend' | 'hold' | 'settle' | 'release'>;

/** Makes the metered effects of a transaction. Sandbox work is free: nothing is charged, counted or held. */
export function createMetering(context: MeteringContext): Metering {
  const { core, scope, trx, workspace, now, sandbox, totals, recorded, leashed, newId } = context;

  const runsSerially = async (): Promise<boolean> => (await core.database()).adapter.capabilities.sharedCommits;

  /** Records an amount that the transaction has taken, until the transaction ends. */
  const recordTaken = (budget: string, amount: number, unwritten: number, taken: TakenAmount): void => {
    const countedBefore = totals.budgets.get(budget) ?? { alreadyTaken: 0, unwritten: 0 };
    totals.budgets.set(budget, {
      alreadyTaken: countedBefore.alreadyTaken + amount,
      unwritten: countedBefore.unwritten + unwritten,
    });
    totals.parts.push({ budget, amount, giveBack: () => taken.markEnded() });
    scope.onEnd(() => taken.markEnded());
    context.afterCommit(() => taken.markCommitted());
  };

  /** Enqueues the job that emits `budget.reached` if this call may use up a share of the budget. */
  const watchShare = (budget: string, limit: number, usedOrPromised: number): void => {
    const period = periodOf(now);
    const percent = core.budgetMarks.due({ workspaceId: workspace.id, budget, period, limit, usedOrPromised });
    if (percent === undefined) return;
    context.enqueue({ kind: reachedKind, payload: { budget, period, limit } });
    context.afterCommit(() =>
      core.budgetMarks.recordEnqueued({ workspaceId: workspace.id, budget, period, percent }, scope.joined),
    );
  };

  /**
   * The reservation that covers the price. Null if credits are unlimited or the sums of the pools are exact.
   * @throws credits_exhausted
   */
  const reserveFor = async (price: number): Promise<string | null> => {
    const limit = workspace.plan.monthlyCredits;
    if (limit === Number.POSITIVE_INFINITY || (await runsSerially())) return null;
    const alreadyTaken = totals.budgets.get(creditBudget)?.alreadyTaken ?? 0;
    const taken = await core.budgets.take(context, {
      ...{ counter: creditCounter(now), amount: price, limit, now, alreadyTaken },
      unwritten: 0,
    });
    if (taken === undefined) {
      const { month, granted } = await creditPools(trx, workspace, now);
      throw exhausted(workspace, price, month + granted, now);
    }
    recordTaken(creditBudget, price, 0, taken);
    return taken.reservation;
  };

  /** Runs `takeFrom` after the price is covered. */
  const take = async (
    price: number,
    reason: string,
    takeFrom: (details: CreditDetails) => Promise<CreditPools>,
  ): Promise<void> => {
    leashed?.checkCredits(price);
    const { month, rows } = await takeFrom({ reason, now, newId, reservation: await reserveFor(price) });
    if (leashed !== undefined) {
      leashed.addCredits(price);
      totals.parts.push({ budget: 'leash', amount: price, giveBack: () => leashed.addCredits(-price) });
    }
    const group = { workspaceId: workspace.id, budget: creditBudget };
    for (const { pool, count } of rows) core.budgets.reportSummed({ ...group, period: pool }, count);
    recorded.credits += price;
    const limit = workspace.plan.monthlyCredits;
    watchShare(creditBudget, limit, limit - month + price);
  };

  return {
    async charge(price, reason) {
      if (sandbox || price <= 0) return;
      await take(price, reason, (details) => chargeCredits(trx, workspace, price, details));
    },
    async hold(price, reason, { expiresAt = now + holdMs } = {}) {
      const id = newId('hld');
      if (sandbox || price <= 0) return id;
      await take(price, reason, (details) => holdCredits(trx, workspace, { id, price, expiresAt }, details));
      return id;
    },
    async settle(id, price) {
      return sandbox || endHold(trx, { id, price, kind: 'settle' }, { now, newId });
    },
    async release(id) {
      return sandbox || endHold(trx, { id, price: 0, kind: 'release' }, { now, newId });
    },
    async spend(budget, amount, limit) {
      if (sandbox) return { exceeded: false };
      const counter = monthlyCounter(budget, now);
      const { period } = counter;
      let reservation: string | null = null;
      if (limit !== Number.POSITIVE_INFINITY) {
        const { alreadyTaken, unwritten } = totals.budgets.get(budget) ?? { alreadyTaken: 0, unwritten: 0 };
        const count = { counter, amount, limit, now, alreadyTaken, unwritten };
        const taken = (await runsSerially())
          ? await core.budgets.takeSerially(context, count)
          : await core.budgets.take(context, count);
        if (taken === undefined) return { exceeded: true, renewsAt: nextPeriodAt(now) };
        if (unwritten === 0) scope.beforeFlush(() => markAllWritten(totals));
        recordTaken(budget, amount, taken.reservation === null ? amount : 0, taken);
        watchShare(budget, limit, taken.usedOrPromised);
        if (taken.delta !== undefined) {
          trx.defer(addToBudget, { id: taken.delta, budget, period, amount });
          return { exceeded: false };
        }
        reservation = taken.reservation;
      }
      trx.defer(insertBudget, { id: newId('bud'), budget, period, amount, lease: reservation });
      context.afterCommit(() => core.budgets.reportAdded({ workspaceId: workspace.id, budget, period }));
      return { exceeded: false };
    },
  };
}
