// The common part of all adapters over a pool: waiting for a connection with a deadline, and closing only after the running work
// has ended. Called by the storage drivers of servers; knows no SDK.
import { StorageError, type TransactOptions } from '../../core/contract/ports/storage.ts';

/** A connection that a pool lent. */
interface PooledConnection {
  release(): void;
}

/** Requests a connection of the pool, and translates the pool's errors into the port's. */
export interface Lender<Client extends PooledConnection> {
  ask(): Promise<Client>;
  faultOf(error: unknown): StorageError;
}

/**
 * Checks that a pool belongs to the expected library.
 * @param library - the library of the factory's pools, such as `pg`
 * @param methods - the methods of such a pool
 * @throws RangeError for a pool of another library
 */
export function checkPool(factory: string, pool: unknown, library: string, methods: readonly string[]): void {
  const members = Object(pool) as Readonly<Record<string, unknown>>;
  if (methods.every((name) => typeof members[name] === 'function')) return;
  // A Knex instance, or the pool inside it.
  const isKnex = typeof members['acquire'] === 'function' || typeof members['raw'] === 'function';
  const advice = isKnex
    ? ` Knex's own pool cannot be shared: give ${factory} the address of the database, and pass connections of Knex's transactions as trx (docs/transactions.md).`
    : '';
  throw new RangeError(`${factory}: pool is not a pool of ${library}.${advice}`);
}

/** A connection of the pool, or a rejection after `waitMs`. A connection that arrives too late is returned unused. */
export function borrow<Client extends PooledConnection>(
  { ask, faultOf }: Lender<Client>,
  { waitMs, signal }: { readonly waitMs: number } & Pick<TransactOptions, 'signal'>,
): Promise<Client> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    let isWaiting = true;
    const giveUp = (reason: unknown): void => {
      finishWaiting();
      reject(reason);
    };
    const onAbort = (): void => giveUp(signal?.reason);
    const timer = setTimeout(() => giveUp(noFreeConnection(waitMs)), waitMs);
    const finishWaiting = (): void => {
      isWaiting = false;
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    signal?.addEventListener('abort', onAbort);
    ask().then(
      (client) => {
        if (!isWaiting) {
          client.release();
          return;
        }
        finishWaiting();
        resolve(client);
      },
      (error: unknown) => isWaiting && giveUp(faultOf(error)),
    );
  });
}

function noFreeConnection(waitMs: number): StorageError {
  return new StorageError(
    'unavailable',
    `No database connection was free for ${waitMs} ms. Nothing was run: try again, or enlarge the pool.`,
  );
}

/** Callbacks before waiting for the running work, and after it. */
interface CloseCallbacks {
  readonly before?: (() => Promise<void>) | undefined;
  readonly end?: (() => Promise<void>) | undefined;
}

/** The running work of an open database. */
export class OpenWork {
  readonly #name: string;
  readonly #running = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  /** @throws StorageError if the database was closed */
  assertOpen(): void {
    if (this.#closed !== undefined)
      throw new StorageError('unavailable', `This ${this.#name} storage has been closed.`);
  }

  async track<T>(run: () => Promise<T>): Promise<T> {
    this.assertOpen();
    const runningWork = run();
    this.#running.add(runningWork);
    try {
      return await runningWork;
    } finally {
      this.#running.delete(runningWork);
    }
  }

  /** Rejects later calls, waits for the running work, and then calls `end`. Every call returns the same promise. */
  close({ before, end }: CloseCallbacks = {}): Promise<void> {
    this.#closed ??= this.#end({ before, end });
    return this.#closed;
  }

  async #end({ before, end }: CloseCallbacks): Promise<void> {
    await before?.();
    await Promise.allSettled(this.#running);
    await end?.();
  }
}
