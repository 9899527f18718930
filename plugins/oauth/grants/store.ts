// The SQL of grants: a grant's row, joined with its key.
import {
  type CursorPosition,
  defineStatement,
  type Leash,
  olderThan,
  toIsoTime,
  toIsoTimeOrNull,
  type WorkspaceHandle,
  type z,
} from '../../../core/index.ts';
import type { grantResource } from '../schema.ts';

/** The columns of a grant and its key that `presentGrant` shows. */
export const grantColumns = [
  'oauth_grants.id',
  'oauth_grants.key_id',
  'oauth_grants.client_id',
  'oauth_grants.member',
  'oauth_grants.created_at',
  'oauth_grants.expires_at',
  'api_keys.scopes',
  'api_keys.sandbox',
  'api_keys.leash',
  'api_keys.client',
  'api_keys.last_used_at',
] as const;

/** An active grant with its key. */
export type GrantView = NonNullable<Awaited<ReturnType<typeof findGrant>>>;

const activeGrant = defineStatement((db, p: { id: string; now: number }) =>
  db
    .selectFrom('oauth_grants')
    .innerJoin('api_keys', 'api_keys.id', 'oauth_grants.key_id')
    .select(grantColumns)
    .where('oauth_grants.id', '=', p.id)
    .where('api_keys.revoked_at', 'is', null)
    .where('oauth_grants.expires_at', '>', p.now),
);

/** The active grant with this id; undefined if it has ended. */
export async function findGrant(handle: WorkspaceHandle, id: string, now: number) {
  return handle.one(activeGrant, { id, now });
}

/** Active grants, newest first. */
export async function listGrants(
  handle: WorkspaceHandle,
  now: number,
  { limit, after }: { limit: number; after: CursorPosition | undefined },
): Promise<GrantView[]> {
  let query = handle.db
    .selectFrom('oauth_grants')
    .innerJoin('api_keys', 'api_keys.id', 'oauth_grants.key_id')
    .select(grantColumns)
    .where('oauth_grants.ended', '=', 0)
    .where('api_keys.revoked_at', 'is', null)
    .where('oauth_grants.expires_at', '>', now);
  if (after !== undefined) query = query.where(olderThan('oauth_grants.created_at', 'oauth_grants.id', after));
  return query.orderBy('oauth_grants.created_at', 'desc').orderBy('oauth_grants.id', 'desc').limit(limit).execute();
}

const revoke = defineStatement((db, p: { id: string; now: number }) =>
  db.updateTable('api_keys').set({ revoked_at: p.now }).where('id', '=', p.id).where('revoked_at', 'is', null),
);

const close = defineStatement((db, p: { id: string }) =>
  db.updateTable('oauth_grants').set({ ended: 1 }).where('id', '=', p.id),
);

/** Ends a grant and revokes its key. Returns false if the key was revoked before. */
export async function closeGrant(
  handle: WorkspaceHandle,
  { id, key_id: keyId }: { readonly id: string; readonly key_id: string },
  now: number,
): Promise<boolean> {
  await handle.run(close, { id });
  return (await handle.run(revoke, { id: keyId, now })) > 0;
}

const expiredGrants = defineStatement((db, p: { now: number; limit: number }) =>
  db
    .selectFrom('oauth_grants')
    .select('id')
    .where('ended', '=', 0)
    .where('expires_at', '<=', p.now)
    .orderBy('expires_at')
    .limit(p.limit),
);

const batch = 200;

/** Marks expired grants as ended, the oldest first. Returns whether there may be more. */
export async function closeExpired(handle: WorkspaceHandle, now: number): Promise<boolean> {
  const expired = await handle.all(expiredGrants, { now, limit: batch });
  for (const { id } of expired) handle.defer(close, { id });
  return expired.length === batch;
}

type GrantClient = z.input<typeof grantResource>['client'];

/** The grant as callers see it. */
export function presentGrant(row: GrantView): z.input<typeof grantResource> {
  return {
    grantId: row.id,
    client: JSON.parse(row.client ?? '{}') as GrantClient,
    member: row.member,
    scopes: JSON.parse(row.scopes) as string[],
    sandbox: Number(row.sandbox) === 1,
    leash: row.leash === null ? null : (JSON.parse(row.leash) as Leash),
    createdAt: toIsoTime(row.created_at),
    lastUsedAt: toIsoTimeOrNull(row.last_used_at),
    expiresAt: toIsoTime(row.expires_at),
  };
}

const removeMemberFromKey = defineStatement((db, p: { id: string }) =>
  db
    .updateTable('api_keys')
    .set({ members: null, created_by: null, client: null, leash_counter: null })
    .where('id', '=', p.id),
);

const deleteTokens = defineStatement((db, p: { id: string }) =>
  db.deleteFrom('oauth_tokens').where('grant_id', '=', p.id),
);
const deleteCodes = defineStatement((db, p: { id: string }) =>
  db.deleteFrom('oauth_codes').where('grant_id', '=', p.id),
);
const deleteGrant = defineStatement((db, p: { id: string }) => db.deleteFrom('oauth_grants').where('id', '=', p.id));

/** Removes an ended grant together with its codes and tokens. Its key stays in the list of keys, without the member. */
export async function deleteEndedGrant(
  handle: WorkspaceHandle,
  { id, key_id: keyId }: { readonly id: string; readonly key_id: string },
): Promise<void> {
  await handle.run(removeMemberFromKey, { id: keyId });
  for (const statement of [deleteTokens, deleteCodes, deleteGrant]) await handle.run(statement, { id });
}
