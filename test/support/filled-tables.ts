// Fills the tables of a service with thousands of copies of rows that the service wrote, each with its own key. For tests and benches of
// the cost of statements on large tables.
import type { ColumnType, Migration } from '../../core/contract/declaration/migration.ts';
import type { SqlDialect } from '../../core/contract/ports/storage.ts';
import type { Database } from '../../core/storage/database.ts';

interface Table {
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** Columns that need a unique value in each copy */
  readonly unique: ReadonlySet<string>;
  /** Columns that are null in a copy, because their values are unique unless null */
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
  // A copy keeps the workspace and the live or sandbox flag of its source row; other columns distinguish the copies.
  for (const sharedColumns of ['workspace_id', 'sandbox']) unique.delete(sharedColumns);
  return { columns, unique, empty };
}

/** The settings for filling one table */
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
  /** A key whose order is that of its number */
  key(number: string): string;
  /** The name of a column in quotes, because it may be a reserved word */
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

/** The key of a copy, or of the row to which the copy belongs, as an expression with `numbers.n` */
export const copyKey = (dialect: SqlDialect, number: string): string => dialects[dialect].key(number);

/** An `insert … select` that copies the first row of a table many times. The prefix precedes the name of every table. */
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

/** A different text for each row, on every database */
const each = 'cast(n as char(12))';

/** The expressions of columns that a copy must vary, by table. */
export const fillExpressions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  jobs: {
    state: `case n % 4 when 0 then 'ready' when 1 then 'waiting' when 2 then 'failed' else 'done' end`,
    lane: 'n % 3',
    lease_until: 'null',
    failed_at: 'case n % 4 when 2 then source.created_at + n end',
  },
  sequences: { start_key: each },
  sms_messages: { to_number: each, number_range: each, provider_message_id: each },
  list_confirmations: { email: each, list_id: each },
  list_trapped_forms: { email: each, list_id: each },
  sequence_unknown_zones: { zone: each },
  pages: { slug: each, published_slug: each },
  page_slugs: { slug: each },
  blog_posts: { slug: each, published_slug: each },
  blog_slugs: { slug: each },
  blog_public_tags: { slug: each },
  qr_addresses: { email: each },
  broadcasts: { status: `case n % 8 when 0 then 'draft' else 'sent' end` },
  broadcast_recipients: { send_id: each },
  broadcast_conversions: { event_id: each },
  reputation_hand_overs: { minute: 'source.minute + n * 60000' },
  reputation_faults: { minute: 'source.minute + n * 60000' },
  suppressions: { expires_at: `case n % 4 when 0 then source.created_at + n end` },
};
