// GET /thumbnails/{token}: the thumbnail of a composition, for anyone who has its URL.
import { hash } from 'node:crypto';
import { coreErrors, definePublicRoute, onSide } from '../../../core/index.ts';
import { thumbnailPath } from '../present.ts';
import { findOwner } from '../store.ts';
import { compositionRows } from '../tables.ts';
import { readThumbnailToken } from '../tokens.ts';

/** A version never changes, but its assets can. The hour limits how long a browser shows the earlier ones. */
const cacheControl = 'private, max-age=3600';

export const thumbnail = definePublicRoute({
  http: `GET ${thumbnailPath}/{token}`,
  description: 'The thumbnail of a composition, for people who have its URL.',
  limit: { perMinute: 600, burst: 300 },
  async handler(ctx, request) {
    const notThere = () => coreErrors.route_not_found({ path: thumbnailPath });
    const name = readThumbnailToken(ctx.ports.keyring, request.params.token ?? '');
    if (name === undefined) throw notThere();
    const owner = await ctx.readUnscoped('the URL of a thumbnail does not contain its workspace', (handle) =>
      findOwner(handle, name.compositionId),
    );
    if (owner === undefined) throw notThere();
    const { workspaceId, sandbox } = owner;
    const place = {
      services: ctx.services,
      ports: ctx.ports,
      log: ctx.log,
      workspace: { id: workspaceId },
      read: <T>(work: Parameters<typeof ctx.read<T>>[1]) => ctx.read(workspaceId, (tx) => work(onSide(tx, sandbox))),
    };
    const row = await place.read(({ trx }) => compositionRows.find(trx, name.compositionId));
    if (row?.version !== name.version) throw notThere();
    const bytes = await ctx.services.designs.thumbnail(place, row, ctx.now);
    const etag = `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`;
    const headers = {
      'Cache-Control': cacheControl,
      ETag: etag,
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Referrer-Policy': 'no-referrer',
    };
    if (request.headers['if-none-match'] === etag) return { status: 304, headers, body: '' };
    return { status: 200, headers: { ...headers, 'Content-Type': 'image/webp' }, body: bytes };
  },
});
