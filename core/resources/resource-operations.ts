// Standard operations of resources: a list with keyset pages, a read and a deletion. Called by plugins. An operation
// with other behaviour is an ordinary `defineOperation`.

import type { Version } from '../contract/conditional.ts';
import type { OperationContext } from '../contract/context.ts';
import type { PostriderError } from '../contract/errors.ts';
import { givenId, listOf, pageQuery } from '../contract/fields.ts';
import type { ErrorProvocations, FixtureKit, MakeItem } from '../contract/fixture.ts';
import { defineOperation, type Operation, type TypedOperation } from '../contract/operation.ts';
import type { Flat, OperationInput, ToolDeclaration } from '../contract/operation-spec.ts';
import type { RepresentationDeclaration } from '../contract/representation.ts';
import { refuseUnknownFields } from '../contract/suggestion.ts';
import * as z from '../contract/zod.ts';
import { decodeCursor, toPage } from '../storage/cursor.ts';
import { type Declared, deletedOf, listedOf, type OfResource, readOf, withResource } from './of-resource.ts';
import { columnName } from './present.ts';
import type { AuditName, Fields, Item, ResourceRow } from './resource.ts';
import type { RowConditions } from './row-reads.ts';
import type { RowPart } from './row-statements.ts';
import type { TenantRows } from './rows.ts';

/** The texts and errors that every operation of a resource declares. */
export interface OperationWords {
  readonly summary: string;
  readonly description?: string;
  readonly tool?: string | ToolDeclaration;
  /** Error codes beyond the standard ones of the operation. */
  readonly errors?: readonly string[];
  /** How the generated tests raise each of these errors. */
  readonly provocations?: ErrorProvocations;
}

interface OperationText extends OperationWords {
  readonly scopes: readonly string[];
}

/** Makes one row of the resource in a workspace and returns its key, for the generated tests. */
export type MakeOne = (kit: FixtureKit, workspaceId: string) => Promise<string>;

/** The parent resource whose rows a list shows, if the path names one: `GET /v1/notes/{id}/lines`. */
export interface ListParent {
  readonly rows: Pick<TenantRows<object>, 'find' | 'position'>;
  /** The plugin's own `…_not_found`, if the workspace, or this side of it, does not have the parent. */
  missing(details: { readonly id: string }): PostriderError;
  /** The listed table's column that contains the parent's key. */
  readonly column: string;
  readonly one: MakeOne;
}

type Shape = Readonly<Record<string, z.ZodType>>;
type NoShape = Record<never, never>;
/** The parameters of a path with at most one parameter. */
type ListParams<Path extends string> = [ParamOf<Path>] extends [never] ? undefined : KeyParams<ParamOf<Path>>;
type ListQuery<F extends Shape> = z.ZodObject<typeof pageQuery & F>;
type ListOutput<S extends z.ZodType> = ReturnType<typeof listOf<S>>;
export type NoRename = Record<never, never>;

/** The declaration that every list shares. */
interface ListText<Id extends string, Path extends string, S extends z.ZodType, F extends Shape, Types extends string>
  extends OperationWords {
  readonly id: Id;
  readonly http: Path;
  readonly within?: ListParent;
  readonly filters?: F;
  /** Conditions that always apply, and filters that are not equalities. List the names of such filters in `unequal`. */
  readonly conditions?: (query: z.output<z.ZodObject<F>>, context: OperationContext) => RowConditions | undefined;
  /** Filters that `conditions` reads, instead of an equality with the column of their name. */
  readonly unequal?: readonly (keyof F & string)[];
  /** Representations of the page in addition to JSON, by media type: as in `defineOperation`. */
  readonly representations?: Readonly<
    Record<Types, RepresentationDeclaration<z.output<ListOutput<S>>, OperationInput>>
  >;
  /** For the generated tests: values of filters that name rows of another workspace, or `none: ` and why they name none. */
  readonly foreign?: (kit: FixtureKit) => Promise<{ readonly [K in keyof F & string]?: string }>;
}
interface ListSpec<
  Id extends string,
  Path extends string,
  Row extends object,
  S extends z.ZodType,
  F extends Shape,
  Types extends string,
  Loaded,
