// The declaration of an operation as its author writes it: every field, with its meaning and default. Used by operation.ts.
import type { z } from 'zod';
import type { PrepareContext, ReadContext } from '../context/context.ts';
import type { PostriderError } from '../errors/errors.ts';
import type { Version } from '../http/conditional.ts';
import type { ContentKindId } from './content-kind.ts';
import type { Deprecation } from './deprecation.ts';
import type { Fixture, FixtureKit, MakeItem, NoItem } from './fixture.ts';
import type { RepresentationArgument, RepresentationDeclaration } from './representation.ts';
import type { SecondSuccess } from './second-success.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * The effect of a repeated `Idempotency-Key`. `replay`: the stored response is returned again. `recorded`: the key is only
 * recorded in the audit. `natural`: repeating the operation has no further effect anyway. `read`: the operation changes nothing.
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
  workspaceSchema?(
    context: PrepareContext,
    schema: Record<string, unknown>,
    options: { readonly compact: boolean },
  ): Promise<Record<string, unknown>>;
  /**
   * Returns a string that changes whenever `workspaceSchema` would return another schema for this workspace. (Default:
   * `workspaceSchema` runs each time)
   */
  workspaceSchemaKey?(context: PrepareContext): Promise<string>;
  /**
   * A sentence before the JSON of a successful call, if a reader of the JSON alone would overestimate what the call did. In a dry
   * run it follows the sentence about what the real call would do, so it must not claim that anything was done. A second success
   * has its own notice. Routes in the text are replaced by the names of their tools.
   */
  notice?(response: unknown, call: { readonly dryRun: boolean }): string | undefined;
  /** (Default: false) Whether the toolset `core` lists it: one of the few tools that most work needs. */
  readonly inCoreToolset?: boolean;
  /** A sentence that search_tools adds to the tool, such as how to call it with less context. (Default: none) */
  readonly note?: string;
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

/** How a call of a leashed key counts. Evaluated in the call's transaction, before the handler, and only for such keys. */
export interface LeashDeclaration<Input = never> {
  /** How many recipients the call may reach, or how many sends it may cause. */
  recipients(ctx: ReadContext, input: Input): number | Promise<number>;
  /**
   * The domain of a recipient outside of the allowed domains; undefined if there is no such recipient. The helper `outsideDomain`
   * compares addresses. (Default: the call reaches no email address)
   */
  disallowedRecipient?(
    ctx: ReadContext,
    input: Input,
    allowed: readonly string[],
  ): Promise<string | undefined> | string | undefined;
  /**
   * Whether a call with more recipients than `holdAbove` waits for a decision. Only for operations with a `contentKind`. Other
   * calls are refused. (Default: false)
   */
  readonly canWait?: boolean;
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
  /**
   * Users' words for this operation that its name, texts and fields lack: `['parcel', 'shipment']`. search_tools finds the
   * operation by them. Words for all operations of a plugin belong in the plugin's `searchWords`. (Default: none)
   */
  readonly searchWords?: readonly string[];
  readonly input?: { readonly params?: P; readonly query?: Q; readonly body?: B };
  readonly output: O;
  /** (Default: 200) */
  readonly status?: number;
  /**
   * A second success status, which the handler returns with `respond(status, …)`: for example 202 for a call that waits
   * for a decision.
   */
  readonly secondSuccess?: SecondSuccess<S2, O2>;
  /**
   * The kind of thing that the call makes public. The handler must call `ctx.requireDecision`, and `secondSuccess` declares the
   * 202 of a call that waits.
   */
  readonly contentKind?: ContentKindId;
  /** Like `contentKind`, for a proposal. It is stored at once, always waits for a decision, and is carried out by a second run. */
  readonly proposes?: ContentKindId;
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
   * Alternatives for a caller without the scopes, by the id of the other operation: `{ 'notes.propose': 'propose the change' }`.
   * The error names the first operation that is composed and that the key may call. (Default: nothing)
   */
  readonly instead?: Readonly<Record<string, string>>;
  readonly secretOutput?: boolean;
  readonly idempotencyKeyRequiredFromTier?: number;
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
   * Calls that begin in the same turn of the event loop may share a transaction and its round trips, if the database gains from
   * it. The handler must read only with declared statements and write only with deferred inserts; otherwise the call runs a
   * second time, in a transaction of its own. So the handler must have no effects other than the context's. (Default: false)
   */
  readonly sharesTransaction?: boolean;
  /**
   * The largest number of calls of one workspace in flight at the same time. Counts the calls in this process, and the calls
   * in other processes while their transactions run. (Default: no limit)
   */
  readonly atOnce?: AtOnce;
  /** How a call counts against the leash of its key. (Default: the call has no recipients) */
  readonly leash?: LeashDeclaration<OperationInput<Output<P>, Output<Q>, Output<B>>>;
  /** Makes a row that the list shows. The generated tests require it of an operation that returns a list, `{ data: […] }`. */
  readonly exampleRow?: MakeItem | NoItem;
}
