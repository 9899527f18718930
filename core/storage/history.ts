// The table of applied migrations, with the time and release of each. Called by migrate.ts only.
import type { Compatibility, Migration } from '../contract/declaration/migration.ts';
import { isStorageError, type SqlConnection } from '../contract/ports/storage.ts';
import { columnTypes, nowSql, type SchemaLocation, tableEnd } from './schema-sql.ts';

/** Migrations of one plugin or of the core. */
export interface NamespacedMigrations {
  readonly namespace: string;
  readonly migrations: readonly Migration[];
}

/** The migrations of a service and its release. */
export interface MigrationSource {
  readonly all: readonly NamespacedMigrations[];
  /** The release that is recorded in the history and named in errors. */
  readonly release: string;
}

export interface AppliedMigration {
  readonly namespace: string;
  readonly id: string;
  /** Milliseconds, by the database's clock. */
  readonly appliedAt: number;
  readonly compatibility: Compatibility;
  /** The release of Postrider that applied it; null for its first releases, which did not record it. */
  readonly release: string | null;
}

export interface History {
  readonly applied: readonly AppliedMigration[];
  /** Statements that must run before a migration can be recorded. */
  readonly repairs: readonly string[];
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const nameOf = ({ prefix, schema }: SchemaLocation): string =>
  schema === undefined ? `${prefix}migrations` : `${schema}.${prefix}migrations`;

/** The SQL that creates the table if it is missing. */
export function createHistory(location: SchemaLocation): string {
  const type = columnTypes[location.dialect];
  return `create table if not exists ${nameOf(location)} (namespace ${type.id} not null, id ${type.key} not null, applied_at ${type.time} not null, compatibility ${type.id}, applied_by ${type.key}, primary key (namespace, id))${location.dialect === 'mysql' ? ` ${tableEnd}` : ''}`;
}

/** The SQL that records one migration. */
export function recordSql(
  location: SchemaLocation,
  migration: { readonly namespace: string; readonly id: string; readonly compatibility: Compatibility },
  release: string,
): string {
  const { namespace, id, compatibility } = migration;
  return `insert into ${nameOf(location)} (namespace, id, applied_at, compatibility, applied_by) values (${literal(namespace)}, ${literal(id)}, ${nowSql[location.dialect]}, ${literal(compatibility)}, ${literal(release)})`;
}

/** The rows of the existing table. */
export async function readHistory(connection: SqlConnection, location: SchemaLocation): Promise<History> {
  const { rows } = await connection.query({
    sql: `select * from ${nameOf(location)} order by namespace, id`,
    parameters: [],
  });
  const [first] = rows;
  const type = columnTypes[location.dialect];
  // Release 0.1 made the table without these two columns, and keeps writing its own columns only.
  const isOld = first !== undefined && !('compatibility' in first);
  return {
    applied: rows.map((row) => ({
      namespace: String(row['namespace']),
      id: String(row['id']),
      appliedAt: Number(row['applied_at']),
      compatibility: row['compatibility'] === 'contract' ? 'contract' : 'expand',
      release: typeof row['applied_by'] === 'string' ? row['applied_by'] : null,
    })),
    repairs: isOld
      ? [
          `alter table ${nameOf(location)} add column compatibility ${type.id}`,
          `alter table ${nameOf(location)} add column applied_by ${type.key}`,
        ]
      : [],
  };
}

/** Reads the history of a database that may be empty. @throws StorageError when the database cannot be read */
export async function findHistory(connection: SqlConnection, location: SchemaLocation): Promise<History> {
  try {
    return await readHistory(connection, location);
  } catch (error) {
    // A missing table means an empty database; a busy or unavailable database does not.
    if (isStorageError(error) && ['busy', 'unavailable'].includes(error.fault)) throw error;
    return { applied: [], repairs: [createHistory(location)] };
  }
}
