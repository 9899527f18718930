// One operation, declared once. REST, MCP, OpenAPI, the in-process call and the documentation are all made from this
// value, and every call runs the same pipeline. `defineOperation` checks its types; lists store it without its types.
import type { z } from 'zod';
import type { OperationContext, PrepareContext, ReadContext } from '../context/context.ts';
import { refuseUnknownFields } from '../errors/suggestion.ts';
import type { Version } from '../http/conditional.ts';
import type { ContentKindId } from './content-kind.ts';
import type { Deprecation } from './deprecation.ts';
import type { Fixture, FixtureKit, MakeItem, NoItem } from './fixture.ts';
import type {
  AtOnce,
  AuditDeclaration,
  Flat,
  HttpMethod,
  IdempotencyMode,
  LeashDeclaration,
  ObjectSchema,
  OperationInput,
  OperationSpec,
  Output,
  RequiredParts,
  ToolDeclaration,
} from './operation-spec.ts';
import type { RepresentationArgument, RepresentationDeclaration } from './representation.ts';
import type { SecondSuccess, StatusResult } from './second-success.ts';

/** An operation without its types, as registries and projections store it. */
export interface Operation {
  readonly id: string;
  readonly summary: string;
  readonly description: string | undefined;
  readonly method: HttpMethod;
  /** The path with `{name}` parameters. It starts with /v1. */
  readonly path: string;
  readonly tool: ToolDeclaration | undefined;
  /** The caller needs at least one of these scopes. Empty only if `anyKey` is true. */
  readonly scopes: readonly string[];
  /** Every valid key may call it, whatever its scopes. */
  readonly anyKey: boolean;
  /** Users' words by which search_tools finds the operation, in addition to its texts. */
  readonly searchWords: readonly string[];
  readonly idempotency: IdempotencyMode;
  readonly input: {
    readonly params: ObjectSchema | undefined;
    readonly query: ObjectSchema | undefined;
    readonly body: ObjectSchema | undefined;
  };
  readonly output: z.ZodType;
  readonly status: number;
  readonly secondSuccess: SecondSuccess | undefined;
  /** The kind of thing that the call makes public. A policy can hold such a call. */
  readonly contentKind: ContentKindId | undefined;
  /** The kind of thing that the call proposes to make public. Such a call always waits for a decision. */
  readonly proposes: ContentKindId | undefined;
  /** Representations by media type, without JSON. */
  readonly representations: ReadonlyMap<string, RepresentationDeclaration>;
  readonly representationArgument: RepresentationArgument | undefined;
  readonly entityTag: ((output: never) => Version) | undefined;
  readonly ifMatch: boolean;
  /** Media types of the body, in addition to application/json. */
  readonly accepts: readonly string[];
  /** Error codes, in addition to those of the pipeline. */
  readonly errors: readonly string[];
  /** Events that a call can emit, directly or through its jobs. */
  readonly emits: readonly string[];
  readonly audit: AuditDeclaration | undefined;
  /**
   * How a dry run works: `rollback` runs the call and rolls it back; `plan` returns only the result of `prepare`.
   */
  readonly dryRun: 'rollback' | 'plan';
  readonly deprecated: Deprecation | undefined;
  /** Names of input parameters when they are flat arguments (tools, in-process calls): parameter → argument. */
  readonly rename: Readonly<Record<string, string>>;
  /** Hints for error messages about fields that the input does not have, by dotted path. */
  readonly fieldHints: ReadonlyMap<string, string>;
  /** Alternatives for a caller without the scopes: id of another operation → text for the error message. */
  readonly instead: ReadonlyMap<string, string>;
  /** The stored response contains a secret, so it is encrypted at rest. */
  readonly secretOutput: boolean;
  /** The lowest plan tier at which an Idempotency-Key is required. */
  readonly idempotencyKeyRequiredFromTier: number | undefined;
  /** The operation may run in a suspended workspace. Reads always may. */
  readonly allowWhenSuspended: boolean;
  /** The call changes something that both sides of a workspace share. Sandbox keys get `live_key_required`. */
  readonly liveOnly: boolean;
  /** A list that shows the rows of both sides to a live key. The generated tests allow this only for lists with this flag. */
  readonly liveListsBoth: boolean;
  readonly timeoutSeconds: number;
  /** The transaction is retried after a conflict with another transaction (`unique`, `deadlock`). */
  readonly retryOnConflict: boolean;
  /** Calls may share a transaction and its round trips. */
  readonly sharesTransaction: boolean;
  readonly atOnce: AtOnce | undefined;
  /** How a call counts against the leash of its key. */
  readonly leash: LeashDeclaration | undefined;
  readonly prepared: boolean;
  /** For an operation that returns a list: makes a row that the list shows. */
  readonly exampleRow: MakeItem | NoItem | undefined;
  fixture(kit: FixtureKit): Promise<Fixture>;
  prepare(context: PrepareContext, input: OperationInput): Promise<unknown>;
  /** See `computeBefore` of `defineOperation`. */
  readonly computeBefore: ((context: PrepareContext, input: OperationInput) => Promise<unknown>) | undefined;
  /** See `prefetch` of `defineOperation`. */
  readonly prefetch: ((context: ReadContext, input: OperationInput) => Promise<unknown>) | undefined;
  /** @param reading the result of `prefetch` */
  handler(
    context: OperationContext,
    input: OperationInput,
    prepared: unknown,
    reading?: Promise<unknown>,
  ): Promise<unknown>;
}

