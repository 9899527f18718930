// A resource whose fields are declared once: its table, the schema change that creates the table, the bodies of its
// create and update, and its schema for callers. Called by plugins; defineCreate, defineUpdate, defineList, defineRead
// and defineDelete take it as their option `resource`.
import type { OperationContext, ReadContext, WorkspaceContext } from '../contract/context/context.ts';
import type { FixtureKit } from '../contract/declaration/fixture.ts';
import type { SchemaChange } from '../contract/declaration/migration.ts';
import type { PersonalColumn, PersonalTable } from '../contract/declaration/personal-fields.ts';
import type { PostriderError } from '../contract/errors/errors.ts';
import { knownMaxLength } from '../contract/schemas/lazy-schema.ts';
import * as z from '../contract/schemas/zod.ts';
import { type Column, timestamps } from './columns.ts';
import type { AnyField, FieldTypes } from './fields.ts';
import { columnName, presenter } from './present.ts';
import { type TenantRows, tenantRows } from './rows.ts';
import { type Columns, defineTable, type RowOf, type TableDefinition } from './table.ts';

/** Fields by the names that callers see: `dueAt` and `due_at` both have the column `due_at`. */
export type Fields = Readonly<Record<string, AnyField>>;

type TypesOf<F> = F extends { readonly types?: infer D extends FieldTypes } ? D : never;
type Snake<S extends string> = S extends `${infer H}${infer Rest}`
  ? `${H extends Lowercase<H> ? H : `_${Lowercase<H>}`}${Snake<Rest>}`
  : '';
type ColumnOf<K, F> = TypesOf<F>['column'] extends 'none' | 'time'
  ? never
  : TypesOf<F>['column'] extends 'id'
    ? 'id'
    : Snake<K & string>;

/** The columns of a resource's table. */
export type ResourceColumns<F extends Fields> = {
  readonly [K in keyof F as ColumnOf<K, F[K]>]: Column<TypesOf<F[K]>['row'], TypesOf<F[K]>['stored']>;
} & { readonly created_at: Column<number, number>; readonly updated_at: Column<number, number> };

/** A row of a resource, as hooks and services see it. */
export type ResourceRow<F extends Fields> = RowOf<
  TableDefinition<string, ResourceColumns<F> & Record<string, Column>>
> &
  object;

type NeededOf<F extends Fields> = { [K in keyof F]: TypesOf<F[K]>['create'] extends 'required' ? K : never }[keyof F];
type OptionalOf<F extends Fields> = { [K in keyof F]: TypesOf<F[K]>['create'] extends 'optional' ? K : never }[keyof F];
type Changeable<F extends Fields> = { [K in keyof F]: TypesOf<F[K]>['update'] extends true ? K : never }[keyof F];
type Seen<F extends Fields> = { [K in keyof F]: TypesOf<F[K]>['shown'] extends z.ZodType ? K : never }[keyof F];
type Computed<F extends Fields> = { [K in keyof F]: TypesOf<F[K]>['column'] extends 'none' ? K : never }[keyof F];

/** The body of a create. */
export type CreateBody<F extends Fields> = z.ZodObject<
  { readonly [K in NeededOf<F>]: TypesOf<F[K]>['input'] } & {
    readonly [K in OptionalOf<F>]: z.ZodDefault<TypesOf<F[K]>['input']>;
  }
>;
type Version<F extends Fields> = { [K in keyof F]: TypesOf<F[K]>['column'] extends 'version' ? K : never }[keyof F];
/** The body of an update: fields that are left out keep their values. */
export type UpdateBody<F extends Fields> = z.ZodObject<
  { readonly [K in Changeable<F>]: z.ZodOptional<TypesOf<F[K]>['input']> } & {
    readonly [K in [Version<F>] extends [never] ? never : 'expectedVersion']: z.ZodOptional<z.ZodInt>;
  }
>;
/** The resource as callers see it. */
export type Item<F extends Fields> = z.ZodObject<{
  readonly [K in Seen<F>]: TypesOf<F[K]>['shown'] & z.ZodType;
}>;

/** The fields of one row that have no column. */
export type ComputedOf<F extends Fields> = {
  readonly [K in Computed<F>]: z.input<TypesOf<F[K]>['shown'] & z.ZodType>;
};

