// One operation, declared once. REST, MCP, OpenAPI, the in-process call and the documentation are projections of this
// value; all of them run the same pipeline. `defineOperation` checks its types; lists hold it without them.
import type { z } from 'zod';
import type { Version } from './conditional.ts';
import type { OperationContext, PrepareContext, ReadContext } from './context.ts';
import type { Deprecation } from './deprecation.ts';
import type { Fixture, FixtureKit, MakeItem, NoItem } from './fixture.ts';
import type {
  AtOnce,
  AuditDeclaration,
  Flat,
  HttpMethod,
  IdempotencyMode,
  ObjectSchema,
  OperationInput,
  OperationSpec,
  Output,
  RequiredParts,
  ToolDeclaration,
} from './operation-spec.ts';
import type { RepresentationArgument, RepresentationDeclaration } from './representation.ts';
import type { SecondSuccess, StatusAnswer } from './second-success.ts';
import { refuseUnknownFields } from './suggestion.ts';
import type { SurfaceKind } from './surface.ts';

/** The operation without its types, as registries and projections hold it. */
export interface Operation {
  readonly id: string;
  readonly summary: string;
  readonly description: string | undefined;
  readonly method: HttpMethod;
  /** With `{name}` parameters, starting at /v1. */
  readonly path: string;
  readonly tool: ToolDeclaration | undefined;
  /** One of them is enough. Empty only where `anyKey` is true. */
  readonly scopes: readonly string[];
  /** Every valid key may call it, whatever its scopes. */
  readonly anyKey: boolean;
  readonly idempotency: IdempotencyMode;
  readonly input: {
    readonly params: ObjectSchema | undefined;
    readonly query: ObjectSchema | undefined;
    readonly body: ObjectSchema | undefined;
  };
  readonly output: z.ZodType;
  readonly status: number;
  readonly alsoSucceeds: SecondSuccess | undefined;
  /** What it makes public: a policy can hold the call. */
  readonly surface: SurfaceKind | undefined;
  /** What it proposes to make public: always decided on first. */
  readonly proposes: SurfaceKind | undefined;
  /** By media type; JSON is not in it. */
  readonly representations: ReadonlyMap<string, RepresentationDeclaration>;
  readonly representationArgument: RepresentationArgument | undefined;
  readonly entityTag: ((output: never) => Version) | undefined;
  readonly ifMatch: boolean;
  /** Media types of the body beside application/json. */
  readonly accepts: readonly string[];
  /** Error codes beyond those of the pipeline. */
  readonly errors: readonly string[];
  /** Events that a call can emit, at once or by its jobs. */
  readonly emits: readonly string[];
  readonly audit: AuditDeclaration | undefined;
  /**
   * The answer to a dry run: `rollback` runs the call and rolls it back, `plan` answers the result of `prepare` only.
   */
  readonly dryRun: 'rollback' | 'plan';
  readonly deprecated: Deprecation | undefined;
  /** Names of input parameters as flat arguments (tools, in-process calls): parameter → argument. */
  readonly rename: Readonly<Record<string, string>>;
  /** What to say of fields that the input does not have, by dotted path. */
  readonly fieldHints: ReadonlyMap<string, string>;
  /** What a caller without the scopes may do instead, by the id of the operation. */
  readonly instead: ReadonlyMap<string, string>;
  /** The stored answer holds a secret: it is encrypted at rest. */
  readonly secretOutput: boolean;
  /** The lowest plan tier at which an Idempotency-Key is required. */
  readonly keyRequiredFromTier: number | undefined;
  /** The operation may run in a suspended workspace. Reads always may. */
  readonly allowWhenSuspended: boolean;
  /** Changes what both sides of a workspace share: sandbox keys get `live_key_required`. */
  readonly liveOnly: boolean;
  /** A list that shows a live key the rows of both sides. The generated tests expect it of no other list. */
  readonly liveListsBoth: boolean;
  readonly timeoutSeconds: number;
  /** The transaction is retried after a conflict with another one (`unique`, `deadlock`). */
  readonly retryOnConflict: boolean;
  readonly atOnce: AtOnce | undefined;
  readonly prepared: boolean;
  /** Of a list: makes a row that it shows. */
  readonly item: MakeItem | NoItem | undefined;
  fixture(kit: FixtureKit): Promise<Fixture>;
  prepare(context: PrepareContext, input: OperationInput): Promise<unknown>;
  /** As `computeBefore` of `defineOperation`. */
  readonly computeBefore: ((context: PrepareContext, input: OperationInput) => Promise<unknown>) | undefined;
  /** As `readInside` of `defineOperation`. */
  readonly readInside: ((context: ReadContext, input: OperationInput) => Promise<unknown>) | undefined;
  /** `reading`: the result of `readInside`. */
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
  /** Types only; there is no value at run time. */
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
       * Computes before the transaction what the handler can compute itself, so that costly work holds no transaction and
       * can let others have their turn. It is not run for a call inside another transaction, nor trusted by the handler
       * where what it read has changed since. Must have no effects; it may only write earlier what a buffer of the process
       * would write anyway.
       */
      computeBefore?(context: PrepareContext, input: OperationInput<Output<P>, Output<Q>, Output<B>>): Promise<Before>;
      /**
       * Reads what the handler needs first, in its transaction and while the idempotency key is looked up: a remote database
       * then needs one round trip less. It also runs for a call that is answered from its key, so it must have no effects; of
       * an operation with `atOnce`, it runs before the call has its place. Its errors reach the handler that awaits `reading`.
       */
      readInside?(context: ReadContext, input: OperationInput<Output<P>, Output<Q>, Output<B>>): Promise<First>;
      handler(
        context: OperationContext,
        input: OperationInput<Output<P>, Output<Q>, Output<B>>,
        computed: Before | undefined,
        reading: Promise<First>,
      ): Promise<z.input<O> | StatusAnswer<S2, z.input<O2>>>;
    },
): TypedOperation<Id, Flat<P, Q, B, R>, z.output<O> | z.output<O2>, false, Types> {
  return erase(spec, false) as TypedOperation<Id, Flat<P, Q, B, R>, z.output<O> | z.output<O2>, false, Types>;
}

