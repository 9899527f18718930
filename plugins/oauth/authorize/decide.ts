// Turns a member's decision into the redirect that ends the request: with a code, or with the denial. Called by the consent page.
import type { PublicRouteContext } from '../../../core/index.ts';
import { codeRows } from '../tables.ts';
import { createSecret, hashOf } from '../tokens/secrets.ts';
import type { ConsentDecision, ConsentRequest } from './consent-request.ts';
import { redirectBack } from './redirect.ts';

/** The time in which a client must exchange its code. */
const codeMs = 60_000;

/**
 * Makes a code for an approval, or reports the denial to the client. Call it once for each submitted form, after a check that the
 * member has the scopes. @throws workspace_not_found; Error if the approval goes beyond the request
 */
export async function decide(
  ctx: PublicRouteContext,
  request: ConsentRequest,
  decision: ConsentDecision,
): Promise<{ readonly redirectTo: string }> {
  const { client, redirectUri, state, resource, codeChallenge } = request;
  const redirectWith = (result: Readonly<Record<string, string>>) => ({
    redirectTo: redirectBack(ctx, redirectUri, state, result),
  });
  if ('deny' in decision) return redirectWith({ error: 'access_denied', error_description: 'The member refused.' });
  const { approve } = decision;
  const requestedScopes = ctx.ports.scopes.expand(request.scopes);
  if (approve.scopes.length === 0 || approve.scopes.some((scope) => !requestedScopes.has(scope)))
    throw new Error('An approval has some of the scopes that the client asked for, and no others.');
  const code = createSecret(ctx, 'code');
  await ctx.transact(
    approve.workspaceId,
    async ({ trx, now }) => {
      await codeRows.insert(trx, {
        code_hash: hashOf(code),
        request: {
          clientId: client.id,
          clientName: client.name,
          clientHost: client.host,
          redirectUri,
          resource,
          codeChallenge,
        },
        approval: approve,
        created_at: now,
        expires_at: now + codeMs,
        redeemed_at: null,
        grant_id: null,
      });
    },
    { sandbox: approve.sandbox },
  );
  return redirectWith({ code });
}
