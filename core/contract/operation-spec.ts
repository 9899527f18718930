// The declaration of an operation as its author writes it: every field, with its meaning and default. Used by operation.ts.
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
 * What a repeated `Idempotency-Key` does. `replay`: the stored response is returned again. `recorded`: the key is only
 * recorded in the audit. `natural`: repeating the operation has no further effect anyway. `read`: the operation changes
 * nothing.
 */
export type IdempotencyMode = 'replay' | 'recorded' | 'natural' | 'read';

/** The operation as an MCP tool. */
export interface ToolDeclaration {
  readonly name: string;
  /** (Default: false) True if a call can destroy or overwrite data. */
  readonly destructive?: boolean;
  /** (Default: false) True if a call reaches people or systems outside of the service. */
  readonly openWorld?: boolean;
  /**
   * Narrows the input schema to the values that exist in this key's workspace (enums, branches). Must return a new schema;
   * the given schema is frozen.
   */
  narrow?(
    context: PrepareContext,
    schema: Record<string, unknown>,
    options: { readonly compact: boolean },
  ): Promise<Record<string, unknown>>;
  /**
   * Returns a string that changes whenever `narrow` would return another schema for this workspace. (Default: `narrow` runs
   * each time)
   */
  narrowedBy?(context: PrepareContext): Promise<string>;
  /**
   * A sentence that stands before the JSON of a successful call, if a reader of the JSON alone would overestimate what the
   * call did. In a dry run it follows the sentence about what the real call would do, so it must not claim that anything was
   * done. A second success has its own notice. Routes in the text are replaced by the names of their tools.
   */
  notice?(answer: unknown, call: { readonly dryRun: boolean }): string | undefined;
}

/** The action and target of the audit entry of a successful call. */
export interface AuditDeclaration {
  readonly action: string;
  readonly target: (output: never, input: never) => { readonly kind: string; readonly id: string };
}

/** How many calls of an operation one workspace may have in flight. */
export interface AtOnce {
  readonly limit: number;
  /** Makes the error of a call beyond the limit: one of the operation's `errors`. */
  refused(): PostriderError;
}

/** The three parts of an input, as the handler receives them. */
export interface OperationInput<P = unknown, Q = unknown, B = unknown> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}

export type ObjectSchema = z.ZodObject;

/** The type of one part of the input, as a handler receives it. */
export type Output<S> = S extends z.ZodType ? z.output<S> : Record<never, never>;
type Input<S> = S extends z.ZodType ? z.input<S> : Record<never, never>;
type Renamed<T, R> = { [K in keyof T as K extends keyof R ? R[K] & string : K]: T[K] };

/** Path, query and body in one object, as tools and in-process calls pass it. */
export type Flat<P, Q, B, R> = Simplify<
  Renamed<Input<P>, R> & Omit<Input<Q>, R[keyof R] & string> & Omit<Input<B>, R[keyof R] & string>
>;
type Simplify<T> = { [K in keyof T]: T[K] } & {};

/**
 * The required fields of a declaration. They are separate from the fields with input types for better error messages: if a
 * required field is missing, TypeScript still infers the input types and reports only the missing field, not every field
 * that the handler reads.
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
   * A second success status, which the handler returns with `respond(status, …)`: for example 202 for a call that waits
   * for a decision.
   */
  readonly alsoSucceeds?: SecondSuccess<S2, O2>;
  /**
   * The kind of thing that the call makes public. The handler must call `ctx.awaitDecision`, and `alsoSucceeds` declares the
   * 202 of a call that waits.
   */
  readonly surface?: SurfaceKind;
  /** Like `surface`, for a proposal. It is stored at once, always waits for a decision, and is carried out by a second run. */
  readonly proposes?: SurfaceKind;
  /**
   * Representations in addition to JSON, by media type in lower case, without parameters. A request for a family such as
   * `image/*` gets the first type of that family.
   */
  readonly representations?: Readonly<
    Record<
      Types,
      RepresentationDeclaration<z.output<O>, OperationInput<Output<P>, Output<Q>, Output<B>>, NoInfer<Prepared>>
    >
  >;
  /** An argument of this operation that selects the representation. It replaces the tool's `format`. */
  readonly representationArgument?: RepresentationArgument<NoInfer<Types>>;
  /**
   * The version of the response. REST responses carry it as a strong ETag, and a GET that names it in If-None-Match gets
   * 304. It must change whenever any part of the response changes.
   */
  readonly entityTag?: (output: z.output<O>) => Version;
  /** (Default: false) Accepts If-Match: the handler calls `ctx.expectVersion`. */
  readonly ifMatch?: boolean;
  /** Media types of the body, in addition to application/json, such as application/merge-patch+json. */
  readonly accepts?: readonly string[];
  readonly errors?: readonly string[];
  /**
   * Every declared event that a call can emit, directly or through the jobs that it enqueues. Shown as `x-events` in the
   * OpenAPI document. Outside production, a handler that emits an event that is not listed fails. Do not list custom events.
   * (Default: none)
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
   * Hints for the error about a field that the input does not have, by its dotted path: `{ 'owner.name': 'Change names
   * with PATCH /v1/owners.' }`. Similar names, and names in `rename`, are suggested without an entry.
   */
  readonly fieldHints?: Readonly<Record<string, string>>;
  /**
   * What a caller without the scopes may do instead, by the id of the other operation: `{ 'notes.propose': 'propose the
   * change' }`. The error names the first operation that is composed and that the key may call. (Default: nothing)
   */
  readonly instead?: Readonly<Record<string, string>>;
  readonly secretOutput?: boolean;
  readonly keyRequiredFromTier?: number;
  readonly allowWhenSuspended?: boolean;
  /**
   * (Default: false) The call changes data that live traffic uses, such as publish, archive or pause. Sandbox keys may read
   * that data. A call on the sandbox side gets 403 `live_key_required`, except in workspaces on the sandbox plan.
   */
  readonly liveOnly?: boolean;
  /** A list that shows the rows of both sides, marked, to a live key, and only sandbox rows to a sandbox key. (Default: false) */
  readonly liveListsBoth?: boolean;
  /** (Default: 100; `recorded` operations may declare up to 300) */
  readonly timeoutSeconds?: number;
  /**
   * Runs the whole handler up to three times more after a conflict with another transaction (`unique`, `deadlock`). A
   * transaction of the embedding program is never retried. (Default: false)
   */
  readonly retryOnConflict?: boolean;
  /**
   * The largest number of calls of one workspace in flight at the same time. Counts the calls in this process, and the calls
   * in other processes while their transactions run. (Default: no limit)
   */
  readonly atOnce?: AtOnce;
  /** Makes a row that the list shows. The generated tests require it of an operation that returns a list, `{ data: […] }`. */
  readonly item?: MakeItem | NoItem;
}
