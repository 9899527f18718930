// Serves the thumbnail of a composition. Called by its public route, and by the console for its own pages.
import { hash } from 'node:crypto';
import { type HttpResponse, onSide, type PublicRequest, type PublicRouteContext } from '../../../core/index.ts';
import { compositionRows } from '../tables.ts';

/** A version of a composition never changes, but the assets in it can. Browsers show the earlier assets for an hour at most. */
const cacheControl = 'private, max-age=3600';

/** The version of a composition, on its side of a workspace. */
export interface ThumbnailVersion {
  readonly workspaceId: string;
  readonly sandbox: boolean;
  readonly compositionId: string;
  readonly version: number;
}

/** The thumbnail as WebP; undefined if the composition does not exist or has another version. */
export async function serveThumbnail(
  ctx: PublicRouteContext,
  request: PublicRequest,
  { workspaceId, sandbox, compositionId, version }: ThumbnailVersion,
): Promise<HttpResponse | undefined> {
  const drawContext = {
    services: ctx.services,
    ports: ctx.ports,
    log: ctx.log,
    workspace: { id: workspaceId },
    read: <T>(work: Parameters<typeof ctx.read<T>>[1]) => ctx.read(workspaceId, (tx) => work(onSide(tx, sandbox))),
  };
  const row = await drawContext.read(({ trx }) => compositionRows.find(trx, compositionId));
  if (row?.version !== version) return undefined;
  const bytes = await ctx.services.designs.thumbnail(drawContext, row, ctx.now);
  const etag = `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`;
  const headers = {
    'Cache-Control': cacheControl,
    ETag: etag,
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Referrer-Policy': 'no-referrer',
  };
  if (request.headers['if-none-match'] === etag) return { status: 304, headers, body: '' };
  return { status: 200, headers: { ...headers, 'Content-Type': 'image/webp' }, body: bytes };
}
