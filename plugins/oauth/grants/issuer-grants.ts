// The SQL of grants by the program's own authorisation server. A grant is found by the hash of issuer, client, member and side.
import { defineStatement, type Leash, type WorkspaceHandle } from '../../../core/index.ts';

const bySource = defineStatement((db, p: { source: string }) =>
  db
    .selectFrom('oauth_grants')
    .innerJoin('api_keys', 'api_keys.id', 'oauth_grants.key_id')
    .select([
      'oauth_grants.id',
      'oauth_grants.key_id',
      'oauth_grants.expires_at',
      'oauth_grants.issued_leash',
      'api_keys.scopes',
      'api_keys.leash',
      'api_keys.revoked_at',
    ])
    .where('oauth_grants.source', '=', p.source),
);

/** A grant with the values of its key. */
export type IssuedGrant = NonNullable<Awaited<ReturnType<typeof findIssued>>>;

export async function findIssued(handle: WorkspaceHandle, source: string) {
  return handle.one(bySource, { source });
}

const extendGrant = defineStatement((db, p: { id: string; until: number }) =>
  db
    .updateTable('oauth_grants')
    .set({ expires_at: p.until, ended: 0 })
    .where('id', '=', p.id)
    .where('expires_at', '<', p.until),
);

const extendKey = defineStatement((db, p: { id: string; until: number }) =>
  db.updateTable('api_keys').set({ expires_at: p.until }).where('id', '=', p.id).where('expires_at', '<', p.until),
);

const updateScopes = defineStatement((db, p: { id: string; scopes: string }) =>
  db.updateTable('api_keys').set({ scopes: p.scopes }).where('id', '=', p.id),
);

const updateLeash = defineStatement((db, p: { id: string; leash: string | null }) =>
  db.updateTable('api_keys').set({ leash: p.leash }).where('id', '=', p.id),
);

const storeTokenLeash = defineStatement((db, p: { id: string; leash: string | null }) =>
  db.updateTable('oauth_grants').set({ issued_leash: p.leash }).where('id', '=', p.id),
);

/** The leash that the program has set for the key; null if the key has the leash of a token, or no leash. */
export const setByProgram = ({ leash, issued_leash: issued }: Pick<IssuedGrant, 'leash' | 'issued_leash'>) =>
  leash === null || leash === issued ? null : (JSON.parse(leash) as Leash);

/**
 * Updates the key with the values of a token, but keeps a leash that the program has set. If several tokens arrive at
 * once, the latest expiry decides when the grant ends.
 */
export async function changeIssued(
  handle: WorkspaceHandle,
  found: IssuedGrant,
  { scopes, leash, expiresAt: until }: { scopes: string; leash: string | null; expiresAt: number },
): Promise<void> {
  const { id, key_id: keyId } = found;
  await handle.run(updateScopes, { id: keyId, scopes });
  if (setByProgram(found) === null) await handle.run(updateLeash, { id: keyId, leash });
  await handle.run(storeTokenLeash, { id, leash });
  await handle.run(extendKey, { id: keyId, until });
  await handle.run(extendGrant, { id, until });
}

const withoutSource = defineStatement((db, p: { id: string }) =>
  db.updateTable('oauth_grants').set({ source: null }).where('id', '=', p.id),
);

/** Clears the source of an ended grant, so that the same client and member can get a new grant. */
export const freeSource = async (handle: WorkspaceHandle, id: string): Promise<void> => {
  await handle.run(withoutSource, { id });
};
