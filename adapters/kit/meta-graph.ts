// Meta's Graph API, as used by Facebook, Instagram and Threads: how the token is sent, how parameters are written, and how errors
// are classified (developers.facebook.com/docs/graph-api/guides/error-handling). Called by their adapters.
import { createHmac } from 'node:crypto';
import type { Outgoing } from '../../core/contract/ports/outgoing.ts';
import { type SocialCallOptions, SocialError } from '../../plugins/social/port/index.ts';
import {
  httpSocial,
  type SocialHttp,
  type SocialRefusal,
  type SocialRequest,
  type SocialResponse,
  socialFaultOf,
} from './http-social.ts';
import { fieldsOf, listOf, type ReportFields, textOf } from './report-fields.ts';

type Parameters = Readonly<Record<string, string | undefined>>;

/** A connector's access to the API. */
export interface MetaGraphOptions {
  /** The name in errors, such as `Instagram`. */
  readonly name: string;
  /** Includes the version, such as `https://graph.facebook.com/v25.0`. */
  readonly url: string;
  readonly outgoing: Outgoing;
  readonly token: string;
  /** How the token is sent. (Default: in the header) */
  readonly tokenIn?: 'header' | 'parameter';
  /** Signs calls with this secret of the app (`appsecret_proof`). (Default: calls are not signed) */
  readonly appSecret?: string | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Calls of the API with one token. Paths begin with a slash. */
export interface MetaGraph {
  readonly http: SocialHttp;
  get(path: string, parameters: Parameters, options: SocialCallOptions): Promise<ReportFields>;
  post(
    path: string,
    parameters: Parameters,
    options: SocialCallOptions,
    request?: Pick<SocialRequest, 'visible' | 'timeoutMs'>,
  ): Promise<ReportFields>;
  /** Posts a form with a file. `write` receives the parameters that every call has. */
  send(
    path: string,
    write: (common: Parameters) => Pick<SocialRequest, 'headers' | 'body'>,
    options: SocialCallOptions,
    limitMs: number,
  ): Promise<ReportFields>;
  /** Deletes an object. An object that no longer exists counts as deleted. */
  remove(path: string, options: SocialCallOptions): Promise<void>;
  /** The same API with another token, such as a Page's. */
  as(token: string): MetaGraph;
}

const limits: ReadonlySet<string> = new Set(['4', '17', '32', '613', '80001', '80002', '80006', '80008']);
const tokenCodes: ReadonlySet<string> = new Set(['102', '190']);
/**
 * A fault of the server, which may have executed the request. Instagram returns some of these codes with 400
 * (developers.facebook.com/docs/instagram-api/reference/error-codes), and 2207008 if publishing failed temporarily.
 */
const faultCodes: ReadonlySet<string> = new Set(['-2', '-1', '1', '2']);

const errorFields = (fields: ReportFields): ReportFields => fieldsOf(fields['error']);

/** Whether an error means that the object does not exist, or is not visible to this token. */
export const isGone = (error: unknown): boolean => error instanceof SocialError && error.code === '100/33';

function refusalOf({ status, fields }: SocialResponse, request: SocialRequest): SocialRefusal | undefined {
  const error = errorFields(fields);
  const [main, sub] = [textOf(error['code']), textOf(error['error_subcode'])];
  if (main === '') return undefined;
  const code = sub === '' ? main : `${main}/${sub}`;
  if (tokenCodes.has(main)) {
    return { code, fault: 'disconnected', credentials: sub === '463' ? 'expired' : 'revoked' };
  }
  // 9/2207042: the account has used its quota of posts within 24 hours.
  if (limits.has(main) || sub === '2207042') return { code, fault: 'limited' };
  // 9007/2207027: the container is not ready yet.
  if (sub === '2207027') return { code, fault: 'transient' };
  if (error['is_transient'] === true || faultCodes.has(main) || sub === '2207008' || status >= 500)
    return { code, fault: request.visible === true ? 'uncertain' : 'transient' };
  const fault = socialFaultOf(status, request.visible === true);
  return { code, fault: fault === 'disconnected' || fault === 'limited' ? fault : 'rejected' };
}

/** The time at which calls are accepted again, from the headers of the response; an hour later if they do not specify it. */
function limitedUntil({ headers }: SocialResponse, now: number): number {
  let usage: ReportFields = {};
  try {
    usage = fieldsOf(JSON.parse(headers['x-business-use-case-usage'] ?? '{}'));
  } catch {
    // The header has another format, so the default of an hour applies.
  }
  const minutes = Object.values(usage)
    .flatMap(listOf)
    .map((one) => Number(fieldsOf(one)['estimated_time_to_regain_access']))
    .filter((value) => value > 0);
  return now + (minutes.length === 0 ? 60 : Math.max(...minutes)) * 60_000;
}

/** Calls the API with one token. Construction has no side effects. */
export function metaGraph(options: MetaGraphOptions): MetaGraph {
  return graphWith(options, options.token, [
    options.token,
    ...(options.appSecret === undefined ? [] : [options.appSecret]),
  ]);
}

function graphWith(graphOptions: MetaGraphOptions, token: string, secrets: string[]): MetaGraph {
  const { name, url, outgoing, appSecret, tokenIn = 'header', timeoutMs } = graphOptions;
  const http = httpSocial({
    name,
    outgoing,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    secrets: () => secrets,
    ...(tokenIn === 'header' ? { headers: () => ({ authorization: `Bearer ${token}` }) } : {}),
    errorMessage: (fields) => textOf(errorFields(fields)['error_user_msg']) || textOf(errorFields(fields)['message']),
    refusal: refusalOf,
    limitedUntil,
  });
  const proof = appSecret === undefined ? undefined : createHmac('sha256', appSecret).update(token).digest('hex');
  const commonParameters: Parameters = {
    appsecret_proof: proof,
    access_token: tokenIn === 'parameter' ? token : undefined,
  };

  return {
    http,
    async get(path, parameters, options) {
      const request = { method: 'GET', url: `${url}${path}`, query: { ...parameters, ...commonParameters } } as const;
      return (await http.call(request, options)).fields;
    },
    async post(path, parameters, options, request = {}) {
      const allParameters = { ...parameters, ...commonParameters };
      return (await http.call({ method: 'POST', url: `${url}${path}`, form: allParameters, ...request }, options))
        .fields;
    },
    async send(path, write, options, limitMs) {
      const request = { method: 'POST', url: `${url}${path}`, timeoutMs: limitMs, ...write(commonParameters) } as const;
      return (await http.call(request, options)).fields;
    },
    async remove(path, options) {
      try {
        await http.call({ method: 'DELETE', url: `${url}${path}`, query: { ...commonParameters } }, options);
      } catch (error) {
        if (!isGone(error)) throw error;
      }
    },
    as: (other) => graphWith(graphOptions, other, [...secrets, other]),
  };
}

/** The metrics in a response of `/insights`, by name: the lifetime value, else the newest one. */
export function insightsOf(fields: ReportFields): ReadonlyMap<string, number> {
  const metrics = new Map<string, number>();
  for (const metric of listOf(fields['data']).map(fieldsOf)) {
    const total = fieldsOf(metric['total_value'])['value'];
    const newest = fieldsOf(listOf(metric['values']).at(-1))['value'];
    const value = total ?? newest;
    if (typeof value === 'number') metrics.set(textOf(metric['name']), value);
  }
  return metrics;
}