/** An operation that keeps its types for the in-process call. */
export interface TypedOperation<Id extends string, Flat, Out, Prepared extends boolean, Types extends string = never>
  extends Operation {
  readonly id: Id;
  readonly prepared: Prepared;
  /** Only types. Undefined at run time. */
  readonly types?: { readonly flat: Flat; readonly output: Out; readonly representations: Types };
}

/** Declares an operation whose handler runs in one transaction. @throws TypeError for an unknown field */
export function defineOperation<
  const Id extends string,
  O extends z.ZodType,
  P extends ObjectSchema | undefined = undefined,
  Q extends ObjectSchema | undefined = undefined,
  B extends ObjectSchema | undefined = undefined,
  const R extends Readonly<Record<string, string>> = Record<never, never>,
  const S2 extends number = never,
  O2 extends z.ZodType = z.ZodNever,
  const Types extends string = never,
  Before = undefined,
  First = undefined,
>(
  spec: RequiredParts &
    OperationSpec<Id, P, Q, B, O, R, S2, O2, Types, undefined> & {
      /**
       * Does costly work before the transaction, so that no transaction stays open meanwhile and other calls can run.
       * The handler must be able to do the same work itself: a call inside another transaction skips this function, and the
       * handler must ignore the result if the data that it was computed from has changed since. Must have no effects, with
       * one exception: it may flush a buffer of this process earlier than usual.
       */
      computeBefore?(context: PrepareContext, input: OperationInput<Output<P>, Output<Q>, Output<B>>): Promise<Before>;
      /**
       * Reads the data that the handler needs first. It runs in the handler's transaction, while the idempotency key is looked
       * up, which saves one round trip to a remote database. It must have no effects: it also runs for a call whose response
       * is replayed from its key, and before the limit of `atOnce` over all processes is checked. The handler gets its errors
       * when it awaits `reading`.
       */
      prefetch?(context: ReadContext, input: OperationInput<Output<P>, Output<Q>, Output<B>>): Promise<First>;
      handler(
        context: OperationContext,
        input: OperationInput<Output<P>, Output<Q>, Output<B>>,
        computed: Before | undefined,
        reading: Promise<First>,
      ): Promise<z.input<O> | StatusResult<S2, z.input<O2>>>;
    },
): TypedOperation<Id, Flat<P, Q, B, R>, z.output<O> | z.output<O2>, false, Types> {
  return erase(spec, false) as TypedOperation<Id, Flat<P, Q, B, R>, z.output<O> | z.output<O2>, false, Types>;
}

/**
 * Declares an operation that reads, computes or calls out before its transaction. It cannot join a transaction of the
 * embedding program.
 */
export function defineOperationWithPrepare<
  const Id extends string,
  O extends z.ZodType,
  Prepared,
  P extends ObjectSchema | undefined = undefined,
  Q extends ObjectSchema | undefined = undefined,
  B extends ObjectSchema | undefined = undefined,
  const R extends Readonly<Record<string, string>> = Record<never, never>,
  const S2 extends number = never,
  O2 extends z.ZodType = z.ZodNever,
  const Types extends string = never,
>(
  spec: RequiredParts &
    OperationSpec<Id, P, Q, B, O, R, S2, O2, Types, Prepared> & {
      prepare(context: PrepareContext, input: OperationInput<Output<P>, Output<Q>, Output<B>>): Promise<Prepared>;
      handler(
        context: OperationContext,
        input: OperationInput<Output<P>, Output<Q>, Output<B>>,
        prepared: Prepared,
      ): Promise<z.input<O> | StatusResult<S2, z.input<O2>>>;
    },
): TypedOperation<Id, Flat<P, Q, B, R>, z.output<O> | z.output<O2>, true, Types> {
  return erase(spec, true) as TypedOperation<Id, Flat<P, Q, B, R>, z.output<O> | z.output<O2>, true, Types>;
}

