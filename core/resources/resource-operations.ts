// The standard read and deletion of one row of a resource. Called by plugins. An operation with other behaviour is an ordinary
// `defineOperation`.

import type { OperationContext } from '../contract/context/context.ts';
import { defineOperation, type Operation, type TypedOperation } from '../contract/declaration/operation.ts';
import type { Flat, OperationInput } from '../contract/declaration/operation-spec.ts';
import type { RepresentationDeclaration } from '../contract/declaration/representation.ts';
import type { PostriderError } from '../contract/errors/errors.ts';
import { refuseUnknownFields } from '../contract/errors/suggestion.ts';
import type { Version } from '../contract/http/conditional.ts';
import * as z from '../contract/schemas/zod.ts';
import { type Declared, deletePartsOf, type OfResource, readPartsOf, withResource } from './of-resource.ts';
import {
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
import type { AuditName, Fields, Item, ResourceRow } from './resource.ts';
import type { TenantRows } from './rows.ts';

interface RowDeclaration<Row extends object> {
  readonly rows: TenantRows<Row>;
  /** The plugin's own `…_not_found`. */
  notFoundError(details: { readonly id: string }): PostriderError;
  readonly exampleRow: MakeOne;
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
    RowDeclaration<Row> {
  readonly summary: string;
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

/** Declares the read of one row: 404 with `notFoundError` if the workspace, or this side of it, does not have the row. */
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
  const spec = withResource(declared, readPartsOf);
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
    errors: errorsOf(spec, [spec.notFoundError({ id: '' }).code]),
    fixture: fixtureOf(spec, name),
    async handler(context, input) {
      const id = (input.params as Readonly<Record<string, string>>)[name] as string;
      const row = await spec.rows.find(context.trx, id);
      if (row === undefined) throw spec.notFoundError({ id });
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
    RowDeclaration<Row> {
  readonly summary: string;
  readonly audit: AuditName;
}
type DeleteOperation<Id extends string, Path extends string> = TypedOperation<
  Id,
  Flat<KeyParams<ParamOf<Path>>, undefined, undefined, NoRename>,
  { id: string; deleted: true },
  false
>;

/** Declares the deletion of one row: `{ id, deleted: true }`, 404 with `notFoundError` if the row does not exist. */
export function defineDelete<const Id extends string, const Path extends `DELETE /${string}`, R extends Fields>(
  spec: DeleteText<Id, Path, ResourceRow<R>> & OfResource<R> & { readonly audit?: AuditName },
): DeleteOperation<Id, Path>;
export function defineDelete<const Id extends string, const Path extends `DELETE /${string}`, Row extends object>(
  spec: DeleteSpec<Id, Path, Row>,
): DeleteOperation<Id, Path>;
export function defineDelete<Row extends object>(
  declared: Declared<DeleteSpec<string, `DELETE /${string}`, Row>>,
): Operation {
  const spec = withResource(declared, deletePartsOf);
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
    errors: errorsOf(spec, [spec.notFoundError({ id: '' }).code]),
    audit: { action, target: ({ id }) => ({ kind, id }) },
    fixture: fixtureOf(spec, name),
    async handler(context, input) {
      const id = (input.params as Readonly<Record<string, string>>)[name] as string;
      const row = await spec.rows.lock(context.trx, id);
      if (row === undefined) throw spec.notFoundError({ id });
      await spec.before?.(context, row);
      await spec.rows.remove(context.trx, id);
      return { id, deleted: true as const };
    },
  }) as never;
}

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
