// Counts against budgets, exactly over all processes. If the database runs one transaction after another (SQLite), the sum that a
// transaction reads is exact: each call reads it and adds to the latest row. Otherwise calls take from reservations
// (budget-reservations.ts). If no reservation is available, the call's own transaction takes the lock and writes a reservation for
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
const compactionRows = 500;
/** If every call reads the sum (SQLite), the transaction that reads more deltas than this compacts them. */
const serialCompactionRows = 64;
/** How long a call waits for other calls that may give something back or that hold the lock. */
const maxWaitMs = 1_000;
/** How long a call waits for the lock alone. Longer, because processes without a spare connection hold the lock. */
const maxLockWaitMs = 5_000;
/** After a request found no free connection, no reservation is requested for this long. */
const noConnectionPauseMs = 1_000;
/**
 * After a wait without success, calls do not wait for the same counter for this long: a dead process holds the reserved amount.
 */
const noWaitMs = 5_000;

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
  readonly alreadyTaken: number;
  /** The part of `alreadyTaken` that has no reservation and is not in the database yet. */
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
  reportAdded(group: BudgetGroup): void;
  /** Reports how many deltas a sum had when it was read. */
  reportSummed(group: BudgetGroup, rows: number): void;
  /** Budgets whose number of deltas has grown large since the last call. */
  takeGroupsToCompact(): BudgetGroup[];
  /** Whether this process holds reservations. */
  readonly hasReservations: boolean;
  /** Gives back the reservations that are not in use. */
  settle(): Promise<void>;
}

/** An amount that is counted without a reservation. */
const takenWithoutReservation = (
  usedOrPromised: number,
  ended = (): void => undefined,
  committed = (): void => undefined,
): TakenAmount => ({
  reservation: null,
  usedOrPromised,
  markCommitted: committed,
  markEnded: ended,
});

const keyOf = ({ workspaceId, counter, joined }: ReservationRequest): string =>
  `${workspaceId} ${counter.budget} ${counter.period} ${joined}`;

/** Whether no connection was free, or the database was unavailable. */
const isUnreachable = (error: unknown): boolean =>
  isStorageError(error, 'busy') || isStorageError(error, 'unavailable');

const unreachableError = ({ budget }: BudgetCounter): StorageError =>
  new StorageError(
    'busy',
    `The budget ${budget} could not be reserved in time, because other transactions hold its lock. Nothing was counted. If your program's transactions use all connections of a pool that it shares with the service, give the service a pool of its own: docs/plans-and-limits.md says how.`,
  );

