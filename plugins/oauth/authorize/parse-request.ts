// Checks a client's request for authorisation: OAuth 2.1 with PKCE, and one resource (RFC 8707). Called by GET /oauth/authorize.
import type { PublicRouteContext } from '../../../core/index.ts';
import { isOwnResource, resourceOf } from '../addresses.ts';
import { isClientFault } from '../clients/client.ts';
import { type ClientRules, findClient } from '../clients/find-client.ts';
import { isRegistered, redirectHostOf, redirectKindOf } from '../clients/redirects.ts';
import { grantableScopes } from '../scope-words.ts';
import type { ParsedConsentRequest } from './consent-request.ts';
import { redirectBack } from './redirect.ts';

const maxState = 1_000;

/** A parameter that must not be repeated. `value`: undefined if it is missing. `repeated`: whether it is repeated. */
function single(
  query: URLSearchParams,
  name: string,
): { readonly value: string | undefined; readonly repeated: boolean } {
  const [value, ...others] = query.getAll(name);
  return { value: value === '' ? undefined : value, repeated: others.length > 0 };
}

type OAuthFault = readonly [error: string, description: string];

const uniqueParameters = ['response_type', 'code_challenge', 'code_challenge_method', 'scope', 'state'];

/** The fault of a request whose client and redirect URI are valid. */
function requestFault({ ports }: PublicRouteContext, query: URLSearchParams): OAuthFault | undefined {
  const repeatedName = uniqueParameters.find((name) => single(query, name).repeated);
  if (repeatedName !== undefined) return ['invalid_request', `The parameter ${repeatedName} is repeated.`];
  if (query.has('request') || query.has('request_uri'))
    return ['request_not_supported', 'Requests as signed objects are not supported.'];
  if (query.get('response_type') !== 'code') return ['unsupported_response_type', 'The response type must be code.'];
  if ((query.get('state') ?? '').length > maxState)
    return ['invalid_request', `The state is longer than ${maxState} characters.`];
  if (query.get('code_challenge_method') !== 'S256')
    return ['invalid_request', 'PKCE is required: send code_challenge with code_challenge_method=S256.'];
  if (!/^[A-Za-z0-9_-]{43}$/.test(query.get('code_challenge') ?? ''))
    return ['invalid_request', 'The code_challenge must be the SHA-256 of the verifier, in base64url.'];
  if (query.getAll('resource').some((resource) => !isOwnResource(ports.service, resource)))
    return ['invalid_target', `The only resource here is ${resourceOf(ports.service)}.`];
  return undefined;
}

/** Checks the query of GET /oauth/authorize. Faulty requests are results, not errors. */
export async function parseConsentRequest(
  ctx: PublicRouteContext,
  rules: ClientRules,
  query: URLSearchParams,
): Promise<ParsedConsentRequest> {
  const id = single(query, 'client_id');
  if (id.value === undefined || id.repeated)
    return { kind: 'show_error', message: 'The link must contain client_id exactly once.' };
  const client = await findClient(ctx, rules, id.value);
  if (isClientFault(client)) return { kind: 'show_error', message: client.fault };
  const redirect = single(query, 'redirect_uri');
  const redirectUri = redirect.value;
  if (redirectUri === undefined || redirect.repeated)
    return { kind: 'show_error', message: 'The link must contain redirect_uri exactly once.' };
  const kind = redirectKindOf(redirectUri, rules.schemes);
  if (kind === undefined || !isRegistered(client.redirectUris, redirectUri))
    return { kind: 'show_error', message: 'The client did not register this redirect_uri, or it is not allowed.' };

  const state = query.get('state') ?? undefined;
  const refuse = ([error, error_description]: OAuthFault): ParsedConsentRequest => {
    const returnedState = state !== undefined && state.length <= maxState ? state : undefined;
    return {
      kind: 'redirect',
      redirectTo: redirectBack(ctx, redirectUri, returnedState, { error, error_description }),
    };
  };
  const fault = requestFault(ctx, query);
  if (fault !== undefined) return refuse(fault);
  const scopes = grantableScopes(ctx, query.get('scope') ?? undefined);
  if (scopes.length === 0) return refuse(['invalid_scope', 'None of the scopes exists here.']);
  const { name, host, logoUri } = client;
  return {
    kind: 'asked',
    request: {
      client: { id: client.id, name, host, ...(logoUri === undefined ? {} : { logoUri }), verified: host !== null },
      redirectUri,
      redirectHost: redirectHostOf(redirectUri, kind),
      redirectKind: kind,
      state,
      resource: resourceOf(ctx.ports.service),
      scopes,
      codeChallenge: query.get('code_challenge') ?? '',
    },
  };
}
