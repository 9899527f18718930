// The standard list of a resource, with filters and keyset pages. Called by plugins. A list with other behaviour is an ordinary
// `defineOperation`.
import type { OperationContext } from '../contract/context/context.ts';
import type { FixtureKit, MakeItem } from '../contract/declaration/fixture.ts';
import { defineOperation, type Operation, type TypedOperation } from '../contract/declaration/operation.ts';
import type { Flat, OperationInput } from '../contract/declaration/operation-spec.ts';
import type { RepresentationDeclaration } from '../contract/declaration/representation.ts';
import type { PostriderError } from '../contract/errors/errors.ts';
import { refuseUnknownFields } from '../contract/errors/suggestion.ts';
import { listOf, pageQuery } from '../contract/schemas/fields.ts';
import * as z from '../contract/schemas/zod.ts';
import { type CursorPosition, decodeCursor, toPage } from '../storage/cursor.ts';
import { type Declared, listPartsOf, type OfResource, withResource } from './of-resource.ts';
import {
  errorCasesOf,
  errorsOf,
  fixtureOf,
  type KeyParams,
  keyParams,
  type MakeOne,
  type NoRename,
  type OperationText,
  type OperationWords,
  type ParamOf,
  parameterOf,
  sharedFields,
  textOf,
} from './operation-parts.ts';
import { columnName } from './present.ts';
import type { Fields, Item } from './resource.ts';
import type { RowConditions } from './row-reads.ts';
import type { RowPart } from './row-statements.ts';
import type { TenantRows } from './rows.ts';

/** The parent resource whose rows a list shows, if the path names one: `GET /v1/notes/{id}/lines`. */
export interface ListParent {
  readonly rows: Pick<TenantRows<object>, 'find' | 'position'>;
  /** The plugin's own `…_not_found`, if the workspace, or this side of it, does not have the parent. */
  notFoundError(details: { readonly id: string }): PostriderError;
  /** The listed table's column that contains the parent's key. */
  readonly column: string;
  readonly exampleRow: MakeOne;
}

type Shape = Readonly<Record<string, z.ZodType>>;
type NoShape = Record<never, never>;
/** The parameters of a path with at most one parameter. */
type ListParams<Path extends string> = [ParamOf<Path>] extends [never] ? undefined : KeyParams<ParamOf<Path>>;
type ListQuery<F extends Shape> = z.ZodObject<typeof pageQuery & F>;
type ListOutput<S extends z.ZodType> = ReturnType<typeof listOf<S>>;

