// Searches the tables that declare `searched` for the addresses of an erased person, and replaces them with pseudonyms. Called
// by personal-data.ts after the rounds of an erasure. Reads outside any transaction and changes each row in a separate
// transaction, so it never holds more than one lock.
import type { ExpressionBuilder, Kysely } from 'kysely';
import type { WorkspaceHandle } from '../contract/context/handle.ts';
import type { ColumnType } from '../contract/declaration/migration.ts';
import type { AddressFinder, SweepContext } from '../contract/declaration/personal-data.ts';
import type { PersonalTable } from '../contract/declaration/personal-fields.ts';
import type { Registry } from '../pipeline/core.ts';
import { primaryKeyOf } from '../storage/primary-key.ts';
import { columnsOf } from './personal-data-tables.ts';

/** How many rows are read at a time. */
const pageSize = 50;

/** The maximum length of a column of the kind key, in characters. */
const keyLength = 200;

type Row = Readonly<Record<string, unknown>>;
type AnyColumns = Record<string, Record<string, unknown>>;
type Builder = ExpressionBuilder<AnyColumns, string>;

const tablesOf = ({ db }: WorkspaceHandle): Kysely<AnyColumns> => db as unknown as Kysely<AnyColumns>;

/** A searched table. */
interface SearchedTable {
  readonly name: string;
  readonly personal: PersonalTable;
  readonly types: Readonly<Record<string, ColumnType>>;
  /** The columns that identify a row within a side. */
  readonly key: readonly string[];
}

function searchedTable(
  { migrations }: Pick<Registry, 'migrations'>,
  name: string,
  personal: PersonalTable,
): SearchedTable {
  const types = columnsOf(
    migrations.flatMap((migrationsOfPlugin) => migrationsOfPlugin.migrations),
    name,
  );
  const key = primaryKeyOf(migrations, name).filter((column) => column !== 'workspace_id' && column !== 'sandbox');
  return { name, personal, types, key };
}

/** The searched columns of a row that mention an address, with the address replaced. */
function eraseMatches({ personal, types }: SearchedTable, row: Row, finder: AddressFinder): Row {
  const changes = Object.entries(personal.columns).flatMap(([name, kind]): [string, string][] => {
    const value = row[name];
    if ((kind !== 'text' && kind !== 'mentions') || typeof value !== 'string' || !finder.isIn(value)) return [];
    if (types[name]?.startsWith('json')) return [[name, finder.eraseJson(value)]];
    const text = finder.erase(value);
    return [[name, types[name]?.startsWith('key') ? text.slice(0, keyLength) : text]];
  });
  return Object.fromEntries(changes);
}

const isRow =
  ({ key }: SearchedTable, row: Row) =>
  (builder: Builder) =>
    builder.and(key.map((name) => builder(name, '=', row[name])));

const isAfter =
  ({ key }: SearchedTable, row: Row) =>
  (builder: Builder) =>
    builder.or(
      key.map((name, index) =>
        builder.and([
          ...key.slice(0, index).map((precedingName) => builder(precedingName, '=', row[precedingName])),
          builder(name, '>', row[name]),
        ]),
      ),
    );

/** Reads a page of the table in the order of its key. */
function read(handle: WorkspaceHandle, table: SearchedTable, after: Row | undefined): Promise<Row[]> {
  let query = tablesOf(handle).selectFrom(table.name).selectAll();
  if (after !== undefined) query = query.where(isAfter(table, after));
  for (const name of table.key) query = query.orderBy(name);
  return query.limit(pageSize).execute();
}

async function rewrite(
  context: SweepContext,
  table: SearchedTable,
  foundRow: Row,
  finder: AddressFinder,
): Promise<void> {
  const { timeColumn, versionColumn } = table.personal.onChange ?? {};
  await context.write(async ({ trx, now }) => {
    const rows = tablesOf(trx);
    const row = await rows
      .selectFrom(table.name)
      .selectAll()
      .where(isRow(table, foundRow))
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) return;
    const changes = eraseMatches(table, row, finder);
    if (Object.keys(changes).length === 0) return;
    const changeMarkers = {
      ...(timeColumn === undefined ? {} : { [timeColumn]: now }),
      // A new version: a caller that cached the old version by its ETag must not keep it.
      ...(versionColumn === undefined ? {} : { [versionColumn]: Number(row[versionColumn]) + 1 }),
    };
    await rows
      .updateTable(table.name)
      .set({ ...changes, ...changeMarkers })
      .where(isRow(table, foundRow))
      .execute();
  });
}

/** Searches one table on one side. */
export async function searchTable(
  registry: Pick<Registry, 'migrations'>,
  name: string,
  personal: PersonalTable,
  context: SweepContext,
  finder: AddressFinder,
): Promise<void> {
  const table = searchedTable(registry, name, personal);
  for (let after: Row | undefined, more = true; more; ) {
    context.signal.throwIfAborted();
    const from = after;
    const rows = await context.read((handle) => read(handle, table, from));
    for (const row of rows)
      if (Object.keys(eraseMatches(table, row, finder)).length > 0) await rewrite(context, table, row, finder);
    more = rows.length === pageSize;
    after = rows.at(-1);
  }
}
