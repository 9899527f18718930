// The declaration of a table: the types of its rows, the encoding of its columns, and the columns that its migrations
// must create.
import type { ColumnType as KyselyColumn } from 'kysely';
import type { PersonalColumn, PersonalTable } from '../contract/declaration/personal-fields.ts';
import type { TableDeclaration } from '../contract/declaration/plugin.ts';
import { type Column, columnType, decodeValue, encodeValue, isDecoded } from './columns.ts';

/** Columns by name. */
export type Columns = Readonly<Record<string, Column>>;

/** A declared table; a plugin's manifest lists it in `tables`. */
export interface TableDefinition<Name extends string = string, C extends Columns = Columns> extends TableDeclaration {
  readonly name: Name;
  readonly definitions: C;
  readonly sides: boolean;
  /** The column that identifies a row within its workspace. */
  readonly key: string;
}

/** A row as handlers see it, without its workspace and its side, which the handle manages. */
export type RowOf<D extends TableDefinition> = {
  [K in keyof D['definitions']]: D['definitions'][K] extends Column<infer T, infer _S> ? T : never;
};

/** A row as the database stores it, for `interface Tables`. The handle fills in `workspace_id` and `sandbox`. */
export type StoredRow<D extends TableDefinition> = {
  [K in keyof D['definitions'] as string extends K ? never : Exclude<K, 'sandbox'>]: D['definitions'][K] extends Column<
    infer _T,
    infer S
  >
    ? S
    : never;
} & {
  workspace_id: KyselyColumn<string, string | undefined, never>;
  sandbox: KyselyColumn<number, number | undefined, never>;
};

/** The personal data in a table, by the names of its columns. */
export interface PersonalColumns<C extends Columns> extends Omit<PersonalTable, 'columns' | 'onChange'> {
  readonly columns: { readonly [K in keyof C & string]?: PersonalColumn };
  readonly onChange?: { readonly timeColumn?: keyof C & string; readonly versionColumn?: keyof C & string };
}

/**
 * Declares a table with rows of workspaces. Composing the service checks that the migrations create the same columns,
 * `workspace_id`, and `sandbox` if the table has sides. To show the side in rows, declare `sandbox: column.flag()`
 * among the columns; the handle still fills it in.
 * @param options.sides whether each row belongs to the live or the sandbox side (Default: false)
 * @param options.key the column that identifies a row within the workspace (Default: id)
 * @param options.personal its personal data, and the effect of an erasure on it (Default: none)
 * @throws TypeError when the table has no column `key`, declares `workspace_id`, or declares a `sandbox` that is not a
 * flag of a table with sides
 */
export function defineTable<const Name extends string, const C extends Columns>(
  name: Name,
  columns: C,
  options: {
    readonly sides?: boolean;
    readonly key?: keyof C & string;
    readonly personal?: PersonalColumns<C>;
  } = {},
): TableDefinition<Name, C> {
  const { sides = false, key = 'id', personal } = options;
  if (columns[key] === undefined)
    throw new TypeError(
      `The table ${name} has no column ${key}: name the column that identifies a row in the option key.`,
    );
  if (Object.hasOwn(columns, 'workspace_id'))
    throw new TypeError(`Leave workspace_id out of the columns of ${name}: the handle fills it in.`);
  const sandboxColumn = columns['sandbox'];
  if (sandboxColumn !== undefined && !(sides && sandboxColumn.kind === 'flag' && !sandboxColumn.isNullable))
    throw new TypeError(
      `The column sandbox of ${name} shows the side of a row: declare it as column.flag(), with sides: true.`,
    );
  return {
    name,
    definitions: columns,
    tenant: true,
    sides,
    key,
    ...(personal === undefined ? {} : { personal: personal as PersonalTable }),
    columns: {
      workspace_id: 'id',
      ...(sides ? { sandbox: 'flag' as const } : {}),
      ...Object.fromEntries(Object.entries(columns).map(([column, definition]) => [column, columnType(definition)])),
    },
  };
}

/** Converts some columns of a row to their stored form. */
export function encodeRow(table: TableDefinition, row: object): Record<string, unknown> {
  const stored: Record<string, unknown> = {};
  const values = row as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(values)) {
    const definition = table.definitions[name];
    if (definition === undefined) throw new TypeError(`The table ${table.name} has no column ${name}.`);
    const value = values[name];
    if (value !== undefined) stored[name] = encodeValue(definition, value);
  }
  return stored;
}

/** Creates a function that converts a stored row with these columns to the row that handlers see. */
export function rowDecoder<Row>(table: TableDefinition, columns: readonly string[]): (stored: object) => Row {
  const coded = columns
    .map((name) => [name, table.definitions[name] as Column] as const)
    .filter(([, definition]) => isDecoded(definition));
  return (stored) => {
    const values = stored as Readonly<Record<string, unknown>>;
    const row: Record<string, unknown> = {};
    for (const name of columns) row[name] = values[name];
    for (const [name, definition] of coded) row[name] = decodeValue(definition, row[name]);
    return row as Row;
  };
}
