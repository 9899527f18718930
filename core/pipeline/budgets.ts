// Counts against budgets, exactly over all processes. Where the database runs one transaction after another (SQLite),
// the sum that a transaction reads is exact; it is read each time, and the latest row is added to. Elsewhere calls take from leases
// (budget-leases.ts); where none can be had, the call's own transaction holds the lock and brings a lease for the calls after it.
// Called by metering.ts.
import { setTimeout as pause } from 'node:timers/promises';
import type { WorkspaceHandle } from '../contract/handle.ts';
import { StorageError } from '../contract/ports/storage.ts';
import type { TransactionScope } from '../storage/database.ts';
import {
  type BroughtLease,
  createBudgetLeases,
  isOutOfReach,
  type LeaseOrder,
  type LeasePlace,
  type Refusal,
  roomIn,
  type Taken,
} from './budget-leases.ts';
import { type BudgetLock, budgetLock, isSnapshotUnusable, lockBudget } from './budget-locks.ts';
import { type BudgetGroup, compactBudget, type Figure, readFigure, usedBudget } from './budget-rows.ts';

/** From this number of deltas on, a sum is compacted by the runner's upkeep. */
const longSum = 500;
/** The same where every call reads the sum: the transaction that reads it compacts it. */
const longSerialSum = 64;
/** How long a call waits for others that may give something back, or that hold the lock. */
const maxWaitMs = 1_000;
/** The same for the lock, which is held by transactions of processes that have no connection to spare. */
const maxLockWaitMs = 5_000;
/** How long no lease is tried after one found no connection. */
const crowdedMs = 1_000;
/** For so long after a wait in vain, no other call waits for the same: what is promised is held by a dead process. */
const hopelessMs = 5_000;

/** The transaction that counts. */
export interface CountingPlace {
  readonly scope: Pick<TransactionScope, 'joined' | 'locks' | 'tryLock'>;
  readonly trx: WorkspaceHandle;
  /** Stands for the transaction and its workspace: the same whoever counts inside of it. */
  readonly totals: object;
  newId(prefix: string): string;
}

/** An amount of a budget of the month. */
export interface BudgetCount {
  readonly figure: Figure;
  readonly amount: number;
  readonly limit: number;
  readonly now: number;
  /** What the same transaction has taken of it already. */
  readonly own: number;
  /** The part of it that has no lease and that the database does not have yet. */
  readonly unwritten: number;
}

/** The budgets as one process sees them. */
export interface BudgetMeter {
  /**
   * Takes the amount for a transaction that others run beside; undefined when it does not fit under the limit.
   * @throws StorageError `busy` when it stays unknown for a second whether it fits
   */
  take(place: CountingPlace, count: BudgetCount): Promise<Taken | undefined>;
  /** The same where transactions run one after another. */
  takeSerially(place: CountingPlace, count: BudgetCount): Promise<Taken | undefined>;
  /** Reports a committed delta, for the compaction. */
  added(group: BudgetGroup): void;
  /** Reports how many deltas a sum had that was read. */
  summed(group: BudgetGroup, rows: number): void;
  /** Budgets whose number of deltas has grown large since the last call. */
  takeLong(): BudgetGroup[];
  /** Whether this process holds leases. */
  readonly held: boolean;
  /** Gives the leases back that are not in use. */
  settle(): Promise<void>;
}

/** What is counted without a lease. */
const counted = (seen: number, ended = (): void => undefined, committed = (): void => undefined): Taken => ({
  lease: null,
  seen,
  committed,
  ended,
});

const keyOf = ({ workspaceId, figure, joined }: LeaseOrder): string =>
  `${workspaceId} ${figure.budget} ${figure.period} ${joined}`;

const outOfReach = ({ budget }: Figure): StorageError =>
  new StorageError(
    'busy',
    `The budget ${budget} could not be reserved in time, because other transactions hold its lock. Nothing was counted. If your program's transactions use all connections of a pool that it shares with the service, give the service a pool of its own: docs/plans-and-limits.md says how.`,
  );

