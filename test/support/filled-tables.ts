// Fills the tables of a service with thousands of copies of rows that the service wrote, each copy with its own key.
// For tests and benches of the cost of statements on large tables.
import type { ColumnType, Migration } from '../../core/contract/declaration/migration.ts';
import type { SqlDialect } from '../../core/contract/ports/storage.ts';
import type { Database } from '../../core/storage/database.ts';

interface Table {
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** Columns that need a unique value in each copy. */
  readonly unique: ReadonlySet<string>;
  /** Columns that are null in a copy: their values are unique unless null. */
  readonly empty: ReadonlySet<string>;
}

/** The migrated columns of a table. */
function tableOf(migrations: readonly Migration[], name: string): Table {
  const columns: Record<string, ColumnType> = {};
  const unique = new Set<string>();
  const empty = new Set<string>();
  for (const change of migrations.flatMap(({ changes }) => changes)) {
    if ('create' in change && change.create === name) {
      Object.assign(columns, change.columns);
      for (const column of change.primaryKey) unique.add(column);
    } else if ('alter' in change && 'add' in change && change.alter === name) Object.assign(columns, change.add);
    else if ('index' in change && change.on === name && change.unique === true) {
      if (change.present !== undefined) empty.add(change.present);
      else for (const column of change.columns) unique.add(column);
    }
  }
  // The copy keeps the workspace and the live or sandbox flag of its source row; other columns distinguish the copies.
  for (const shared of ['workspace_id', 'sandbox']) unique.delete(shared);
  return { columns, unique, empty };
}

/** How to fill one table. */
export interface Filling {
  readonly table: string;
  readonly rows: number;
  /** Expressions over `numbers.n`, the copy's number, and `source`. (Default: new keys, and times that differ by a millisecond) */
  readonly expressions?: Readonly<Record<string, string>>;
  /** The table of the rows to copy. (Default: the table itself) */
  readonly from?: string;
}

interface Dialect {
  /** A table with one column `n`, which counts from 1. */
  numbers(rows: number): string;
  /** A key that sorts by its number. */
  key(number: string): string;
  /** A column's name in quotes, since it may be a reserved word. */
  quote(name: string): string;
}

const dialects: Record<SqlDialect, Dialect> = {
  sqlite: {
    numbers: (rows) =>
      `(with recursive n(n) as (select 1 union all select n + 1 from n where n < ${rows}) select n from n)`,
    key: (number) => `'zz' || printf('%012d', ${number})`,
    quote: (name) => `"${name}"`,
  },
  postgres: {
    numbers: (rows) => `(select n from generate_series(1, ${rows}) n)`,
    key: (number) => `'zz' || lpad((${number})::text, 12, '0')`,
    quote: (name) => `"${name}"`,
  },
  // Uses MariaDB's sequence tables.
  mysql: {
    numbers: (rows) => `(select seq as n from seq_1_to_${rows})`,
    key: (number) => `concat('zz', lpad(${number}, 12, '0'))`,
    quote: (name) => `\`${name}\``,
  },
};

/** The key of a copy, or of the row that the copy belongs to, as an expression over `numbers.n`. */
export const copyKey = (dialect: SqlDialect, number: string): string => dialects[dialect].key(number);

/** `insert … select` that copies a table's first rows repeatedly. The prefix precedes the name of every table. */
export function fillStatement(
  { prefix, adapter }: Pick<Database, 'prefix' | 'adapter'>,
  migrations: readonly Migration[],
  { table, rows, expressions = {}, from = table }: Filling,
): string {
  const { columns, unique, empty } = tableOf(migrations, table);
  const { numbers, key, quote } = dialects[adapter.dialect];
  const expressionOf = ([name, type]: [string, ColumnType]): string => {
    const expression = expressions[name];
    if (expression !== undefined) return expression;
    if (empty.has(name)) return 'null';
    if (type.startsWith('time')) return `source.${quote(name)} + numbers.n`;
    if (!unique.has(name)) return `source.${quote(name)}`;
    return type.startsWith('integer') ? 'numbers.n' : key('numbers.n');
  };
  const names = Object.keys(columns).map(quote);
  return `insert into ${prefix}${table} (${names.join(', ')}) select ${Object.entries(columns).map(expressionOf).join(', ')}
          from (select * from ${prefix}${from} limit 1) source, ${numbers(rows)} numbers`;
}