/** The declaration that every list shares. */
interface ListText<Id extends string, Path extends string, S extends z.ZodType, F extends Shape, Types extends string>
  extends OperationWords {
  readonly id: Id;
  readonly http: Path;
  readonly within?: ListParent;
  readonly filters?: F;
  /** Conditions that always apply, and filters that are not equalities. List the names of such filters in `customFilters`. */
  readonly conditions?: (query: z.output<z.ZodObject<F>>, context: OperationContext) => RowConditions | undefined;
  /**
   * Reads a page if the query has a filter that conditions on the columns cannot express: newest first, from `after` on, at most
   * `limit` rows. Returns undefined for all other queries. Name such filters in `customFilters`.
   */
  readonly find?: (
    query: z.output<z.ZodObject<F>>,
    context: OperationContext,
    page: { readonly after: CursorPosition | undefined; readonly limit: number },
  ) => Promise<readonly object[]> | undefined;
  /** Filters that `conditions` or `find` reads, instead of an equality with the column of their name. */
  readonly customFilters?: readonly (keyof F & string)[];
  /**
   * Filters that no index answers. A page with one of them reads 20,000 rows in the order of the list: it can be short, or empty,
   * and have a `next_cursor`.
   */
  readonly scannedFilters?: readonly (keyof F & string)[];
  /** Representations of the page in addition to JSON, by media type: as in `defineOperation`. */
  readonly representations?: Readonly<
    Record<Types, RepresentationDeclaration<z.output<ListOutput<S>>, OperationInput>>
  >;
  /**
   * For the generated tests: values of filters that name rows of another workspace, or `skipped: ` and the reason why they name no
   * row.
   */
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
  readonly summary: string;
  readonly rows: TenantRows<Row>;
  readonly item: S;
  /** Loads data for all rows of the page, in one look-up. */
  readonly load?: (context: OperationContext, pageRows: readonly Row[]) => Promise<Loaded>;
  present(row: Row, context: OperationContext, loaded: Loaded): z.input<S>;
  /** Makes a row that the list shows, for the generated tests. */
  readonly exampleRow: MakeItem;
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
 * in the path: 404 with its `notFoundError` if the parent does not exist. Outputs `{ data, next_cursor }`.
 * @example defineList({ id: 'notes.list', summary: 'List notes', http: 'GET /v1/notes', tool: 'list_notes',
 *   scopes: ['notes:read'], rows, item: noteResource, present, filters: { state: noteState.optional() }, exampleRow: someNote });
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
  const spec = withResource(declared, listPartsOf);
  refuseUnknownFields(`defineList of ${spec.id}`, spec, listFields);
  const { rows, within, filters, conditions, representations, customFilters = [], scannedFilters = [] } = spec;
  const parameter = within === undefined ? undefined : parameterOf(spec.http);
  const equalityFilters = Object.keys(filters ?? {}).filter((name) => !customFilters.includes(name));
  for (const name of equalityFilters)
    if (!Object.hasOwn(rows.table.definitions, columnName(name)))
      throw new TypeError(
        `The filter ${name} of ${spec.id} selects by the column ${columnName(name)}, which ${rows.table.name} does not have. Name the filter in customFilters, and select its rows in conditions or find.`,
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
    errors: errorsOf(spec, [
      'cursor_invalid',
      ...(within === undefined ? [] : [within.notFoundError({ id: '' }).code]),
    ]),
    async fixture(kit) {
      const parentParams =
        within === undefined ? undefined : fixtureOf({ ...spec, exampleRow: within.exampleRow }, parameter ?? '');
      const { foreign: params, ...fixture } = (await parentParams?.(kit)) ?? {
        ...errorCasesOf(spec),
        foreign: undefined,
      };
      const query = ((await spec.foreign?.(kit)) ?? {}) as Readonly<Record<string, string>>;
      return { ...fixture, foreign: { ...(params === undefined ? {} : { params }), query } };
    },
    exampleRow: spec.exampleRow,
    async handler(context, input) {
      const query = input.query as Readonly<Record<string, unknown>> & {
        readonly cursor?: string;
        readonly limit: number;
      };
      const where: Record<string, unknown> = Object.fromEntries(
        equalityFilters.map((name) => [columnName(name), query[name]]),
      );
      let list: string = spec.id;
      if (within !== undefined && parameter !== undefined) {
        const key = (input.params as Readonly<Record<string, string>>)[parameter] as string;
        const parent = await within.rows.find(context.trx, key);
        if (parent === undefined) throw within.notFoundError({ id: key });
        where[within.column] = within.rows.position(parent).id;
        // A cursor is valid for the list of one parent only.
        list = `${spec.id}:${key}`;
      }
      const after = decodeCursor(list, query.cursor);
      const limit = query.limit + 1;
      // Before `find`, because it may refuse the query.
      const rowConditions = conditions?.(query as never, context);
      const foundRows = spec.find?.(query as never, context, { after, limit });
      const request = { where: where as RowPart<Row>, after };
      const scans = foundRows === undefined && scannedFilters.some((name) => query[name] !== undefined);
      const scannedTo = scans ? await rows.scanEnd(context.trx, request) : undefined;
      const pageRows =
        foundRows === undefined
          ? await rows.page(context.trx, { ...request, conditions: rowConditions, scannedTo, limit })
          : ((await foundRows) as Row[]);
      const loaded = (await spec.load?.(context, pageRows.slice(0, query.limit))) as Loaded;
      const present = (row: Row) => spec.present(row, context, loaded);
      return toPage(list, pageRows, query.limit, rows.position, present, scannedTo) as never;
    },
  });
}

const listFields: Readonly<Record<keyof ListSpec<string, string, object, z.ZodType, Shape, string, unknown>, true>> = {
  ...sharedFields,
  within: true,
  filters: true,
  conditions: true,
  find: true,
  customFilters: true,
  scannedFilters: true,
  load: true,
  representations: true,
  foreign: true,
};
