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

const placeOf = ({ adapter, prefix }: Database): SchemaLocation => ({
  dialect: adapter.dialect,
  prefix,
  schema: adapter.schema,
});

const run = (connection: SqlConnection, sql: string) => connection.query({ sql, parameters: [] });

/** Rethrows the database's error with the name of the migration. */
const failedIn =
  ({ namespace, id }: Planned, { dialect }: SchemaLocation) =>
  (error: unknown): never => {
    const kept =
      dialect === 'mysql'
        ? 'What it had done before stays; the next run goes on from there.'
        : 'It was rolled back, with those of this run before it.';
    const message = `The migration ${namespace}/${id} failed: ${error instanceof Error ? error.message : String(error)}. ${kept}`;
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
        const named = { namespace, id, compatibility: compatibilityOf(migration) };
        const steps = changes.flatMap(oneByOne).map((change) => ({ change, sql: changeSql(location, change) }));
        return { ...named, steps, record: recordSql(location, named, release) };
      }),
  );
}

/** The steps that an interrupted migration did not run yet. */
async function stepsLeft(connection: SqlConnection, { dialect, prefix }: SchemaLocation, steps: readonly Step[]) {
  if (dialect !== 'mysql') return steps;
  const left: Step[] = [];
  for (const step of steps) {
    const { ask, present } = traceOf(prefix, step.change);
    const { rows } = await connection.query(ask);
    if (Number(rows[0]?.['found']) > 0 !== present) left.push(step);
  }
  return left;
}

function toPublic(
  { namespace, id, compatibility, record }: Planned,
  steps: readonly Step[],
  first: readonly string[] = [],
) {
  return { namespace, id, compatibility, sql: [...first, ...steps.map(({ sql }) => sql), record] };
}

/** Reads the state of the database. */
export async function migrationStatus(database: Database, source: MigrationSource): Promise<MigrationStatus> {
  const place = placeOf(database);
  return database.driver.read(async (connection) => {
    const history = await findHistory(connection, place);
    const pending: PlannedMigration[] = [];
    for (const planned of missingOf(place, source, history)) {
      const first = pending.length === 0 ? history.repairs : [];
      pending.push(toPublic(planned, await stepsLeft(connection, place, planned.steps), first));
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

/** @throws StorageError `unavailable` when this process cannot work on the schema as it is */
export async function assertUsable(database: Database, source: MigrationSource): Promise<void> {
  const { applied, pending } = await migrationStatus(database, source);
  assertCompatible(source, applied);
  assertComplete(pending);
}

/**
 * Applies the pending migrations and returns them. If two processes run it, the second waits, then finds nothing to do.
 */
export async function applyMigrations(database: Database, source: MigrationSource): Promise<PlannedMigration[]> {
  const place = placeOf(database);
  // If nothing is missing, nothing is locked or created. A role that may not change the schema can therefore call this,
  // too.
  const present = await database.driver.read((connection) => findHistory(connection, place));
  assertCompatible(source, present.applied);
  if (present.repairs.length === 0 && missingOf(place, source, present).length === 0) return [];
  for (let attempt = 0; ; attempt += 1) {
    const applied = await database.driver.transact(
      async (connection) => {
        if (!(await database.driver.tryLock(connection, `${database.prefix}migrate`))) return undefined;
        await run(connection, createHistory(place));
        const history = await readHistory(connection, place);
        assertCompatible(source, history.applied);
        for (const sql of history.repairs) await run(connection, sql);
        const done: PlannedMigration[] = [];
        for (const planned of missingOf(place, source, history)) {
          const migration = toPublic(planned, await stepsLeft(connection, place, planned.steps));
          for (const sql of migration.sql) await run(connection, sql).catch(failedIn(planned, place));
          done.push(migration);
        }
        return done;
      },
      { longRunning: true },
    );
    if (applied !== undefined) return applied;
    if (attempt >= 300) throw new Error('Another process has been migrating for 60 seconds. Nothing was changed here.');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
