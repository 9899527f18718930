// The routes that read files without a key: /assets/{token} with a signed URL, /media/{assetId} for public files.
import { definePublicRoute } from '../../../core/index.ts';
import { findOwner, isPublic } from '../store.ts';
import { assetRows } from '../tables.ts';
import { readToken } from '../tokens.ts';
import { routeNotFound, serveAsset } from './serve.ts';

/** The limit is high, because pages and mails show many pictures at once, and many readers share an address. */
const limit = { perMinute: 3_000, burst: 1_500 };

export const readByToken = definePublicRoute({
  http: 'GET /assets/{token}',
  description: 'The file of an asset, for people who have its signed URL.',
  limit,
  async handler(ctx, request) {
    const path = '/assets';
    const token = readToken(ctx.ports.keyring, 'read', request.params.token ?? '', ctx.now);
    if (token === undefined) throw routeNotFound(path);
    const workspaceId = await ctx.readUnscoped('a signed URL contains only the id of its asset', (handle) =>
      findOwner(handle, token.assetId),
    );
    if (workspaceId === undefined) throw routeNotFound(path);
    const row = await ctx.read(workspaceId, ({ trx }) => assetRows.find(trx, token.assetId));
    if (row?.status !== 'ready') throw routeNotFound(path);
    const seconds = Math.floor((token.expiresAt - ctx.now) / 1_000);
    return serveAsset(ctx, request, workspaceId, row, `private, max-age=${seconds}, immutable`);
  },
});

export const readMedia = definePublicRoute({
  http: 'GET /media/{assetId}',
  description: 'The file of an asset that a brand, a published page or a blog post shows.',
  limit,
  async handler(ctx, request) {
    const path = '/media';
    const assetId = request.params.assetId ?? '';
    if (!/^asset_[0-9A-Z]{26}$/.test(assetId)) throw routeNotFound(path);
    const workspaceId = await ctx.readUnscoped('the URL of a public file does not contain its workspace', (handle) =>
      findOwner(handle, assetId),
    );
    if (workspaceId === undefined) throw routeNotFound(path);
    const row = await ctx.read(workspaceId, async ({ trx }) =>
      (await isPublic(trx, assetId)) ? assetRows.find(trx, assetId) : undefined,
    );
    if (row?.status !== 'ready' || row.is_sandbox) throw routeNotFound(path);
    // Caches may store the file, because the bytes of an id never change. After an hour they ask again, so that a file that is no longer
    // public disappears.
    return serveAsset(ctx, request, workspaceId, row, 'public, max-age=3600');
  },
});
