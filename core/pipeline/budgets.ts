// Counts against budgets, exactly over all processes. If the database runs one transaction after another (SQLite), the sum that a
// transaction reads is exact: each call reads it and adds to the latest row. Otherwise calls take from reservations
// (budget-reservations.ts). If no reservation can be had, the call's own transaction takes the lock and writes a reservation for
// later calls. Called by metering.ts.
import { setTimeout as pause } from 'node:timers/promises';
import type { WorkspaceHandle } from '../contract/context/handle.ts';
import { isStorageError, StorageError } from '../contract/ports/storage.ts';
import type { TransactionScope } from '../storage/database.ts';
import { type BudgetLock, budgetLock, isSnapshotUnusable, lockBudget } from './budget-locks.ts';
import {
  createBudgetReservations,
  type ReservationContext,
  type ReservationRefusal,
  type ReservationRequest,
  roomIn,
  type TakenAmount,
  type UncommittedReservation,
} from './budget-reservations.ts';
import { type BudgetCounter, type BudgetGroup, compactBudget, readCounter, usedBudget } from './budget-rows.ts';

/** The runner's upkeep compacts a sum that has reached this number of deltas. */
const longSum = 500;
/** The same if every call reads the sum: the transaction that reads the sum compacts it. */
const longSerialSum = 64;
/** How long a call waits for other calls that may give something back or that hold the lock. */
const maxWaitMs = 1_000;
/** The same for the lock itself: transactions of processes that have no connection to spare hold it. */
const maxLockWaitMs = 5_000;
/** How long no reservation is requested after a request found no free connection. */
const crowdedMs = 1_000;
/**
 * After a wait without success, calls do not wait for the same counter for this long: a dead process holds the reserved amount.
 */
const hopelessMs = 5_000;

/** The transaction that counts. */
export interface CountingContext {
  readonly scope: Pick<TransactionScope, 'joined' | 'locks' | 'tryLock'>;
  readonly trx: WorkspaceHandle;
  /** Identifies the transaction and its workspace: the same object for everything that counts inside the transaction. */
  readonly totals: object;
  newId(prefix: string): string;
}

/** An amount to count against a budget. */
export interface BudgetCount {
  readonly counter: BudgetCounter;
  readonly amount: number;
  readonly limit: number;
  readonly now: number;
  /** The amount of it that the same transaction has already taken. */
  readonly own: number;
  /** The part of `own` that has no reservation and is not in the database yet. */
  readonly unwritten: number;
}

/** Counts against budgets in one process. */
export interface BudgetMeter {
  /**
   * Takes the amount for a transaction that runs concurrently with others. Undefined if the amount does not fit under the
   * limit.
   * @throws StorageError `busy` if it stays unknown for a second whether the amount fits
   */
  take(context: CountingContext, count: BudgetCount): Promise<TakenAmount | undefined>;
  /** The same if transactions run one after another. */
  takeSerially(context: CountingContext, count: BudgetCount): Promise<TakenAmount | undefined>;
  /** Reports a committed delta, for the compaction. */
  added(group: BudgetGroup): void;
  /** Reports how many deltas a sum had when it was read. */
  summed(group: BudgetGroup, rows: number): void;
  /** Budgets whose number of deltas has grown large since the last call. */
  takeLong(): BudgetGroup[];
  /** Whether this process holds reservations. */
  readonly hasReservations: boolean;
  /** Gives back the reservations that are not in use. */
  settle(): Promise<void>;
}

/** An amount that is counted without a reservation. */
const counted = (seen: number, ended = (): void => undefined, committed = (): void => undefined): TakenAmount => ({
  reservation: null,
  seen,
  committed,
  ended,
});

const keyOf = ({ workspaceId, counter, joined }: ReservationRequest): string =>
  `${workspaceId} ${counter.budget} ${counter.period} ${joined}`;

/** Whether no connection was free, or the database was unavailable. */
const isOutOfReach = (error: unknown): boolean => isStorageError(error, 'busy') || isStorageError(error, 'unavailable');

const outOfReach = ({ budget }: BudgetCounter): StorageError =>
  new StorageError(
    'busy',
    `The budget ${budget} could not be reserved in time, because other transactions hold its lock. Nothing was counted. If your program's transactions use all connections of a pool that it shares with the service, give the service a pool of its own: docs/plans-and-limits.md says how.`,
  );

