// The statistics of PostgreSQL's query planner, for tables that grow fast. Without statistics, PostgreSQL may seek a row by its
// workspace alone and read all rows of the workspace, although an index has the row's id. Autovacuum updates statistics once a
// minute, if it is on. A busy worker updates them sooner. Called by the loops of a started process.
import type { SqlConnection } from '../contract/ports/storage.ts';
import type { Database } from '../storage/database.ts';

/** The smallest number of rows of a table that needs statistics. */
const minRows = 500;
/** After this number of jobs, the sizes of the tables are read at the next call. */
const manyJobs = 100;
/** If fewer jobs have run, the sizes are read after this time, in milliseconds. */
const pauseMs = 5_000;
/** The sizes are read until this time after the last job, in milliseconds: the server counts rows up to 10 s later. */
const restMs = 20_000;
/** If two processes update the same statistics, one of them does nothing. */
const lock = 'statistics';

/** The tables of $1 that this role owns and that have at least twice as many rows as at the last update of their statistics. */
const grownTables = `select c.oid::regclass::text as name, pg_stat_get_live_tuples(c.oid) as live
from unnest(string_to_array($1::text, ',')) as t(name) join pg_class c on c.oid = to_regclass(t.name)
where c.relkind = 'r' and pg_has_role(c.relowner, 'usage')
and pg_stat_get_live_tuples(c.oid) >= greatest(${minRows}, 2 * c.reltuples)`;

/** Updates the statistics of one process's database. On other databases than PostgreSQL, it does nothing. */
export class TableStatistics {
  readonly #database: Database;
  readonly #names: string;
  /** The numbers of rows at the last update by this process. A table that shrinks and grows again is left to autovacuum. */
  readonly #updatedAtSize = new Map<string, number>();
  #jobsBefore = 0;
  #readAt = Number.NEGATIVE_INFINITY;
  #busyAt = Number.NEGATIVE_INFINITY;

  constructor(database: Database, tables: Iterable<string>) {
    const { adapter, prefix } = database;
    this.#database = database;
    const location = adapter.schema === undefined ? prefix : `${adapter.schema}.${prefix}`;
    this.#names = [...tables].map((table) => `${location}${table}`).join(',');
  }

  /**
   * Call every second. Does nothing if no job has run for some time.
   * @param jobs the number of jobs that this process has begun
   * @param isBusy whether a job is running now
   * @returns the names of the tables whose statistics were updated
   */
  async tick(jobs: number, isBusy: boolean): Promise<readonly string[]> {
    if (this.#database.adapter.dialect !== 'postgres') return [];
    const now = performance.now();
    const jobsSince = jobs - this.#jobsBefore;
    if (jobsSince > 0 || isBusy) this.#busyAt = now;
    const isDue = now - this.#busyAt <= restMs && now - this.#readAt >= pauseMs;
    if (!isDue && jobsSince < manyJobs) return [];
    this.#jobsBefore = jobs;
    this.#readAt = now;
    return this.update();
  }

  /** Updates the statistics of all tables that have grown. @returns their names */
  async update(): Promise<readonly string[]> {
    const { driver } = this.#database;
    const grown = await driver.read((connection) => this.#readGrown(connection));
    if (grown.length === 0) return [];
    // A lost update is repeated, and a large table may take longer than other statements may.
    return driver.transact(
      async (connection) => {
        if (!(await driver.tryLock(connection, lock))) return [];
        // Read again, because another process may have updated them meanwhile.
        const names: string[] = [];
        for (const { name, live } of await this.#readGrown(connection)) {
          this.#updatedAtSize.set(name, live);
          // Without SKIP_LOCKED, it would wait for a vacuum of the table.
          await connection.query({ sql: `analyze (skip_locked) ${name}`, parameters: [] });
          names.push(name);
        }
        return names;
      },
      { durable: false, longRunning: true },
    );
  }

  async #readGrown(connection: SqlConnection): Promise<readonly { readonly name: string; readonly live: number }[]> {
    const { rows } = await connection.query({ sql: grownTables, parameters: [this.#names], hot: true });
    return rows
      .map(({ name, live }) => ({ name: String(name), live: Number(live) }))
      .filter(({ name, live }) => live >= 2 * (this.#updatedAtSize.get(name) ?? 0));
  }
}
