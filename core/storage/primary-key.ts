// The primary keys of tables, as their migrations declare them. Called by code that deletes rows in batches.
import type { Migration } from '../contract/declaration/migration.ts';

/** Migrations of the core and of every plugin, as the registry has them. */
type AllMigrations = readonly { readonly migrations: readonly Migration[] }[];

/** The columns of a table's primary key, in order; empty if no migration creates the table. */
export function primaryKeyOf(all: AllMigrations, table: string): readonly string[] {
  for (const change of all.flatMap(({ migrations }) => migrations.flatMap(({ changes }) => changes))) {
    if ('create' in change && change.create === table) return change.primaryKey;
  }
  return [];
}

/**
 * Whether the primary key of a table, or an index, begins with these columns, in their order. An index of only the rows
 * that have a value in the last column counts, too: it serves a search for values.
 */
export function isKeyedBy(all: AllMigrations, table: string, columns: readonly string[]): boolean {
  const begins = (key: readonly string[]): boolean => columns.every((column, index) => key[index] === column);
  const indexes = new Map<string, readonly string[]>();
  for (const change of all.flatMap(({ migrations }) => migrations.flatMap(({ changes }) => changes))) {
    if ('dropIndex' in change && change.on === table) indexes.delete(change.dropIndex);
    if ('index' in change && change.on === table && [undefined, columns.at(-1)].includes(change.present))
      indexes.set(change.index, change.columns);
  }
  return begins(primaryKeyOf(all, table)) || [...indexes.values()].some(begins);
}
