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
  close(): Promise<void>;
}
