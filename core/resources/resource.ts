// A resource whose fields are declared once: its table, the schema change that creates the table, the bodies of its
// create and update, and its form for callers. Called by plugins; defineCreate, defineUpdate, defineList, defineRead
// and defineDelete take it as `of`.
import type { OperationContext, ReadContext, WorkspaceContext } from '../contract/context.ts';
import type { PostriderError } from '../contract/errors.ts';
import type { FixtureKit } from '../contract/fixture.ts';
import type { SchemaChange } from '../contract/migration.ts';
import type { PersonalColumn, PersonalTable } from '../contract/personal-fields.ts';
import * as z from '../contract/zod.ts';
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
  { readonly [K in NeededOf<F>]: TypesOf<F[K]>['given'] } & {
    readonly [K in OptionalOf<F>]: z.ZodDefault<TypesOf<F[K]>['given']>;
  }
>;
type Version<F extends Fields> = { [K in keyof F]: TypesOf<F[K]>['column'] extends 'version' ? K : never }[keyof F];
/** The body of an update: fields that are left out keep their values. */
export type UpdateBody<F extends Fields> = z.ZodObject<
  { readonly [K in Changeable<F>]: z.ZodOptional<TypesOf<F[K]>['given']> } & {
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

/** The context for showing rows. It can read the rows of their workspace, and its settings. */
export type ShowContext = ReadContext & WorkspaceContext;

/** A value of a `unique` field, and the id of the row that already has it. */
export interface Taken {
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
  readonly taken: ((details: Taken) => PostriderError) | undefined;
  readonly missing: (details: { readonly id: string }) => PostriderError;
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
  readonly createdBy: string;
  /** Makes a row in a workspace for the generated tests, and returns its id. */
  some(kit: FixtureKit, workspaceId: string): Promise<string>;
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
  readonly missing: (details: { readonly id: string }) => PostriderError;
  /**
   * The plugin's own error, which names the other row, if another row has the value of a `unique` field. (Default:
   * key_taken)
   */
  readonly taken?: (details: Taken) => PostriderError;
  /** The operation that creates the resource, and a body for it: the generated tests make rows with them. */
  readonly example: {
    readonly by: string;
    /** `workspaceId`: the workspace of the new row, and of the rows that it refers to. */
    body(kit: FixtureKit, workspaceId: string): Loose | Promise<Loose>;
  };
  /** The effect of an erasure beyond the columns: `rows` and `searched` of `PersonalTable`. (Default: as there) */
  readonly personal?: Pick<PersonalTable, 'rows' | 'searched'>;
  /**
   * Loads the data for the computed fields of these rows, in one look-up. Returns a function that returns the computed
   * fields of a row.
   */
  computed?(ctx: ShowContext, rows: readonly ResourceRow<F>[]): Promise<(row: ResourceRow<F>) => ComputedOf<F>>;
}

/** The fields with their column names, computed once. `stored`: the fields that have a column. */
function sorted(fields: Fields) {
  const all = Object.entries(fields).map(([name, { parts }]) => ({
    name,
    column: parts.role === 'id' ? 'id' : columnName(name),
    parts,
  }));
  return { all, stored: all.filter(({ parts }) => parts.column !== undefined) };
}

/** Kinds of columns that not every database indexes. */
const unindexed: ReadonlySet<string> = new Set(['text', 'json', 'bytes']);

/**
 * @throws TypeError if two fields have the same column, a time field is not named like its column, or a text, JSON or
 * bytes column has an index
 */
function checkColumns(table: string, stored: Sorted): void {
  const taken = new Set<string>();
  for (const { name, column: of, parts } of stored) {
    const { role } = parts;
    const isTime = role === 'created_at' || role === 'updated_at';
    if (isTime && role !== of)
      throw new TypeError(`The field ${name} of ${table} shows the column ${role}: call it so, or in camelCase.`);
    if (taken.has(of) || (!isTime && Object.hasOwn(timestamps, of)))
      throw new TypeError(`The field ${name} of ${table} has the column ${of}, and so has another one: rename it.`);
    taken.add(of);
    const { index, column: { kind = '' } = {} } = parts;
    if (index !== undefined && unindexed.has(kind))
      throw new TypeError(
        `The field ${name} of ${table} has an index, and not every database indexes a ${kind}: use a key.`,
      );
  }
}

type Sorted = ReturnType<typeof sorted>['all'];

function tableChanges(table: TableDefinition, stored: Sorted): SchemaChange[] {
  const { name, sides } = table;
  const scope = sides ? ['workspace_id', 'sandbox'] : ['workspace_id'];
  const later = new Set(stored.filter(({ parts }) => parts.isLater).map((one) => one.column));
  const columns = Object.entries(table.columns ?? {}).filter(([one]) => !later.has(one));
  const indexes = stored.flatMap(({ column: of, parts: { index, isLater } }): SchemaChange[] => {
    if (index === undefined || isLater) return [];
    return index === 'unique'
      ? [{ index: `${name}_${of}`, on: name, columns: [...scope, of], unique: true }]
      : [{ index: `${name}_${of}`, on: name, columns: [...scope, of, 'created_at', 'id'] }];
  });
  return [
    { create: name, columns: Object.fromEntries(columns), primaryKey: ['id'] },
    { index: `${name}_list`, on: name, columns: [...scope, 'created_at', 'id'] },
    ...indexes,
  ];
}

const bodyOf = (fields: Sorted, schemaOf: (parts: AnyField['parts']) => z.ZodType) =>
  z.object(Object.fromEntries(fields.map(({ name, parts }) => [name, schemaOf(parts)])));

const expectedVersion = z
  .int()
  .min(0)
  .optional()
  .describe('Refuses the change where the resource has another version.');

/**
 * Declares a resource. Its id is in the column `id`, and it has `created_at` and `updated_at`.
 * @example defineResource('notes', { title: 'Note', fields: { id: field.ownId('nte'), text: field.text(z.string()) }, … })
 * @throws TypeError if it has no `field.ownId`
 */
export function defineResource<const Name extends string, const F extends Fields>(
  tableName: Name,
  options: ResourceOptions<F>,
): Resource<Name, F> {
  const { fields, sides = false, missing, example, computed } = options;
  const { all, stored } = sorted(fields);
  checkColumns(tableName, stored);
  const id = all.find(({ parts }) => parts.role === 'id');
  if (id === undefined) throw new TypeError(`The resource ${tableName} has no id: give it a field.ownId(prefix).`);
  const unanswered = computed === undefined ? all.find(({ parts }) => parts.role === 'computed') : undefined;
  if (unanswered !== undefined)
    throw new TypeError(`The field ${unanswered.name} of ${tableName} is computed, and no option computed answers it.`);
  const versionField = all.find(({ parts }) => parts.role === 'version')?.name;
  const holding = stored.flatMap(({ column: of, parts }): [string, PersonalColumn][] =>
    parts.personal === undefined ? [] : [[of, parts.personal]],
  );
  const columns: Columns = {
    ...Object.fromEntries(stored.map((one) => [one.column, one.parts.column as Column])),
    ...timestamps,
  };
  const changed = {
    time: 'updated_at',
    ...(versionField === undefined ? {} : { version: columnName(versionField) }),
  };
  const personal = { columns: Object.fromEntries(holding), changed, ...options.personal };
  const table = defineTable(tableName, columns, { sides, ...(holding.length === 0 ? {} : { personal }) });
  const rows = tenantRows(table) as unknown as TenantRows<ResourceRow<F>>;
  const seen = all.filter(({ parts }) => parts.shown !== undefined);
  const item = bodyOf(seen, ({ shown }) => shown as z.ZodType).meta({ id: options.title });
  const ofColumns = seen.filter(({ parts }) => parts.column !== undefined).map((one) => [one.name, true] as const);
  const present = presenter(table, item.pick(Object.fromEntries(ofColumns)), {
    [id.name]: (row: Loose) => row['id'],
  }) as (row: object) => object;
  const creatable = all.filter(({ parts }) => parts.create !== 'never');
  const changeable = all.filter(({ parts }) => parts.update);
  const changes = bodyOf(changeable, ({ given }) => given.optional());
  const own = stored.filter(
    ({ parts }) => parts.create === 'never' && (parts.role === 'own' || parts.role === 'version'),
  );
  const made = {
    fields,
    name: options.name,
    scopes: options.scopes,
    table,
    rows,
    createTable: tableChanges(table, stored),
    createBody: bodyOf(creatable, ({ given, create, initial }) =>
      create === 'optional' ? given.default(initial) : given,
    ),
    updateBody: versionField === undefined ? changes : changes.extend({ expectedVersion }),
    item,
    idField: id.name,
    versionField,
    uniqueFields: stored.filter(({ parts }) => parts.index === 'unique').map(({ name }) => name),
    missing,
    taken: options.taken,
    present,
    async show(ctx: ShowContext, shown: readonly ResourceRow<F>[]) {
      const beside = await computed?.(ctx, shown);
      return shown.map((row) => ({ ...present(row), ...beside?.(row) }));
    },
    columnsOf: (body: Loose) =>
      Object.fromEntries(stored.flatMap((one) => (body[one.name] === undefined ? [] : [[one.column, body[one.name]]]))),
    initial: (ctx: OperationContext) =>
      Object.fromEntries(
        own.map(({ column: of, parts: { initial } }) => [of, typeof initial === 'function' ? initial(ctx) : initial]),
      ),
    example: async (kit: FixtureKit, workspaceId = kit.workspaceId) => example.body(kit, workspaceId),
    createdBy: example.by,
    async some(kit: FixtureKit, workspaceId: string) {
      const body = await example.body(kit, workspaceId);
      return String((await kit.call(example.by, body, workspaceId))[id.name]);
    },
  };
  return made as unknown as Resource<Name, F>;
}