type Loose = Readonly<Record<string, unknown>>;

/** The context for showing rows. It can read rows and settings of the workspace that has the rows. */
export type ShowContext = ReadContext & WorkspaceContext;

/** A value of a `unique` field, and the id of the row that already has it. */
export interface TakenValue {
  readonly value: string;
  readonly id: string;
}

export interface Resource<Name extends string, F extends Fields> {
  readonly fields: F;
  readonly name: string;
  readonly scopes: ResourceScopes;
  readonly table: TableDefinition<Name, ResourceColumns<F> & Record<string, Column>>;
  readonly rows: TenantRows<ResourceRow<F>>;
  /** The first migration's changes: the table and its indexes. */
  readonly createTable: readonly SchemaChange[];
  readonly createBody: CreateBody<F>;
  readonly updateBody: UpdateBody<F>;
  readonly item: Item<F>;
  /** The name of the field that contains the id. */
  readonly idField: string;
  /** The name of the field that counts the changes. */
  readonly versionField: string | undefined;
  /** The names of the fields whose values are unique among the rows of a workspace. */
  readonly uniqueFields: readonly string[];
  readonly takenError: ((details: TakenValue) => PostriderError) | undefined;
  readonly notFoundError: (details: { readonly id: string }) => PostriderError;
  /** A row as callers see it, without computed fields. */
  present(row: ResourceRow<F>): z.input<Item<F>>;
  /** Rows as callers see them, with computed fields. */
  show(ctx: ShowContext, rows: readonly ResourceRow<F>[]): Promise<z.input<Item<F>>[]>;
  /** The columns of the given fields of a body. */
  columnsOf(body: object): Partial<ResourceRow<F>>;
  /** A new row without the given fields and the id. */
  initial(ctx: OperationContext): Partial<ResourceRow<F>>;
  /** The body of a create, for the generated tests. */
  example(kit: FixtureKit, workspaceId?: string): Promise<Loose>;
  /** The operation that creates a row. */
  readonly createOperation: string;
  /** Makes a row in a workspace for the generated tests, and returns its id. */
  createExample(kit: FixtureKit, workspaceId: string): Promise<string>;
}

/** The action that the audit shows, and the kind of its target. */
export interface AuditName {
  readonly action: string;
  readonly kind: string;
}

/** The scopes of a resource's reads and writes. */
export interface ResourceScopes {
  readonly read: string;
  readonly write: string;
}

/** The declaration of a resource: its fields and everything else. */
export interface ResourceOptions<F extends Fields> {
  /** Its name in the OpenAPI document: `Note`. */
  readonly title: string;
  /** Its name in the audit, `note` or `shop.note`: the actions are `note.create`, `note.update` and `note.delete`. */
  readonly name: string;
  readonly scopes: ResourceScopes;
  readonly fields: F;
  /** Whether each row belongs to the live or the sandbox side. (Default: false) */
  readonly sides?: boolean;
  /** The plugin's own `…_not_found`. */
  readonly notFoundError: (details: { readonly id: string }) => PostriderError;
  /**
   * The plugin's own error, which names the other row, if another row has the value of a `unique` field. (Default:
   * key_taken)
   */
  readonly takenError?: (details: TakenValue) => PostriderError;
  /** The operation that creates the resource, and a body for it: the generated tests make rows with them. */
  readonly example: {
    readonly operation: string;
    /** `workspaceId`: the workspace of the new row, and of the rows that it refers to. */
    body(kit: FixtureKit, workspaceId: string): Loose | Promise<Loose>;
  };
  /** The effect of an erasure on whole rows and on free text. (Default: the defaults of `PersonalTable`) */
  readonly personal?: Pick<PersonalTable, 'rows' | 'searched'>;
  /**
   * Loads the data for the computed fields of these rows, in one look-up. Returns a function that returns the computed
   * fields of a row.
   */
  computed?(ctx: ShowContext, rows: readonly ResourceRow<F>[]): Promise<(row: ResourceRow<F>) => ComputedOf<F>>;
}

/** Pairs each field with the name of its column. `stored`: the fields that have a column. */
function resolveFields(fields: Fields) {
  const allFields = Object.entries(fields).map(([name, { parts }]) => ({
    name,
    column: parts.role === 'id' ? 'id' : columnName(name),
    parts,
  }));
  return { all: allFields, stored: allFields.filter(({ parts }) => parts.column !== undefined) };
}

