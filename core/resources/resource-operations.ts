// Operations that every resource has alike: a list with keyset pages, the reading of one, the deletion of one.
// Called by plugins; what a resource does in its own way is an ordinary `defineOperation`.
import { z } from 'zod';
import type { OperationContext } from '../contract/context.ts';
import type { PostriderError } from '../contract/errors.ts';
import { listOf, pageQuery } from '../contract/fields.ts';
import type { ErrorProvocations, FixtureKit, MakeItem } from '../contract/fixture.ts';
import type { Flat, ToolDeclaration, TypedOperation } from '../contract/operation.ts';
import { defineOperation } from '../contract/operation.ts';
import { decodeCursor, toPage } from '../storage/cursor.ts';
import type { RowConditions, TenantRows } from './rows.ts';

interface OperationText {
  readonly summary: string;
  readonly description?: string;
  readonly tool?: string | ToolDeclaration;
  readonly scopes: readonly string[];
  /** Error codes beyond those that the kind of operation has anyway. */
  readonly errors?: readonly string[];
  /** How the generated tests raise each of these. */
  readonly provocations?: ErrorProvocations;
}

/** Makes one row of the resource in a workspace and answers its key: for the generated tests. */
export type MakeOne = (kit: FixtureKit, workspaceId: string) => Promise<string>;

type Shape = Readonly<Record<string, z.ZodType>>;
type NoShape = Record<never, never>;
type ListQuery<F extends Shape> = z.ZodObject<typeof pageQuery & F>;
type ListOutput<S extends z.ZodType> = ReturnType<typeof listOf<S>>;
type NoRename = Record<never, never>;

/**
 * Declares a list: newest first, in keyset pages (`cursor`, `limit` 1 to 100, 25 by default). A filter narrows by the column
 * of its name; `conditions` says what equality cannot. Answers `{ data, next_cursor }`.
 * @example defineList({ id: 'notes.list', summary: 'List notes', http: 'GET /v1/notes', tool: 'list_notes',
 *   scopes: ['notes:read'], rows, item: noteResource, present, filters: { state: noteState.optional() }, one: someNote });
 */
export function defineList<const Id extends string, Row extends object, S extends z.ZodType, F extends Shape = NoShape>(
  spec: OperationText & {
    readonly id: Id;
    readonly http: `GET /${string}`;
    readonly rows: TenantRows<Row>;
    readonly item: S;
    readonly filters?: F;
    /** What the list shows whatever the filters, and filters that are no equality: they are taken out of `filters` by name. */
    readonly conditions?: (query: z.output<z.ZodObject<F>>, context: OperationContext) => RowConditions;
    /** Filters that `conditions` reads instead of the column of their name. */
    readonly unequal?: readonly (keyof F & string)[];
    present(row: Row, context: OperationContext): z.input<S>;
    /** Makes a row that the list shows, for the generated tests. */
    readonly one: MakeItem;
  },
): TypedOperation<Id, Flat<undefined, ListQuery<F>, undefined, NoRename>, z.output<ListOutput<S>>, false> {
  const { rows, filters, conditions, unequal = [] } = spec;
  const equal = Object.keys(filters ?? {}).filter((name) => !unequal.includes(name));
  return defineOperation({
    ...textOf(spec),
    id: spec.id,
    http: spec.http,
    idempotency: 'read',
    input: { query: z.object({ ...pageQuery, ...filters }) },
    output: listOf(spec.item),
    errors: ['cursor_invalid', ...(spec.errors ?? [])],
    fixture: async () => provocationsOf(spec),
    item: spec.one,
    async handler(context, input) {
      const query = input.query as Readonly<Record<string, unknown>> & {
        readonly cursor?: string;
        readonly limit: number;
      };
      const after = decodeCursor(spec.id, query.cursor);
      const where = Object.fromEntries(equal.map((name) => [name, query[name]])) as Partial<Row>;
      const found = await rows.page(context.trx, {
        where,
        conditions: conditions?.(query as never, context),
        after,
        limit: query.limit + 1,
      });
      return toPage(spec.id, found, query.limit, rows.position, (row) => spec.present(row, context)) as never;
    },
  }) as never;
}

const keyParams = <N extends string>(name: N) =>
  z.object({ [name]: z.string().min(1).max(200) }) as unknown as KeyParams<N>;
type KeyParams<N extends string> = z.ZodObject<{ readonly [K in N]: z.ZodString }>;
type ParamOf<Path extends string> = Path extends `${string}{${infer N}}${string}` ? N : never;

const parameterOf = (http: string): string => {
  const [, name, ...more] = http.split(/[{}]/);
  if (name === undefined || more.length > 1) throw new TypeError(`${http} must name one parameter.`);
  return name;
};

interface One<Path extends string, Row extends object> extends OperationText {
  readonly http: Path;
  readonly rows: TenantRows<Row>;
  /** The plugin's own `…_not_found`. */
  missing(details: { readonly id: string }): PostriderError;
  readonly one: MakeOne;
}

/** Declares the reading of one row: 404 with `missing` where the workspace, or this side of it, has none. */
export function defineRead<
  const Id extends string,
  const Path extends `GET /${string}`,
  Row extends object,
  S extends z.ZodType,
>(
  spec: One<Path, Row> & {
    readonly id: Id;
    readonly item: S;
    present(row: Row, context: OperationContext): z.input<S> | Promise<z.input<S>>;
  },
): TypedOperation<Id, Flat<KeyParams<ParamOf<Path>>, undefined, undefined, NoRename>, z.output<S>, false> {
  const name = parameterOf(spec.http);
  return defineOperation({
    ...textOf(spec),
    id: spec.id,
    http: spec.http,
    idempotency: 'read',
    input: { params: keyParams(name) },
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

/** Declares the deletion of one row: `{ id, deleted: true }`, 404 where there is none. */
export function defineDelete<const Id extends string, const Path extends `DELETE /${string}`, Row extends object>(
  spec: One<Path, Row> & {
    readonly id: Id;
    /** The action that the audit shows, and the kind of its target. */
    readonly audit: { readonly action: string; readonly kind: string };
    /** Work in the same transaction, with the row that goes; may refuse. */
    before?(context: OperationContext, row: Row): Promise<void>;
  },
): TypedOperation<
  Id,
  Flat<KeyParams<ParamOf<Path>>, undefined, undefined, NoRename>,
  { id: string; deleted: true },
  false
> {
  const name = parameterOf(spec.http);
  const { action, kind } = spec.audit;
  return defineOperation({
    ...textOf(spec),
    id: spec.id,
    http: spec.http,
    idempotency: 'natural',
    input: { params: keyParams(name) },
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

const textOf = ({ summary, description, tool, scopes }: OperationText) => ({
  summary,
  scopes,
  ...(description === undefined ? {} : { description }),
  ...(tool === undefined ? {} : { tool }),
});

const provocationsOf = ({ provocations }: OperationText) =>
  provocations === undefined ? {} : { errors: provocations };

const fixtureOf = (spec: OperationText & { readonly one: MakeOne }, name: string) => async (kit: FixtureKit) => ({
  params: { [name]: await spec.one(kit, kit.workspaceId) },
  foreign: { [name]: await spec.one(kit, kit.foreignWorkspaceId) },
  ...provocationsOf(spec),
});
