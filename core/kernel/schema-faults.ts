// Compares the tables that a plugin declares with its migrations. Called by registry.ts.
import type { ColumnType, Migration } from '../contract/declaration/migration.ts';
import type { Plugin, TableDeclaration } from '../contract/declaration/plugin.ts';
import { namesUsedTwice, undeclaredContractions } from '../storage/compatibility.ts';

type CreatedTables = ReadonlyMap<string, Readonly<Record<string, ColumnType>>>;

/** The tables and columns after all migrations. */
function columnsAfterMigrations(migrations: readonly Migration[]): CreatedTables {
  const tables = new Map<string, Record<string, ColumnType>>();
  for (const change of migrations.flatMap(({ changes }) => changes)) {
    if ('create' in change) tables.set(change.create, { ...change.columns });
    if ('drop' in change) tables.delete(change.drop);
    if (!('alter' in change)) continue;
    const columns = tables.get(change.alter) ?? {};
    if ('add' in change) Object.assign(columns, change.add);
    else for (const name of change.remove) delete columns[name];
  }
  return tables;
}

function* columnFaults(table: string, declared: TableDeclaration, migrated: Readonly<Record<string, ColumnType>>) {
  const { tenant, sides = false, columns } = declared;
  const required: Record<string, ColumnType> = {
    ...(tenant ? { workspace_id: 'id' } : {}),
    ...(sides ? { sandbox: 'flag' } : {}),
    ...columns,
  };
  for (const [name, type] of Object.entries(required)) {
    if (migrated[name] === undefined)
      yield `the migrations make no column ${name} of ${table}; it is declared as ${type}.`;
    else if (migrated[name] !== type)
      yield `the migrations make ${name} of ${table} as ${migrated[name]}; it is declared as ${type}.`;
  }
  if (columns === undefined) return;
  for (const name of Object.keys(migrated))
    if (required[name] === undefined)
      yield `the migrations make the column ${name} of ${table}, which is not declared.`;
}

/**
 * Reports a table whose rows belong to a workspace or a side although its declaration does not say so: statements on it would not
 * be bound to the workspace or side.
 */
function* scopeFaults(
  table: string,
  { tenant, sides = false, workspaceColumn }: TableDeclaration,
  migrated: Readonly<Record<string, ColumnType>>,
) {
  if (migrated['workspace_id'] !== undefined && !tenant && workspaceColumn === undefined)
    yield `${table} has the column workspace_id and is not declared tenant: declare it with defineTable, or with tenant: true.`;
  if (migrated['sandbox'] === 'flag' && !sides)
    yield `${table} has the flag sandbox and is not declared with sides: declare sides: true, or give the column another name.`;
}

/** Reports changes of tables or columns that no earlier change makes: the database would refuse them with its own messages. */
function* orderFaults(migrations: readonly Migration[]): Generator<string> {
  const columnsByTable = new Map<string, Set<string>>();
  for (const { id, changes } of migrations)
    for (const change of changes) {
      const label = `The migration ${id}`;
      if ('create' in change) {
        const columns = new Set(Object.keys(change.columns));
        columnsByTable.set(change.create, columns);
        for (const name of change.primaryKey)
          if (!columns.has(name))
            yield `${label} makes ${change.create} with the key ${name}, which is not one of its columns.`;
        continue;
      }
      const table = 'alter' in change ? change.alter : 'drop' in change ? change.drop : change.on;
      const columns = columnsByTable.get(table);
      if (columns === undefined) {
        yield `${label} changes the table ${table}, which no earlier change creates: migrations run in the order of their list.`;
        continue;
      }
      if ('drop' in change) columnsByTable.delete(table);
      if ('add' in change) for (const name of Object.keys(change.add)) columns.add(name);
      if ('remove' in change)
        for (const name of change.remove)
          if (!columns.delete(name)) yield `${label} removes ${name} from ${table}, which has no such column.`;
      if ('index' in change)
        for (const name of change.columns)
          if (!columns.has(name))
            yield `${label} makes the index ${change.index} over ${name}, which is not a column of ${table}.`;
    }
}

/** Every fault as a sentence. */
export function* schemaFaults({ id: plugin, migrations, tables }: Plugin): Generator<string> {
  const seen = new Set<string>();
  for (const { id } of migrations) {
    if (seen.has(id)) yield `The migration ${id} of ${plugin} is listed twice.`;
    seen.add(id);
  }
  for (const fault of [
    ...orderFaults(migrations),
    ...undeclaredContractions(migrations),
    ...namesUsedTwice(migrations),
  ])
    yield `${plugin}: ${fault}`;
  const createdTables = columnsAfterMigrations(migrations);
  // A table without a declaration gets no prefix, and statements on it are not bound to a workspace.
  for (const table of createdTables.keys())
    if (!Object.hasOwn(tables, table))
      yield `${plugin} creates the table ${table} in a migration and does not name it in tables.`;
  for (const [table, declared] of Object.entries(tables)) {
    const columns = createdTables.get(table);
    if (columns === undefined) {
      if (declared.columns !== undefined) yield `${plugin} declares the table ${table}, which no migration creates.`;
      continue;
    }
    for (const fault of columnFaults(table, declared, columns)) yield `${plugin}: ${fault}`;
    // Some tables of the core record the side of their rows and serve both sides.
    if (plugin !== 'core') for (const fault of scopeFaults(table, declared, columns)) yield `${plugin}: ${fault}`;
  }
}
