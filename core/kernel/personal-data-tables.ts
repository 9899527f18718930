// Erases a person from the tables that declare their personal data. Called by personal-data.ts after the plugins' own
// parts, and by the registry to check the declarations.
import type { ExpressionBuilder, Kysely } from 'kysely';
import type { WorkspaceHandle } from '../contract/context/handle.ts';
import type { ColumnType } from '../contract/declaration/migration.ts';
import type { PersonIdentifiers } from '../contract/declaration/personal-data.ts';
import type { PersonalTable } from '../contract/declaration/personal-fields.ts';
import type { Plugin } from '../contract/declaration/plugin.ts';
import type { Registry } from '../pipeline/core.ts';
import { filledList } from '../storage/filled-list.ts';
import { primaryKeyOf } from '../storage/primary-key.ts';
import { pseudonymOf } from './personal-data-addresses.ts';
import { namingColumns, PersonalRow } from './personal-data-rows.ts';

/** How many rows of a table one transaction erases. */
const batchSize = 200;

type Row = Readonly<Record<string, unknown>>;
type AnyColumns = Record<string, Record<string, unknown>>;
type AnyTable = Kysely<AnyColumns>;

/** The columns of a table after all its migrations. */
export function columnsOf(migrations: Plugin['migrations'], table: string): Readonly<Record<string, ColumnType>> {
  const columns: Record<string, ColumnType> = {};
  for (const change of migrations.flatMap(({ changes }) => changes)) {
    if ('create' in change && change.create === table) Object.assign(columns, change.columns);
    if ('alter' in change && change.alter === table && 'add' in change) Object.assign(columns, change.add);
    if ('alter' in change && change.alter === table && 'remove' in change)
      for (const name of change.remove) delete columns[name];
  }
  return columns;
}

/** The unique indexes of a table after all migrations: their names and columns. */
function uniqueIndexes(migrations: Plugin['migrations'], table: string): ReadonlyMap<string, readonly string[]> {
  const indexes = new Map<string, readonly string[]>();
  for (const change of migrations.flatMap(({ changes }) => changes)) {
    if ('index' in change && change.on === table && change.unique === true) indexes.set(change.index, change.columns);
    if ('dropIndex' in change) indexes.delete(change.dropIndex);
  }
  return indexes;
}

const scopeColumns: ReadonlySet<string> = new Set(['workspace_id', 'sandbox']);

/** A fault for each address column with a unique index: it would refuse the same pseudonym for a person who is erased a second time. */
const uniqueAddressFaults = (
  label: string,
  { columns }: PersonalTable,
  indexes: ReadonlyMap<string, readonly string[]>,
): string[] =>
  [...indexes].flatMap(([index, names]) => {
    const [name = '', ...otherColumns] = names.filter((column) => !scopeColumns.has(column));
    if (columns[name] !== 'address' || otherColumns.length > 0) return [];
    return [
      `${label} cannot blank the column ${name}, which is unique by the index ${index}: a person who comes back and is erased again would have the same pseudonym. Declare rows: 'remove', or rows: 'plugin' and erase the rows in personalData.`,
    ];
  });

/** Whether the table names people only by chance: no export contains its rows. */
const isSearchedOnly = (personal: PersonalTable): boolean =>
  personal.searched === true && namingColumns(personal).length === 0;

/** The faults of a plugin's declarations of personal data. */
export function personalTableFaults({ id, tables, migrations, personalData }: Plugin): string[] {
  const tablesWithPersonalData = Object.keys(tables).filter((table) => {
    const personal = tables[table]?.personal;
    return personal !== undefined && !isSearchedOnly(personal);
  });
  const unexported =
    personalData === undefined && tablesWithPersonalData.length > 0
      ? [
          `${id} declares personal data in ${tablesWithPersonalData.join(', ')}, but no personalData: the export of a person would not contain it. Give definePlugin a personalData whose export reads these tables.`,
        ]
      : [];
  const ofTables = Object.entries(tables).flatMap(([table, { tenant, personal }]) => {
    if (personal === undefined) return [];
    const label = `The table ${table} of ${id}`;
    const types = columnsOf(migrations, table);
    const faults = Object.keys(personal.columns).flatMap((name) =>
      types[name] === undefined ? [`${label} declares ${name} as personal, but has no such column.`] : [],
    );
    for (const [name, kind] of Object.entries(personal.columns))
      if (kind === 'address' && types[name] !== undefined && !/^address\??$/.test(types[name]))
        faults.push(
          `${label} declares ${name} to be the address of a person, but its column is a ${types[name]}: only a column of the kind address, column.address(), is normalised, and so found when the person is erased.`,
        );
    if (personal.rows === 'plugin') return faults;
    if (!tenant)
      faults.push(`${label} declares personal data, but has no workspace_id, so it cannot be erased by workspace.`);
    const identifying = namingColumns(personal);
    if (identifying.length === 0 && personal.searched !== true)
      faults.push(
        `${label} declares no column that identifies a person: one of the kind person or address. If its words name people by chance, declare searched: true.`,
      );
    if (personal.rows !== 'remove')
      faults.push(...uniqueAddressFaults(label, personal, uniqueIndexes(migrations, table)));
    if (personal.rows !== 'remove')
      for (const [name, kind] of identifying)
        if (kind === 'person' && types[name]?.endsWith('?') === false)
          faults.push(
            `${label} cannot blank the column ${name}, which is not nullable: remove the rows, or make the column nullable.`,
          );
    return faults;
  });
  return [...unexported, ...ofTables];
}

