// Rate limits that several processes share, in the service's own database, for installations without Redis. Requests of
// one process that wait at the same time are decided in one short transaction, and these transactions run one after
// another. A workspace whose rows another transaction has locked is decided separately, so that the other workspaces
// need not wait for it.
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import type {
  LimitDatabase,
  LimitDecision,
  LimitRow,
  LimitStore,
  LimitStoreFactory,
  LimitWaits,
  RateLimits,
} from '../../core/contract/ports/limits.ts';
import { isConflict, isStorageError } from '../../core/contract/ports/storage.ts';
import { bucketAfter, decisionOf, type LimitTerms, limitStatusOf, termsOf, windowAfter } from '../kit/limit-rule.ts';
import { bucketOf, bucketRow, windowOf, windowRow } from './sql-rows.ts';

/** Options of `sqlLimits`. */
export interface SqlLimitOptions {
  /**
   * The time limit of a decision in milliseconds, including the wait for the database. After it, the store counts as down.
   * (Default: 2000)
   */
  readonly timeoutMs?: number;
}

/** One request that waits for its decision. */
interface PendingRequest {
  readonly keyId: string;
  readonly workspaceId: string;
  readonly terms: LimitTerms;
  readonly now: number;
  readonly resolve: (decision: LimitDecision) => void;
  readonly fail: (error: unknown) => void;
  /** Whether its time limit has passed. */
  isTimedOut: boolean;
}

/** The maximum number of requests in one transaction, so that it stays short. */
const maxRequests = 200;

/** The maximum number of workspaces that are decided separately at the same time. Each needs a connection. */
const maxSeparate = 4;

/**
 * The maximum number of attempts. The whole transaction is retried if another process inserted the same row first or took a lock
 * meanwhile.
 */
const maxAttempts = 5;

/** Requests that arrive in the same turn of the event loop are decided in the same transaction. */
const afterThisTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The key of the shared transaction; never the id of a workspace. */
const sharedKey = '';

/** Replaces the key id in the row of a workspace's own counter. */
const workspaceCounter = '';

function keysByWorkspace(requests: readonly PendingRequest[]): [workspaceId: string, keyIds: string[]][] {
  const keys = new Map<string, Set<string>>();
  for (const { workspaceId, keyId, terms } of requests) {
    const keyIds = keys.get(workspaceId) ?? new Set();
    keys.set(workspaceId, keyIds);
    if (terms.workspaceLimited) keyIds.add(workspaceCounter);
    if (terms.keyLimited) keyIds.add(keyId);
  }
  // Every process locks in the same order, which prevents deadlocks.
  return [...keys].map(([id, some]): [string, string[]] => [id, [...some].sort()]).sort(([a], [b]) => (a < b ? -1 : 1));
}

const nameOf = (workspaceId: string, keyId: string): string => JSON.stringify([workspaceId, keyId]);

async function decide(
  database: LimitDatabase,
  requests: readonly PendingRequest[],
  waits: LimitWaits,
): Promise<LimitDecision[]> {
  return database.transact(async (rows) => {
    const locks = keysByWorkspace(requests).map(([workspaceId, keyIds]) => rows.lock(workspaceId, keyIds));
    const storedRows = new Map(
      (await Promise.all(locks)).flat().map((row) => [nameOf(row.workspaceId, row.keyId), row]),
    );
    const written = new Map<string, LimitRow>();
    const decisions = requests.map(({ keyId, workspaceId, terms, now }) => {
      const [bucketName, windowName] = [nameOf(workspaceId, keyId), nameOf(workspaceId, workspaceCounter)];
      const window = windowOf(written.get(windowName) ?? storedRows.get(windowName));
      const bucket = bucketOf(written.get(bucketName) ?? storedRows.get(bucketName));
      const status = limitStatusOf(terms, bucket, window, now);
      const decision = decisionOf(terms, status);
      if (decision.allowed && terms.keyLimited) {
        written.set(bucketName, bucketRow(workspaceId, keyId, bucketAfter(terms, status)));
      }
      if (decision.allowed && terms.workspaceLimited) {
        written.set(windowName, windowRow(workspaceId, workspaceCounter, windowAfter(window, status)));
      }
      return decision;
    });
    for (const name of [...written.keys()].sort()) {
      const row = written.get(name);
      if (row !== undefined) rows.put(row, storedRows.has(name) ? 'update' : 'insert');
    }
    return decisions;
  }, waits);
}