/** Kinds of columns that not every database indexes. */
const unindexedKinds: ReadonlySet<string> = new Set(['text', 'json', 'bytes']);

/** The maximum number of characters in a column of this kind. */
const maxCharacters: Readonly<Record<string, number>> = { key: 200, id: 40 };

/** Whether callers can give a text of more than `max` characters. */
const acceptsMore = (schema: z.ZodType, max: number): boolean =>
  (knownMaxLength(schema) ?? Number.POSITIVE_INFINITY) > max && acceptsLonger(schema, max);

const acceptsLonger = (schema: z.ZodType, max: number): boolean =>
  ((schema as Partial<z.ZodString>).maxLength ?? 0) > max ||
  ['a', '0', ' '].some((letter) => schema.safeParse(letter.repeat(max + 1)).success);

/**
 * @throws TypeError if two fields have the same column, a time field is not named like its column, a text, JSON or
 * bytes column has an index, or callers can give more characters than the column has
 */
function checkColumns(table: string, stored: ResolvedFields): void {
  const usedColumns = new Set<string>();
  for (const { name, column, parts } of stored) {
    const { role, index, column: definition } = parts;
    const isTime = role === 'created_at' || role === 'updated_at';
    if (isTime && role !== column)
      throw new TypeError(
        `The field ${name} of ${table} shows the column ${role}: name the field ${role === 'created_at' ? 'createdAt' : 'updatedAt'} or ${role}.`,
      );
    if (usedColumns.has(column) || (!isTime && Object.hasOwn(timestamps, column)))
      throw new TypeError(`Another field of ${table} already uses the column ${column}: rename the field ${name}.`);
    usedColumns.add(column);
    const { kind = '' } = definition ?? {};
    if (index !== undefined && unindexedKinds.has(kind))
      throw new TypeError(
        `The field ${name} of ${table} has an index, and not every database indexes a ${kind}: use a key.`,
      );
    const max = maxCharacters[kind];
    if (max !== undefined && acceptsMore(parts.input, max))
      throw new TypeError(
        `The field ${name} of ${table} accepts more than ${max} characters, which its column cannot store: add .max(${max}) to its schema, or use field.text.`,
      );
  }
}

type ResolvedFields = ReturnType<typeof resolveFields>['all'];

function tableChanges(table: TableDefinition, stored: ResolvedFields): SchemaChange[] {
  const { name, sides } = table;
  const tenantColumns = sides ? ['workspace_id', 'sandbox'] : ['workspace_id'];
  const later = new Set(stored.filter(({ parts }) => parts.isLater).map((field) => field.column));
  const columns = Object.entries(table.columns ?? {}).filter(([column]) => !later.has(column));
  const indexes = stored.flatMap(({ column, parts: { index, isPurged, isLater } }): SchemaChange[] => {
    if (isLater) return [];
    const columns = index === 'unique' ? [...tenantColumns, column] : [...tenantColumns, column, 'created_at', 'id'];
    const unique = index === 'unique' ? { unique: true } : {};
    return [
      ...(index === undefined ? [] : [{ index: `${name}_${column}`, on: name, columns, ...unique }]),
      ...(isPurged ? [{ index: `${name}_${column}_purge`, on: name, columns: [column, 'id'] }] : []),
    ];
  });
  return [
    { create: name, columns: Object.fromEntries(columns), primaryKey: ['id'] },
    { index: `${name}_list`, on: name, columns: [...tenantColumns, 'created_at', 'id'] },
    ...indexes,
  ];
}

const bodyOf = (fields: ResolvedFields, schemaOf: (parts: AnyField['parts']) => z.ZodType) =>
  z.object(Object.fromEntries(fields.map(({ name, parts }) => [name, schemaOf(parts)])));

const expectedVersion = z
  .int()
  .min(0)
  .optional()
  .describe('The change is refused if the resource has a different version.');

/**
 * Declares a resource. Its id is in the column `id`, and it has `created_at` and `updated_at`.
 * @example defineResource('notes', { title: 'Note', fields: { id: field.ownId('nte'), text: field.text(z.string()) }, … })
 * @throws TypeError if it has no `field.ownId`
 */
