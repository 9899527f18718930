// Brings the schema up to date: a static, namespaced list of migrations, under a lock, in one transaction.
// Called by service.migrate() and the tests; never on the request path.
import type { ColumnDataType, Kysely, RawBuilder } from 'kysely';
import { DummyDriver, sql } from 'kysely';
import type { ColumnKind, ColumnType, Migration, SchemaChange } from '../contract/migration.ts';
import type { SqlConnection, SqlDialect } from '../contract/ports/storage.ts';
import { isStorageError } from '../contract/ports/storage.ts';
import { createCompiler } from './compiler.ts';
import type { Database } from './database.ts';

/** Migrations of one plugin or of the core. */
export interface NamespacedMigrations {
  readonly namespace: string;
  readonly migrations: readonly Migration[];
}

/** One step with the statements that it runs. */
export interface PlannedMigration {
  readonly namespace: string;
  readonly id: string;
  readonly sql: readonly string[];
}

const columnTypes: Record<SqlDialect, Record<ColumnKind, string>> = {
  sqlite: {
    id: 'text',
    key: 'text',
    address: 'text',
    text: 'text',
    json: 'text',
    integer: 'integer',
    time: 'integer',
    flag: 'integer',
    bytes: 'blob',
  },
  postgres: {
    id: 'varchar(40) collate "C"',
    key: 'varchar(200) collate "C"',
    address: 'varchar(320) collate "C"',
    text: 'text',
    json: 'text',
    integer: 'bigint',
    time: 'bigint',
    flag: 'smallint',
    bytes: 'bytea',
  },
  mysql: {
    id: 'varchar(40) character set ascii collate ascii_bin',
    key: 'varchar(200) character set utf8mb4 collate utf8mb4_bin',
    address: 'varchar(320) character set utf8mb4 collate utf8mb4_bin',
    text: 'longtext',
    json: 'longtext',
    integer: 'bigint',
    time: 'bigint',
    flag: 'smallint',
    bytes: 'longblob',
  },
};

function typeOf(dialect: SqlDialect, type: ColumnType): { type: RawBuilder<unknown>; nullable: boolean } {
  const nullable = type.endsWith('?');
  const kind = (nullable ? type.slice(0, -1) : type) as ColumnKind;
  return { type: sql.raw(columnTypes[dialect][kind]), nullable };
}

function compileChange(db: Kysely<never>, dialect: SqlDialect, prefix: string, change: SchemaChange): string {
  if ('create' in change) {
    let table = db.schema.createTable(`${prefix}${change.create}`);
    for (const [name, columnType] of Object.entries(change.columns)) {
      const { type, nullable } = typeOf(dialect, columnType);
      table = table.addColumn(name, type as RawBuilder<ColumnDataType>, (column) =>
        nullable ? column : column.notNull(),
      );
    }
    const keyed = table.addPrimaryKeyConstraint(`${prefix}${change.create}_pk`, change.primaryKey as never);
    const clustered = dialect === 'sqlite' && change.clustered === true;
    return (clustered ? keyed.modifyEnd(sql`without rowid`) : keyed).compile().sql;
  }
  if ('index' in change) {
    const index = db.schema
      .createIndex(`${prefix}${change.index}`)
      .on(`${prefix}${change.on}`)
      .columns([...change.columns]);
    return (change.unique ? index.unique() : index).compile().sql;
  }
  const [name, columnType] = Object.entries(change.add)[0] as [string, ColumnType];
  const table = db.schema.alterTable(`${prefix}${change.alter}`);
  return table.addColumn(name, typeOf(dialect, columnType).type as RawBuilder<ColumnDataType>).compile().sql;
}

/** An ALTER adds one column at a time: SQLite knows no other way. */
function oneByOne(change: SchemaChange): readonly SchemaChange[] {
  if (!('alter' in change)) return [change];
  return Object.entries(change.add).map(([name, type]) => ({ alter: change.alter, add: { [name]: type } }));
}

/** The statements of a list of migrations, in order. */
export function planMigrations(
  dialect: SqlDialect,
  prefix: string,
  all: readonly NamespacedMigrations[],
): PlannedMigration[] {
  const db = createCompiler(dialect, '', new Set(), []).kysely(new DummyDriver()) as unknown as Kysely<never>;
  return all.flatMap(({ namespace, migrations }) =>
    migrations.map(({ id, changes }) => ({
      namespace,
      id,
      sql: changes.flatMap(oneByOne).map((change) => compileChange(db, dialect, prefix, change)),
    })),
  );
}

const run = (connection: SqlConnection, text: string, parameters: readonly unknown[] = []) =>
  connection.query({ sql: text, parameters });

function historyTable(database: Database): { create: string; select: string; insert: string } {
  const name = `${database.prefix}migrations`;
  const mark = database.adapter.dialect === 'postgres' ? ['$1', '$2', '$3'] : ['?', '?', '?'];
  const type = columnTypes[database.adapter.dialect];
  return {
    create: `create table if not exists ${name} (namespace ${type.id} not null, id ${type.key} not null, applied_at ${type.time} not null, primary key (namespace, id))`,
    select: `select namespace, id from ${name}`,
    insert: `insert into ${name} (namespace, id, applied_at) values (${mark.join(', ')})`,
  };
}

/** What is not applied yet; everything when the database is empty. */
export async function pendingMigrations(
  database: Database,
  all: readonly NamespacedMigrations[],
): Promise<PlannedMigration[]> {
  const planned = planMigrations(database.adapter.dialect, database.prefix, all);
  const applied = await database.driver.read(async (connection) => {
    try {
      const { rows } = await run(connection, historyTable(database).select);
      return new Set(rows.map((row) => `${row.namespace}/${row.id}`));
    } catch (error) {
      // No history is an empty database; a database that cannot be asked is not.
      if (isStorageError(error) && ['busy', 'unavailable'].includes(error.fault)) throw error;
      return new Set<string>();
    }
  });
  return planned.filter(({ namespace, id }) => !applied.has(`${namespace}/${id}`));
}

/** Applies what is missing and answers it. Two processes at once: the second waits, then finds nothing to do. */
export async function applyMigrations(
  database: Database,
  all: readonly NamespacedMigrations[],
  now: number,
): Promise<PlannedMigration[]> {
  const history = historyTable(database);
  for (let attempt = 0; ; attempt += 1) {
    const applied = await database.driver.transact(
      async (connection) => {
        if (!(await database.driver.tryLock(connection, `${database.prefix}migrate`))) return undefined;
        await run(connection, history.create);
        const { rows } = await run(connection, history.select);
        const known = new Set(rows.map((row) => `${row.namespace}/${row.id}`));
        const missing = planMigrations(database.adapter.dialect, database.prefix, all).filter(
          ({ namespace, id }) => !known.has(`${namespace}/${id}`),
        );
        for (const migration of missing) {
          for (const text of migration.sql) await run(connection, text);
          await run(connection, history.insert, [migration.namespace, migration.id, now]);
        }
        return missing;
      },
      { longRunning: true },
    );
    if (applied !== undefined) return applied;
    if (attempt >= 300) throw new Error('Another process has been migrating for 60 seconds. Nothing was changed here.');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
