// The statistics of PostgreSQL's query planner, for tables that grow fast. Without statistics, PostgreSQL may seek a row by its
// workspace alone and read all rows of the workspace, although an index has the row's id. Autovacuum updates statistics once a
// minute, if it is on. A busy process updates them sooner. Called by the job runner after commits, by the worker after jobs, and by the
// loops of a started process.
import type { SqlConnection } from '../contract/ports/storage.ts';
import { isOnLambda } from '../contract/values/on-lambda.ts';
import type { Database } from '../storage/database.ts';

/** The smallest number of rows of a table that needs statistics. */
const minRows = 500;
/** After this number of jobs and commits, the sizes of the tables are read soon; otherwise after `idlePauseMs`. */
const manyJobsAndCommits = 100;
/** The shortest pause between two reads, in milliseconds. It doubles up to the longest one while no table has grown. */
const minPauseMs = 1_000;
const maxPauseMs = 8_000;
/** The pause between two reads if fewer jobs have run, in milliseconds. */
const idlePauseMs = 5_000;
/** The sizes are read until this time after the last job, in milliseconds: PostgreSQL 15 and later count rows up to 10 s late. */
const readsAfterJobMs = 20_000;
/** A table whose update failed, or that has shrunk and grown again, is updated again after this time at the earliest, in milliseconds. */
const repeatAfterMs = 600_000;
/** The longest time of one update. Autovacuum updates the tables that take longer. */
const timeLimit = 'set local statement_timeout = 10000';

/**
 * The tables of $1, in the schema $2, that this role owns and that have many rows: without statistics, or at least twice as many rows as
 * at the last update. Indexes that are created later also set `reltuples`, so it does not show whether there are statistics.
 */
const grownTables = `select c.oid::regclass::text as name, pg_stat_get_live_tuples(c.oid) as live
from unnest(string_to_array($1::text, ',')) as t(name)
join pg_class c on c.oid = to_regclass(coalesce(quote_ident($2::text) || '.', '') || quote_ident(t.name))
where c.relkind = 'r' and pg_has_role(c.relowner, 'usage') and pg_stat_get_live_tuples(c.oid) >= ${minRows}
and (coalesce(pg_stat_get_last_analyze_time(c.oid), pg_stat_get_last_autoanalyze_time(c.oid)) is null
or pg_stat_get_live_tuples(c.oid) >= 2 * c.reltuples)`;

interface GrownTable {
  /** The quoted name, with the schema if it is needed. */
  readonly name: string;
  readonly live: number;
}

interface TableStatisticsParts {
  readonly database: () => Promise<Database>;
  /** The names of the tables, without prefix. */
  readonly tables: () => Iterable<string>;
  readonly onError: (error: unknown) => void;
}

/** Updates the statistics of one process's database. On other databases than PostgreSQL, it does nothing. */
export class TableStatistics {
  readonly #parts: TableStatisticsParts;
  readonly #attempts = new Map<string, { readonly live: number; readonly at: number }>();
  #jobsAndCommits = 0;
  #readAt = Number.NEGATIVE_INFINITY;
  #busyAt = Number.NEGATIVE_INFINITY;
  #pauseMs = minPauseMs;
  #updating: Promise<void> | undefined;
  #isStopped = false;

  constructor(parts: TableStatisticsParts) {
    this.#parts = parts;
  }

  /** Call after each commit that wrote jobs, and after each job. Returns at once. */
  recordWork(): void {
    this.#busyAt = performance.now();
    this.#jobsAndCommits += 1;
    if (this.#jobsAndCommits >= manyJobsAndCommits && this.#busyAt - this.#readAt >= this.#pauseMs) this.#begin();
  }

  /** Call every second in a started process. Returns at once. `isBusy`: whether a job is running. */
  tick(isBusy: boolean): void {
    const now = performance.now();
    if (isBusy) this.#busyAt = now;
    if (now - this.#busyAt <= readsAfterJobMs && now - this.#readAt >= Math.max(idlePauseMs, this.#pauseMs))
      this.#begin();
  }

  /** Resolves when no update is under way. */
  async idle(): Promise<void> {
    await this.#updating;
  }

  /** Begins no more updates, and waits for the update of a table that is under way: some milliseconds, at most 10 s. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.idle();
  }

  #begin(): void {
    // A function on Lambda is frozen after its answer, and would go on with its next call.
    if (this.#isStopped || this.#updating !== undefined || isOnLambda()) return;
    this.#jobsAndCommits = 0;
    this.#readAt = performance.now();
    this.#updating = this.update()
      .then((names) => {
        this.#pauseMs = names.length > 0 ? minPauseMs : Math.min(2 * this.#pauseMs, maxPauseMs);
      }, this.#parts.onError)
      .finally(() => {
        this.#updating = undefined;
      });
  }

  /**
   * Updates the statistics of all tables that have grown, in a transaction each. A table that is being vacuumed is skipped.
   * @returns the names of the tables
   */
  async update(): Promise<readonly string[]> {
    const { adapter, driver, prefix } = await this.#parts.database();
    if (adapter.dialect !== 'postgres') return [];
    const names = [...this.#parts.tables()].map((table) => `${prefix}${table}`).join(',');
    const parameters = [names, adapter.schema ?? null];
    const readGrown = async (connection: SqlConnection): Promise<GrownTable[]> => {
      const { rows } = await connection.query({ sql: grownTables, parameters, hot: true });
      return rows
        .map(({ name, live }) => ({ name: String(name), live: Number(live) }))
        .filter((table) => this.#mayUpdate(table));
    };
    const updated: string[] = [];
    for (const { name } of await driver.read(readGrown)) {
      if (this.#isStopped) break;
      await driver.transact(
        async (connection) => {
          if (!(await driver.tryLock(connection, `${prefix}statistics`))) return;
          // Another process may have updated it in the meantime.
          const table = (await readGrown(connection)).find((grown) => grown.name === name);
          if (table === undefined) return;
          this.#attempts.set(name, { live: table.live, at: performance.now() });
          await connection.query({ sql: timeLimit, parameters: [] });
          // Without SKIP_LOCKED, it would wait for a vacuum of the table.
          await connection.query({ sql: `analyze (skip_locked) ${name}`, parameters: [] });
          updated.push(name);
        },
        { durable: false },
      );
    }
    return updated;
  }

  #mayUpdate({ name, live }: GrownTable): boolean {
    const last = this.#attempts.get(name);
    return last === undefined || live >= 2 * last.live || performance.now() - last.at >= repeatAfterMs;
  }
}
