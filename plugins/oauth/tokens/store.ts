// The look-ups of codes and tokens in every workspace, by their hashes, and the writes that succeed for only one of several
// concurrent callers.
import { defineStatement, type Handle, type WorkspaceHandle } from '../../../core/index.ts';

const unscopedReason = 'a code or a token says which workspace it belongs to';

/** The part of a context that reads rows of every workspace. */
interface UnscopedReader {
  readUnscoped<T>(reason: string, work: (handle: Handle) => Promise<T>): Promise<T>;
}

const tokenByHash = defineStatement((db, p: { hash: string }) =>
  db
    .selectFrom('oauth_tokens')
    .innerJoin('oauth_grants', 'oauth_grants.id', 'oauth_tokens.grant_id')
    .innerJoin('api_keys', 'api_keys.id', 'oauth_grants.key_id')
    .select([
      'oauth_tokens.workspace_id',
      'oauth_tokens.token_hash',
      'oauth_tokens.kind',
      'oauth_tokens.expires_at',
      'oauth_tokens.used_at',
      'oauth_tokens.scopes as token_scopes',
      'oauth_grants.id as grant_id',
      'oauth_grants.client_id',
      'oauth_grants.member',
      'oauth_grants.resource',
      'oauth_grants.expires_at as grant_expires_at',
      'api_keys.id as key_id',
      'api_keys.scopes',
      'api_keys.sandbox',
      'api_keys.leash',
      'api_keys.revoked_at',
    ])
    .where('oauth_tokens.token_hash', '=', p.hash),
);

/** A token with its grant. */
export type FoundToken = NonNullable<Awaited<ReturnType<typeof findToken>>>;

export async function findToken(ctx: UnscopedReader, hash: string) {
  return ctx.readUnscoped(unscopedReason, (handle) => handle.one(tokenByHash, { hash }));
}

const codeByHash = defineStatement((db, p: { hash: string }) =>
  db
    .selectFrom('oauth_codes')
    .select(['workspace_id', 'request', 'approval', 'expires_at', 'redeemed_at', 'grant_id'])
    .where('code_hash', '=', p.hash),
);

export async function findCode(ctx: UnscopedReader, hash: string) {
  return ctx.readUnscoped(unscopedReason, (handle) => handle.one(codeByHash, { hash }));
}

const redeemStatement = defineStatement((db, p: { hash: string; now: number }) =>
  db
    .updateTable('oauth_codes')
    .set({ redeemed_at: p.now })
    .where('code_hash', '=', p.hash)
    .where('redeemed_at', 'is', null),
);

/** Marks a code as exchanged. Of several transactions, one gets true. */
export const redeemCode = async (handle: WorkspaceHandle, hash: string, now: number): Promise<boolean> =>
  (await handle.run(redeemStatement, { hash, now })) > 0;

const useStatement = defineStatement((db, p: { hash: string; now: number }) =>
  db.updateTable('oauth_tokens').set({ used_at: p.now }).where('token_hash', '=', p.hash).where('used_at', 'is', null),
);

/** Marks a refresh token as exchanged. Of several transactions, one gets true. */
export const consumeToken = async (handle: WorkspaceHandle, hash: string, now: number): Promise<boolean> =>
  (await handle.run(useStatement, { hash, now })) > 0;

const extendGrant = defineStatement((db, p: { id: string; until: number }) =>
  db.updateTable('oauth_grants').set({ expires_at: p.until }).where('id', '=', p.id),
);

const extendKey = defineStatement((db, p: { id: string; until: number }) =>
  db.updateTable('api_keys').set({ expires_at: p.until }).where('id', '=', p.id),
);

/** Extends the grant and its key until this time. */
export async function extend(
  handle: WorkspaceHandle,
  grant: { readonly grant_id: string; readonly key_id: string },
  until: number,
): Promise<void> {
  await handle.run(extendGrant, { id: grant.grant_id, until });
  await handle.run(extendKey, { id: grant.key_id, until });
}

const closeToken = defineStatement((db, p: { hash: string; now: number }) =>
  db.updateTable('oauth_tokens').set({ expires_at: p.now }).where('token_hash', '=', p.hash),
);

/** Expires the token. */
export const expireToken = async (handle: WorkspaceHandle, hash: string, now: number): Promise<void> => {
  await handle.run(closeToken, { hash, now });
};