> extends ListText<Id, Path, S, F, Types>,
    OperationText {
  readonly rows: TenantRows<Row>;
  readonly item: S;
  /** Loads data for all rows of the page, in one look-up. */
  readonly load?: (context: OperationContext, shown: readonly Row[]) => Promise<Loaded>;
  present(row: Row, context: OperationContext, loaded: Loaded): z.input<S>;
  /** Makes a row that the list shows, for the generated tests. */
  readonly one: MakeItem;
}
type ListOperation<
  Id extends string,
  Path extends string,
  S extends z.ZodType,
  F extends Shape,
  Types extends string,
> = TypedOperation<
  Id,
  Flat<ListParams<Path>, ListQuery<F>, undefined, NoRename>,
  z.output<ListOutput<S>>,
  false,
  Types
>;

/**
 * Declares a list: newest first, in keyset pages (`cursor`, `limit` 1 to 100, 25 by default). A filter selects by the
 * column of its name (`closesAt` is `closes_at`); use `conditions` for other comparisons. `within` declares the parent
 * in the path: 404 with its `missing` if the parent does not exist. Outputs `{ data, next_cursor }`.
 * @example defineList({ id: 'notes.list', summary: 'List notes', http: 'GET /v1/notes', tool: 'list_notes',
 *   scopes: ['notes:read'], rows, item: noteResource, present, filters: { state: noteState.optional() }, one: someNote });
 */
export function defineList<
  const Id extends string,
  const Path extends `GET /${string}`,
  R extends Fields,
  F extends Shape = NoShape,
  const Types extends string = never,
>(spec: ListText<Id, Path, Item<R>, F, Types> & OfResource<R>): ListOperation<Id, Path, Item<R>, F, Types>;
export function defineList<
  const Id extends string,
  const Path extends `GET /${string}`,
  Row extends object,
  S extends z.ZodType,
  F extends Shape = NoShape,
  Loaded = undefined,
  const Types extends string = never,
>(spec: ListSpec<Id, Path, Row, S, F, Types, Loaded>): ListOperation<Id, Path, S, F, Types>;
export function defineList<Row extends object, S extends z.ZodType, F extends Shape, Loaded>(
  declared: Declared<ListSpec<string, `GET /${string}`, Row, S, F, string, Loaded>>,
): Operation {
  const spec = withResource(declared, listedOf);
  refuseUnknownFields(`defineList of ${spec.id}`, spec, listFields);
  const { rows, within, filters, conditions, representations, unequal = [] } = spec;
  const parameter = within === undefined ? undefined : parameterOf(spec.http);
  const equal = Object.keys(filters ?? {}).filter((name) => !unequal.includes(name));
  for (const name of equal)
    if (!Object.hasOwn(rows.table.definitions, columnName(name)))
      throw new TypeError(
        `The filter ${name} of ${spec.id} selects by the column ${columnName(name)}, which ${rows.table.name} does not have. Name the filter in unequal, and say in conditions what it selects.`,
      );
  return defineOperation({
    ...textOf(spec),
    ...(representations === undefined ? {} : { representations: representations as never }),
    id: spec.id,
    http: spec.http,
    idempotency: 'read',
    input: {
      ...(parameter === undefined ? {} : { params: keyParams(parameter, within?.rows) }),
      query: z.object({ ...pageQuery, ...filters }),
    },
    output: listOf(spec.item),
    errors: [
      'cursor_invalid',
      ...(within === undefined ? [] : [within.missing({ id: '' }).code]),
      ...(spec.errors ?? []),
    ],
    async fixture(kit) {
      const ofParent = within === undefined ? undefined : fixtureOf({ ...spec, one: within.one }, parameter ?? '');
      const { foreign: params, ...fixture } = (await ofParent?.(kit)) ?? {
        ...provocationsOf(spec),
        foreign: undefined,
      };
      const query = ((await spec.foreign?.(kit)) ?? {}) as Readonly<Record<string, string>>;
      return { ...fixture, foreign: { ...(params === undefined ? {} : { params }), query } };
    },
    item: spec.one,
    async handler(context, input) {
      const query = input.query as Readonly<Record<string, unknown>> & {
        readonly cursor?: string;
        readonly limit: number;
      };
      const where: Record<string, unknown> = Object.fromEntries(equal.map((name) => [columnName(name), query[name]]));
      let list: string = spec.id;
      if (within !== undefined && parameter !== undefined) {
        const key = (input.params as Readonly<Record<string, string>>)[parameter] as string;
        const parent = await within.rows.find(context.trx, key);
        if (parent === undefined) throw within.missing({ id: key });
        where[within.column] = within.rows.position(parent).id;
        // A cursor is valid for the list of one parent only.
        list = `${spec.id}:${key}`;
      }
      const after = decodeCursor(list, query.cursor);
      const found = await rows.page(context.trx, {
        where: where as RowPart<Row>,
        conditions: conditions?.(query as never, context),
        after,
        limit: query.limit + 1,
      });
      const loaded = (await spec.load?.(context, found.slice(0, query.limit))) as Loaded;
      return toPage(list, found, query.limit, rows.position, (row) => spec.present(row, context, loaded)) as never;
    },
  });
}