export function defineResource<const Name extends string, const F extends Fields>(
  tableName: Name,
  options: ResourceOptions<F>,
): Resource<Name, F> {
  const { fields, sides = false, notFoundError, takenError, example, computed } = options;
  const { all: allFields, stored } = resolveFields(fields);
  checkColumns(tableName, stored);
  const id = allFields.find(({ parts }) => parts.role === 'id');
  if (id === undefined) throw new TypeError(`The resource ${tableName} has no id: give it a field.ownId(prefix).`);
  const fieldWithoutLoader =
    computed === undefined ? allFields.find(({ parts }) => parts.role === 'computed') : undefined;
  if (fieldWithoutLoader !== undefined)
    throw new TypeError(
      `The field ${fieldWithoutLoader.name} of ${tableName} is computed, but the resource has no option computed.`,
    );
  const versionField = allFields.find(({ parts }) => parts.role === 'version')?.name;
  const personalColumns = stored.flatMap(({ column, parts }): [string, PersonalColumn][] =>
    parts.personal === undefined ? [] : [[column, parts.personal]],
  );
  const columns: Columns = {
    ...Object.fromEntries(stored.map((field) => [field.column, field.parts.column as Column])),
    ...timestamps,
  };
  const onChange = {
    timeColumn: 'updated_at',
    ...(versionField === undefined ? {} : { versionColumn: columnName(versionField) }),
  };
  const personal = { columns: Object.fromEntries(personalColumns), onChange, ...options.personal };
  const table = defineTable(tableName, columns, { sides, ...(personalColumns.length === 0 ? {} : { personal }) });
  const rows = tenantRows(table) as unknown as TenantRows<ResourceRow<F>>;
  const shownFields = allFields.filter(({ parts }) => parts.shown !== undefined);
  const item = bodyOf(shownFields, ({ shown }) => shown as z.ZodType).meta({ id: options.title });
  const presentedColumns = shownFields
    .filter(({ parts }) => parts.column !== undefined)
    .map((field) => [field.name, true] as const);
  const present = presenter(table, item.pick(Object.fromEntries(presentedColumns)), {
    [id.name]: (row: Loose) => row['id'],
  }) as (row: object) => object;
  const creatable = allFields.filter(({ parts }) => parts.create !== 'never');
  const changeable = allFields.filter(({ parts }) => parts.update);
  const changes = bodyOf(changeable, ({ input }) => input.optional());
  const serviceFields = stored.filter(
    ({ parts }) => parts.create === 'never' && (parts.role === 'own' || parts.role === 'version'),
  );
  const resource = {
    fields,
    name: options.name,
    scopes: options.scopes,
    table,
    rows,
    createTable: tableChanges(table, stored),
    createBody: bodyOf(creatable, ({ input, create, initial }) =>
      create === 'optional' ? input.default(initial) : input,
    ),
    updateBody: versionField === undefined ? changes : changes.extend({ expectedVersion }),
    item,
    idField: id.name,
    versionField,
    uniqueFields: stored.filter(({ parts }) => parts.index === 'unique').map(({ name }) => name),
    notFoundError,
    takenError,
    present,
    async show(ctx: ShowContext, page: readonly ResourceRow<F>[]) {
      const computedOf = await computed?.(ctx, page);
      return page.map((row) => ({ ...present(row), ...computedOf?.(row) }));
    },
    columnsOf: (body: Loose) =>
      Object.fromEntries(
        stored.flatMap((field) => (body[field.name] === undefined ? [] : [[field.column, body[field.name]]])),
      ),
    initial: (ctx: OperationContext) =>
      Object.fromEntries(
        serviceFields.map(({ column, parts: { initial } }) => [
          column,
          typeof initial === 'function' ? initial(ctx) : initial,
        ]),
      ),
    example: async (kit: FixtureKit, workspaceId = kit.workspaceId) => example.body(kit, workspaceId),
    createOperation: example.operation,
    async createExample(kit: FixtureKit, workspaceId: string) {
      const body = await example.body(kit, workspaceId);
      return String((await kit.call(example.operation, body, workspaceId))[id.name]);
    },
  };
  return resource as unknown as Resource<Name, F>;
}