interface ErasableSpec
  extends RequiredParts,
    Omit<
      OperationSpec<
        string,
        ObjectSchema | undefined,
        ObjectSchema | undefined,
        ObjectSchema | undefined,
        z.ZodType,
        Readonly<Record<string, string>>,
        number,
        z.ZodType,
        string,
        never
      >,
      'audit' | 'entityTag' | 'leash' | 'representations'
    > {
  readonly audit?: AuditDeclaration;
  readonly entityTag?: (output: never) => Version;
  readonly leash?: LeashDeclaration;
  readonly representations?: Readonly<Record<string, RepresentationDeclaration>>;
  prepare?(context: PrepareContext, input: never): Promise<unknown>;
  computeBefore?(context: PrepareContext, input: never): Promise<unknown>;
  prefetch?(context: ReadContext, input: never): Promise<unknown>;
  handler(context: OperationContext, input: never, prepared?: never, reading?: never): Promise<unknown>;
}

/** Every field of a declaration. Other fields are refused: if TypeScript did not report one, it would be dropped silently. */
const fieldNames: Readonly<Record<keyof ErasableSpec, true>> = {
  id: true,
  summary: true,
  description: true,
  http: true,
  tool: true,
  scopes: true,
  anyKey: true,
  searchWords: true,
  idempotency: true,
  input: true,
  output: true,
  status: true,
  secondSuccess: true,
  contentKind: true,
  proposes: true,
  representations: true,
  representationArgument: true,
  entityTag: true,
  ifMatch: true,
  accepts: true,
  errors: true,
  emits: true,
  audit: true,
  dryRun: true,
  deprecated: true,
  rename: true,
  fieldHints: true,
  instead: true,
  secretOutput: true,
  idempotencyKeyRequiredFromTier: true,
  allowWhenSuspended: true,
  liveOnly: true,
  liveListsBoth: true,
  timeoutSeconds: true,
  retryOnConflict: true,
  sharesTransaction: true,
  atOnce: true,
  leash: true,
  exampleRow: true,
  fixture: true,
  prepare: true,
  computeBefore: true,
  prefetch: true,
  handler: true,
};

function erase(typed: unknown, prepared: boolean): Operation {
  const spec = typed as ErasableSpec;
  refuseUnknownFields(`The operation ${spec.id}`, spec, fieldNames);
  const space = spec.http.indexOf(' ');
  const { prepare, computeBefore, prefetch } = spec;
  return {
    id: spec.id,
    summary: spec.summary,
    description: spec.description,
    method: spec.http.slice(0, space) as HttpMethod,
    path: spec.http.slice(space + 1),
    tool: typeof spec.tool === 'string' ? { name: spec.tool } : spec.tool,
    scopes: spec.scopes,
    anyKey: spec.anyKey ?? false,
    searchWords: spec.searchWords ?? [],
    idempotency: spec.idempotency,
    input: {
      params: spec.input?.params?.strict(),
      query: spec.input?.query?.strict(),
      body: spec.input?.body?.strict(),
    },
    output: spec.output,
    status: spec.status ?? 200,
    secondSuccess: spec.secondSuccess,
    contentKind: spec.contentKind,
    proposes: spec.proposes,
    representations: new Map(Object.entries(spec.representations ?? {})),
    representationArgument: spec.representationArgument,
    entityTag: spec.entityTag,
    ifMatch: spec.ifMatch ?? false,
    accepts: spec.accepts ?? [],
    errors: spec.errors ?? [],
    emits: spec.emits ?? [],
    audit: spec.audit,
    dryRun: spec.dryRun ?? 'rollback',
    deprecated: spec.deprecated,
    rename: spec.rename ?? {},
    fieldHints: new Map(Object.entries(spec.fieldHints ?? {})),
    instead: new Map(Object.entries(spec.instead ?? {})),
    secretOutput: spec.secretOutput ?? false,
    idempotencyKeyRequiredFromTier: spec.idempotencyKeyRequiredFromTier,
    liveOnly: spec.liveOnly ?? false,
    liveListsBoth: spec.liveListsBoth ?? false,
    allowWhenSuspended: spec.allowWhenSuspended ?? spec.idempotency === 'read',
    timeoutSeconds: spec.timeoutSeconds ?? 100,
    retryOnConflict: spec.retryOnConflict ?? false,
    sharesTransaction: spec.sharesTransaction ?? false,
    atOnce: spec.atOnce,
    leash: spec.leash,
    prepared,
    exampleRow: spec.exampleRow,
    fixture: spec.fixture,
    prepare:
      prepare === undefined ? async () => undefined : (context, input) => prepare.call(spec, context, input as never),
    computeBefore:
      computeBefore === undefined ? undefined : (context, input) => computeBefore.call(spec, context, input as never),
    prefetch: prefetch === undefined ? undefined : (context, input) => prefetch.call(spec, context, input as never),
    handler: (context, input, prepared, reading) =>
      spec.handler(context, input as never, prepared as never, reading as never),
  };
}
