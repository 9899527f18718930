// Revocation by the client (RFC 7009): a refresh token ends its grant, an access token only itself. Called by POST /oauth/revoke.
import type { PublicRouteContext } from '../../../core/index.ts';
import { endGrantOf } from './refresh.ts';
import { type OAuthRefusal, refuse } from './result.ts';
import { hashOfSecret } from './secrets.ts';
import { expireToken, findToken } from './store.ts';

/** Revokes the token of the form. An unknown token is not an error. */
export async function revokeToken(ctx: PublicRouteContext, form: URLSearchParams): Promise<OAuthRefusal | undefined> {
  const [token, clientId] = [form.get('token'), form.get('client_id')];
  if (token === null) return refuse('invalid_request', 'The parameter token is missing.');
  if (clientId === null) return refuse('invalid_request', 'The parameter client_id is missing.');
  const hash = hashOfSecret(ctx, 'refresh', token) ?? hashOfSecret(ctx, 'access', token);
  const storedToken = hash === undefined ? undefined : await findToken(ctx, hash);
  if (storedToken === undefined) return undefined;
  if (storedToken.client_id !== clientId) return refuse('invalid_client', 'The token belongs to another client.');
  if (storedToken.kind === 'refresh') await endGrantOf(ctx, storedToken, 'client');
  else await ctx.transact(storedToken.workspace_id, ({ trx, now }) => expireToken(trx, storedToken.token_hash, now));
  return undefined;
}
