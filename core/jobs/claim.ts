// The fair claim: lanes in their order, workspaces in turn within a lane, in one short transaction.
// Called by the worker. A workspace with any number of jobs costs one seek and delays nobody.
import { lanes } from '../contract/jobs.ts';
import type { Workspace } from '../contract/workspace.ts';
import type { Core } from '../pipeline/core.ts';
import { toWorkspace } from '../pipeline/workspaces.ts';
import type { JobRow } from '../storage/core-tables.ts';
import type { Database, TransactionScope } from '../storage/database.ts';
import { Lease } from './lease.ts';
import { inLists } from './list-statement.ts';
import { afterEveryId, claimListed, heldOfListed, look, nextWorkspaces, take, workspacesListed } from './queue.ts';

/** A job that this process holds. */
export interface ClaimedJob {
  readonly id: string;
  readonly workspaceId: string;
  /** As it was when the job was claimed; undefined when it is gone. */
  readonly workspace: Workspace | undefined;
  readonly kind: string;
  /** Index in `lanes`. */
  readonly lane: number;
  /** JSON. */
  readonly payload: string;
  readonly sandbox: boolean;
  /** 1 at the first try. */
  readonly attempt: number;
  readonly runAt: number;
  readonly createdAt: number;
  readonly lease: Lease;
}

/** How many jobs of a lane may be claimed, when `taken` were already claimed from the lanes before it. */
export type Room = (lane: number, taken: number) => number;

/** What a claim brought. */
export interface Claim {
  readonly jobs: readonly ClaimedJob[];
  /** Whether some lane may have more than there was room for. */
  readonly more: boolean;
}

/** So many workspaces take their turn in one round, and so many rounds make a claim. */
const turns = 16;
const mostRounds = 8;

type TakenRow = Pick<
  JobRow,
  'id' | 'workspace_id' | 'kind' | 'lane' | 'payload' | 'sandbox' | 'attempt' | 'run_at' | 'created_at'
>;

interface LaneClaim {
  readonly lane: number;
  readonly wanted: number;
  readonly token: string;
  readonly until: number;
}

interface LaneTaken {
  readonly rows: readonly TakenRow[];
  /** Whether the lane has nothing more that could be taken. */
  readonly exhausted: boolean;
}

/** Whether some workspace gave all of its share, and so may have more. */
function anyFull(rows: readonly TakenRow[], share: number): boolean {
  const counts = new Map<string, number>();
  for (const { workspace_id } of rows) counts.set(workspace_id, (counts.get(workspace_id) ?? 0) + 1);
  return [...counts.values()].some((count) => count >= share);
}

/** Claims for one process; remembers in each lane whose turn it is. */
export class Claimer {
  readonly #core: Core;
  readonly #database: Database;
  readonly #leaseMs: number;
  readonly #lastServed = lanes.map(() => '');

  constructor(core: Core, database: Database, leaseMs: number) {
    this.#core = core;
    this.#database = database;
    this.#leaseMs = leaseMs;
  }

  /** Claims what there is room for. Looks first: an empty queue costs a read and no transaction. */
  async claim(room: Room): Promise<Claim> {
    const seen = await this.#database.read(undefined, (handle) => handle.one(look, {}));
    const filled = lanes.map((_, lane) => lane).filter((lane) => seen?.[lanes[lane] as keyof typeof seen] != null);
    if (filled.length === 0) return { jobs: [], more: false };
    if (filled.every((lane) => room(lane, 0) <= 0)) return { jobs: [], more: true };
    const token = this.#core.ports.ids.create('lease');
    const until = this.#core.ports.now() + this.#leaseMs;
    const claim = await this.#database.transact(async (scope) => {
      const rows: TakenRow[] = [];
      let more = false;
      for (const lane of filled) {
        const wanted = room(lane, rows.length);
        if (wanted <= 0) {
          more = true;
          continue;
        }
        const taken = await this.#takeLane(scope, { lane, wanted, token, until });
        rows.push(...taken.rows);
        more ||= !taken.exhausted;
      }
      return { rows, more, workspaces: await this.#workspacesOf(scope, rows) };
    });
    const jobs = claim.rows.map((row) => this.#toJob(row, claim.workspaces, new Lease(row.id, token, until)));
    for (const { id } of jobs) this.#core.ports.phase('job.claimed', id);
    return { jobs, more: claim.more };
  }

