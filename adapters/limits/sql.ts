// Rate limits that several processes share, in the service's own database. For installations without Redis. Requests of one
// process that wait at the same time are decided together in one short transaction, and these transactions run one after another.
// A workspace whose rows another transaction has locked is decided separately, so that the others need not wait for it.
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

export interface SqlLimitOptions {
  /**
   * The time limit of a decision in milliseconds, including the wait for the database. After it, the store counts as down.
   * (Default: 2000)
   */
  readonly timeoutMs?: number;
}

/** One request that waits for its decision. */
interface Take {
  readonly keyId: string;
  readonly workspaceId: string;
  readonly terms: LimitTerms;
  readonly now: number;
  readonly tell: (decision: LimitDecision) => void;
  readonly fail: (error: unknown) => void;
  /** Whether its time limit has passed. */
  late: boolean;
}

/** The maximum number of requests in one transaction, so that it stays short. */
const takesAtOnce = 200;

/** The maximum number of workspaces that are decided separately at the same time. Each needs a connection. */
const apartAtOnce = 4;

/**
 * The maximum number of attempts. The whole transaction is retried if another process inserted the same row first or took a lock
 * meanwhile.
 */
const maxAttempts = 5;

/** Requests that arrive in the same turn of the event loop are decided in the same transaction. */
const gathered = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The key of the shared transaction; never the id of a workspace. */
const together = '';

/** Replaces the key id in the row of a workspace's own counter. */
const ofWorkspace = '';

function keysByWorkspace(takes: readonly Take[]): [workspaceId: string, keyIds: string[]][] {
  const keys = new Map<string, Set<string>>();
  for (const { workspaceId, keyId, terms } of takes) {
    const wanted = keys.get(workspaceId) ?? new Set();
    keys.set(workspaceId, wanted);
    if (terms.workspaceLimited) wanted.add(ofWorkspace);
    if (terms.keyLimited) wanted.add(keyId);
  }
  // Every process locks in the same order, which prevents deadlocks.
  return [...keys].map(([id, some]): [string, string[]] => [id, [...some].sort()]).sort(([a], [b]) => (a < b ? -1 : 1));
}

const nameOf = (workspaceId: string, keyId: string): string => JSON.stringify([workspaceId, keyId]);

async function decide(database: LimitDatabase, takes: readonly Take[], waits: LimitWaits): Promise<LimitDecision[]> {
  return database.transact(async (rows) => {
    const locks = keysByWorkspace(takes).map(([workspaceId, keyIds]) => rows.lock(workspaceId, keyIds));
    const kept = new Map((await Promise.all(locks)).flat().map((row) => [nameOf(row.workspaceId, row.keyId), row]));
    const written = new Map<string, LimitRow>();
    const decisions = takes.map(({ keyId, workspaceId, terms, now }) => {
      const [bucketName, windowName] = [nameOf(workspaceId, keyId), nameOf(workspaceId, ofWorkspace)];
      const window = windowOf(written.get(windowName) ?? kept.get(windowName));
      const bucket = bucketOf(written.get(bucketName) ?? kept.get(bucketName));
      const standing = limitStatusOf(terms, bucket, window, now);
      const decision = decisionOf(terms, standing);
      if (decision.allowed && terms.keyLimited) {
        written.set(bucketName, bucketRow(workspaceId, keyId, bucketAfter(terms, standing)));
      }
      if (decision.allowed && terms.workspaceLimited) {
        written.set(windowName, windowRow(workspaceId, ofWorkspace, windowAfter(window, standing)));
      }
      return decision;
    });
    for (const name of [...written.keys()].sort()) {
      const row = written.get(name);
      if (row !== undefined) rows.put(row, kept.has(name) ? 'update' : 'insert');
    }
    return decisions;
  }, waits);
}

function createStore(database: LimitDatabase, timeoutMs: number): LimitStore {
  // A row that another transaction has locked may delay the other requests of this transaction by only a part of their time
  // limit.
  const waits = { waitMs: timeoutMs, lockWaitMs: Math.ceil(timeoutMs / 4) };
  const waiting = new Set<Take>();
  /** Workspaces whose rows another transaction may have locked. */
  const apart = new Set<string>();
  /** Running transactions by the workspace that is decided separately, or `together`. */
  const running = new Map<string, Promise<void>>();
  let gathering: Promise<void> | undefined;
  let closed = false;

  function setApart(takes: readonly Take[], error: unknown): void {
    const workspaces = new Set(takes.map(({ workspaceId }) => workspaceId));
    for (const workspaceId of workspaces) apart.add(workspaceId);
    for (const take of takes) {
      if (workspaces.size === 1) take.fail(error);
      else if (!take.late) waiting.add(take);
    }
  }

  async function decideSome(takes: readonly Take[]): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const decisions = await decide(database, takes, waits);
        for (const [index, decision] of decisions.entries()) takes[index]?.tell(decision);
        for (const { workspaceId } of takes) apart.delete(workspaceId);
        return;
      } catch (error) {
        if (attempt < maxAttempts && isConflict(error)) continue;
        if (isStorageError(error, 'busy')) setApart(takes, error);
        else for (const take of takes) take.fail(error);
        return;
      }
    }
  }

  function launch(name: string, belongs: (take: Take) => boolean): void {
    if (running.has(name)) return;
    const takes: Take[] = [];
    for (const take of waiting) {
      if (takes.length === takesAtOnce) break;
      if (belongs(take)) takes.push(take);
    }
    if (takes.length === 0) return;
    for (const take of takes) waiting.delete(take);
    const over = decideSome(takes).then(() => {
      running.delete(name);
      next();
    });
    running.set(name, over);
  }

  function next(): void {
    launch(together, ({ workspaceId }) => !apart.has(workspaceId));
    for (const workspaceId of apart) {
      if (running.size - Number(running.has(together)) >= apartAtOnce) return;
      launch(workspaceId, (take) => take.workspaceId === workspaceId);
    }
  }

  return {
    id: 'sql',
    shared: true,
    take(keyId: string, workspaceId: string, figures: RateLimits, now: number) {
      if (closed) return Promise.reject(new Error('This limit store has been closed.'));
      const terms = termsOf(figures);
      const time = Math.round(now);
      if (!terms.keyLimited && !terms.workspaceLimited) {
        return decisionOf(terms, limitStatusOf(terms, undefined, undefined, time));
      }
      return new Promise<LimitDecision>((resolve, reject) => {
        const onTimeout = (): void => {
          take.late = true;
          waiting.delete(take);
          reject(new Error(`The database has not decided on the rate limits within ${timeoutMs} ms.`));
        };
        const timer = setTimeout(onTimeout, timeoutMs);
        const take: Take = {
          keyId,
          workspaceId,
          terms,
          now: time,
          late: false,
          tell(decision) {
            clearTimeout(timer);
            resolve(decision);
          },
          fail(error) {
            clearTimeout(timer);
            reject(error);
          },
        };
        waiting.add(take);
        gathering ??= gathered().then(() => {
          gathering = undefined;
          next();
        });
      });
    },
    async close() {
      closed = true;
      await gathering;
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