/** A meter of this process. */
export function createBudgetMeter(context: ReservationContext): BudgetMeter {
  const reservations = createBudgetReservations(context);
  const groupsToCompact = new Map<string, BudgetGroup>();
  /**
   * Deltas that this process has added, by group. The sum of an unlimited budget is never read, so `reportSummed` does not report it.
   */
  const unread = new Map<string, number>();
  /** By counter: the amount that waiting calls want, the running request for a reservation, and until when calls do not wait. */
  const wantedAmounts = new Map<string, number>();
  const extending = new Map<string, Promise<unknown>>();
  const noWaitUntil = new Map<string, number>();
  /** Until this time no reservation is requested, because the calls that want reservations hold all connections. */
  let noRequestsUntil = 0;
  /** The calls of this process that count under a lock, one after another for each counter. */
  const turns = new Map<string, Promise<void>>();
  /** The counters whose lock a transaction holds, with the reservation that it writes for each, if any. */
  const locked = new WeakMap<object, Map<string, UncommittedReservation | undefined>>();

  /** Runs one request at a time for each counter. Waiting calls take from the reservation that the first call got. */
  const extend = async (
    key: string,
    request: ReservationRequest,
  ): Promise<ReservationRefusal | 'no_connection' | undefined> => {
    const running = extending.get(key);
    if (running !== undefined) {
      await running;
      return performance.now() < noRequestsUntil ? 'no_connection' : undefined;
    }
    if (performance.now() < noRequestsUntil) return 'no_connection';
    const run = reservations.extend(request, wantedAmounts.get(key) ?? 0).catch((error: unknown) => {
      if (!isUnreachable(error)) throw error;
      noRequestsUntil = performance.now() + noConnectionPauseMs;
      return 'no_connection' as const;
    });
    extending.set(
      key,
      run.catch(() => undefined).finally(() => extending.delete(key)),
    );
    return run;
  };

  /** Waits for the earlier calls of this process, until the deadline. Returns the function that lets the next call in. */
  const takeTurn = async (key: string, deadline: number): Promise<() => void> => {
    const previousTurn = turns.get(key);
    let endTurn = (): void => undefined;
    const turn = new Promise<void>((resolve) => {
      endTurn = resolve;
    });
    turns.set(key, turn);
    if (previousTurn !== undefined) {
      const waitEnded = new AbortController();
      const timeout = pause(Math.max(1, deadline - performance.now()), undefined, { signal: waitEnded.signal }).catch(
        () => undefined,
      );
      await Promise.race([previousTurn, timeout]);
      waitEnded.abort();
    }
    return () => {
      if (turns.get(key) === turn) turns.delete(key);
      endTurn();
    };
  };

  /**
   * Returns a function that waits for a moment. It returns false if the call has already waited as long as it may for amounts that
   * other calls have reserved.
   */
  const createWaiter = (key: string): (() => Promise<boolean>) => {
    const deadline = performance.now() + maxWaitMs;
    return async () => {
      const mayWait = (noWaitUntil.get(key) ?? 0) < performance.now();
      if (!mayWait || performance.now() >= deadline) {
        if (noWaitUntil.size > 1_000) noWaitUntil.clear();
        if (mayWait) noWaitUntil.set(key, performance.now() + noWaitMs);
        return false;
      }
      await pause(10 + Math.random() * 20);
      return true;
    };
  };

  /** Counts in the transaction itself, which then holds the lock until it ends. */
  const countUnderLock = async (
    countingContext: CountingContext,
    request: ReservationRequest,
    { now, unwritten }: Pick<BudgetCount, 'now' | 'unwritten'>,
  ): Promise<TakenAmount | undefined> => {
    const { scope, trx, totals } = countingContext;
    const { workspaceId, counter, joined } = request;
    const lock = budgetLock(workspaceId, counter.budget, counter.period);
    const heldLocks = locked.get(totals) ?? new Map<string, UncommittedReservation | undefined>();
    const deadline = performance.now() + (joined ? maxWaitMs : maxLockWaitMs);
    const endTurn = heldLocks.has(lock) ? () => undefined : await takeTurn(lock, deadline);
    /**
     * The call's transaction keeps the lock while it waits, because reserved amounts are stored or given back without
     * the lock.
     */
    const waitsForPromised = createWaiter(keyOf(request));
    const takeIfFits = async ({
      usedOrPromised: storedBefore,
      store,
    }: BudgetLock): Promise<TakenAmount | undefined> => {
      // A transaction leaves one reservation for later calls, however often it counts. Drop the earlier one: each reservation
      // takes a part of the rest.
      await heldLocks.get(lock)?.drop(trx);
      const reading = await readCounter(trx, counter, now);
      const used = reading.used + unwritten;
      // The program's snapshot may lack amounts that were counted after it began.
      const promised = joined ? Math.max(reading.promised, storedBefore - used) : reading.promised;
      const room = roomIn({ ...reading, used, promised }, request);
      if (room === 'promised' && promised > reading.promised) throw unreachableError(counter);
      if (room === 'promised' && !joined && (await waitsForPromised())) {
        await reservations.giveBackIn(trx, request);
        return takeIfFits({ usedOrPromised: storedBefore, store });
      }
      if (typeof room === 'string') return undefined;
      const usedOrPromised = used + promised;
      // No reservation in the program's transaction: its end is not seen here, so others could take from a reservation that is not
      // committed.
      const reservation = joined ? undefined : await reservations.insert(trx, request, { room, usedOrPromised });
      heldLocks.set(lock, reservation);
      await store(reservation?.usedOrPromised ?? usedOrPromised + request.amount);
      // Runs after the call's `markCommitted`: the next call in turn takes from the reservation that this call wrote.
      return takenWithoutReservation(
        usedOrPromised + request.amount,
        () => void setImmediate(endTurn),
        reservation?.committed,
      );
    };
    try {
      const drawn = joined ? undefined : reservations.draw(request);
      if (drawn !== undefined) {
        endTurn();
        return drawn;
      }
      if (joined && (await isSnapshotUnusable(scope, trx))) throw unreachableError(counter);
      for (;;) {
        const budgetLockTaken = await lockBudget(scope, trx, counter);
        if (budgetLockTaken !== undefined) {
          if (!heldLocks.has(lock)) heldLocks.set(lock, undefined);
          locked.set(totals, heldLocks);
          const taken = await takeIfFits(budgetLockTaken);
          if (taken !== undefined) return taken;
          break;
        }
        if (performance.now() >= deadline) throw unreachableError(counter);
        await pause(2 + Math.random() * 8);
      }
    } catch (error) {
      endTurn();
      throw error;
    }
    endTurn();
    return undefined;
  };

  return {
    async take(countingContext, count) {
      const { counter, amount, limit, alreadyTaken } = count;
      const { workspaceId } = countingContext.trx;
      const request: ReservationRequest = {
        workspaceId,
        counter,
        amount,
        limit,
        alreadyTaken,
        joined: countingContext.scope.joined,
      };
      const key = keyOf(request);
      const drawn = reservations.draw(request);
      if (drawn !== undefined) return drawn;
      const lock = budgetLock(workspaceId, counter.budget, counter.period);
      if (locked.get(countingContext.totals)?.has(lock) === true)
        return countUnderLock(countingContext, request, count);
      const deadline = performance.now() + maxWaitMs;
      const waitsForPromised = createWaiter(key);
      wantedAmounts.set(key, (wantedAmounts.get(key) ?? 0) + amount);
      try {
        for (;;) {
          const refusal = await extend(key, request);
          const taken = reservations.draw(request);
          if (taken !== undefined) {
            // An amount became free again, so waiting is worthwhile.
            noWaitUntil.delete(key);
            return taken;
          }
          if (refusal === 'full') return undefined;
          if (refusal === 'no_connection') return await countUnderLock(countingContext, request, count);
          if (refusal === undefined) continue;
          if (refusal === 'promised') {
            if (!(await waitsForPromised())) return undefined;
            continue;
          }
          if (performance.now() >= deadline) return await countUnderLock(countingContext, request, count);
          await pause(10 + Math.random() * 20);
        }
      } finally {
        const remaining = (wantedAmounts.get(key) ?? 0) - amount;
        if (remaining > 0) wantedAmounts.set(key, remaining);
        else wantedAmounts.delete(key);
      }
    },
    async takeSerially({ scope, trx, newId }, { counter, amount, limit, now, unwritten }) {
      const { budget, period } = counter;
      const { amount: used, rows, latest } = await usedBudget(trx, budget, now);
      const usedWithCall = used + unwritten + amount;
      if (usedWithCall > limit) return undefined;
      // Do not compact while amounts are unwritten: they may add to a delta that the compaction would delete.
      if (rows <= serialCompactionRows || scope.joined || unwritten > 0)
        return { ...takenWithoutReservation(usedWithCall), delta: latest };
      await compactBudget(trx, { workspaceId: trx.workspaceId, budget, period }, newId('bud'));
      return takenWithoutReservation(usedWithCall);
    },
    reportAdded(group) {
      const key = `${group.workspaceId} ${group.budget} ${group.period}`;
      const rows = (unread.get(key) ?? 0) + 1;
      if (unread.size > 10_000) unread.clear();
      unread.set(key, rows % compactionRows);
      if (rows === compactionRows) groupsToCompact.set(key, group);
    },
    reportSummed(group, rows) {
      if (rows > compactionRows) groupsToCompact.set(`${group.workspaceId} ${group.budget} ${group.period}`, group);
    },
    takeGroupsToCompact() {
      const taken = [...groupsToCompact.values()];
      groupsToCompact.clear();
      return taken;
    },
    get hasReservations() {
      return reservations.hasUnused;
    },
    settle: () => reservations.settle(),
  };
}