/** A meter of this process. */
export function createBudgetMeter(place: LeasePlace): BudgetMeter {
  const leases = createBudgetLeases(place);
  const long = new Map<string, BudgetGroup>();
  /** Deltas of this process that were not summed since: an unlimited budget is never read before it counts. */
  const unread = new Map<string, number>();
  /** By figure: the amount that waiting calls want, the request for a lease that runs, and the end of hopelessness. */
  const wanted = new Map<string, number>();
  const extending = new Map<string, Promise<unknown>>();
  const hopeless = new Map<string, number>();
  /** Until when leases are not tried, because the calls that want them hold all connections. */
  let crowdedUntil = 0;
  /** The calls of this process that count under a lock, one after another by figure. */
  const turns = new Map<string, Promise<void>>();
  /** The figures whose lock a transaction holds, with the lease that it brings for each. */
  const locked = new WeakMap<object, Map<string, BroughtLease | undefined>>();

  /** One request at a time for each figure: those that wait take from what the first one got. */
  const extend = async (key: string, order: LeaseOrder): Promise<Refusal | 'crowded' | undefined> => {
    const running = extending.get(key);
    if (running !== undefined) {
      await running;
      return performance.now() < crowdedUntil ? 'crowded' : undefined;
    }
    if (performance.now() < crowdedUntil) return 'crowded';
    const run = leases.extend(order, wanted.get(key) ?? 0).catch((error: unknown) => {
      if (!isOutOfReach(error)) throw error;
      crowdedUntil = performance.now() + crowdedMs;
      return 'crowded' as const;
    });
    extending.set(
      key,
      run.catch(() => undefined).finally(() => extending.delete(key)),
    );
    return run;
  };

  /** Waits for the calls of this process that asked before, until the deadline; answers what lets the next one in. */
  const takeTurn = async (key: string, deadline: number): Promise<() => void> => {
    const before = turns.get(key);
    let leave = (): void => undefined;
    const turn = new Promise<void>((resolve) => {
      leave = resolve;
    });
    turns.set(key, turn);
    if (before !== undefined) {
      const over = new AbortController();
      const late = pause(Math.max(1, deadline - performance.now()), undefined, { signal: over.signal }).catch(
        () => undefined,
      );
      await Promise.race([before, late]);
      over.abort();
    }
    return () => {
      if (turns.get(key) === turn) turns.delete(key);
      leave();
    };
  };

  /** Counts in the transaction itself, which holds the lock until its end. */
  const countUnderLock = async (
    at: CountingPlace,
    order: LeaseOrder,
    { now, unwritten }: Pick<BudgetCount, 'now' | 'unwritten'>,
  ): Promise<Taken | undefined> => {
    const { scope, trx, totals } = at;
    const { workspaceId, figure, joined } = order;
    const lock = budgetLock(workspaceId, figure.budget, figure.period);
    const held = locked.get(totals) ?? new Map<string, BroughtLease | undefined>();
    const deadline = performance.now() + (joined ? maxWaitMs : maxLockWaitMs);
    const leave = held.has(lock) ? () => undefined : await takeTurn(lock, deadline);
    const fitting = async ({ seen: seenBefore, tell }: BudgetLock): Promise<Taken | undefined> => {
      // One lease for the calls after this transaction, however often it counts: each is a part of what is left.
      await held.get(lock)?.drop(trx);
      const reading = await readFigure(trx, figure, now);
      const used = reading.used + unwritten;
      // The program's snapshot may lack what was counted after it began.
      const promised = joined ? Math.max(reading.promised, seenBefore - used) : reading.promised;
      const room = roomIn({ ...reading, used, promised }, order);
      if (room === 'promised' && promised > reading.promised) throw outOfReach(figure);
      if (typeof room === 'string') return undefined;
      const seen = used + promised;
      // The end of the program's transaction is not seen here: others could take what is not committed.
      const brought = joined ? undefined : await leases.bring(trx, order, { room, seen });
      held.set(lock, brought);
      await tell(brought?.seen ?? seen + order.amount);
      // After what the call does at its commit: the next in turn takes from the lease that this one brought.
      return counted(seen + order.amount, () => void setImmediate(leave), brought?.committed);
    };
    try {
      const drawn = joined ? undefined : leases.draw(order);
      if (drawn !== undefined) {
        leave();
        return drawn;
      }
      if (joined && (await isSnapshotUnusable(scope, trx))) throw outOfReach(figure);
      for (;;) {
        const taking = await lockBudget(scope, trx, figure);
        if (taking !== undefined) {
          if (!held.has(lock)) held.set(lock, undefined);
          locked.set(totals, held);
          const taken = await fitting(taking);
          if (taken !== undefined) return taken;
          break;
        }
        if (performance.now() >= deadline) throw outOfReach(figure);
        await pause(2 + Math.random() * 8);
      }
    } catch (error) {
      leave();
      throw error;
    }
    leave();
    return undefined;
  };

  return {
    async take(at, count) {
      const { figure, amount, limit, own } = count;
      const { workspaceId } = at.trx;
      const order: LeaseOrder = { workspaceId, figure, amount, limit, own, joined: at.scope.joined };
      const key = keyOf(order);
      const drawn = leases.draw(order);
      if (drawn !== undefined) return drawn;
      const lock = budgetLock(workspaceId, figure.budget, figure.period);
      if (locked.get(at.totals)?.has(lock) === true) return countUnderLock(at, order, count);
      const deadline = performance.now() + maxWaitMs;
      wanted.set(key, (wanted.get(key) ?? 0) + amount);
      try {
        for (;;) {
          const refusal = await extend(key, order);
          const taken = leases.draw(order);
          if (taken !== undefined) {
            // Something was free again: waiting is worth it.
            hopeless.delete(key);
            return taken;
          }
          if (refusal === 'full') return undefined;
          if (refusal === 'crowded') return await countUnderLock(at, order, count);
          if (refusal === undefined) continue;
          const hope = (hopeless.get(key) ?? 0) < performance.now();
          if (refusal === 'promised' && (!hope || performance.now() >= deadline)) {
            if (hopeless.size > 1_000) hopeless.clear();
            if (hope) hopeless.set(key, performance.now() + hopelessMs);
            return undefined;
          }
          if (performance.now() >= deadline) return await countUnderLock(at, order, count);
          await pause(10 + Math.random() * 20);
        }
      } finally {
        const rest = (wanted.get(key) ?? 0) - amount;
        if (rest > 0) wanted.set(key, rest);
        else wanted.delete(key);
      }
    },
    async takeSerially({ scope, trx, newId }, { figure, amount, limit, now, unwritten }) {
      const { budget, period } = figure;
      const { amount: used, rows, latest } = await usedBudget(trx, budget, now);
      const seen = used + unwritten + amount;
      if (seen > limit) return undefined;
      // What this transaction has not written yet may add to a delta that a compaction would delete.
      if (rows <= longSerialSum || scope.joined || unwritten > 0) return { ...counted(seen), delta: latest };
      await compactBudget(trx, { workspaceId: trx.workspaceId, budget, period }, newId('bud'));
      return counted(seen);
    },
    added(group) {
      const key = `${group.workspaceId} ${group.budget} ${group.period}`;
      const rows = (unread.get(key) ?? 0) + 1;
      if (unread.size > 10_000) unread.clear();
      unread.set(key, rows % longSum);
      if (rows === longSum) long.set(key, group);
    },
    summed(group, rows) {
      if (rows > longSum) long.set(`${group.workspaceId} ${group.budget} ${group.period}`, group);
    },
    takeLong() {
      const taken = [...long.values()];
      long.clear();
      return taken;
    },
    get held() {
      return leases.held;
    },
    settle: () => leases.settle(),
  };
}
