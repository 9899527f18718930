// The common part of all social networks' HTTP APIs. Called by the adapters of networks. It makes one request at a time and never
// repeats it, classifies failures, and lets no error repeat a secret.
import type { Outgoing, OutgoingRequest } from '../../core/contract/ports/outgoing.ts';
import {
  isSocialError,
  type SocialCallOptions,
  SocialError,
  type SocialErrorOptions,
  type SocialFault,
} from '../../plugins/social/port/index.ts';
import { type ProviderResponse, plainWords, readFields, retryAfterOf } from './provider-responses.ts';
import type { ReportFields } from './report-fields.ts';

/** A response with its bytes. */
export interface SocialResponse extends ProviderResponse {
  readonly body: Uint8Array;
}

/** One request. At most one of `json`, `form` and `body` is given. */
export interface SocialRequest {
  readonly method: OutgoingRequest['method'];
  readonly url: string;
  /** Appended to `url`; undefined values are left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string | undefined>>;
  readonly body?: OutgoingRequest['body'];
  /**
   * Whether people may see the effect of the request. A lost response and 5xx are then `uncertain`. Reads, uploads and deletions
   * are not visible and can be repeated. (Default: false)
   */
  readonly visible?: boolean;
  /** In milliseconds. (Default: the network's time limit) */
  readonly timeoutMs?: number;
  /** (Default: 4 MB) */
  readonly maxBytes?: number;
}

/** The meaning of a refusal, if the status alone does not show it. */
export interface SocialRefusal extends Omit<SocialErrorOptions, 'cause'> {
  readonly fault?: SocialFault;
  /** (Default: the network's message) */
  readonly message?: string;
}

/** The properties of one network. */
export interface HttpSocialNetwork {
  /** The name in errors, such as `LinkedIn`. */
  readonly name: string;
  readonly outgoing: Outgoing;
  /** Texts that no error may repeat. Read for each error, because tokens change. */
  secrets(): readonly string[];
  /** Headers of every request, such as the token. The request's own headers take precedence. (Default: none) */
  headers?(): Readonly<Record<string, string>>;
  /** The network's message in a refusal; empty if there is none. */
  errorMessage(fields: ReportFields): string;
  /**
   * (Default: by the status.) It is also called for 2xx responses, because some networks refuse with 200 and a code in the body.
   * A result with a `fault` is then a refusal.
   */
  refusal?(response: SocialResponse, request: SocialRequest): SocialRefusal | undefined;
  /** When a rate limit ends, in milliseconds since the epoch. (Default: by Retry-After) */
  limitedUntil?(response: SocialResponse, now: number): number | undefined;
  /** The time limit of one request, in milliseconds. (Default: 30,000) */
  readonly timeoutMs?: number;
}

/** Sends requests to one network. */
export interface SocialHttp {
  /** The response, if it is 2xx and not a refusal. @throws SocialError */
  call(request: SocialRequest, options: SocialCallOptions): Promise<SocialResponse>;
  /** The response, regardless of its status. @throws SocialError if there is none */
  ask(request: SocialRequest, options: SocialCallOptions): Promise<SocialResponse>;
  /** The error for a response other than 2xx. */
  errorOf(response: SocialResponse, request: SocialRequest, now: number): SocialError;
}

/** The longest rate limit that is obeyed, in milliseconds. A network that reports a later end is called again after a day. */
const maxLimitMs = 86_400_000;

/**
 * The fault of a status (RFC 9110, RFC 6585). A visible request that ended with a server error or a server timeout may have taken
 * effect.
 */
export function socialFaultOf(status: number, visible: boolean): SocialFault {
  if (status === 401) return 'disconnected';
  if (status === 429) return 'limited';
  if (status === 408 || status === 425 || status >= 500 || status < 400) return visible ? 'uncertain' : 'transient';
  return 'rejected';
}

const isRefusedAddress = (fault: unknown): boolean => fault === 'url_refused' || fault === 'address_refused';

