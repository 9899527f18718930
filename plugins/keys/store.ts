// The SQL of the keys plugin: reads the core's table of keys.
import {
  type CursorPosition,
  defineStatement,
  type Leash,
  olderThan,
  type Preset,
  toIsoTime,
  toIsoTimeOrNull,
  type WorkspaceHandle,
  type z,
} from '../../core/index.ts';
import type { keyResource } from './schema.ts';

type KeyClient = NonNullable<z.input<typeof keyResource>['client']>;

const columns = [
  'id',
  'name',
  'mode',
  'sandbox',
  'prefix',
  'scopes',
  'preset',
  'created_at',
  'last_used_at',
  'expires_at',
  'revoked_at',
  'created_by',
  'members',
  'leash',
  'grant_id',
  'client',
] as const;

const byId = defineStatement((db, p: { id: string }) =>
  db.selectFrom('api_keys').select(columns).where('id', '=', p.id),
);

type KeyView = NonNullable<Awaited<ReturnType<typeof findKey>>>;

export async function findKey(handle: WorkspaceHandle, id: string) {
  return handle.one(byId, { id });
}

export async function listKeys(
  handle: WorkspaceHandle,
  limit: number,
  after: CursorPosition | undefined,
): Promise<KeyView[]> {
  let query = handle.db.selectFrom('api_keys').select(columns);
  if (after !== undefined) query = query.where(olderThan('created_at', 'id', after));
  return query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
}

export function presentKey(row: KeyView): z.input<typeof keyResource> {
  return {
    id: row.id,
    name: row.name,
    mode: row.mode,
    sandbox: row.sandbox === 1,
    prefix: row.prefix,
    scopes: JSON.parse(row.scopes) as string[],
    preset: row.preset as Preset | null,
    created_at: toIsoTime(row.created_at),
    last_used_at: toIsoTimeOrNull(row.last_used_at),
    expires_at: toIsoTimeOrNull(row.expires_at),
    revoked_at: toIsoTimeOrNull(row.revoked_at),
    created_by: row.created_by,
    members: row.members === null ? [] : (JSON.parse(row.members) as string[]),
    leash: row.leash === null ? null : (JSON.parse(row.leash) as Leash),
    grant_id: row.grant_id,
    client: row.client === null ? null : (JSON.parse(row.client) as KeyClient),
  };
}
