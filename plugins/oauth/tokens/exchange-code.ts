// Exchanges an authorisation code for the first tokens of a grant, once. Called by POST /oauth/token.
import type { PublicRouteContext } from '../../../core/index.ts';
import { isOwnResource } from '../addresses.ts';
import type { ConsentApproval } from '../authorize/consent-request.ts';
import { touchRegistered } from '../clients/registration.ts';
import { createGrant } from '../grants/create-grant.ts';
import { endGrant } from '../grants/end-grant.ts';
import { findMember } from '../members.ts';
import { type CodeRequest, codeRows, grantRows } from '../tables.ts';
import { issueTokens, type TokenPair } from './issue.ts';
import { grantExpiry, invalidGrant, type OAuthRefusal, refuse } from './result.ts';
import { hashOfSecret, isVerifier } from './secrets.ts';
import { findCode, redeemCode } from './store.ts';

/**
 * A second exchange within this time may be the client's own repeated request. A later one with the right verifier
 * means that somebody else has the code and the verifier.
 */
const repeatMs = 10_000;

const missingParameter = (name: string): OAuthRefusal => refuse('invalid_request', `The parameter ${name} is missing.`);

/** Ends the grant of a code that was exchanged before, because a stranger may have its tokens. */
async function endReused(
  ctx: PublicRouteContext,
  { workspace_id: workspaceId, grant_id: grantId, redeemed_at: at }: NonNullable<Awaited<ReturnType<typeof findCode>>>,
  sandbox: boolean,
): Promise<void> {
  if (grantId === null || at === null || ctx.now - at < repeatMs) return;
  await ctx.transact(
    workspaceId,
    async (tx) => {
      const grant = await grantRows.find(tx.trx, grantId);
      if (grant !== undefined) await endGrant(tx, grant, 'code_reused');
    },
    { sandbox },
  );
}

/** Checks the form and exchanges its code. */
export async function exchangeCode(ctx: PublicRouteContext, form: URLSearchParams): Promise<TokenPair | OAuthRefusal> {
  const [code, clientId, verifier] = [form.get('code'), form.get('client_id'), form.get('code_verifier')];
  if (code === null) return missingParameter('code');
  if (clientId === null) return missingParameter('client_id');
  if (verifier === null) return missingParameter('code_verifier');
  const hash = hashOfSecret(ctx, 'code', code);
  const row = hash === undefined ? undefined : await findCode(ctx, hash);
  if (hash === undefined || row === undefined) return invalidGrant();
  const request = JSON.parse(row.request) as CodeRequest;
  const approval = JSON.parse(row.approval) as ConsentApproval;
  const { member, sandbox, scopes, leash } = approval;
  const redirectUri = form.get('redirect_uri');
  if (request.clientId !== clientId || (redirectUri !== null && redirectUri !== request.redirectUri))
    return invalidGrant();
  if (!isVerifier(verifier, request.codeChallenge)) return invalidGrant();
  if (form.getAll('resource').some((resource) => !isOwnResource(ctx.ports.service, resource)))
    return refuse('invalid_target', 'The tokens are for another resource.');
  if (row.redeemed_at !== null) {
    await endReused(ctx, row, sandbox);
    return invalidGrant();
  }
  if (row.expires_at <= ctx.now) return invalidGrant();
  const person = await findMember(ctx, row.workspace_id, member);
  if (person === undefined) return invalidGrant();
  return ctx.transact(
    row.workspace_id,
    async (tx) => {
      if (!(await redeemCode(tx.trx, hash, tx.now))) return invalidGrant();
      const grant = await createGrant(tx, {
        client: { id: clientId, name: request.clientName, host: request.clientHost },
        member,
        memberAddress: person.email === '' ? null : person.email,
        sandbox,
        scopes,
        leash,
        resource: request.resource,
        source: null,
        expiresAt: grantExpiry(tx.now, leash),
      });
      await codeRows.update(tx.trx, hash, { grant_id: grant.id });
      await touchRegistered(tx.trx.unscoped('registered clients belong to no workspace'), clientId, tx.now);
      return issueTokens(tx, { grantId: grant.id, scopes });
    },
    { sandbox },
  );
}
