// Charges, budgets and credit holds of a transaction: the effects that cost the workspace something. Made by
// call-effects.ts for operations, jobs and the calls inside them; the ledger is credits.ts, the counters budgets.ts.
import type { Effects } from '../contract/context.ts';
import type { WorkspaceHandle } from '../contract/handle.ts';
import type { Workspace } from '../contract/workspace.ts';
import type { TransactionScope } from '../storage/database.ts';
import { insertBudget, nextPeriodAt, periodOf } from './budgets.ts';
import type { Recorded, TransactionTotals } from './call-place.ts';
import type { Core } from './core.ts';
import type { CreditDetails, CreditPools } from './credits.ts';
import { chargeCredits, creditBudget, endHold, holdCredits, reserveCredits } from './credits.ts';

/** The default time until a hold expires that is neither settled nor released. */
const holdMs = 86_400_000;

export const newTotals = (): TransactionTotals => ({ credits: 0, budgets: new Map() });

/** After a flush, or after the rollback of a call in the transaction: nothing is deferred any more. */
export function nothingUnwritten(totals: TransactionTotals): void {
  for (const counted of totals.budgets.values()) counted.unwritten = 0;
}

/** The transaction and its workspace. */
export interface MeteringPlace {
  readonly core: Core;
  readonly scope: Pick<TransactionScope, 'onEnd' | 'beforeFlush'>;
  readonly trx: WorkspaceHandle;
  readonly workspace: Workspace;
  readonly now: number;
  readonly sandbox: boolean;
  readonly totals: TransactionTotals;
  readonly recorded: Pick<Recorded, 'credits'>;
  newId(prefix: string): string;
  afterCommit(work: () => void): void;
}

/** The metered effects. */
export type Metering = Pick<Effects, 'charge' | 'spend' | 'hold' | 'settle' | 'release'>;

/** Sandbox work is free: nothing is charged, counted or held. */
export function createMetering(place: MeteringPlace): Metering {
  const { core, scope, trx, workspace, now, sandbox, totals, recorded, newId } = place;

  const serial = async (): Promise<boolean> => (await core.database()).adapter.capabilities.sharedCommits;

  /** Runs `takeFrom` after the price is reserved. */
  const take = async (price: number, takeFrom: () => Promise<CreditPools['rows']>): Promise<void> => {
    if (!(await serial())) {
      scope.onEnd(await reserveCredits(core.charges, trx, workspace, { price, reserved: totals.credits, now }));
      totals.credits += price;
    }
    for (const { pool, count } of await takeFrom()) core.budgets.summed(workspace.id, creditBudget, pool, count);
    recorded.credits += price;
  };
  const detailsOf = (reason: string): CreditDetails => ({ reason, now, newId });

  return {
    async charge(price, reason) {
      if (sandbox || price <= 0) return;
      await take(price, () => chargeCredits(trx, workspace, price, detailsOf(reason)));
    },
    async hold(price, reason, { expiresAt = now + holdMs } = {}) {
      const id = newId('hld');
      if (sandbox || price <= 0) return id;
      await take(price, () => holdCredits(trx, workspace, { id, price, expiresAt }, detailsOf(reason)));
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
      const own = totals.budgets.get(budget) ?? { reserved: 0, unwritten: 0 };
      const count = { budget, amount, limit, now, ...own, serial: await serial() };
      const release = await core.budgets.take(trx, count);
      if (release === undefined) return { exceeded: true, renewsAt: nextPeriodAt(now) };
      scope.onEnd(release);
      if (own.unwritten === 0) scope.beforeFlush(() => nothingUnwritten(totals));
      totals.budgets.set(budget, { reserved: own.reserved + amount, unwritten: own.unwritten + amount });
      trx.defer(insertBudget, { id: newId('bud'), budget, period: periodOf(now), amount });
      place.afterCommit(() => core.budgets.add(workspace.id, budget, now, amount));
      return { exceeded: false };
    },
  };
}
