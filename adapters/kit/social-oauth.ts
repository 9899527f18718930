// OAuth 2.0 credentials of social networks (RFC 6749): their schema, and the refresh of access tokens. Called by the adapters of
// networks.
import { z } from 'zod';
import type { Outgoing } from '../../core/contract/ports/outgoing.ts';
import { CredentialsRefused } from '../../plugins/connectors/port/index.ts';
import { readFields } from './provider-responses.ts';
import { type ReportFields, textOf } from './report-fields.ts';

/** A token, an id or a secret: printable ASCII without spaces, so that it cannot break a header. */
export const token = z
  .string()
  .max(8_000)
  .regex(/^[!-~]+$/, 'A token is printable ASCII without spaces.');

/** The program's own registration with a network. A connector may have a different one. */
export interface OAuthApp {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The members that the credentials of all OAuth networks have. */
export const oauthCredentials = {
  accessToken: token,
  refreshToken: token
    .optional()
    .describe('Without it, the account must be connected again when the access token expires.'),
  expiresAt: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('When the access token expires, in milliseconds since the epoch.'),
  app: z
    .strictObject({ clientId: token, clientSecret: token })
    .optional()
    .describe("The workspace's own registration with the network. (Default: the program's)"),
};

/** Credentials with an access token. */
export interface OAuthCredentials {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  readonly expiresAt?: number | undefined;
  readonly app?: OAuthApp | undefined;
}

/** When the credentials expire, in milliseconds since the epoch; null if they do not specify it. */
export const oauthExpiry = ({ expiresAt }: Pick<OAuthCredentials, 'expiresAt'>): number | null => expiresAt ?? null;

/** The app of these credentials, else the program's. @throws CredentialsRefused if there is none */
export function appOf({ app }: OAuthCredentials, shared: OAuthApp | undefined): OAuthApp {
  const usedApp = app ?? shared;
  if (usedApp === undefined)
    throw new CredentialsRefused(
      'expired',
      'The tokens cannot be refreshed: the connector and the program have no app.',
    );
  return usedApp;
}

/** The value `Basic …` of the Authorization header of an app (RFC 6749, section 2.3.1). */
export const basicAuthorization = ({ clientId, clientSecret }: OAuthApp): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64')}`;

/** One request for new tokens. */
export interface TokenRequest {
  /** The name in errors, such as `LinkedIn`. */
  readonly name: string;
  readonly url: string;
  readonly outgoing: Outgoing;
  readonly signal: AbortSignal;
  /** (Default: POST) */
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as a form; with GET, in the query. */
  readonly form: Readonly<Record<string, string>>;
  /** Whether a refusal means that the tokens are no longer valid. (Default: `error` is invalid_grant) */
  isTokenInvalid?(status: number, fields: ReportFields): boolean;
}

/**
 * Requests new tokens.
 * @throws CredentialsRefused if the network reports that the old tokens are no longer valid; Error, without secrets, for every
 * other failure
 */
export async function requestToken(request: TokenRequest): Promise<ReportFields> {
  const { name, url, outgoing, signal, method = 'POST', form } = request;
  const isTokenInvalid = request.isTokenInvalid ?? ((_status, fields) => fields['error'] === 'invalid_grant');
  const query = new URLSearchParams(form).toString();
  const { status, body } = await outgoing.request({
    method,
    url: method === 'GET' ? `${url}?${query}` : url,
    headers: {
      accept: 'application/json',
      'user-agent': 'postrider',
      ...(method === 'GET' ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      ...request.headers,
    },
    ...(method === 'GET' ? {} : { body: query }),
    signal,
  });
  const fields = readFields(body);
  if (status >= 200 && status < 300 && textOf(fields['access_token']) !== '') return fields;
  if (isTokenInvalid(status, fields)) throw new CredentialsRefused('revoked', `${name} refuses to refresh the tokens.`);
  throw new Error(`${name} answered ${status} to the request to refresh the tokens.`);
}

/**
 * Credentials with the tokens of a response (RFC 6749, section 5.1). The old refresh token stays if the response contains none.
 * @param now - the current time, in milliseconds since the epoch
 */
export function renewedCredentials<C extends OAuthCredentials>(earlier: C, fields: ReportFields, now = Date.now()): C {
  const seconds = Number(fields['expires_in']);
  const refreshToken = textOf(fields['refresh_token']) || earlier.refreshToken;
  return {
    ...earlier,
    accessToken: textOf(fields['access_token']),
    ...(refreshToken === undefined ? {} : { refreshToken }),
    // The old expiry has passed, so keeping it would cause a refresh at every call.
    expiresAt: seconds > 0 ? now + seconds * 1_000 : undefined,
  };
}
