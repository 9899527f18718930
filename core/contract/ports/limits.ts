// The rate-limit port: one atomic decision over a key's token bucket and its workspace's sliding window.

/**
 * The values of both limits of one request. Infinity means unlimited. `postrider/adapters/kit/limit-rule` computes a
 * decision from them and from the stored state.
 */
export interface RateLimits {
  /** Tokens per second. `keyBurst` is the size of the bucket. A key without a stored bucket has a full bucket. */
  readonly keyRate: number;
  readonly keyBurst: number;
  /** Requests over all keys of the workspace in any 60 seconds (a sliding window, not a minute of the clock). */
  readonly workspacePerMinute: number;
  /** The number of tokens that the request takes from the bucket. -1 gives one back and is never refused. (Default: 1) */
  readonly keyTokens?: number;
}

/**
 * The decision of the store. If the request was refused, `scope` is the exceeded limit. Otherwise it is the limit with the
 * smaller remaining share. If one limit is unlimited, it is the other limit; if both are unlimited, it is `key`.
 */
export interface LimitDecision {
  readonly allowed: boolean;
  readonly scope: 'key' | 'workspace';
  readonly limit: number;
  readonly remaining: number;
  /** When the full limit of the scope is available again, in milliseconds since the epoch. */
  readonly resetAt: number;
  /** Seconds until a retry can pass, exact to the millisecond: 0.033. More than 0 if the request was refused. */
  readonly retryAfterSeconds: number;
}

/** Stores the counters. A refused request consumes nothing from either limit. A key belongs to one workspace. */
export interface LimitStore {
  readonly id: string;
  /** Whether all processes of the service share the counters. (Default: not known) */
  readonly shared?: boolean;
  /** @throws if the store cannot decide. `onStoreFailure` then decides about the request */
  take(keyId: string, workspaceId: string, limits: RateLimits, now: number): LimitDecision | Promise<LimitDecision>;
  /** For diagnosis: sends the store's server a request that changes nothing. @throws Error without secrets */
  verify?(): Promise<void>;
  close(): Promise<void>;
}

/** A counter in the service's database: the counter of a key, or of the workspace itself, whose `keyId` is empty. */
export interface LimitRow {
  readonly workspaceId: string;
  readonly keyId: string;
  /** `amount` and `countedAt` are whole numbers. Only the store knows their meaning. */
  readonly amount: number;
  readonly countedAt: number;
  /** From this time on the row means the same as a missing row, and retention may delete it. */
  readonly expiresAt: number;
  readonly counts: string | null;
}

/** The counters within one transaction. */
export interface LimitRows {
  /**
   * Returns the existing rows and locks them until the transaction ends. To avoid deadlocks, lock workspaces in the order of
   * their ids, and keys in the order of their ids.
   */
  lock(workspaceId: string, keyIds: readonly string[]): Promise<readonly LimitRow[]>;
  /** Writes at the end of the transaction. If another process inserted the row first, the transaction fails with `unique`. */
  put(row: LimitRow, as: 'insert' | 'update'): void;
}

/** How long a transaction on the counters may wait, in milliseconds. */
export interface LimitWaits {
  readonly waitMs: number;
  readonly lockWaitMs: number;
}

/** The service's own database, for a store without a server of its own. Opened by the first transaction. */
export interface LimitDatabase {
  /**
   * Runs one short transaction. `waitMs` limits the wait for a connection, `lockWaitMs` the wait for a row that another
   * transaction has locked.
   * @throws StorageError `busy` if a row stays locked
   */
  transact<T>(work: (rows: LimitRows) => Promise<T>, waits: LimitWaits): Promise<T>;
}

/** Makes a store on the service's own database. Called by the service. */
export type LimitStoreFactory = (database: LimitDatabase) => LimitStore;
