// Errors as data: a code, a status, a sentence that says how to fix the problem. Plugins declare theirs with
// defineErrors; the projections turn a thrown one into the envelope. Never tested with instanceof (isPostriderError).

/** The families of errors: the member `type` of the error envelope. */
export type ErrorType =
  | 'validation_error'
  | 'authentication_error'
  | 'permission_error'
  | 'billing_error'
  | 'not_found_error'
  | 'conflict_error'
  | 'rate_limit_exceeded'
  | 'api_error';

/** One fault of the input: a dotted path into the request, a code, a sentence. */
export interface ErrorDetail {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** What a code means: shown by the documentation and the OpenAPI document. */
export interface ErrorDefinition {
  readonly code: string;
  readonly status: number;
  readonly type: ErrorType;
  /** One sentence for the documentation: when it happens and what to do. */
  readonly description: string;
}

/** Additional data of one occurrence. */
export interface ErrorExtras {
  readonly details?: readonly ErrorDetail[];
  /** When another try makes sense. The answer's header Retry-After is made of it. */
  readonly retryAfterSeconds?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** The JSON envelope, the same on REST and on the tool endpoint. */
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

/** Whole seconds, rounded up: most clients read nothing else (RFC 9110, section 10.2.3). */
const retryAfter = (seconds: number | undefined): Readonly<Record<string, string>> =>
  seconds === undefined ? {} : { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) };

/** The exception of every refusal, also of in-process calls. `requestId` is set by the pipeline. */
export class PostriderError extends Error {
  readonly code: string;
  readonly status: number;
  readonly type: ErrorType;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  requestId: string | undefined;

  constructor(definition: ErrorDefinition, message: string, extras: ErrorExtras = {}) {
    super(message, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.name = 'PostriderError';
    this.code = definition.code;
    this.status = definition.status;
    this.type = definition.type;
    this.details = extras.details;
    this.retryAfterSeconds = extras.retryAfterSeconds;
    this.headers = { ...retryAfter(extras.retryAfterSeconds), ...extras.headers };
  }
}

/** Whether `error` is a PostriderError, of the given code if one is named. */
export function isPostriderError(error: unknown, code?: string): error is PostriderError {
  if (!(error instanceof Error) || error.name !== 'PostriderError') return false;
  return code === undefined || (error as PostriderError).code === code;
}

interface ErrorDeclaration {
  readonly status: number;
  readonly type: ErrorType;
  readonly description: string;
  /** The sentence of one occurrence: what was wrong and what to do. Never contains a secret. */
  readonly message: (details: never) => string;
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
 * Declares error codes. `throw errors.key_taken({ key })` makes one occurrence.
 * A `message` without parameters gives a factory that takes the extras first.
 */
export function defineErrors<const D extends Record<string, ErrorDeclaration>>(declarations: D): ErrorSet<D> {
  const set: Record<string, unknown> = {};
  for (const [code, { status, type, description, message }] of Object.entries(declarations)) {
    const definition: ErrorDefinition = { code, status, type, description };
    const plain = message.length === 0;
    const factory = (details?: unknown, extras?: ErrorExtras): PostriderError =>
      new PostriderError(definition, message(details as never), plain ? (details as ErrorExtras | undefined) : extras);
    set[code] = Object.assign(factory, { definition });
  }
  return set as ErrorSet<D>;
}

/** The definitions of a set, for a plugin's manifest. */
export function errorDefinitions(set: Record<string, { readonly definition: ErrorDefinition }>): ErrorDefinition[] {
  return Object.values(set).map((factory) => factory.definition);
}
