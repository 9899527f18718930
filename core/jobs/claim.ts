// The fair claim: lanes in their order, concurrency keys round robin within a lane, in one short transaction. Called by
// the worker. A key costs one seek, however many jobs it has, and cannot delay other keys.

import type { Workspace } from '../contract/context/workspace.ts';
import { lanes } from '../contract/declaration/jobs.ts';
import type { Core } from '../pipeline/core.ts';
import { toWorkspace } from '../pipeline/workspaces.ts';
import type { JobRow } from '../storage/core-tables.ts';
import type { Database, TransactionScope } from '../storage/database.ts';
import { inLists } from '../storage/list-statement.ts';
import { unscoped } from '../storage/scope.ts';
import { Lease } from './lease.ts';
import {
  afterEveryId,
  claimListed,
  leasedOfListed,
  nextKeys,
  queueStatusWithout,
  runningListed,
  takeWithout,
  workspacesListed,
} from './queue.ts';
import { queueTransaction } from './queue-transaction.ts';
import { formFor } from './skip-locked.ts';
import { outboundLane } from './slots.ts';
import { UnknownKinds } from './unknown-kinds.ts';

const unscopedReason = unscoped('the queue serves every workspace');

/** A job that this process holds. */
export interface ClaimedJob {
  readonly id: string;
  readonly workspaceId: string;
  /** The workspace as it was at the claim; undefined if it was deleted. */
  readonly workspace: Workspace | undefined;
  readonly kind: string;
  /** Index in `lanes`. */
  readonly lane: number;
  /** The key of the job's request, or the workspace's id. */
  readonly concurrencyKey: string;
  /** JSON. */
  readonly payload: string;
  readonly sandbox: boolean;
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly runAt: number;
  readonly createdAt: number;
  readonly traceparent: string | null;
  readonly lease: Lease;
}

/** The numbers of jobs that a claim may take. */
export interface ClaimQuota {
  /** The limit for a lane, when `taken` jobs were already claimed from the lanes before it. */
  of(lane: number, taken: number): number;
  /** The number of jobs of one outbound key that this process holds. `ofKey`: how many more jobs it may take. */
  claimedOfKey(key: string): number;
  ofKey(key: string): number;
  /** Called for a key that had more jobs than it could take. */
  cutShort(key: string): void;
}

export interface Claim {
  readonly jobs: readonly ClaimedJob[];
  /** Whether some lane may have more jobs than could be taken. */
  readonly more: boolean;
}

/** The number of keys in a round, and the largest number of rounds in a claim. */
const keysPerRound = 16;
const maxRounds = 8;

/** The columns of a job that a claim reads. */
export type TakenRow = Pick<
  JobRow,
  | 'id'
  | 'workspace_id'
  | 'kind'
  | 'lane'
  | 'concurrency_key'
  | 'payload'
  | 'sandbox'
  | 'attempt'
  | 'run_at'
  | 'created_at'
  | 'traceparent'
>;

interface LaneClaim {
  readonly lane: number;
  readonly limit: number;
  readonly token: string;
  readonly until: number;
}

interface LaneTaken {
  readonly rows: readonly TakenRow[];
  /** Whether the lane has no more jobs to take. */
  readonly exhausted: boolean;
}

/** Whether a key had as many jobs as its share, and so may have more. */
function someKeyIsFull(rows: readonly TakenRow[], share: number): boolean {
  const counts = new Map<string, number>();
  for (const { concurrency_key: key } of rows) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts.values()].some((count) => count >= share);
}

/**
 * The rows within the limit of their key. For each key, one row more was read, to detect that the key has more jobs.
 */
function withinQuota(rows: readonly TakenRow[], openKeys: ReadonlyMap<string, number>, quota: ClaimQuota): TakenRow[] {
  const remaining = new Map(openKeys);
  return rows.filter((row) => {
    const key = row.concurrency_key;
    const limit = remaining.get(key) ?? 0;
    remaining.set(key, limit - 1);
    if (limit === 0) quota.cutShort(key);
    return limit > 0;
  });
}

/** The first row of each key, then the second of each, and so on: few slots are shared evenly. */
function interleaved(rows: readonly TakenRow[]): TakenRow[] {
  const ranksOfKeys = new Map<string, number>();
  const ranks = rows.map((row) => {
    const rank = ranksOfKeys.get(row.concurrency_key) ?? 0;
    ranksOfKeys.set(row.concurrency_key, rank + 1);
    return { row, rank };
  });
  return ranks.sort((a, b) => a.rank - b.rank).map(({ row }) => row);
}

