// One operation, declared once. REST, MCP, OpenAPI, the in-process call and the documentation are projections of this
// value; all of them run the same pipeline. `defineOperation` checks its types; lists hold it without them.
import type { z } from 'zod';
import type { Version } from './conditional.ts';
import type { OperationContext, PrepareContext } from './context.ts';
import type { Deprecation } from './deprecation.ts';
import type { PostriderError } from './errors.ts';
import type { Fixture, FixtureKit, MakeItem, NoItem } from './fixture.ts';
import type { RepresentationArgument, RepresentationDeclaration } from './representation.ts';
import type { SecondSuccess, StatusAnswer } from './second-success.ts';
import type { SurfaceKind } from './surface.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * What a repeated `Idempotency-Key` does. `replay`: the stored answer is given again. `recorded`: the key is only recorded
 * in the audit. `natural`: repeating the operation changes nothing more anyway. `read`: it changes nothing at all.
 */
export type IdempotencyMode = 'replay' | 'recorded' | 'natural' | 'read';

/** The operation as an MCP tool. */
export interface ToolDeclaration {
  readonly name: string;
  /** (Default: false) True where a call can destroy or overwrite data. */
  readonly destructive?: boolean;
  /** (Default: false) True where a call reaches people or systems outside of the service. */
  readonly openWorld?: boolean;
  /**
   * Narrows the input schema to the values in this key's workspace (enums, branches). Must return a new schema; the
   * given one is frozen.
   */
  narrow?(
    context: PrepareContext,
    schema: Record<string, unknown>,
    options: { readonly compact: boolean },
  ): Promise<Record<string, unknown>>;
  /**
   * A text that changes whenever `narrow` would return something else for this workspace. (Default: `narrow` runs each
   * time)
   */
  narrowedBy?(context: PrepareContext): Promise<string>;
}

/** The target and metadata of the audit entry of a successful call. */
export interface AuditDeclaration {
  readonly action: string;
  readonly target: (output: never, input: never) => { readonly kind: string; readonly id: string };
}

/** How many calls of an operation one workspace may have in flight. */
export interface AtOnce {
  readonly limit: number;
  /** The error of a call beyond them; one of the operation's `errors`. */
  refused(): PostriderError;
}

/** The three parts of an input, as the handler gets them. */
export interface OperationInput<P = unknown, Q = unknown, B = unknown> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}

type ObjectSchema = z.ZodObject;

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
  /** As `ahead` of `defineOperation`. */
  readonly ahead: ((context: PrepareContext, input: OperationInput) => Promise<unknown>) | undefined;
  handler(context: OperationContext, input: OperationInput, prepared: unknown): Promise<unknown>;
}

/** An operation that keeps its types for the in-process call. */
export interface TypedOperation<Id extends string, Flat, Out, Prepared extends boolean, Types extends string = never>
  extends Operation {
  readonly id: Id;
  readonly prepared: Prepared;
  /** Types only; there is no value at run time. */
  readonly types?: { readonly flat: Flat; readonly output: Out; readonly representations: Types };
}

type Output<S> = S extends z.ZodType ? z.output<S> : Record<never, never>;
type Input<S> = S extends z.ZodType ? z.input<S> : Record<never, never>;
type Renamed<T, R> = { [K in keyof T as K extends keyof R ? R[K] & string : K]: T[K] };

/** Path, query and body in one object, as tools and in-process calls give it. */
export type Flat<P, Q, B, R> = Simplify<
  Renamed<Input<P>, R> & Omit<Input<Q>, R[keyof R] & string> & Omit<Input<B>, R[keyof R] & string>
>;
type Simplify<T> = { [K in keyof T]: T[K] } & {};

/**
 * What every declaration needs, apart from the types of its input: where one of these is missing, TypeScript still infers
 * those types, and reports what is missing instead of every field that the handler reads.
 */
interface RequiredParts {
  readonly summary: string;
  readonly http: `${HttpMethod} /${string}`;
  readonly scopes: readonly string[];
  readonly idempotency: IdempotencyMode;
  readonly fixture: (kit: FixtureKit) => Promise<Fixture>;
}

interface OperationSpec<
  Id extends string,
  P extends ObjectSchema | undefined,
  Q extends ObjectSchema | undefined,
  B extends ObjectSchema | undefined,
  O extends z.ZodType,
  R extends Readonly<Record<string, string>>,
  S2 extends number,
  O2 extends z.ZodType,
  Types extends string,
  Prepared,
