// Dynamic client registration (RFC 7591), for clients that have no metadata document. Anybody may register, so the number of unused
// clients is limited, and a schedule removes old ones.
import { defineStatement, type Handle, type PublicRouteContext } from '../../../core/index.ts';
import { type ClientFault, type ClientMetadata, nameOf, type OAuthClient } from './client.ts';
import { allowedRedirects } from './redirects.ts';

const maxUnusedClients = 10_000;

const byId = defineStatement((db, p: { id: string }) =>
  db.selectFrom('oauth_clients').select(['client_id', 'name', 'redirect_uris']).where('client_id', '=', p.id),
);

const countUnused = defineStatement((db, p: { limit: number }) =>
  db.selectFrom('oauth_clients').select('client_id').where('used', '=', 0).limit(p.limit),
);

const insert = defineStatement(
  (db, p: { client_id: string; name: string; redirect_uris: string; used: number; now: number }) =>
    db.insertInto('oauth_clients').values({
      client_id: p.client_id,
      name: p.name,
      redirect_uris: p.redirect_uris,
      used: p.used,
      created_at: p.now,
      last_used_at: p.now,
    }),
);

const touch = defineStatement((db, p: { id: string; now: number; before: number }) =>
  db
    .updateTable('oauth_clients')
    .set({ used: 1, last_used_at: p.now })
    .where('client_id', '=', p.id)
    .where((eb) => eb.or([eb('used', '=', 0), eb('last_used_at', '<', p.before)])),
);

/** Whether a client's id was made by the registration. */
export const isRegisteredId = (id: string): boolean => /^cli_[0-9A-HJKMNP-TV-Z]{26}$/.test(id);

/** A registered client. */
export async function findRegistered(
  { readUnscoped }: Pick<PublicRouteContext, 'readUnscoped'>,
  id: string,
): Promise<OAuthClient | ClientFault> {
  const row = isRegisteredId(id)
    ? await readUnscoped('registered clients belong to no workspace', (handle) => handle.one(byId, { id }))
    : undefined;
  if (row === undefined)
    return {
      fault: 'This client is not registered here. It has to register again (RFC 7591), or use a metadata document.',
    };
  const redirectUris = JSON.parse(row.redirect_uris) as string[];
  return { id, name: row.name, host: null, logoUri: undefined, redirectUris };
}

/** Records that the client is used, so that the schedule does not remove it. Writes at most once a day. */
export async function touchRegistered(handle: Handle, id: string, now: number): Promise<void> {
  if (isRegisteredId(id)) await handle.run(touch, { id, now, before: now - 86_400_000 });
}

/** Registers a client. A fault describes the error in the metadata; `full` means that too many registered clients are unused. */
export async function register(
  ctx: PublicRouteContext,
  metadata: ClientMetadata,
  schemes: ReadonlySet<string>,
): Promise<OAuthClient | ClientFault | 'full'> {
  const redirectUris = allowedRedirects(metadata.redirect_uris, schemes);
  if (redirectUris === undefined)
    return {
      fault:
        'A redirect URI is not allowed: use https, http on a loopback address, or a private-use scheme with a dot, without a fragment.',
    };
  const id = ctx.ports.ids.create('cli');
  const name = nameOf(metadata.client_name, 'A program without a name');
  const isFull = await ctx.transactUnscoped('registered clients belong to no workspace', async (handle) => {
    if ((await handle.all(countUnused, { limit: maxUnusedClients })).length >= maxUnusedClients) return true;
    await handle.run(insert, {
      client_id: id,
      name,
      redirect_uris: JSON.stringify(redirectUris),
      used: 0,
      now: ctx.now,
    });
    return false;
  });
  return isFull ? 'full' : { id, name, host: null, logoUri: undefined, redirectUris };
}
