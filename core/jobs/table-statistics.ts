// The statistics of PostgreSQL's query planner, for tables that grow fast. Without statistics, PostgreSQL may seek a row by its
// workspace alone and read all rows of the workspace, although an index has the row's id. Autovacuum updates statistics once a
// minute, if it is on. A busy process updates them sooner. Called by the job runner after
// commits, by the worker after jobs, and by the loops of a started process.
import type { SqlConnection } from '../contract/ports/storage.ts';
import { isOnLambda } from '../contract/values/on-lambda.ts';
import type { Database } from '../storage/database.ts';

/** The smallest number of rows of a table that needs statistics. */
const minRows = 500;
/** After this number of jobs and commits, the sizes of the tables are read at the next call. */
const manyUnits = 100;
/** The shortest time between two reads after commits, in milliseconds. */
const minPauseMs = 1_000;
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
  readonly #database: () => Promise<Database>;
  readonly #tables: () => Iterable<string>;
  /** The numbers of rows at the last update by this process. A table that shrinks and grows again is left to autovacuum. */
  readonly #updatedAtSize = new Map<string, number>();
  #units = 0;
  #readAt = Number.NEGATIVE_INFINITY;
  #busyAt = Number.NEGATIVE_INFINITY;
  #updating: Promise<unknown> | undefined;

  constructor(database: () => Promise<Database>, tables: () => Iterable<string>) {
    this.#database = database;
    this.#tables = tables;
  }

  /** Call after each commit that wrote jobs, and after each job. Returns at once; a failed update is repeated later. */
  recordWork(): void {
    // A function is frozen after its answer, and would go on with its next call.
    if (isOnLambda()) return;
    this.#busyAt = performance.now();
    this.#units += 1;
    if (this.#units < manyUnits || this.#updating !== undefined || performance.now() - this.#readAt < minPauseMs)
      return;
    this.#updating = this.#updateNow()
      .catch(() => undefined)
      .finally(() => {
        this.#updating = undefined;
      });
  }

  /** Resolves when no update is under way. */
  async idle(): Promise<void> {
    await this.#updating;
  }

  /**
   * Call every second in a started process. Does nothing if no job has run for some time.
   * @param isBusy whether a job is running now
   * @returns the names of the tables whose statistics were updated
   */
  async tick(isBusy: boolean): Promise<readonly string[]> {
    const now = performance.now();
    if (isBusy) this.#busyAt = now;
    return now - this.#busyAt <= restMs && now - this.#readAt >= pauseMs ? this.#updateNow() : [];
  }

  #updateNow(): Promise<readonly string[]> {
    this.#units = 0;
    this.#readAt = performance.now();
    return this.update();
  }

  /** Updates the statistics of all tables that have grown. @returns their names */
  async update(): Promise<readonly string[]> {
    const { adapter, driver, prefix } = await this.#database();
    if (adapter.dialect !== 'postgres') return [];
    const location = adapter.schema === undefined ? prefix : `${adapter.schema}.${prefix}`;
    const names = [...this.#tables()].map((table) => `${location}${table}`).join(',');
    const grown = await driver.read((connection) => this.#readGrown(connection, names));
    if (grown.length === 0) return [];
    // A lost update is repeated, and a large table may take longer than other statements may.
    return driver.transact(
      async (connection) => {
        if (!(await driver.tryLock(connection, lock))) return [];
        // Read again, because another process may have updated them meanwhile.
        const updated: string[] = [];
        for (const { name, live } of await this.#readGrown(connection, names)) {
          this.#updatedAtSize.set(name, live);
          // Without SKIP_LOCKED, it would wait for a vacuum of the table.
          await connection.query({ sql: `analyze (skip_locked) ${name}`, parameters: [] });
          updated.push(name);
        }
        return updated;
      },
      { durable: false, longRunning: true },
    );
  }

  async #readGrown(
    connection: SqlConnection,
    names: string,
  ): Promise<readonly { readonly name: string; readonly live: number }[]> {
    const { rows } = await connection.query({ sql: grownTables, parameters: [names], hot: true });
    return rows
      .map(({ name, live }) => ({ name: String(name), live: Number(live) }))
      .filter(({ name, live }) => live >= 2 * (this.#updatedAtSize.get(name) ?? 0));
  }
}
