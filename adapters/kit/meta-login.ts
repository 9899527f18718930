// The long-lived tokens of Meta (60 days): their credentials, and their renewal while they are still valid. Called by the
// adapters of Facebook, Instagram and Threads.
import { z } from 'zod';
import type { Outgoing } from '../../core/contract/ports/outgoing.ts';
import { fieldsOf, type ReportFields, textOf } from './report-fields.ts';
import { type OAuthCredentials, oauthCredentials, requestToken } from './social-oauth.ts';

const dayMs = 86_400_000;
/** A token is renewed in its last week, because an expired token cannot be renewed. */
const renewBeforeMs = 7 * dayMs;
/** The lifetime of a long-lived token if the response does not specify it. */
const defaultSeconds = 60 * 86_400;

const { accessToken, expiresAt, app } = oauthCredentials;

/** Credentials with a long-lived user token. */
export const metaCredentials = z.strictObject({ accessToken, expiresAt, app });
export type MetaCredentials = z.output<typeof metaCredentials>;

/** When a token must be renewed, or when it expires if it cannot be renewed. */
export const metaExpiry = ({ expiresAt: at }: Pick<OAuthCredentials, 'expiresAt'>, canRenew: boolean): number | null =>
  at === undefined ? null : canRenew ? at - renewBeforeMs : at;

const isTokenInvalid = (_status: number, fields: ReportFields): boolean =>
  ['190', '102'].includes(textOf(fieldsOf(fields['error'])['code']));

/** Exchanges a token for a new one. @throws CredentialsRefused */
export async function renewMetaToken(
  credentials: MetaCredentials,
  request: {
    readonly name: string;
    readonly url: string;
    readonly query: Readonly<Record<string, string>>;
    readonly outgoing: Outgoing;
    readonly signal: AbortSignal;
  },
): Promise<MetaCredentials> {
  const { query, ...tokenRequest } = request;
  const fields = await requestToken({ ...tokenRequest, method: 'GET', form: query, isTokenInvalid });
  const seconds = Number(fields['expires_in']);
  return {
    ...credentials,
    accessToken: textOf(fields['access_token']),
    expiresAt: Date.now() + (seconds > 0 ? seconds : defaultSeconds) * 1_000,
  };
}