> {
  readonly id: Id;
  readonly description?: string;
  readonly tool?: string | ToolDeclaration;
  readonly anyKey?: boolean;
  readonly input?: { readonly params?: P; readonly query?: Q; readonly body?: B };
  readonly output: O;
  /** (Default: 200) */
  readonly status?: number;
  /**
   * Another success, which the handler answers with `respond(status, …)`: for example 202 for a call that waits for
   * a decision.
   */
  readonly alsoSucceeds?: SecondSuccess<S2, O2>;
  /** The kind of what it makes public: the handler asks `ctx.awaitDecision`, and `alsoSucceeds` is the 202 of a call that waits. */
  readonly surface?: SurfaceKind;
  /** As `surface`, for a proposal: stored at once, always decided on, and carried out by another run of the call. */
  readonly proposes?: SurfaceKind;
  /**
   * Representations beside JSON, by media type in lower case, without parameters. A request for a family such as
   * `image/*` gets the first of that family.
   */
  readonly representations?: Readonly<
    Record<
      Types,
      RepresentationDeclaration<z.output<O>, OperationInput<Output<P>, Output<Q>, Output<B>>, NoInfer<Prepared>>
    >
  >;
  /** An argument of the operation's own that selects the representation, in place of the tool's `format`. */
  readonly representationArgument?: RepresentationArgument<NoInfer<Types>>;
  /**
   * The version of the answer. REST answers carry it as a strong ETag, and a GET that names it in If-None-Match gets
   * 304: it must change whenever any part of the answer does.
   */
  readonly entityTag?: (output: z.output<O>) => Version;
  /** (Default: false) Accepts If-Match: the handler calls `ctx.expectVersion`. */
  readonly ifMatch?: boolean;
  /** Media types of the body beside application/json, such as application/merge-patch+json. */
  readonly accepts?: readonly string[];
  readonly errors?: readonly string[];
  /**
   * Every declared event that a call can emit, at once or by the jobs that it enqueues; `x-events` in the OpenAPI
   * document. Outside production a handler that emits another one fails. Custom events are not in it. (Default: none)
   */
  readonly emits?: readonly string[];
  readonly audit?: {
    readonly action: string;
    readonly target: (
      output: z.output<O> | z.output<O2>,
      input: OperationInput<Output<P>, Output<Q>, Output<B>>,
    ) => { kind: string; id: string };
  };
  /** (Default: rollback) */
  readonly dryRun?: 'rollback' | 'plan';
  readonly deprecated?: Deprecation;
  readonly rename?: R;
  readonly secretOutput?: boolean;
  readonly keyRequiredFromTier?: number;
  readonly allowWhenSuspended?: boolean;
  /**
   * (Default: false) The call changes what live traffic uses, although sandbox keys may read it: publish, archive,
   * pause. A call on the sandbox side gets 403 `live_key_required`, except in workspaces on the sandbox plan.
   */
  readonly liveOnly?: boolean;
  /** A list that shows a live key the rows of both sides, marked, and a sandbox key those of the sandbox. (Default: false) */
  readonly liveListsBoth?: boolean;
  /** (Default: 100; `recorded` operations may declare up to 300) */
  readonly timeoutSeconds?: number;
  /**
   * Runs the whole handler up to three times more after a conflict with another transaction (`unique`, `deadlock`). A
   * transaction of the embedding program is never retried. (Default: false)
   */
  readonly retryOnConflict?: boolean;
  /**
   * The most calls of a workspace in flight at the same time: in this process, and those whose transactions run in others. (Default:
   * no limit)
   */
  readonly atOnce?: AtOnce;
  /** Of a list with pages, required by its generated tests: makes a row that the list shows. */
  readonly item?: MakeItem | NoItem;
}

/** Declares an operation whose handler runs in one transaction. */
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
  Ahead = undefined,
>(
  spec: RequiredParts &
    OperationSpec<Id, P, Q, B, O, R, S2, O2, Types, undefined> & {
      /**
       * Computes before the transaction what the handler can compute itself, so that costly work holds no transaction and
       * can let others have their turn. It is not run for a call inside another transaction, nor trusted by the handler
       * where what it read has changed since. Must have no effects.
       */
      ahead?(context: PrepareContext, input: OperationInput<Output<P>, Output<Q>, Output<B>>): Promise<Ahead>;
      handler(
        context: OperationContext,
        input: OperationInput<Output<P>, Output<Q>, Output<B>>,
        ahead: Ahead | undefined,
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
  ahead?(context: PrepareContext, input: never): Promise<unknown>;
  handler(context: OperationContext, input: never, prepared?: never): Promise<unknown>;
}

function erase(typed: unknown, prepared: boolean): Operation {
  const spec = typed as ErasableSpec;
  const space = spec.http.indexOf(' ');
  const { prepare, ahead } = spec;
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
    ahead: ahead === undefined ? undefined : (context, input) => ahead.call(spec, context, input as never),
    handler: (context, input, prepared) => spec.handler(context, input as never, prepared as never),
  };
}
