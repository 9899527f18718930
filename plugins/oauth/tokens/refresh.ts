// Exchanges a refresh token for the next pair, once. A second use of a token ends the whole grant, because either the
// client or a thief has an old token. Called by POST /oauth/token.
import type { Leash, PublicRouteContext } from '../../../core/index.ts';
import { isOwnResource } from '../addresses.ts';
import { touchRegistered } from '../clients/registration.ts';
import { endGrant, type GrantEnd } from '../grants/end-grant.ts';
import { findMember } from '../members.ts';
import { asksForMore, narrowedScopes } from '../scope-words.ts';
import { issueTokens, type TokenPair } from './issue.ts';
import { grantExpiry, invalidGrant, type OAuthRefusal, refuse } from './result.ts';
import { hashOfSecret } from './secrets.ts';
import { consumeToken, extend, type FoundToken, findToken } from './store.ts';

/**
 * The limit of refreshes of one grant, because each refresh stores two rows that stay for a while. An access token
 * works for minutes, so clients need fewer.
 */
const refreshLimit = { perMinute: 2, burst: 30 };

/** Ends the grant of a token. */
export async function endGrantOf(
  ctx: Pick<PublicRouteContext, 'transact'>,
  found: FoundToken,
  reason: GrantEnd,
): Promise<void> {
  const { workspace_id: workspaceId, grant_id: id, key_id, sandbox } = found;
  await ctx.transact(workspaceId, (tx) => endGrant(tx, { id, key_id }, reason), {
    sandbox: Number(sandbox) === 1,
  });
}

/** Checks the form and exchanges its refresh token. */
export async function refreshTokens(ctx: PublicRouteContext, form: URLSearchParams): Promise<TokenPair | OAuthRefusal> {
  const [token, clientId] = [form.get('refresh_token'), form.get('client_id')];
  if (token === null) return refuse('invalid_request', 'The parameter refresh_token is missing.');
  if (clientId === null) return refuse('invalid_request', 'The parameter client_id is missing.');
  const hash = hashOfSecret(ctx, 'refresh', token);
  const storedToken = hash === undefined ? undefined : await findToken(ctx, hash);
  if (storedToken?.kind !== 'refresh' || storedToken.client_id !== clientId || storedToken.revoked_at !== null)
    return invalidGrant();
  const { service } = ctx.ports;
  if (storedToken.used_at !== null) {
    await endGrantOf(ctx, storedToken, 'refresh_token_reused');
    return invalidGrant();
  }
  if (
    Math.min(storedToken.expires_at, storedToken.grant_expires_at) <= ctx.now ||
    !isOwnResource(service, storedToken.resource)
  )
    return invalidGrant();
  if (form.getAll('resource').some((resource) => !isOwnResource(service, resource)))
    return refuse('invalid_target', 'The tokens are for another resource.');
  const scopes = JSON.parse(storedToken.scopes) as string[];
  const requestedScope = form.get('scope') ?? '';
  if (asksForMore(ctx, requestedScope, scopes))
    return refuse(
      'invalid_scope',
      'The grant does not have all of these scopes. Ask the member for authorisation again.',
    );
  if ((await findMember(ctx, storedToken.workspace_id, storedToken.member)) === undefined) {
    await endGrantOf(ctx, storedToken, 'member_left');
    return invalidGrant();
  }
  await ctx.limitAll({ ...refreshLimit, name: `oauth-refresh-${storedToken.grant_id}` });
  const leash = storedToken.leash === null ? undefined : (JSON.parse(storedToken.leash) as Leash);
  return ctx.transact(
    storedToken.workspace_id,
    async (tx) => {
      const { trx, now } = tx;
      if (!(await consumeToken(trx, storedToken.token_hash, now))) {
        await endGrant(tx, { id: storedToken.grant_id, key_id: storedToken.key_id }, 'refresh_token_reused');
        return invalidGrant();
      }
      await extend(trx, storedToken, grantExpiry(now, leash));
      await touchRegistered(trx.unscoped('registered clients belong to no workspace'), clientId, now);
      return issueTokens(tx, {
        grantId: storedToken.grant_id,
        scopes,
        narrowed: narrowedScopes(ctx, requestedScope, scopes),
      });
    },
    { sandbox: Number(storedToken.sandbox) === 1 },
  );
}