/** Claims for one process; remembers for each lane the key that was served last. */
export class Claimer {
  readonly #core: Core;
  readonly #database: Database;
  readonly #leaseMs: number;
  readonly #unknownKinds: UnknownKinds;
  readonly #lastServed = lanes.map(() => '');

  constructor(core: Core, database: Database, leaseMs: number, unknownKinds = new UnknownKinds(core)) {
    this.#core = core;
    this.#unknownKinds = unknownKinds;
    this.#database = database;
    this.#leaseMs = leaseMs;
  }

  /** Claims up to the limits. Reads first: an empty queue costs one read and no transaction. */
  async claim(quota: ClaimQuota): Promise<Claim> {
    const { slots } = this.#unknownKinds;
    const status = await this.#database.read(unscopedReason, (handle) =>
      handle.one(queueStatusWithout(slots), slots.values),
    );
    const lanesWithJobs = lanes
      .map((_, lane) => lane)
      .filter((lane) => status?.[lanes[lane] as keyof typeof status] != null);
    if (lanesWithJobs.length === 0) return { jobs: [], more: false };
    if (lanesWithJobs.every((lane) => quota.of(lane, 0) <= 0)) return { jobs: [], more: true };
    const token = this.#core.ports.ids.create('lease');
    const until = this.#core.ports.now() + this.#leaseMs;
    const claim = await queueTransaction(this.#database, async (scope) => {
      const rows: TakenRow[] = [];
      let more = false;
      for (const lane of lanesWithJobs) {
        const limit = quota.of(lane, rows.length);
        if (limit <= 0) {
          more = true;
          continue;
        }
        const laneClaim = { lane, limit, token, until };
        const taken = await (lane === outboundLane
          ? this.#takeOutbound(scope, laneClaim, quota)
          : this.#takeLane(scope, laneClaim));
        rows.push(...taken.rows);
        more ||= !taken.exhausted;
      }
      return { rows, more, workspaces: await workspacesOf(this.#core, scope, rows) };
    });
    const jobs = claim.rows.map((row) =>
      toClaimedJob(row, claim.workspaces, { token, until, attempt: row.attempt + 1 }),
    );
    for (const { id } of jobs) this.#core.ports.phase('job.claimed', id);
    return { jobs, more: claim.more };
  }

  async #takeLane(scope: TransactionScope, { lane, limit, token, until }: LaneClaim): Promise<LaneTaken> {
    const taken: TakenRow[] = [];
    for (let round = 0; round < maxRounds && taken.length < limit; round += 1) {
      const { keys: waiting, all } = await this.#nextKeys(scope, lane);
      const remaining = limit - taken.length;
      const served = waiting.slice(0, remaining);
      const share = Math.floor(remaining / Math.max(1, served.length));
      const { rows, hidden } = await this.#oldest(scope, served, { lane, share });
      taken.push(...(await this.#markClaimed(scope, rows, token, until)));
      this.#lastServed[lane] = all && served.length === waiting.length ? '' : (served.at(-1) ?? '');
      if (all && !hidden && !someKeyIsFull(rows, share)) return { rows: taken, exhausted: true };
    }
    return { rows: taken, exhausted: false };
  }

  /**
   * Claims from the outbound lane, up to the limit of each key. Skips a key if another process holds jobs of that key,
   * so that the concurrency of a key applies over all processes. Only one process at a time claims here; other
   * processes do not wait.
   */
  async #takeOutbound(
    scope: TransactionScope,
    { lane, limit, token, until }: LaneClaim,
    quota: ClaimQuota,
  ): Promise<LaneTaken> {
    if (!(await scope.tryLock(`${this.#database.prefix}outbound`))) return { rows: [], exhausted: false };
    const taken: TakenRow[] = [];
    for (let round = 0; round < maxRounds && taken.length < limit; round += 1) {
      const { keys: waiting, all } = await this.#nextKeys(scope, lane);
      const openKeys = await this.#openKeys(scope, lane, waiting, quota);
      const maxPerKey = Math.max(0, ...openKeys.values());
      const { rows, hidden } = await this.#oldest(scope, [...openKeys.keys()], { lane, share: maxPerKey + 1 });
      const allowedRows = withinQuota(rows, openKeys, quota);
      taken.push(
        ...(await this.#markClaimed(scope, interleaved(allowedRows).slice(0, limit - taken.length), token, until)),
      );
      this.#lastServed[lane] = all ? '' : (waiting.at(-1) ?? '');
      if (all && !hidden) return { rows: taken, exhausted: taken.length < limit };
    }
    return { rows: taken, exhausted: false };
  }

  /**
   * The oldest jobs of these keys that this process can run. `hidden`: whether rows of a newly found unknown kind took the place
   * of other jobs, which the next round finds.
   */
  async #oldest(
    scope: TransactionScope,
    keys: readonly string[],
    { lane, share }: { readonly lane: number; readonly share: number },
  ): Promise<{ readonly rows: readonly TakenRow[]; readonly hidden: boolean }> {
    if (keys.length === 0) return { rows: [], hidden: false };
    const { slots, seen } = this.#unknownKinds;
    const takeOf = formFor(this.#database.adapter, takeWithout(slots));
    const foundRows = await scope.handle(unscopedReason).all(...takeOf(keys, { lane, share, ...slots.values }));
    const rows = foundRows.filter(({ kind }) => !this.#unknownKinds.has(kind));
    return { rows, hidden: this.#unknownKinds.seen > seen };
  }

  /** The keys whose jobs may be claimed, with the number of jobs for each. */
  async #openKeys(
    scope: TransactionScope,
    lane: number,
    keys: readonly string[],
    quota: ClaimQuota,
  ): Promise<Map<string, number>> {
    const running = new Map<string, number>();
    for (const list of inLists(keys))
      for (const row of await scope.handle(unscopedReason).all(...runningListed(list, { lane })))
        running.set(row.concurrency_key, Number(row.jobs));
    const openKeys = new Map<string, number>();
    for (const key of keys) {
      const runsElsewhere = (running.get(key) ?? 0) > quota.claimedOfKey(key);
      const limit = runsElsewhere ? 0 : quota.ofKey(key);
      if (limit > 0) openKeys.set(key, limit);
      else if (!runsElsewhere) quota.cutShort(key);
    }
    return openKeys;
  }

  /**
   * Marks rows as claimed by this process. Returns the rows that it marked: if the database cannot lock rows, another
   * process may have marked some of them first.
   */
  async #markClaimed(
    scope: TransactionScope,
    rows: readonly TakenRow[],
    token: string,
    until: number,
  ): Promise<TakenRow[]> {
    const handle = scope.handle(unscopedReason);
    const marked: TakenRow[] = [];
    for (const list of inLists(rows)) {
      const ids = list.map(({ id }) => id);
      const changedCount = await handle.run(...claimListed(ids, { token, until }));
      if (changedCount === list.length) marked.push(...list);
      else {
        const claimed = new Set((await handle.all(...leasedOfListed(ids, { token }))).map(({ id }) => id));
        marked.push(...list.filter(({ id }) => claimed.has(id)));
      }
    }
    return marked;
  }

  /** The next keys after the one that was served last, in circular order. `all`: there are no other keys. */
  async #nextKeys(
    scope: TransactionScope,
    lane: number,
  ): Promise<{ readonly keys: readonly string[]; readonly all: boolean }> {
    const handle = scope.handle(unscopedReason);
    const after = this.#lastServed[lane] ?? '';
    const seek = async (from: string, until: string, limit: number) =>
      (await handle.all(nextKeys, { lane, after: from, until, limit })).flatMap(({ id }) => id ?? []);
    const keys = await seek(after, afterEveryId, keysPerRound);
    if (after !== '' && keys.length < keysPerRound) keys.push(...(await seek('', after, keysPerRound - keys.length)));
    return { keys, all: keys.length < keysPerRound };
  }
}

/** The workspaces of claimed rows. */
export async function workspacesOf(
  core: Core,
  scope: TransactionScope,
  rows: readonly TakenRow[],
): Promise<ReadonlyMap<string, Workspace>> {
  const workspacesById = new Map<string, Workspace>();
  const ids = [...new Set(rows.map((row) => row.workspace_id))];
  for (const list of inLists(ids)) {
    for (const row of await scope.handle(unscopedReason).all(...workspacesListed(list, {}))) {
      workspacesById.set(row.id, toWorkspace(row, core.plans));
    }
  }
  return workspacesById;
}

/** A claimed row as a job. `attempt` is the number of its attempt. */
export function toClaimedJob(
  row: TakenRow,
  workspaces: ReadonlyMap<string, Workspace>,
  { token, until, attempt }: { readonly token: string; readonly until: number; readonly attempt: number },
): ClaimedJob {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    workspace: workspaces.get(row.workspace_id),
    kind: row.kind,
    lane: row.lane,
    concurrencyKey: row.concurrency_key,
    payload: row.payload,
    sandbox: row.sandbox === 1,
    attempt,
    runAt: row.run_at,
    createdAt: row.created_at,
    traceparent: row.traceparent,
    lease: new Lease(row.id, token, until),
  };
}
