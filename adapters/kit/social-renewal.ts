// Renews access tokens with a refresh token (RFC 6749, section 6), for networks that follow the standard. Called by their
// adapters.
import type { Outgoing } from '../../core/contract/ports/outgoing.ts';
import { CredentialsRefused } from '../../plugins/connectors/port/index.ts';
import type { ReportFields } from './report-fields.ts';
import {
  appOf,
  basicAuthorization,
  type OAuthApp,
  type OAuthCredentials,
  renewedCredentials,
  requestToken,
} from './social-oauth.ts';

/** The options of a renewal. */
export interface Renewal {
  /** The name in errors, such as `YouTube`. */
  readonly name: string;
  readonly url: string;
  /** The program's app. The app of the credentials takes precedence. */
  readonly app: OAuthApp | undefined;
  /**
   * The authentication of the app: in the form, or by Basic authorisation. (Default: client_id and client_secret in the
   * form)
   */
  readonly appFields?: 'basic' | ((app: OAuthApp) => Readonly<Record<string, string>>);
  /** Additional headers, such as the name of the program. (Default: none) */
  readonly headers?: Readonly<Record<string, string>>;
  readonly outgoing: Outgoing;
  readonly signal: AbortSignal;
  /** Whether a refusal means that the tokens are no longer valid. (Default: `error` is invalid_grant) */
  isTokenInvalid?(status: number, fields: ReportFields): boolean;
}

const inForm = ({ clientId, clientSecret }: OAuthApp) => ({ client_id: clientId, client_secret: clientSecret });

/** @throws CredentialsRefused */
export async function renewByToken<C extends OAuthCredentials>(credentials: C, renewal: Renewal): Promise<C> {
  const { name, url, headers, outgoing, signal, isTokenInvalid, appFields = inForm } = renewal;
  const { refreshToken } = credentials;
  if (refreshToken === undefined) throw new CredentialsRefused('expired', `There is no refresh token of ${name}.`);
  const app = appOf(credentials, renewal.app);
  const fields = await requestToken({
    name,
    url,
    outgoing,
    signal,
    ...(isTokenInvalid === undefined ? {} : { isTokenInvalid }),
    headers: { ...headers, ...(appFields === 'basic' ? { authorization: basicAuthorization(app) } : {}) },
    form: {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      ...(appFields === 'basic' ? {} : appFields(app)),
    },
  });
  return renewedCredentials(credentials, fields);
}