function emptyOf(type: ColumnType, value: unknown): unknown {
  if (type.endsWith('?')) return null;
  if (type === 'json') return String(value).trimStart().startsWith('[') ? '[]' : '{}';
  if (type === 'integer' || type === 'time' || type === 'flag') return 0;
  return type === 'bytes' ? new Uint8Array() : '';
}

/**
 * The values of a row's personal columns after the erasure. Each column is decided by its own value, because the row may also
 * name other people.
 */
function blankedColumns(
  row: Row,
  { columns }: PersonalTable,
  types: Readonly<Record<string, ColumnType>>,
  personalRow: PersonalRow,
): Row {
  const erased = (name: string, value: unknown): unknown => {
    const type = types[name] ?? 'text';
    switch (columns[name]) {
      case 'person':
        return personalRow.isNamedBy(name) ? null : value;
      case 'address':
        return personalRow.isNamedBy(name) ? pseudonymOf(personalRow.workspaceId, String(value)) : value;
      case 'raw_address':
        return personalRow.eraseSpelling(String(value));
      case 'mentions':
        return personalRow.eraseMentions(String(value), type);
      default: {
        const owner = personalRow.ownerOfWords(value);
        if (owner === 'others') return value;
        const isText = owner === 'both' && typeof value === 'string';
        return isText ? personalRow.eraseMentions(value, type) : emptyOf(type, value);
      }
    }
  };
  const names = Object.keys(columns).filter((name) => row[name] !== null);
  return Object.fromEntries(names.map((name) => [name, erased(name, row[name])]));
}

/** Erases up to one batch of rows of a table. */
async function eraseTable(
  registry: Pick<Registry, 'tables' | 'migrations'>,
  { db, workspaceId }: WorkspaceHandle,
  table: string,
  personal: PersonalTable,
  subject: PersonIdentifiers,
): Promise<'done' | 'more'> {
  const { personId, emails } = subject;
  const anyTable = db as unknown as AnyTable;
  const types = columnsOf(
    registry.migrations.flatMap(({ migrations }) => migrations),
    table,
  );
  const key = primaryKeyOf(registry.migrations, table);
  let remainingRows = batchSize;
  for (const [column, kind] of namingColumns(personal)) {
    const names = kind === 'address' ? emails : personId === null ? [] : [personId];
    if (names.length === 0 || remainingRows === 0) continue;
    const rows = await anyTable
      .selectFrom(table)
      .selectAll()
      .where(column, 'in', filledList(names))
      .limit(remainingRows)
      .execute();
    remainingRows -= rows.length;
    for (const row of rows) {
      const isRow = (builder: ExpressionBuilder<AnyColumns, string>) =>
        builder.and(key.map((name) => builder(name, '=', row[name])));
      if (personal.rows === 'remove') await anyTable.deleteFrom(table).where(isRow).execute();
      else {
        const personalRow = new PersonalRow(workspaceId, personal, row, subject);
        await anyTable
          .updateTable(table)
          .set(blankedColumns(row, personal, types, personalRow))
          .where(isRow)
          .execute();
      }
    }
  }
  return remainingRows === 0 ? 'more' : 'done';
}

/**
 * Erases up to one batch of rows of each table whose declaration leaves the erasure to the core; with `sidedOnly`, only of tables with
 * sides.
 */
export async function eraseDeclared(
  registry: Pick<Registry, 'tables' | 'migrations'>,
  handle: WorkspaceHandle,
  subject: PersonIdentifiers,
  sidedOnly: boolean,
): Promise<'done' | 'more'> {
  let progress: 'done' | 'more' = 'done';
  for (const [table, { personal, sides = false }] of registry.tables)
    if (personal !== undefined && personal.rows !== 'plugin' && (sides || !sidedOnly))
      if ((await eraseTable(registry, handle, table, personal, subject)) === 'more') progress = 'more';
  return progress;
}
