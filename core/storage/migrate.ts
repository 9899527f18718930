// Brings the schema up to date: a static, namespaced list of migrations, under a lock, in one transaction if the
// database supports that. On MySQL, which does not, an interrupted migration continues where it stopped. Called by
// service.migrate(), the opener's check and the command line; never on the request path.
import type { Compatibility, SchemaChange } from '../contract/declaration/migration.ts';
import { isStorageError, type SqlConnection, StorageError } from '../contract/ports/storage.ts';
import {
  assertCompatible,
  assertComplete,
  compatibilityOf,
  incompatibility,
  unknownMigrations,
} from './compatibility.ts';
import type { Database } from './database.ts';
import {
  type AppliedMigration,
  createHistory,
  findHistory,
  type History,
  type MigrationSource,
  readHistory,
  recordSql,
} from './history.ts';
import { changeSql, oneByOne, type SchemaLocation, traceOf } from './schema-sql.ts';

/** A migration by its name. */
export interface NamedMigration {
  readonly namespace: string;
  readonly id: string;
  readonly compatibility: Compatibility;
}

/** One step with its statements, including the one that records it. */
export interface PlannedMigration extends NamedMigration {
  readonly sql: readonly string[];
}

/** The applied, the pending and the unknown migrations of a database. */
export interface MigrationStatus {
  readonly applied: readonly AppliedMigration[];
  readonly pending: readonly PlannedMigration[];
  /** Applied migrations of composed namespaces that this release does not know: a later release applied them. */
  readonly unknown: readonly AppliedMigration[];
  /** The reason why this release cannot work with the database; undefined if it can. */
  readonly incompatible: string | undefined;
}

interface Step {
  readonly change: SchemaChange;
  readonly sql: string;
}

interface Planned extends Omit<PlannedMigration, 'sql'> {
  readonly steps: readonly Step[];
  readonly record: string;
}

const locationOf = ({ adapter, prefix }: Database): SchemaLocation => ({
  dialect: adapter.dialect,
  prefix,
  schema: adapter.schema,
});

const run = (connection: SqlConnection, sql: string) => connection.query({ sql, parameters: [] });

/** Rethrows the database's error with the name of the migration. */
const throwMigrationError =
  ({ namespace, id }: Planned, { dialect }: SchemaLocation) =>
  (error: unknown): never => {
    const consequence =
      dialect === 'mysql'
        ? 'Its earlier changes stay; the next run continues after them.'
        : 'It was rolled back, together with the earlier migrations of this run.';
    const message = `The migration ${namespace}/${id} failed: ${error instanceof Error ? error.message : String(error)}. ${consequence}`;
    throw isStorageError(error)
      ? new StorageError(error.fault, message, { cause: error })
      : new Error(message, { cause: error });
  };

/** The migrations that are not in the history, in order. */
function missingOf(location: SchemaLocation, { all, release }: MigrationSource, { applied }: History): Planned[] {
  const appliedIds = new Set(applied.map(({ namespace, id }) => `${namespace}/${id}`));
  return all.flatMap(({ namespace, migrations }) =>
    migrations
      .filter(({ id }) => !appliedIds.has(`${namespace}/${id}`))
      .map((migration) => {
        const { id, changes } = migration;
        const migrationName = { namespace, id, compatibility: compatibilityOf(migration) };
        const steps = changes.flatMap(oneByOne).map((change) => ({ change, sql: changeSql(location, change) }));
        return { ...migrationName, steps, record: recordSql(location, migrationName, release) };
      }),
  );
}

/** The steps that an interrupted migration did not run yet. */
async function remainingSteps(connection: SqlConnection, { dialect, prefix }: SchemaLocation, steps: readonly Step[]) {
  if (dialect !== 'mysql') return steps;
  const remaining: Step[] = [];
  for (const step of steps) {
    const { query, leavesTraces } = traceOf(prefix, step.change);
    const { rows } = await connection.query(query);
    if (Number(rows[0]?.['found']) > 0 !== leavesTraces) remaining.push(step);
  }
  return remaining;
}

function toPublic(
  { namespace, id, compatibility, record }: Planned,
  steps: readonly Step[],
  firstStatements: readonly string[] = [],
) {
  return { namespace, id, compatibility, sql: [...firstStatements, ...steps.map(({ sql }) => sql), record] };
}

/** Reads the state of the database. */
export async function migrationStatus(database: Database, source: MigrationSource): Promise<MigrationStatus> {
  const location = locationOf(database);
  return database.driver.read(async (connection) => {
    const history = await findHistory(connection, location);
    const pending: PlannedMigration[] = [];
    for (const planned of missingOf(location, source, history)) {
      const repairs = pending.length === 0 ? history.repairs : [];
      pending.push(toPublic(planned, await remainingSteps(connection, location, planned.steps), repairs));
    }
    const { applied } = history;
    return {
      applied,
      pending,
      unknown: unknownMigrations(source.all, applied),
      incompatible: incompatibility(source, applied),
    };
  });
}

/** Checks the schema. @throws StorageError `unavailable` if this process cannot work on the present schema */
export async function assertUsable(database: Database, source: MigrationSource): Promise<void> {
  const { applied, pending } = await migrationStatus(database, source);
  assertCompatible(source, applied);
  assertComplete(pending);
}

/**
 * Applies the pending migrations and returns them. If two processes run it, the second waits, then finds nothing to do.
 */
export async function applyMigrations(database: Database, source: MigrationSource): Promise<PlannedMigration[]> {
  const location = locationOf(database);
  // If nothing is missing, nothing is locked or created. A role that may not change the schema can therefore call this,
  // too.
  const currentHistory = await database.driver.read((connection) => findHistory(connection, location));
  assertCompatible(source, currentHistory.applied);
  if (currentHistory.repairs.length === 0 && missingOf(location, source, currentHistory).length === 0) return [];
  for (let attempt = 0; ; attempt += 1) {
    const applied = await database.driver.transact(
      async (connection) => {
        if (!(await database.driver.tryLock(connection, `${database.prefix}migrate`))) return undefined;
        await run(connection, createHistory(location));
        const history = await readHistory(connection, location);
        assertCompatible(source, history.applied);
        for (const sql of history.repairs) await run(connection, sql);
        const appliedNow: PlannedMigration[] = [];
        for (const planned of missingOf(location, source, history)) {
          const migration = toPublic(planned, await remainingSteps(connection, location, planned.steps));
          for (const sql of migration.sql) await run(connection, sql).catch(throwMigrationError(planned, location));
          appliedNow.push(migration);
        }
        return appliedNow;
      },
      { longRunning: true },
    );
    if (applied !== undefined) return applied;
    if (attempt >= 300) throw new Error('Another process has been migrating for 60 seconds. Nothing was changed here.');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