/**
 * Declares an operation that reads, computes or calls out before its transaction. It cannot join a transaction of the
 * embedding program.
 */
export function definePreparedOperation<
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
      ): Promise<z.input<O> | StatusAnswer<S2, z.input<O2>>>;
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
      'audit' | 'entityTag' | 'representations'
    > {
  readonly audit?: AuditDeclaration;
  readonly entityTag?: (output: never) => Version;
  readonly representations?: Readonly<Record<string, RepresentationDeclaration>>;
  prepare?(context: PrepareContext, input: never): Promise<unknown>;
  computeBefore?(context: PrepareContext, input: never): Promise<unknown>;
  readInside?(context: ReadContext, input: never): Promise<unknown>;
  handler(context: OperationContext, input: never, prepared?: never, reading?: never): Promise<unknown>;
}

/** Every field of a declaration: another one would be left out in silence where TypeScript does not see it. */
const fieldNames: Readonly<Record<keyof ErasableSpec, true>> = {
  id: true,
  summary: true,
  description: true,
  http: true,
  tool: true,
  scopes: true,
  anyKey: true,
  idempotency: true,
  input: true,
  output: true,
  status: true,
  alsoSucceeds: true,
  surface: true,
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
  keyRequiredFromTier: true,
  allowWhenSuspended: true,
  liveOnly: true,
  liveListsBoth: true,
  timeoutSeconds: true,
  retryOnConflict: true,
  atOnce: true,
  item: true,
  fixture: true,
  prepare: true,
  computeBefore: true,
  readInside: true,
  handler: true,
};

function erase(typed: unknown, prepared: boolean): Operation {
  const spec = typed as ErasableSpec;
  refuseUnknownFields(`The operation ${spec.id}`, spec, fieldNames);
  const space = spec.http.indexOf(' ');
  const { prepare, computeBefore, readInside } = spec;
  return {
    id: spec.id,
    summary: spec.summary,
    description: spec.description,
    method: spec.http.slice(0, space) as HttpMethod,
    path: spec.http.slice(space + 1),
    tool: typeof spec.tool === 'string' ? { name: spec.tool } : spec.tool,
    scopes: spec.scopes,
    anyKey: spec.anyKey ?? false,
    idempotency: spec.idempotency,
    input: {
      params: spec.input?.params?.strict(),
      query: spec.input?.query?.strict(),
      body: spec.input?.body?.strict(),
    },
    output: spec.output,
    status: spec.status ?? 200,
    alsoSucceeds: spec.alsoSucceeds,
    surface: spec.surface,
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
    keyRequiredFromTier: spec.keyRequiredFromTier,
    liveOnly: spec.liveOnly ?? false,
    liveListsBoth: spec.liveListsBoth ?? false,
    allowWhenSuspended: spec.allowWhenSuspended ?? spec.idempotency === 'read',
    timeoutSeconds: spec.timeoutSeconds ?? 100,
    retryOnConflict: spec.retryOnConflict ?? false,
    atOnce: spec.atOnce,
    prepared,
    item: spec.item,
    fixture: spec.fixture,
    prepare:
      prepare === undefined ? async () => undefined : (context, input) => prepare.call(spec, context, input as never),
    computeBefore:
      computeBefore === undefined ? undefined : (context, input) => computeBefore.call(spec, context, input as never),
    readInside:
      readInside === undefined ? undefined : (context, input) => readInside.call(spec, context, input as never),
    handler: (context, input, prepared, reading) =>
      spec.handler(context, input as never, prepared as never, reading as never),
  };
}
