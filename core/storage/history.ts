// The table that remembers which migrations were applied, when and by which release. Called by migrate.ts only.
import type { Compatibility, Migration } from '../contract/migration.ts';
import type { SqlConnection } from '../contract/ports/storage.ts';
import { isStorageError } from '../contract/ports/storage.ts';
import type { SchemaPlace } from './schema-sql.ts';
import { columnTypes, nowSql } from './schema-sql.ts';

/** Migrations of one plugin or of the core. */
export interface NamespacedMigrations {
  readonly namespace: string;
  readonly migrations: readonly Migration[];
}

/** What a service brings along. */
export interface MigrationSource {
  readonly all: readonly NamespacedMigrations[];
  /** The release that stands in the history and in refusals. */
  readonly release: string;
}

/** A migration that the database has. */
export interface AppliedMigration {
  readonly namespace: string;
  readonly id: string;
  /** Milliseconds, by the database's clock. */
  readonly appliedAt: number;
  readonly compatibility: Compatibility;
  /** The release of Postrider that brought it; null where its first releases did, which did not say. */
  readonly release: string | null;
}

/** What the database tells of itself. */
export interface History {
  readonly applied: readonly AppliedMigration[];
  /** What has to run before a migration can be recorded. */
  readonly repairs: readonly string[];
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const nameOf = ({ prefix, schema }: SchemaPlace): string =>
  schema === undefined ? `${prefix}migrations` : `${schema}.${prefix}migrations`;

/** Makes the table where it is missing. */
export function createHistory(place: SchemaPlace): string {
  const type = columnTypes[place.dialect];
  return `create table if not exists ${nameOf(place)} (namespace ${type.id} not null, id ${type.key} not null, applied_at ${type.time} not null, compatibility ${type.id}, applied_by ${type.key}, primary key (namespace, id))`;
}

/** Remembers one migration. */
export function recordSql(
  place: SchemaPlace,
  migration: { readonly namespace: string; readonly id: string; readonly compatibility: Compatibility },
  release: string,
): string {
  const { namespace, id, compatibility } = migration;
  return `insert into ${nameOf(place)} (namespace, id, applied_at, compatibility, applied_by) values (${literal(namespace)}, ${literal(id)}, ${nowSql[place.dialect]}, ${literal(compatibility)}, ${literal(release)})`;
}

/** The rows of the table, which is there. */
export async function readHistory(connection: SqlConnection, place: SchemaPlace): Promise<History> {
  const { rows } = await connection.query({
    sql: `select * from ${nameOf(place)} order by namespace, id`,
    parameters: [],
  });
  const [first] = rows;
  const type = columnTypes[place.dialect];
  // Made by 0.1, which knew neither column; it goes on writing its own.
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
          `alter table ${nameOf(place)} add column compatibility ${type.id}`,
          `alter table ${nameOf(place)} add column applied_by ${type.key}`,
        ]
      : [],
  };
}

/** The same for a database that may be empty. @throws StorageError when it cannot be asked */
export async function findHistory(connection: SqlConnection, place: SchemaPlace): Promise<History> {
  try {
    return await readHistory(connection, place);
  } catch (error) {
    // No history is an empty database; a database that cannot be asked is not.
    if (isStorageError(error) && ['busy', 'unavailable'].includes(error.fault)) throw error;
    return { applied: [], repairs: [createHistory(place)] };
  }
}