function createStore(database: LimitDatabase, timeoutMs: number): LimitStore {
  // A row that another transaction has locked may delay the other requests of this transaction by only a part of their time
  // limit.
  const waits = { waitMs: timeoutMs, lockWaitMs: Math.ceil(timeoutMs / 4) };
  const waiting = new Set<PendingRequest>();
  /** Workspaces whose rows another transaction may have locked. */
  const separateWorkspaces = new Set<string>();
  /** Running transactions, by the workspace that is decided separately, or by `sharedKey`. */
  const running = new Map<string, Promise<void>>();
  let nextStart: Promise<void> | undefined;
  let closed = false;

  function retrySeparately(requests: readonly PendingRequest[], error: unknown): void {
    const workspaces = new Set(requests.map(({ workspaceId }) => workspaceId));
    for (const workspaceId of workspaces) separateWorkspaces.add(workspaceId);
    for (const request of requests) {
      if (workspaces.size === 1) request.fail(error);
      else if (!request.isTimedOut) waiting.add(request);
    }
  }

  async function decideRequests(requests: readonly PendingRequest[]): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const decisions = await decide(database, requests, waits);
        for (const [index, decision] of decisions.entries()) requests[index]?.resolve(decision);
        for (const { workspaceId } of requests) separateWorkspaces.delete(workspaceId);
        return;
      } catch (error) {
        if (attempt < maxAttempts && isConflict(error)) continue;
        if (isStorageError(error, 'busy')) retrySeparately(requests, error);
        else for (const request of requests) request.fail(error);
        return;
      }
    }
  }

  function startTransaction(name: string, belongs: (request: PendingRequest) => boolean): void {
    if (running.has(name)) return;
    const requests: PendingRequest[] = [];
    for (const request of waiting) {
      if (requests.length === maxRequests) break;
      if (belongs(request)) requests.push(request);
    }
    if (requests.length === 0) return;
    for (const request of requests) waiting.delete(request);
    const transaction = decideRequests(requests).then(() => {
      running.delete(name);
      startNext();
    });
    running.set(name, transaction);
  }

  function startNext(): void {
    startTransaction(sharedKey, ({ workspaceId }) => !separateWorkspaces.has(workspaceId));
    for (const workspaceId of separateWorkspaces) {
      if (running.size - Number(running.has(sharedKey)) >= maxSeparate) return;
      startTransaction(workspaceId, (request) => request.workspaceId === workspaceId);
    }
  }

  return {
    id: 'sql',
    shared: true,
    take(keyId: string, workspaceId: string, limits: RateLimits, now: number) {
      if (closed) return Promise.reject(new Error('This limit store has been closed.'));
      const terms = termsOf(limits);
      const time = Math.round(now);
      if (!terms.keyLimited && !terms.workspaceLimited) {
        return decisionOf(terms, limitStatusOf(terms, undefined, undefined, time));
      }
      return new Promise<LimitDecision>((resolve, reject) => {
        const onTimeout = (): void => {
          request.isTimedOut = true;
          waiting.delete(request);
          reject(new Error(`The database has not decided on the rate limits within ${timeoutMs} ms.`));
        };
        const timer = setTimeout(onTimeout, timeoutMs);
        const request: PendingRequest = {
          keyId,
          workspaceId,
          terms,
          now: time,
          isTimedOut: false,
          resolve(decision) {
            clearTimeout(timer);
            resolve(decision);
          },
          fail(error) {
            clearTimeout(timer);
            reject(error);
          },
        };
        waiting.add(request);
        nextStart ??= afterThisTurn().then(() => {
          nextStart = undefined;
          startNext();
        });
      });
    },
    async close() {
      closed = true;
      await nextStart;
      while (running.size > 0) await Promise.all(running.values());
    },
  };
}

/**
 * Keeps both limits in a table of the service's own database: the rule of `memoryLimits`, across all processes, by the callers'
 * clocks. Every request of a live key causes a small write; docs/scaling.md describes its cost.
 * @throws RangeError if an option is invalid
 */
export function sqlLimits(options: SqlLimitOptions = {}): LimitStoreFactory {
  checkOptions<SqlLimitOptions>('sqlLimits', options, { timeoutMs: 'optional' });
  const { timeoutMs = 2_000 } = options;
  if (!Number.isSafeInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > 60_000) {
    throw new RangeError(`timeoutMs must be whole milliseconds from 1 to 60000, not ${timeoutMs}.`);
  }
  return (database) => createStore(database, timeoutMs);
}
