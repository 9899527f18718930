// Schema changes as SQL of one dialect, and the check whether a change was applied already. Called by migrate.ts and
// history.ts; runs nothing.
import { type ColumnDataType, DummyDriver, type Kysely, type RawBuilder, sql } from 'kysely';
import type { ColumnKind, ColumnType, SchemaChange } from '../contract/declaration/migration.ts';
import type { SqlDialect, SqlStatement } from '../contract/ports/storage.ts';
import { createCompiler } from './compiler.ts';
import { unscoped } from './scope.ts';

/** The place of the service's tables, and their prefix. */
export interface SchemaLocation {
  readonly dialect: SqlDialect;
  readonly prefix: string;
  /** Qualifies every name; undefined for the connection's own schema. */
  readonly schema: string | undefined;
}

/**
 * This collation compares bytes and, unlike utf8mb4_bin, does not ignore trailing spaces. MariaDB and MySQL have
 * different names for it. Each name is in a comment that only one of them executes: MariaDB skips comments for MySQL
 * versions that it does not implement.
 */
const binary = 'character set utf8mb4 collate /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */';

/** The end of CREATE TABLE on MySQL. Compact rows, the default of some servers, have no room for the indexes of the service. */
export const tableEnd = 'engine = InnoDB row_format = dynamic';

export const columnTypes: Record<SqlDialect, Record<ColumnKind, string>> = {
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
    id: `varchar(40) ${binary}`,
    key: `varchar(200) ${binary}`,
    address: `varchar(320) ${binary}`,
    text: `longtext ${binary}`,
    json: `longtext ${binary}`,
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

const builders = new Map<SqlDialect, Kysely<never>>();

function builderOf(dialect: SqlDialect): Kysely<never> {
  const builder =
    builders.get(dialect) ??
    createCompiler({ dialect, prefix: '' }, { names: new Set(), scopes: new Map() }, []).kysely(
      new DummyDriver(),
      unscoped('schemas are made for every workspace'),
    );
  builders.set(dialect, builder as unknown as Kysely<never>);
  return builder as unknown as Kysely<never>;
}

function createTable(
  { dialect, ...location }: SchemaLocation,
  change: Extract<SchemaChange, { create: string }>,
): string {
  let table = builderOf(dialect).schema.createTable(withSchema(location, change.create));
  for (const [name, columnType] of Object.entries(change.columns)) {
    const { type, nullable } = typeOf(dialect, columnType);
    table = table.addColumn(name, type as RawBuilder<ColumnDataType>, (column) =>
      nullable ? column : column.notNull(),
    );
  }
  const keyed = table.addPrimaryKeyConstraint(`${location.prefix}${change.create}_pk`, change.primaryKey as never);
  const clustered = dialect === 'sqlite' && change.clustered === true;
  const end = dialect === 'mysql' ? sql.raw(tableEnd) : clustered ? sql`without rowid` : undefined;
  return (end === undefined ? keyed : keyed.modifyEnd(end)).compile().sql;
}

/** A name with its schema, as Kysely's schema builder splits it. */
function withSchema({ prefix, schema }: Omit<SchemaLocation, 'dialect'>, name: string): string {
  return schema === undefined ? `${prefix}${name}` : `${schema}.${prefix}${name}`;
}

/** The statement of one change. An ALTER must have one column only: see `oneByOne`. */
export function changeSql(location: SchemaLocation, change: SchemaChange): string {
  const { schema } = builderOf(location.dialect);
  if ('create' in change) return createTable(location, change);
  if ('drop' in change) return schema.dropTable(withSchema(location, change.drop)).compile().sql;
  if ('dropIndex' in change) {
    const name = `${location.prefix}${change.dropIndex}`;
    // MySQL needs the table to drop an index, Postgres the schema, which Kysely's builder would quote as part of the
    // name.
    if (location.dialect === 'mysql') return schema.dropIndex(name).on(withSchema(location, change.on)).compile().sql;
    if (location.schema === undefined) return schema.dropIndex(name).compile().sql;
    return sql`drop index ${sql.id(location.schema, name)}`.compile(builderOf(location.dialect)).sql;
  }
  if ('index' in change) {
    const index = schema
      .createIndex(`${location.prefix}${change.index}`)
      .on(withSchema(location, change.on))
      .columns([...change.columns]);
    const indexBuilder = change.unique ? index.unique() : index;
    const partial = change.present !== undefined && location.dialect !== 'mysql';
    return (partial ? indexBuilder.where(sql.ref(change.present), 'is not', null) : indexBuilder).compile().sql;
  }
  const table = schema.alterTable(withSchema(location, change.alter));
  if ('remove' in change) return table.dropColumn(change.remove[0] as string).compile().sql;
  const [name, columnType] = Object.entries(change.add)[0] as [string, ColumnType];
  return table.addColumn(name, typeOf(location.dialect, columnType).type as RawBuilder<ColumnDataType>).compile().sql;
}

/** Splits an ALTER into one column at a time, the only form that SQLite supports. */
export function oneByOne(change: SchemaChange): readonly SchemaChange[] {
  if (!('alter' in change)) return [change];
  if ('remove' in change) return change.remove.map((name) => ({ alter: change.alter, remove: [name] }));
  return Object.entries(change.add).map(([name, type]) => ({ alter: change.alter, add: { [name]: type } }));
}

const catalogues = { table: 'tables', column: 'columns', index: 'statistics' } as const;

/**
 * A query on MySQL that counts the traces of a change. `leavesTraces`: whether an applied change leaves traces. MySQL commits
 * every change by itself, so an interrupted migration may be half applied.
 */
export function traceOf(
  prefix: string,
  change: SchemaChange,
): { readonly query: SqlStatement; readonly leavesTraces: boolean } {
  const queryFor = (kind: keyof typeof catalogues, table: string, name?: string): SqlStatement => ({
    sql: `select count(*) as found from information_schema.${catalogues[kind]} where table_schema = database() and table_name = ?${name === undefined ? '' : ` and ${kind}_name = ?`}`,
    parameters: [`${prefix}${table}`, ...(name === undefined ? [] : [name])],
  });
  if ('create' in change) return { query: queryFor('table', change.create), leavesTraces: true };
  if ('drop' in change) return { query: queryFor('table', change.drop), leavesTraces: false };
  if ('index' in change) return { query: queryFor('index', change.on, `${prefix}${change.index}`), leavesTraces: true };
  if ('dropIndex' in change)
    return { query: queryFor('index', change.on, `${prefix}${change.dropIndex}`), leavesTraces: false };
  if ('remove' in change) return { query: queryFor('column', change.alter, change.remove[0]), leavesTraces: false };
  return { query: queryFor('column', change.alter, Object.keys(change.add)[0]), leavesTraces: true };
}

/** The current time in milliseconds by the database's clock, because printed SQL may run at another time. */
export const nowSql: Record<SqlDialect, string> = {
  sqlite: "cast((julianday('now') - 2440587.5) * 86400000 as integer)",
  postgres: '(extract(epoch from clock_timestamp()) * 1000)::bigint',
  mysql: 'cast(unix_timestamp(now(3)) * 1000 as signed)',
};
