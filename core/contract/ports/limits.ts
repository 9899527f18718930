// The rate-limit port: one atomic decision over a key's token bucket and its workspace's sliding window.

/** The figures of one request's two limits. Infinity means unlimited. */
export interface LimitFigures {
  /** Tokens a second, and the most that can be saved up. */
  readonly keyRate: number;
  readonly keyBurst: number;
  /** Requests a minute over all keys of the workspace. */
  readonly workspacePerMinute: number;
}

/** What the store decided. The named scope is the one with the smaller share left, or the one that tripped. */
export interface LimitDecision {
  readonly allowed: boolean;
  readonly scope: 'key' | 'workspace';
  readonly limit: number;
  readonly remaining: number;
  /** When the scope is whole again, in milliseconds since the epoch. */
  readonly resetAt: number;
  /** Seconds until a retry can pass; more than 0 where refused. */
  readonly retryAfterSeconds: number;
}

/** Keeps the counters. A refused request consumes from neither limit. A key belongs to one workspace. */
export interface LimitStore {
  readonly id: string;
  /** Whether all processes of the service count together. (Default: not known) */
  readonly shared?: boolean;
  /** @throws where the store cannot decide: `onStoreFailure` says what becomes of the request */
  take(keyId: string, workspaceId: string, figures: LimitFigures, now: number): LimitDecision | Promise<LimitDecision>;
  /** Asks the store's server for an answer and changes nothing: for diagnosis. @throws Error that holds no secret */
  verify?(): Promise<void>;
  close(): Promise<void>;
}

/** A counter as the service's database keeps it: a key's, or the workspace's own, whose `keyId` is empty. */
export interface LimitRow {
  readonly workspaceId: string;
  readonly keyId: string;
  /** Whole numbers all; what they mean is the store's affair. */
  readonly amount: number;
  readonly countedAt: number;
  /** From then on the row says nothing any more, and retention may take it. */
  readonly wholeAt: number;
  readonly grants: string | null;
}

/** The counters within one transaction. */
export interface LimitRows {
  /** The rows that are there, locked until the transaction ends. Ask in the order of the ids, workspaces and keys. */
  lock(workspaceId: string, keyIds: readonly string[]): Promise<readonly LimitRow[]>;
  /** Writes at the end of the transaction. An insert that another process came before fails it with `unique`. */
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
   * One short transaction. `waitMs` bounds the wait for a connection, `lockWaitMs` the wait for a row that somebody else
   * holds. @throws StorageError `busy` for a row that stays held
   */
  transact<T>(work: (rows: LimitRows) => Promise<T>, waits: LimitWaits): Promise<T>;
}

/** A store on the service's own database: the service makes it. */
export type LimitStoreFactory = (database: LimitDatabase) => LimitStore;
