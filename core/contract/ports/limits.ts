// The rate-limit port: one atomic decision over a key's token bucket and its workspace's sliding window.

/**
 * The figures of one request's two limits. Infinity means unlimited. `postrider/adapters/kit/limit-rule` computes a decision of
 * them and of what the store kept.
 */
export interface LimitFigures {
  /** Tokens a second, and the size of the bucket. A key without a bucket has a full one. */
  readonly keyRate: number;
  readonly keyBurst: number;
  /** Requests over all keys of the workspace in any 60 seconds, whatever the clock's minute. */
  readonly workspacePerMinute: number;
  /** Tokens of the bucket that the request takes. -1 gives one back, and is never refused. (Default: 1) */
  readonly keyTokens?: number;
}

/**
 * What the store decided. `scope` is the limit with the smaller share left, or the one that was exceeded; where one is unlimited, the
 * other, and `key` where both are.
 */
export interface LimitDecision {
  readonly allowed: boolean;
  readonly scope: 'key' | 'workspace';
  readonly limit: number;
  readonly remaining: number;
  /** When the scope has its full allowance again, in milliseconds since the epoch. */
  readonly resetAt: number;
  /** Seconds until a retry can pass, exact to the millisecond: 0.033. More than 0 where the request was refused. */
  readonly retryAfterSeconds: number;
}

/** Keeps the counters. A refused request consumes from neither limit. A key belongs to one workspace. */
export interface LimitStore {
  readonly id: string;
  /** Whether all processes of the service count together. (Default: not known) */
  readonly shared?: boolean;
  /** @throws where the store cannot decide: `onStoreFailure` then decides about the request */
  take(keyId: string, workspaceId: string, figures: LimitFigures, now: number): LimitDecision | Promise<LimitDecision>;
  /** Sends the store's server a request that changes nothing: for diagnosis. @throws Error that holds no secret */
  verify?(): Promise<void>;
  close(): Promise<void>;
}

/** A counter as the service's database keeps it: a key's, or the workspace's own, whose `keyId` is empty. */
export interface LimitRow {
  readonly workspaceId: string;
  readonly keyId: string;
  /** Whole numbers; only the store knows their meaning. */
  readonly amount: number;
  readonly countedAt: number;
  /** From this time on the row equals a missing one, and retention may delete it. */
  readonly wholeAt: number;
  readonly grants: string | null;
}

/** The counters within one transaction. */
export interface LimitRows {
  /**
   * The existing rows, locked until the transaction ends. Lock in the order of ids, of workspaces and of keys, or
   * deadlocks follow.
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

/** The service's own database, for a store that has no server of its own. Opened by the first transaction. */
export interface LimitDatabase {
  /**
   * One short transaction. `waitMs` bounds the wait for a connection, `lockWaitMs` the wait for a row that another
   * transaction has locked.
   * @throws StorageError `busy` for a row that stays locked
   */
  transact<T>(work: (rows: LimitRows) => Promise<T>, waits: LimitWaits): Promise<T>;
}

/** Makes a store on the service's own database; called by the service. */
export type LimitStoreFactory = (database: LimitDatabase) => LimitStore;
