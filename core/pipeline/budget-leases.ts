// The leases that this process holds on budgets, if the database runs transactions concurrently. A lease reserves a part of a
// budget. It is taken in a short transaction of its own, under a lock over all processes. Calls take from it in memory and
// write only their delta. Far from the limit, a lease is large, so most calls need no query, and it is renewed before it ends,
// so no call waits for the next lease. Near the limit, each call takes its own lease. Called by budgets.ts.
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

/** A lease reserves one part in this many of the remaining budget, or more if waiting calls want more. */
const share = 16;
const largest = 1_000;
/** How long calls may take from a lease, far from and near the limit. The rest is then given back. */
const farMs = 2_000;
const nearMs = 250;
/** A budget is near its limit if no more than this part of the limit is left. */
const near = 0.2;
/** A lease is renewed at this age, or when no more than this part of it is left. Calls still take from it meanwhile. */
const renewAfterMs = 1_200;
const renewAtPart = 0.25;
/** How long a renewal waits for a connection. No call waits for the renewal. */
const renewalConnectionMs = 1_000;
/** How long a new lease waits for a connection. Short, because the calls that wait for the lease may use all connections. */
const connectionMs = 100;
/** The same for a call in a transaction of the program, because that call may have no other way to count. */
const joinedConnectionMs = 250;

/** A request to take an amount from a budget. */
export interface LeaseOrder {
  readonly workspaceId: string;
  readonly figure: Figure;
  readonly amount: number;
  readonly limit: number;
  /** The amount that the same transaction has already taken. */
  readonly own: number;
  /** Whether the transaction belongs to the program: this process does not see its end. */
  readonly joined: boolean;
}

/** A part of a lease that one call has taken. */
export interface Taken {
  /** The id of the lease, for the delta's row. */
  readonly lease: string | null;
  /** The delta that the amount is added to, if transactions run one after another. (Default: a new delta) */
  readonly delta?: string | undefined;
  /** An upper bound of the used amount when the lease was taken, including this call. */
  readonly seen: number;
  /** Call when the call's own part of the transaction is sure to be stored if the transaction is stored. */
  committed(): void;
  /** Call when the transaction or our savepoint in it has ended. `committed` may be called a moment later. */
  ended(): void;
}

interface Lease {
  readonly id: string;
  readonly order: Pick<LeaseOrder, 'workspaceId' | 'figure' | 'joined' | 'limit'>;
  readonly seen: number;
  readonly size: number;
  /** When the lease was taken, by `performance.now()`. */
  readonly since: number;
  left: number;
  /** Whether the next lease was requested. */
  renewed: boolean;
  /** The amount taken by calls that have not ended. */
  running: number;
  /** The amount taken by calls that ended with `committed`. */
  done: number;
  /** The amount taken by calls that ended, committed or not. */
  over: number;
  /** Whether calls may take from the lease. */
  open: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** The room that a reading of the figure leaves. */
export interface LeaseRoom {
  /** How much may still be taken. */
  readonly room: number;
  /** The amount that is used or promised (reserved by leases). */
  readonly seen: number;
}

/**
 * Why there is no lease: the budget is used up; the rest is promised to other calls, which may not use it; another process
 * holds the lock.
 */
export type Refusal = 'full' | 'promised' | 'locked';

/** The parts of the service that leases need. */
export interface LeasePlace {
  database(): Promise<Database>;
  /** Whether the database is open. Work after the service has stopped must not open it again. */
  isOpen(): boolean;
  now(): number;
  newId(prefix: string): string;
}

/** A lease in a transaction that is not committed. */
export interface BroughtLease {
  /** The amount that is used or promised, including the call and the lease. */
  readonly seen: number;
  /** Makes the lease usable. Call after the transaction is committed. */
  committed(): void;
  /** Deletes the lease in the same transaction, before that transaction counts again: the promised amount is free again. */
  drop(handle: WorkspaceHandle): Promise<void>;
}

/** The leases of one process. */
export interface BudgetLeases {
  /** Takes from the current lease without a query. Undefined if the lease does not cover the amount. */
  draw(order: LeaseOrder): Taken | undefined;
  /** Takes a new lease, or returns why there is none. @throws StorageError `busy` or `unavailable` if no connection is free */
  extend(order: LeaseOrder, wanted: number): Promise<Refusal | undefined>;
  /**
   * Writes a lease for later calls, in the transaction of a call that holds the lock and fits into `room`. Undefined near the
   * limit of the budget, where each call takes its own lease.
   */
  bring(handle: WorkspaceHandle, order: LeaseOrder, room: LeaseRoom): Promise<BroughtLease | undefined>;
  /** Whether `settle` has anything to give back. */
  readonly held: boolean;
  /** Gives back the leases that are not in use. A call that has just ended uses nothing. */
  settle(): Promise<void>;
}

/** How much more the reading allows, or why it allows nothing. `own` is promised to the asking transaction itself. */
export function roomIn({ used, promised }: FigureReading, { amount, limit, own }: LeaseOrder): number | Refusal {
  const room = limit - used - promised;
  if (room >= amount) return room;
  return used + own + amount > limit ? 'full' : 'promised';
}

const keyOf = ({ workspaceId, figure, joined }: Omit<Lease['order'], 'limit'>): string =>
  `${workspaceId} ${figure.budget} ${figure.period}${joined ? ' joined' : ''}`;

/** The leases of this process. Holds no lease until the first `extend`. */
export function createBudgetLeases(place: LeasePlace): BudgetLeases {
  const current = new Map<string, Lease>();
  /** Closed leases whose calls have all ended: their rows can be deleted. */
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

  /** The last give-back. The next one starts after it, so waiting for the last one waits for all of them. */
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

  /** Ignores errors: a lease that is not given back expires by itself. */
  const settleSoon = (): void => {
    if (place.isOpen()) settle().catch(() => undefined);
  };

  const finish = (lease: Lease): void => {
    if (lease.open || lease.running > 0) return;
    closing.delete(lease);
    finished.add(lease);
    // Other calls may wait for the part that was not counted, so give it back soon. If everything was counted, there is no
    // hurry.
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
        // Runs after the call's `committed`, so that `done` is up to date.
        setImmediate(() => {
          lease.running -= amount;
          lease.over += amount;
          finish(lease);
        });
      },
    };
  };

  /** Writes the row of a lease and returns the lease. Calls can take from it after `adopt`. */
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
      // In this order, and concurrently, so that a remote database needs one round trip. Giving back needs no lock.
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

  /** Requests the next lease while calls still take from this one. */
  const renew = (lease: Lease, order: LeaseOrder): void => {
    if (lease.renewed || !isFar(lease)) return;
    if (performance.now() - lease.since < renewAfterMs && lease.left > lease.size * renewAtPart) return;
    lease.renewed = true;
    // If the renewal fails, the first call that finds no lease requests one.
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
        // The rest of the lease counts as promised. Once given back, it becomes part of the lease that the call requests.
        if (lease.running === 0) close(lease);
        return undefined;
      }
      if (lease.order.limit <= order.limit) {
        const taken = take(lease, order.amount);
        renew(lease, order);
        return taken;
      }
      // The plan was lowered since: the lease may allow more than the plan.
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
      // Calls that have ended in this turn are counted in the next turn.
      if (closing.size > 0) await nextTurn();
      await settle();
    },
  };
}

/** Whether no connection was free, or the database was unavailable. */
export const isOutOfReach = (error: unknown): boolean =>
  isStorageError(error, 'busy') || isStorageError(error, 'unavailable');
