// Accepts tokens of the program's own authorisation server at the MCP endpoint. Each pair of client and member has a grant with
// a key, so that workspace, limits, audit and revocation work as for our own tokens.

import { createHash } from 'node:crypto';
import {
  type BearerContext,
  type BearerKey,
  type BearerTokens,
  isPostriderError,
  isStorageError,
  type Leash,
  type ReadContext,
} from '../../../core/index.ts';
import { checkLeash, parseUrl, stricterLeash } from '../../../core/unstable.ts';
import { paths, resourceOf, urlOf } from '../addresses.ts';
import { nameOf } from '../clients/client.ts';
import { createGrant } from '../grants/create-grant.ts';
import { endGrant } from '../grants/end-grant.ts';
import { changeIssued, findIssued, freeSource, type IssuedGrant, setByProgram } from '../grants/issuer-grants.ts';
import { findMember } from '../members.ts';
import type { IssuedAccess, TrustedIssuer } from './options.ts';
import { createVerifier, type VerifiedToken } from './verify.ts';

const sourceOf = ({ trusted, clientId }: VerifiedToken, { member, sandbox = false }: IssuedAccess): string =>
  createHash('sha256')
    .update(JSON.stringify([trusted.issuer, clientId, member, sandbox]))
    .digest('hex');

/** If a client's id is the URL of its metadata document, the URL's host; otherwise null. */
const hostOf = (clientId: string): string | null =>
  clientId.startsWith('https://') ? (parseUrl(clientId)?.host ?? null) : null;

const clientNameOf = ({ clientName = '' }: IssuedAccess): string | null => {
  const name = nameOf(clientName, '');
  return name === '' ? null : name;
};

/** Whether the key has the scopes, the leash and the expiry of the token. */
const isCurrent = (grant: IssuedGrant, scopes: readonly string[], leash: string | null, expiresAt: number): boolean =>
  grant.scopes === JSON.stringify(scopes) &&
  grant.issued_leash === leash &&
  (grant.leash === leash || setByProgram(grant) !== null) &&
  grant.expires_at >= expiresAt;

interface AcceptedToken {
  readonly token: VerifiedToken;
  readonly access: IssuedAccess;
  readonly scopes: readonly string[];
  /** The checked leash of the token; null for no limits. */
  readonly leash: Leash | null;
  readonly memberAddress: string | null;
}

/** The checked leash of a token; undefined if it is invalid, so that a mistake in the program does not remove a limit. */
function leashOf(
  { log, toolNames }: BearerContext,
  { trusted }: VerifiedToken,
  leashOfToken: unknown,
): Leash | null | undefined {
  if (leashOfToken === undefined) return null;
  const result = checkLeash(leashOfToken, { tools: toolNames });
  if (result.ok) return result.leash;
  log.error(
    { issuer: trusted.issuer, faults: result.faults.map(({ path, message }) => ({ path, message })) },
    'a token was refused, because access() of its issuer returned a leash that is not valid',
  );
  return undefined;
}

/**
 * Returns the key of the grant with the rights of this token. Makes or updates the key if needed, because other tokens of the
 * grant may have other rights. Undefined if the grant was revoked after the token was issued.
 */
async function keyOf(ctx: BearerContext, issued: AcceptedToken): Promise<BearerKey | undefined> {
  const { token, access, scopes, leash, memberAddress } = issued;
  const { member, workspaceId, sandbox = false } = access;
  const source = sourceOf(token, access);
  const limits = leash === null ? null : JSON.stringify(leash);
  const findGrant = ({ trx }: Pick<ReadContext, 'trx'>) => findIssued(trx, source);
  const earlierGrant = await ctx.read(workspaceId, findGrant);
  const isRevoked = (grant: IssuedGrant | undefined): boolean =>
    grant !== undefined && grant.revoked_at !== null && token.issuedAt <= grant.revoked_at;
  const keyWithRights = (grant: IssuedGrant): BearerKey => ({
    keyId: grant.key_id,
    scopes,
    leash: stricterLeash(leash, setByProgram(grant)),
  });
  if (isRevoked(earlierGrant)) return undefined;
  if (earlierGrant?.revoked_at === null && isCurrent(earlierGrant, scopes, limits, token.expiresAt))
    return keyWithRights(earlierGrant);
  return ctx.transact(
    workspaceId,
    async (tx) => {
      const { trx } = tx;
      const currentGrant = await findGrant(tx);
      if (isRevoked(currentGrant)) return undefined;
      if (currentGrant?.revoked_at === null) {
        const { expiresAt } = token;
        await changeIssued(trx, currentGrant, { scopes: JSON.stringify(scopes), leash: limits, expiresAt });
        return keyWithRights(currentGrant);
      }
      if (currentGrant !== undefined) await freeSource(trx, currentGrant.id);
      const grant = await createGrant(tx, {
        client: { id: token.clientId, name: clientNameOf(access), host: hostOf(token.clientId) },
        member,
        memberAddress,
        sandbox,
        scopes,
        leash: leash ?? undefined,
        resource: resourceOf(ctx.ports.service),
        source,
        expiresAt: token.expiresAt,
      });
      return { keyId: grant.key_id, scopes, leash };
    },
    { sandbox },
  );
}

/** Ends the grant of a member who has left the workspace. */
async function endIssued(ctx: BearerContext, token: VerifiedToken, access: IssuedAccess): Promise<void> {
  const { workspaceId, sandbox = false } = access;
  const findGrant = ({ trx }: Pick<ReadContext, 'trx'>) => findIssued(trx, sourceOf(token, access));
  if ((await ctx.read(workspaceId, findGrant))?.revoked_at !== null) return;
  await ctx.transact(
    workspaceId,
    async (tx) => {
      const currentGrant = await findGrant(tx);
      if (currentGrant !== undefined) await endGrant(tx, currentGrant, 'member_left');
    },
    { sandbox },
  );
}

/** Accepts the tokens of these issuers. */
export function issuerTokens(issuers: readonly TrustedIssuer[]): BearerTokens {
  const verify = createVerifier(issuers);

  const resolve = async (ctx: BearerContext, text: string): Promise<BearerKey | undefined> => {
    const token = await verify(text, ctx.now);
    const access = await token?.trusted.access(token.claims);
    if (token === undefined || access === undefined || access === null) return undefined;
    const scopes = [...new Set(access.scopes)].filter((scope) => ctx.ports.scopes.has(scope));
    if (scopes.length === 0) return undefined;
    const leash = leashOf(ctx, token, access.leash);
    if (leash === undefined) return undefined;
    const person = await findMember(ctx, access.workspaceId, access.member);
    if (person === undefined) {
      await endIssued(ctx, token, access);
      return undefined;
    }
    const issued = { token, access, scopes, leash, memberAddress: person.email === '' ? null : person.email };
    try {
      return await keyOf(ctx, issued);
    } catch (error) {
      // A concurrent call with a token of the same grant created the grant meanwhile, so this call finds it.
      if (isStorageError(error, 'unique')) return keyOf(ctx, issued);
      throw error;
    }
  };

  return {
    async resolve(ctx, text) {
      try {
        return await resolve(ctx, text);
      } catch (error) {
        if (isPostriderError(error, 'workspace_not_found')) return undefined;
        throw error;
      }
    },
    metadataUrl: (service) =>
      service.publicUrl === undefined ? undefined : urlOf(service, `${paths.resourceMetadata}${paths.tools}`),
  };
}
