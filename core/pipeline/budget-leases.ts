// The leases that this process holds on budgets, where the database runs transactions at the same time. A lease is taken
// in a short transaction of its own, under a lock over all processes; calls take from it in memory and write only their
// delta. Far from the end a lease is large, so that most calls ask the database nothing, and it is renewed before it ends,
// so that no call waits for the next one; near the end each call takes its own. Called by budgets.ts.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WorkspaceHandle } from '../contract/handle.ts';
import { isStorageError } from '../contract/ports/storage.ts';
import type { Database, TransactionScope } from '../storage/database.ts';
import { lockBudget } from './budget-locks.ts';
import {
  deleteLease,
  type Figure,
  type FigureReading,
  insertLease,
  leaseLifeMs,
  readFigure,
  shrinkLease,
} from './budget-rows.ts';

/** A lease of at most this part of what is left. */
const share = 16;
const largest = 1_000;
/** How long calls may take from a lease: the rest is given back then. */
const farMs = 2_000;
const nearMs = 250;
/** Closer to its end than this part of the limit, a budget is near its end. */
const near = 0.2;
/** A lease this old, or with no more than this part left, is renewed while calls still take from it. */
const renewAfterMs = 1_200;
const renewAtPart = 0.25;
/** How long a renewal waits for a connection. No call waits for it. */
const renewalConnectionMs = 1_000;
/** How long a new lease waits for a connection: the calls that wait for the lease may hold all of them. */
const connectionMs = 100;
/** The same for a call in a transaction of the program, which may have no other way to count. */
const joinedConnectionMs = 250;

/** What a call asks for. */
export interface LeaseOrder {
  readonly workspaceId: string;
  readonly figure: Figure;
  readonly amount: number;
  readonly limit: number;
  /** What the same transaction has taken already. */
  readonly own: number;
  /** Whether the transaction is one of the program, whose end this process does not see. */
  readonly joined: boolean;
}

/** A part of a lease that one call has taken. */
export interface Taken {
  /** The lease for the delta's row. */
  readonly lease: string | null;
  /** The delta that the amount is added to, where transactions run one after another. (Default: a new one) */
  readonly delta?: string | undefined;
  /** At most this much was used when the lease was taken, this call included. */
  readonly seen: number;
  /** The call's own part of the transaction is sure to be stored if the transaction is. */
  committed(): void;
  /** The transaction has ended, or our savepoint in it; `committed` may come a moment later. */
  ended(): void;
}