/** A meter of this process. */
export function createBudgetMeter(context: ReservationContext): BudgetMeter {
  const leases = createBudgetReservations(context);
  const long = new Map<string, BudgetGroup>();
  /**
   * Deltas that this process has added, by group. The sum of an unlimited budget is never read, so `summed` does not report it.
   */
  const unread = new Map<string, number>();
  /** By counter: the amount that waiting calls want, the running request for a reservation, and until when calls do not wait. */
  const wanted = new Map<string, number>();
  const extending = new Map<string, Promise<unknown>>();
  const hopeless = new Map<string, number>();
  /** Until this time no reservation is requested, because the calls that want reservations hold all connections. */
  let crowdedUntil = 0;
  /** The calls of this process that count under a lock, one after another for each counter. */
  const turns = new Map<string, Promise<void>>();
  /** The counters whose lock a transaction holds, with the reservation that it writes for each, if any. */
  const locked = new WeakMap<object, Map<string, UncommittedReservation | undefined>>();

  /** Runs one request at a time for each counter. Waiting calls take from the reservation that the first call got. */
  const extend = async (
    key: string,
    order: ReservationRequest,
  ): Promise<ReservationRefusal | 'crowded' | undefined> => {
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

  /** Waits for the earlier calls of this process, until the deadline. Returns the function that lets the next call in. */
  const takeTurn = async (key: string, deadline: number): Promise<() => void> => {
    const before = turns.get(key);
    let leave = (): void => undefined;
    const turn = new Promise<void>((resolve) => {
      leave = resolve;
    });
    turns.set(key, turn);
    if (before !== undefined) {
      const over = new AbortController();
      const timeout = pause(Math.max(1, deadline - performance.now()), undefined, { signal: over.signal }).catch(
        () => undefined,
      );
      await Promise.race([before, timeout]);
      over.abort();
    }
    return () => {
      if (turns.get(key) === turn) turns.delete(key);
      leave();
    };
  };

  /**
   * Returns a function that waits for a moment, as long as a call may wait for amounts that other calls have reserved. It answers
   * false after that time.
   */
  const patience = (key: string): (() => Promise<boolean>) => {
    const deadline = performance.now() + maxWaitMs;
    return async () => {
      const hope = (hopeless.get(key) ?? 0) < performance.now();
      if (!hope || performance.now() >= deadline) {
        if (hopeless.size > 1_000) hopeless.clear();
        if (hope) hopeless.set(key, performance.now() + hopelessMs);
        return false;
      }
      await pause(10 + Math.random() * 20);
      return true;
    };
  };

  /** Counts in the transaction itself, which then holds the lock until it ends. */
  const countUnderLock = async (
    at: CountingContext,
    order: ReservationRequest,
    { now, unwritten }: Pick<BudgetCount, 'now' | 'unwritten'>,
  ): Promise<TakenAmount | undefined> => {
    const { scope, trx, totals } = at;
    const { workspaceId, counter, joined } = order;
    const lock = budgetLock(workspaceId, counter.budget, counter.period);
    const held = locked.get(totals) ?? new Map<string, UncommittedReservation | undefined>();
    const deadline = performance.now() + (joined ? maxWaitMs : maxLockWaitMs);
    const leave = held.has(lock) ? () => undefined : await takeTurn(lock, deadline);
    /** The call's transaction keeps the lock while it waits: what is promised is stored or given back without it. */
    const waitsForPromised = patience(keyOf(order));
    const fitting = async ({ seen: seenBefore, tell }: BudgetLock): Promise<TakenAmount | undefined> => {
      // A transaction leaves one reservation for later calls, however often it counts. Drop the earlier one: each reservation
      // takes a part of the rest.
      await held.get(lock)?.drop(trx);
      const reading = await readCounter(trx, counter, now);
      const used = reading.used + unwritten;
      // The program's snapshot may lack amounts that were counted after it began.
      const promised = joined ? Math.max(reading.promised, seenBefore - used) : reading.promised;
      const room = roomIn({ ...reading, used, promised }, order);
      if (room === 'promised' && promised > reading.promised) throw outOfReach(counter);
      if (room === 'promised' && !joined && (await waitsForPromised())) {
        await leases.giveBackIn(trx, order);
        return fitting({ seen: seenBefore, tell });
      }
      if (typeof room === 'string') return undefined;
      const seen = used + promised;
      // No reservation in the program's transaction: its end is not seen here, so others could take from a reservation that is not
      // committed.
      const reservation = joined ? undefined : await leases.insert(trx, order, { room, seen });
      held.set(lock, reservation);
      await tell(reservation?.seen ?? seen + order.amount);
      // Runs after the call's `committed`: the next call in turn takes from the reservation that this call wrote.
      return counted(seen + order.amount, () => void setImmediate(leave), reservation?.committed);
    };
    try {
      const drawn = joined ? undefined : leases.draw(order);
      if (drawn !== undefined) {
        leave();
        return drawn;
      }
      if (joined && (await isSnapshotUnusable(scope, trx))) throw outOfReach(counter);
      for (;;) {
        const taking = await lockBudget(scope, trx, counter);
        if (taking !== undefined) {
          if (!held.has(lock)) held.set(lock, undefined);
          locked.set(totals, held);
          const taken = await fitting(taking);
          if (taken !== undefined) return taken;
          break;
        }
        if (performance.now() >= deadline) throw outOfReach(counter);
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
      const { counter, amount, limit, own } = count;
      const { workspaceId } = at.trx;
      const order: ReservationRequest = { workspaceId, counter, amount, limit, own, joined: at.scope.joined };
      const key = keyOf(order);
      const drawn = leases.draw(order);
      if (drawn !== undefined) return drawn;
      const lock = budgetLock(workspaceId, counter.budget, counter.period);
      if (locked.get(at.totals)?.has(lock) === true) return countUnderLock(at, order, count);
      const deadline = performance.now() + maxWaitMs;
      const waitsForPromised = patience(key);
      wanted.set(key, (wanted.get(key) ?? 0) + amount);
      try {
        for (;;) {
          const refusal = await extend(key, order);
          const taken = leases.draw(order);
          if (taken !== undefined) {
            // An amount became free again, so waiting is worthwhile.
            hopeless.delete(key);
            return taken;
          }
          if (refusal === 'full') return undefined;
          if (refusal === 'crowded') return await countUnderLock(at, order, count);
          if (refusal === undefined) continue;
          if (refusal === 'promised') {
            if (!(await waitsForPromised())) return undefined;
            continue;
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
    async takeSerially({ scope, trx, newId }, { counter, amount, limit, now, unwritten }) {
      const { budget, period } = counter;
      const { amount: used, rows, latest } = await usedBudget(trx, budget, now);
      const seen = used + unwritten + amount;
      if (seen > limit) return undefined;
      // Do not compact while amounts are unwritten: they may add to a delta that the compaction would delete.
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
    get hasReservations() {
      return leases.hasUnused;
    },
    settle: () => leases.settle(),
  };
}