/** Fields that all three declarations accept. A plugin may spread the fields of a row into all of its declarations. */
const sharedFields = {
  id: true,
  http: true,
  summary: true,
  description: true,
  tool: true,
  scopes: true,
  errors: true,
  provocations: true,
  rows: true,
  one: true,
  item: true,
  present: true,
  missing: true,
} as const;
const listFields: Readonly<Record<keyof ListSpec<string, string, object, z.ZodType, Shape, string, unknown>, true>> = {
  ...sharedFields,
  within: true,
  filters: true,
  conditions: true,
  unequal: true,
  load: true,
  representations: true,
  foreign: true,
};
const readFields: Readonly<Record<keyof ReadSpec<string, string, object, z.ZodType, string>, true>> = {
  ...sharedFields,
  representations: true,
  entityTag: true,
};
const deleteFields: Readonly<Record<keyof DeleteSpec<string, string, object>, true>> = {
  ...sharedFields,
  audit: true,
  before: true,
};

/**
 * The path parameter that names a row. `rows`: the rows that it may name; if their ids have a prefix, it must have it.
 */
export function keyParams<N extends string>(name: N, rows: object = {}): KeyParams<N> {
  const { table } = rows as Partial<TenantRows<object>>;
  const prefix = table?.definitions[table.key]?.prefix;
  const key = prefix === undefined ? z.string().min(1).max(200) : givenId(prefix);
  return z.object({ [name]: key }) as unknown as KeyParams<N>;
}
export type KeyParams<N extends string> = z.ZodObject<{ readonly [K in N]: z.ZodString }>;
export type ParamOf<Path extends string> = Path extends `${string}{${infer N}}${string}` ? N : never;

export const parameterOf = (http: string): string => {
  const [, name, ...more] = http.split(/[{}]/);
  if (name === undefined || more.length > 1) throw new TypeError(`${http} must name one parameter.`);
  return name;
};

interface One<Row extends object> {
  readonly rows: TenantRows<Row>;
  /** The plugin's own `…_not_found`. */
  missing(details: { readonly id: string }): PostriderError;
  readonly one: MakeOne;
}

interface ReadText<Id extends string, Path extends string, S extends z.ZodType, Types extends string>
  extends OperationWords {
  readonly id: Id;
  readonly http: Path;
  /** Representations in addition to JSON, by media type: as in `defineOperation`. */
  readonly representations?: Readonly<Record<Types, RepresentationDeclaration<z.output<S>, OperationInput>>>;
}
interface ReadSpec<
  Id extends string,
  Path extends string,
  Row extends object,
  S extends z.ZodType,
  Types extends string,
> extends ReadText<Id, Path, S, Types>,
    OperationText,
    One<Row> {
  readonly item: S;
  present(row: Row, context: OperationContext): z.input<S> | Promise<z.input<S>>;
  /** The version of the answer, for ETag: as in `defineOperation`. */
  readonly entityTag?: (output: z.output<S>) => Version;
}
type ReadOperation<Id extends string, Path extends string, S extends z.ZodType, Types extends string> = TypedOperation<
  Id,
  Flat<KeyParams<ParamOf<Path>>, undefined, undefined, NoRename>,
  z.output<S>,
  false,
  Types
>;

/** Declares the reading of one row: 404 with `missing` if the workspace, or this side of it, does not have the row. */
export function defineRead<
  const Id extends string,
  const Path extends `GET /${string}`,
  R extends Fields,
  const Types extends string = never,
>(spec: ReadText<Id, Path, Item<R>, Types> & OfResource<R>): ReadOperation<Id, Path, Item<R>, Types>;
export function defineRead<
  const Id extends string,
  const Path extends `GET /${string}`,
  Row extends object,
  S extends z.ZodType,
  const Types extends string = never,
