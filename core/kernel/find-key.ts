// Finds an API key in any workspace, by its secret or its id. Called by the command line only. The secret is hashed here and
// not passed on.
import { defineStatement } from '../contract/context/handle.ts';
import { parseApiKey } from '../pipeline/api-key.ts';
import type { Core } from '../pipeline/core.ts';
import { unscoped } from '../storage/scope.ts';

const columns = ['id', 'workspace_id', 'name', 'sandbox', 'scopes', 'preset', 'expires_at', 'revoked_at'] as const;

const byHash = defineStatement((db, p: { hash: string }) =>
  db.selectFrom('api_keys').select(columns).where('secret_hash', '=', p.hash),
);

const byId = defineStatement((db, p: { id: string }) =>
  db.selectFrom('api_keys').select(columns).where('id', '=', p.id),
);

const unscopedReason = unscoped('the key determines the workspace');

/** The key with this secret. `malformed` if the text is not a key of this service, undefined if there is no such key. */
export async function findKeyBySecret(core: Core, secret: string) {
  const parsed = parseApiKey(core.ports.service.slug, secret);
  if (parsed === undefined) return 'malformed';
  return (await core.database()).read(unscopedReason, (handle) => handle.one(byHash, { hash: parsed.hash }));
}

/** The key with this id; undefined if there is no such key. */
export async function findKeyById(core: Core, id: string) {
  return (await core.database()).read(unscopedReason, (handle) => handle.one(byId, { id }));
}