interface Lease {
  readonly id: string;
  readonly order: Pick<LeaseOrder, 'workspaceId' | 'figure' | 'joined' | 'limit'>;
  readonly seen: number;
  readonly size: number;
  /** When it was taken, by `performance.now()`. */
  readonly since: number;
  left: number;
  /** Whether the next one was asked for. */
  renewed: boolean;
  /** Taken by calls that have not ended. */
  running: number;
  /** Taken by calls that ended well. */
  done: number;
  /** Taken by calls that ended in any way. */
  over: number;
  /** Whether calls may take from it. */
  open: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** What a reading of the figure allows. */
export interface LeaseRoom {
  /** How much may still be taken. */
  readonly room: number;
  /** What is used or promised. */
  readonly seen: number;
}

/** Why there is no lease: used up; promised to other calls, which may not use it; another process holds the lock. */
export type Refusal = 'full' | 'promised' | 'locked';

/** What the leases need of the service. */
export interface LeasePlace {
  database(): Promise<Database>;
  /** Whether the database is open: what comes after the service has stopped does not open it again. */
  isOpen(): boolean;
  now(): number;
  newId(prefix: string): string;
}

/** A lease in a transaction that is not committed. */
export interface BroughtLease {
  /** What is used or promised, the call and the lease included. */
  readonly seen: number;
  /** Makes it usable, once the transaction is committed. */
  committed(): void;
  /** Takes it back in the same transaction, which counts once more: what it promised is free again. */
  drop(handle: WorkspaceHandle): Promise<void>;
}

/** The leases of one process. */
export interface BudgetLeases {
  /** Takes from the lease that is held, without a look at the database. */
  draw(order: LeaseOrder): Taken | undefined;
  /** Takes a new lease. @throws StorageError `busy` or `unavailable` where no connection is free */
  extend(order: LeaseOrder, wanted: number): Promise<Refusal | undefined>;
  /**
   * Writes a lease in the transaction of a call that holds the lock and fits into `room`, for the calls after it. Undefined near
   * the end of the budget, where each call takes its own.
   */
  bring(handle: WorkspaceHandle, order: LeaseOrder, room: LeaseRoom): Promise<BroughtLease | undefined>;
  /** Whether there is something that `settle` would give back. */
  readonly held: boolean;
  /** Gives back what is not in use; a call that has just ended uses nothing. */
  settle(): Promise<void>;
}

/** How much more the reading allows, or why it does not. `own` is promised to the asking transaction itself. */
export function roomIn({ used, promised }: FigureReading, { amount, limit, own }: LeaseOrder): number | Refusal {
  const room = limit - used - promised;
  if (room >= amount) return room;
  return used + own + amount > limit ? 'full' : 'promised';
}

const keyOf = ({ workspaceId, figure, joined }: Omit<Lease['order'], 'limit'>): string =>
  `${workspaceId} ${figure.budget} ${figure.period}${joined ? ' joined' : ''}`;

/** The leases of this process. Holds nothing until the first `extend`. */
export function createBudgetLeases(place: LeasePlace): BudgetLeases {
  const current = new Map<string, Lease>();
  /** Closed leases whose calls have all ended: their rows can go. */
  const finished = new Set<Lease>();
  /** Closed leases with calls that have not ended. */
  const closing = new Set<Lease>();
  const renewals = new Set<Promise<unknown>>();

  const rowOf = ({ id, order: { figure } }: Lease) => ({ id, budget: figure.budget, period: figure.period });

  const giveBack = async (scope: TransactionScope, lease: Lease): Promise<void> => {
    const handle = scope.handle(lease.order.workspaceId);
    if (lease.order.joined && lease.done > 0) await handle.run(shrinkLease, { ...rowOf(lease), amount: lease.done });
    else await handle.run(deleteLease, rowOf(lease));
  };

  const giveAllBack = async (): Promise<void> => {
    for (const lease of finished) {
      finished.delete(lease);
      try {
        await (await place.database()).transact((scope) => giveBack(scope, lease));
      } catch (error) {
        finished.add(lease);
        throw error;
      }
    }
  };

  /** The last give-back. The next one begins after it, so waiting for the last one is waiting for all. */
  let last = Promise.resolve();
  let unsettled = 0;

  const settle = (): Promise<void> => {
    unsettled += 1;
    const run = last.then(giveAllBack).finally(() => {
      unsettled -= 1;
    });
    last = run.catch(() => undefined);
    return run;
  };

  /** A lease that is not given back runs out by itself. */
  const settleSoon = (): void => {
    if (place.isOpen()) settle().catch(() => undefined);
  };

  const finish = (lease: Lease): void => {
    if (lease.open || lease.running > 0) return;
    closing.delete(lease);
    finished.add(lease);
    // What calls have counted needs no hurry; what they have not is what others may wait for.
    if (lease.left > 0 || lease.done < lease.over) settleSoon();
  };

  const close = (lease: Lease): void => {
    if (!lease.open) return;
    lease.open = false;
    clearTimeout(lease.timer);
    const key = keyOf(lease.order);
    if (current.get(key) === lease) current.delete(key);
    closing.add(lease);
    finish(lease);
  };

  const take = (lease: Lease, amount: number): Taken => {
    lease.left -= amount;
    lease.running += amount;
    let ended = false;
    if (lease.left === 0) close(lease);
    return {
      lease: lease.id,
      seen: lease.seen,
      committed() {
        lease.done += amount;
      },
      ended() {
        if (ended) return;
        ended = true;
        // After what the call does at its commit, so that `done` is known.
        setImmediate(() => {
          lease.running -= amount;
          lease.over += amount;
          finish(lease);
        });
      },
    };
  };

  /** Writes the row of a lease and describes it; calls take from it once it is adopted. */
  const write = async (
    handle: WorkspaceHandle,
    { workspaceId, figure, joined, limit }: LeaseOrder,
    size: number,
    seen: number,
  ): Promise<Lease> => {
    const id = place.newId('bls');
    const expires_at = place.now() + leaseLifeMs;
    await handle.run(insertLease, { id, budget: figure.budget, period: figure.period, amount: size, expires_at });
    const counts = { left: size, running: 0, done: 0, over: 0 };
    const since = performance.now();
    const order = { workspaceId, figure, joined, limit };
    return { id, order, seen: seen + size, size, since, ...counts, renewed: false, open: true, timer: undefined };
  };

  const isFar = ({ order, seen }: Pick<Lease, 'order' | 'seen'>): boolean => order.limit - seen > order.limit * near;

  /** Lets calls take from a lease whose row is committed. */
  const adopt = (lease: Lease): void => {
    const key = keyOf(lease.order);
    const before = current.get(key);
    if (before !== undefined) close(before);
    current.set(key, lease);
    lease.timer = setTimeout(() => close(lease), isFar(lease) ? farMs : nearMs);
    lease.timer.unref();
  };

  const sizeOf = (room: number, min: number, wanted: number): number =>
    Math.min(room, Math.max(min, Math.min(largest, Math.floor(room / share)), wanted));

  const extend = async (order: LeaseOrder, wanted: number, waitMs: number): Promise<Refusal | undefined> => {
    const { workspaceId, figure } = order;
    const mine = [...finished].filter(
      (lease) => lease.order.workspaceId === workspaceId && lease.order.figure.period === figure.period,
    );
    for (const lease of mine) finished.delete(lease);
    const work = async (scope: TransactionScope): Promise<Lease | Refusal> => {
      const handle = scope.handle(workspaceId);
      // In this order, and at the same time, so that a remote database needs one round trip. Giving back needs no lock.
      const [lock, , reading] = await Promise.all([
        lockBudget(scope, handle, figure),
        Promise.all(mine.map((lease) => giveBack(scope, lease))),
        readFigure(handle, figure, place.now()),
      ]);
      if (lock === undefined) return 'locked';
      const room = roomIn(reading, order);
      if (typeof room === 'string') return room;
      const lease = await write(handle, order, sizeOf(room, order.amount, wanted), reading.used + reading.promised);
      await lock.tell(lease.seen);
      return lease;
    };
    try {
      const outcome = await (await place.database()).transact(work, { waitMs });
      if (typeof outcome === 'string') return outcome;
      adopt(outcome);
      return undefined;
    } catch (error) {
      for (const lease of mine) finished.add(lease);
      throw error;
    }
  };

  /** Asks for the next lease while this one still serves. */
  const renew = (lease: Lease, order: LeaseOrder): void => {
    if (lease.renewed || !isFar(lease)) return;
    if (performance.now() - lease.since < renewAfterMs && lease.left > lease.size * renewAtPart) return;
    lease.renewed = true;
    // Without it, the first call that finds no lease asks for one.
    const renewal = extend(order, 0, renewalConnectionMs)
      .catch(() => undefined)
      .finally(() => renewals.delete(renewal));
    renewals.add(renewal);
  };

  return {
    draw(order) {
      const lease = current.get(keyOf(order));
      if (lease === undefined) return undefined;
      if (lease.left < order.amount) {
        // What is left of it counts as promised: given back, it is part of the lease that the call asks for.
        if (lease.running === 0) close(lease);
        return undefined;
      }
      if (lease.order.limit <= order.limit) {
        const taken = take(lease, order.amount);
        renew(lease, order);
        return taken;
      }
      // The plan was lowered since: what the lease allows may be more than the plan does.
      close(lease);
      return undefined;
    },
    extend: (order, wanted) => extend(order, wanted, order.joined ? joinedConnectionMs : connectionMs),
    async bring(handle, order, { room, seen }) {
      const size = sizeOf(room - order.amount, 0, 0);
      if (size === 0 || !isFar({ order, seen: seen + order.amount + size })) return undefined;
      const lease = await write(handle, order, size, seen + order.amount);
      let isDropped = false;
      return {
        seen: lease.seen,
        committed() {
          if (!isDropped) adopt(lease);
        },
        async drop(by) {
          isDropped = true;
          await by.run(deleteLease, rowOf(lease));
        },
      };
    },
    get held() {
      return current.size + closing.size + finished.size + renewals.size + unsettled > 0;
    },
    async settle() {
      await Promise.all(renewals);
      for (const lease of [...current.values()]) close(lease);
      // The calls that have ended in this turn are counted in the next one.
      if (closing.size > 0) await nextTurn();
      await settle();
    },
  };
}

/** Whether no connection was free, or the database was away. */
export const isOutOfReach = (error: unknown): boolean =>
  isStorageError(error, 'busy') || isStorageError(error, 'unavailable');