  async #takeLane(scope: TransactionScope, { lane, wanted, token, until }: LaneClaim): Promise<LaneTaken> {
    const handle = scope.handle(undefined);
    const takeOf = this.#database.adapter.capabilities.skipLocked ? take.locking : take.plain;
    const taken: TakenRow[] = [];
    for (let round = 0; round < mostRounds && taken.length < wanted; round += 1) {
      const { workspaces, all } = await this.#workspacesInTurn(scope, lane);
      const left = wanted - taken.length;
      const served = workspaces.slice(0, left);
      const share = Math.floor(left / Math.max(1, served.length));
      const rows = served.length === 0 ? [] : await handle.all(...takeOf(served, { lane, share }));
      taken.push(...(await this.#hold(scope, rows, token, until)));
      this.#lastServed[lane] = all && served.length === workspaces.length ? '' : (served.at(-1) ?? '');
      if (all && !anyFull(rows, share)) return { rows: taken, exhausted: true };
    }
    return { rows: taken, exhausted: false };
  }

  /** Marks rows as ours; answers those that nobody else marked first (where the database could not lock them). */
  async #hold(scope: TransactionScope, rows: readonly TakenRow[], token: string, until: number): Promise<TakenRow[]> {
    const handle = scope.handle(undefined);
    const held: TakenRow[] = [];
    for (const list of inLists(rows)) {
      const ids = list.map(({ id }) => id);
      const changed = await handle.run(...claimListed(ids, { token, until }));
      if (changed === list.length) held.push(...list);
      else {
        const ours = new Set((await handle.all(...heldOfListed(ids, { token }))).map(({ id }) => id));
        held.push(...list.filter(({ id }) => ours.has(id)));
      }
    }
    return held;
  }

  /** The next workspaces after the one that was served last, around the circle; `all` when that is everyone. */
  async #workspacesInTurn(
    scope: TransactionScope,
    lane: number,
  ): Promise<{ readonly workspaces: readonly string[]; readonly all: boolean }> {
    const handle = scope.handle(undefined);
    const after = this.#lastServed[lane] ?? '';
    const seek = async (from: string, until: string, most: number) =>
      (await handle.all(nextWorkspaces, { lane, after: from, until, most })).flatMap(({ id }) => id ?? []);
    const workspaces = await seek(after, afterEveryId, turns);
    if (after !== '' && workspaces.length < turns) {
      workspaces.push(...(await seek('', after, turns - workspaces.length)));
    }
    return { workspaces, all: workspaces.length < turns };
  }

  async #workspacesOf(scope: TransactionScope, rows: readonly TakenRow[]): Promise<ReadonlyMap<string, Workspace>> {
    const found = new Map<string, Workspace>();
    const ids = [...new Set(rows.map((row) => row.workspace_id))];
    for (const list of inLists(ids)) {
      for (const row of await scope.handle(undefined).all(...workspacesListed(list, {}))) {
        found.set(row.id, toWorkspace(row, this.#core.plans));
      }
    }
    return found;
  }

  #toJob(row: TakenRow, workspaces: ReadonlyMap<string, Workspace>, lease: Lease): ClaimedJob {
    return {
      id: row.id,
      workspaceId: row.workspace_id,
      workspace: workspaces.get(row.workspace_id),
      kind: row.kind,
      lane: row.lane,
      payload: row.payload,
      sandbox: row.sandbox === 1,
      attempt: row.attempt + 1,
      runAt: row.run_at,
      createdAt: row.created_at,
      lease,
    };
  }
}