function bodyOf({ json, form, body }: SocialRequest): { body?: OutgoingRequest['body']; type?: string } {
  if (json !== undefined) return { body: JSON.stringify(json), type: 'application/json' };
  if (form === undefined) return body === undefined ? {} : { body };
  const fields = Object.entries(form).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { body: new URLSearchParams(fields).toString(), type: 'application/x-www-form-urlencoded' };
}

function urlOf({ url, query = {} }: SocialRequest): string {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  if (parameters.length === 0) return url;
  return `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams(parameters).toString()}`;
}

/** Makes the requests of one connector. Construction has no effect. */
export function httpSocial(network: HttpSocialNetwork): SocialHttp {
  const { name, outgoing, timeoutMs: defaultMs = 30_000 } = network;

  function failureOf(cause: unknown, { visible = false }: SocialRequest): SocialError {
    const { sent, fault, message, cause: innerCause } = (cause ?? {}) as Partial<Record<string, unknown>>;
    // The adapter's own error: the body could not be read, so the request was not sent completely and had no effect.
    if (isSocialError(cause)) return cause;
    if (isSocialError(innerCause)) return innerCause;
    const detail = plainWords(typeof message === 'string' ? message : '', network.secrets());
    const text = detail || `${name} cannot be reached.`;
    if (isRefusedAddress(fault)) return new SocialError('rejected', text, { cause });
    return new SocialError(visible && sent !== false ? 'uncertain' : 'transient', text, { cause });
  }

  function errorOf(response: SocialResponse, request: SocialRequest, now: number): SocialError {
    const { fault, message, ...details } = network.refusal?.(response, request) ?? {};
    const kind = fault ?? socialFaultOf(response.status, request.visible === true);
    const text = plainWords(message ?? network.errorMessage(response.fields), network.secrets());
    const waitMs = retryAfterOf(response);
    const limitEnd = network.limitedUntil?.(response, now) ?? (waitMs === undefined ? undefined : now + waitMs);
    const limit = kind === 'limited' && limitEnd !== undefined ? { until: Math.min(limitEnd, now + maxLimitMs) } : {};
    return new SocialError(kind, text || `${name} answered ${response.status}.`, { ...limit, ...details });
  }

  async function ask(request: SocialRequest, { signal, confirm }: SocialCallOptions): Promise<SocialResponse> {
    if (signal.aborted) throw new SocialError('transient', 'The call was ended before the request was made.');
    const { body, type } = bodyOf(request);
    if (request.visible === true) await confirm?.();
    try {
      const answer = await outgoing.request({
        url: urlOf(request),
        method: request.method,
        headers: {
          accept: 'application/json',
          'user-agent': 'postrider',
          ...(type === undefined ? {} : { 'content-type': type }),
          ...network.headers?.(),
          ...request.headers,
        },
        ...(body === undefined ? {} : { body }),
        timeoutMs: request.timeoutMs ?? defaultMs,
        maxResponseBytes: request.maxBytes ?? 4_194_304,
        signal,
      });
      return { status: answer.status, headers: answer.headers, body: answer.body, fields: readFields(answer.body) };
    } catch (cause) {
      throw failureOf(cause, request);
    }
  }

  return {
    ask,
    errorOf,
    async call(request, options) {
      const answer = await ask(request, options);
      const isSuccess = answer.status >= 200 && answer.status < 300;
      if (isSuccess && network.refusal?.(answer, request)?.fault === undefined) return answer;
      throw errorOf(answer, request, options.now);
    },
  };
}

/**
 * The value of a field that a response must have.
 * @throws SocialError `uncertain` after a visible request, else `transient`
 */
export function requiredField(
  value: string,
  { name, visible }: { readonly name: string; readonly visible: boolean },
): string {
  if (value !== '') return value;
  throw new SocialError(visible ? 'uncertain' : 'transient', `The network's answer does not contain ${name}.`);
}