>(spec: ReadSpec<Id, Path, Row, S, Types>): ReadOperation<Id, Path, S, Types>;
export function defineRead<Row extends object, S extends z.ZodType>(
  declared: Declared<ReadSpec<string, `GET /${string}`, Row, S, string>>,
): Operation {
  const spec = withResource(declared, readOf);
  refuseUnknownFields(`defineRead of ${spec.id}`, spec, readFields);
  const name = parameterOf(spec.http);
  const { representations, entityTag } = spec;
  return defineOperation({
    ...textOf(spec),
    ...(representations === undefined ? {} : { representations: representations as never }),
    ...(entityTag === undefined ? {} : { entityTag }),
    id: spec.id,
    http: spec.http,
    idempotency: 'read',
    input: { params: keyParams(name, spec.rows) },
    output: spec.item,
    errors: [spec.missing({ id: '' }).code, ...(spec.errors ?? [])],
    fixture: fixtureOf(spec, name),
    async handler(context, input) {
      const id = (input.params as Readonly<Record<string, string>>)[name] as string;
      const row = await spec.rows.find(context.trx, id);
      if (row === undefined) throw spec.missing({ id });
      return (await spec.present(row, context)) as never;
    },
  }) as never;
}

interface DeleteText<Id extends string, Path extends string, Row extends object> extends OperationWords {
  readonly id: Id;
  readonly http: Path;
  /** Runs in the same transaction, with the row to be deleted; an error refuses the deletion. */
  before?(context: OperationContext, row: Row): Promise<void>;
}
interface DeleteSpec<Id extends string, Path extends string, Row extends object>
  extends DeleteText<Id, Path, Row>,
    OperationText,
    One<Row> {
  readonly audit: AuditName;
}
type DeleteOperation<Id extends string, Path extends string> = TypedOperation<
  Id,
  Flat<KeyParams<ParamOf<Path>>, undefined, undefined, NoRename>,
  { id: string; deleted: true },
  false
>;

/** Declares the deletion of one row: `{ id, deleted: true }`, 404 with `missing` if the row does not exist. */
export function defineDelete<const Id extends string, const Path extends `DELETE /${string}`, R extends Fields>(
  spec: DeleteText<Id, Path, ResourceRow<R>> & OfResource<R> & { readonly audit?: AuditName },
): DeleteOperation<Id, Path>;
export function defineDelete<const Id extends string, const Path extends `DELETE /${string}`, Row extends object>(
  spec: DeleteSpec<Id, Path, Row>,
): DeleteOperation<Id, Path>;
export function defineDelete<Row extends object>(
  declared: Declared<DeleteSpec<string, `DELETE /${string}`, Row>>,
): Operation {
  const spec = withResource(declared, deletedOf);
  refuseUnknownFields(`defineDelete of ${spec.id}`, spec, deleteFields);
  const name = parameterOf(spec.http);
  const { action, kind } = spec.audit;
  return defineOperation({
    ...textOf(spec),
    id: spec.id,
    http: spec.http,
    idempotency: 'natural',
    input: { params: keyParams(name, spec.rows) },
    output: z.object({ id: z.string(), deleted: z.literal(true) }),
    errors: [spec.missing({ id: '' }).code, ...(spec.errors ?? [])],
    audit: { action, target: ({ id }) => ({ kind, id }) },
    fixture: fixtureOf(spec, name),
    async handler(context, input) {
      const id = (input.params as Readonly<Record<string, string>>)[name] as string;
      const row = await spec.rows.lock(context.trx, id);
      if (row === undefined) throw spec.missing({ id });
      await spec.before?.(context, row);
      await spec.rows.remove(context.trx, id);
      return { id, deleted: true as const };
    },
  }) as never;
}

export const textOf = ({ summary, description, tool, scopes }: OperationText) => ({
  summary,
  scopes,
  ...(description === undefined ? {} : { description }),
  ...(tool === undefined ? {} : { tool }),
});

export const provocationsOf = ({ provocations }: OperationWords) =>
  provocations === undefined ? {} : { errors: provocations };

const fixtureOf = (spec: OperationWords & { readonly one: MakeOne }, name: string) => async (kit: FixtureKit) => ({
  params: { [name]: await spec.one(kit, kit.workspaceId) },
  foreign: { [name]: await spec.one(kit, kit.foreignWorkspaceId) },
  ...provocationsOf(spec),
});
