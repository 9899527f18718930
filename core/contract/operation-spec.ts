// The declaration of an operation as its author writes it: every field, with its meaning and default. operation.ts takes it.
import type { z } from 'zod';
import type { Version } from './conditional.ts';
import type { PrepareContext } from './context.ts';
import type { Deprecation } from './deprecation.ts';
import type { PostriderError } from './errors.ts';
import type { Fixture, FixtureKit, MakeItem, NoItem } from './fixture.ts';
import type { RepresentationArgument, RepresentationDeclaration } from './representation.ts';
import type { SecondSuccess } from './second-success.ts';
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
  /**
   * A sentence before the answer of a success, where the answer alone could be taken for more than it is. With `dryRun` it stands
   * after what the real call would do, so it must not say that something was done. A second success has its own. Routes in it
   * become tools.
   */
  notice?(answer: unknown, call: { readonly dryRun: boolean }): string | undefined;
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

/** A zod object. */
export type ObjectSchema = z.ZodObject;

/** What a handler gets of a part of the input. */
export type Output<S> = S extends z.ZodType ? z.output<S> : Record<never, never>;
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
export interface RequiredParts {
  readonly summary: string;
  readonly http: `${HttpMethod} /${string}`;
  readonly scopes: readonly string[];
  readonly idempotency: IdempotencyMode;
  readonly fixture: (kit: FixtureKit) => Promise<Fixture>;
}

/** The other fields of a declaration. */
export interface OperationSpec<
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
  /**
   * What to say where callers give a field that the input does not have, by its dotted path: `{ 'owner.name': 'Change names
   * with PATCH /v1/owners.' }`. The suggestion of a similar name, and of a name in `rename`, needs no entry.
   */
  readonly fieldHints?: Readonly<Record<string, string>>;
  /**
   * What a caller without the scopes may do instead, by the id of the operation: `{ 'notes.propose': 'propose the change' }`.
   * The refusal names the first that is composed and that the key may call. (Default: nothing)
   */
  readonly instead?: Readonly<Record<string, string>>;
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
  /** Of an operation that answers a list, `{ data: […] }`, required by its generated tests: makes a row that the list shows. */
  readonly item?: MakeItem | NoItem;
}
