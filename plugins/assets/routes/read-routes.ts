// The routes that read files without a key: /assets/{token} with a signed URL, /media/{assetId} for public files.
import { definePublicRoute } from '../../../core/index.ts';
import { findOwner, isPublic } from '../store.ts';
import { assetRows } from '../tables.ts';
import { readToken } from '../tokens.ts';
import { notThere, serveAsset } from './serve.ts';

/** Pages and mails show many pictures at once, and many readers share an address. */
const limit = { perMinute: 3_000, burst: 1_500 };

export const readByToken = definePublicRoute({
  http: 'GET /assets/{token}',
  description: 'The file of an asset, for who has its signed URL.',
  limit,
  async handler(context, request) {
    const path = '/assets';
    const token = readToken(context.ports.keyring, 'read', request.params.token ?? '', context.now);
    if (token === undefined) throw notThere(path);
    const workspaceId = await context.readUnscoped('a signed URL names nothing but its asset', (handle) =>
      findOwner(handle, token.assetId),
    );
    if (workspaceId === undefined) throw notThere(path);
    const row = await context.read(workspaceId, ({ trx }) => assetRows.find(trx, token.assetId));
    if (row?.status !== 'ready') throw notThere(path);
    const seconds = Math.floor((token.expiresAt - context.now) / 1_000);
    return serveAsset(context, request, workspaceId, row, `private, max-age=${seconds}, immutable`);
  },
});

export const readMedia = definePublicRoute({
  http: 'GET /media/{assetId}',
  description: 'The file of an asset that a brand, a published page or a blog post shows.',
  limit,
  async handler(context, request) {
    const path = '/media';
    const assetId = request.params.assetId ?? '';
    if (!/^asset_[0-9A-Z]{26}$/.test(assetId)) throw notThere(path);
    const workspaceId = await context.readUnscoped('the address of public files names no workspace', (handle) =>
      findOwner(handle, assetId),
    );
    if (workspaceId === undefined) throw notThere(path);
    const row = await context.read(workspaceId, async ({ trx }) =>
      (await isPublic(trx, assetId)) ? assetRows.find(trx, assetId) : undefined,
    );
    if (row?.status !== 'ready' || row.is_sandbox) throw notThere(path);
    // The bytes of an id never change. The hour limits how long caches show a file that is no longer public.
    return serveAsset(context, request, workspaceId, row, 'public, max-age=3600');
  },
});
