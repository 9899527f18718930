// The primary keys of tables, as their migrations declare them. Called by code that deletes rows in batches.
import type { Migration } from '../contract/migration.ts';

/** Migrations of the core and of every plugin, as the registry has them. */
type AllMigrations = readonly { readonly migrations: readonly Migration[] }[];

/** The columns of a table's primary key, in order; none when no migration creates the table. */
export function primaryKeyOf(all: AllMigrations, table: string): readonly string[] {
  for (const change of all.flatMap(({ migrations }) => migrations.flatMap(({ changes }) => changes))) {
    if ('create' in change && change.create === table) return change.primaryKey;
  }
  return [];
}

/** Whether the primary key of a table, or an index that has all its rows, begins with this column. */
export function isKeyedBy(all: AllMigrations, table: string, column: string): boolean {
  if (primaryKeyOf(all, table)[0] === column) return true;
  const changes = all.flatMap(({ migrations }) => migrations.flatMap((migration) => migration.changes));
  return changes.some(
    (change) =>
      'index' in change && change.on === table && change.present === undefined && change.columns[0] === column,
  );
}
