// Errors as data: a code, a status, and a sentence about how to fix the problem. Plugins declare their errors with
// defineErrors; the projections turn a thrown error into the envelope. Test errors with isPostriderError, never with instanceof.

/** The families of errors: the values of `type` in the error envelope. */
export type ErrorType =
  | 'validation_error'
  | 'authentication_error'
  | 'permission_error'
  | 'billing_error'
  | 'not_found_error'
  | 'conflict_error'
  | 'rate_limit_exceeded'
  | 'api_error';

/** One fault of the input: a dotted path into the request, a code, and a sentence. */
export interface ErrorDetail {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** The meaning of an error code, shown in the documentation and the OpenAPI document. */
export interface ErrorDefinition {
  readonly code: string;
  readonly status: number;
  readonly type: ErrorType;
  /** One sentence for the documentation: when it happens and what to do. */
  readonly description: string;
}

/** Additional data of one thrown error. */
export interface ErrorExtras {
  readonly details?: readonly ErrorDetail[];
  /** Seconds until a retry makes sense. The header Retry-After is made from it. */
  readonly retryAfterSeconds?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The scopes of which the caller needs one. A client with an OAuth grant can ask for them. */
  readonly scopes?: readonly string[];
  readonly cause?: unknown;
}

/** The JSON envelope, the same on REST and on the MCP endpoint. */
export interface ErrorEnvelope {
  readonly error: {
    readonly type: ErrorType;
    readonly code: string;
    readonly message: string;
    readonly request_id: string;
    readonly retry_after_seconds?: number;
    readonly details?: readonly ErrorDetail[];
    readonly docs_url?: string;
  };
}

/** The header in whole seconds, rounded up, because most clients read no other format (RFC 9110, section 10.2.3). */
const retryAfter = (seconds: number | undefined): Readonly<Record<string, string>> =>
  seconds === undefined ? {} : { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) };

/** The exception of every refused call, including in-process calls. The pipeline sets `requestId`. */
export class PostriderError extends Error {
  readonly code: string;
  readonly status: number;
  readonly type: ErrorType;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly scopes: readonly string[] | undefined;
  requestId: string | undefined;

  constructor(definition: ErrorDefinition, message: string, extras: ErrorExtras = {}) {
    super(message, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.name = 'PostriderError';
    this.code = definition.code;
    this.status = definition.status;
    this.type = definition.type;
    this.details = extras.details;
    this.retryAfterSeconds = extras.retryAfterSeconds;
    this.scopes = extras.scopes;
    this.headers = { ...retryAfter(extras.retryAfterSeconds), ...extras.headers };
  }
}

/** Whether `error` is a PostriderError, with the given code if one is given. */
export function isPostriderError(error: unknown, code?: string): error is PostriderError {
  if (!(error instanceof Error) || error.name !== 'PostriderError') return false;
  return code === undefined || (error as PostriderError).code === code;
}

interface ErrorDeclaration {
  readonly status: number;
  readonly type: ErrorType;
  readonly description: string;
  /** Returns the sentence of one error: what was wrong and what to do. Must never contain a secret. */
  readonly message: (details: never) => string;
  /** Returns the scopes of which the caller needs one. (Default: the error is not about scopes) */
  readonly scopes?: (details: never) => readonly string[];
}

type ErrorFactory<D extends ErrorDeclaration> = ((
  ...args: Parameters<D['message']> extends []
    ? [extras?: ErrorExtras]
    : [details: Parameters<D['message']>[0], extras?: ErrorExtras]
) => PostriderError) & { readonly definition: ErrorDefinition };

/** The factories of a declared set, by code. */
export type ErrorSet<D extends Record<string, ErrorDeclaration>> = {
  readonly [Code in keyof D]: ErrorFactory<D[Code]>;
};

/**
 * Declares error codes and returns one factory for each: `throw errors.key_taken({ key })`.
 * If `message` has no parameters, the first argument of the factory is the extras.
 */
export function defineErrors<const D extends Record<string, ErrorDeclaration>>(declarations: D): ErrorSet<D> {
  const set: Record<string, unknown> = {};
  for (const [code, { status, type, description, message, scopes }] of Object.entries(declarations)) {
    const definition: ErrorDefinition = { code, status, type, description };
    const plain = message.length === 0;
    const factory = (details?: unknown, extras?: ErrorExtras): PostriderError => {
      const actualExtras = plain ? (details as ErrorExtras | undefined) : extras;
      const withScopes = scopes === undefined ? actualExtras : { ...actualExtras, scopes: scopes(details as never) };
      return new PostriderError(definition, message(details as never), withScopes);
    };
    set[code] = Object.assign(factory, { definition });
  }
  return set as ErrorSet<D>;
}

/**
 * The error for an id that no resource has. `noun`: the resource as callers name it. `list`: the route that lists the resources.
 * @param description (Default: made from both)
 * @example defineErrors({ note_not_found: notFound('note', 'GET /v1/notes') })
 */
export const notFound = (
  noun: string,
  list: string,
  description = `The workspace, or the side of the key, has no ${noun} with this id. ${list} lists the existing ones.`,
) => ({
  status: 404,
  type: 'not_found_error' as const,
  description,
  message: ({ id }: { readonly id: string }) =>
    `There is no ${noun} ${id.slice(0, 100)}. ${list} lists the existing ones.`,
});

/** The definitions of a set, for a plugin's manifest. */
export function errorDefinitions(set: Record<string, { readonly definition: ErrorDefinition }>): ErrorDefinition[] {
  return Object.values(set).map((factory) => factory.definition);
}
