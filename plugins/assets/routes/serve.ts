// Serves the bytes of an asset with its own content type, and with headers that prevent scripts from running.
import {
  coreErrors,
  fileResponse,
  type HttpResponse,
  type PublicRequest,
  type PublicRouteContext,
} from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { assetKey } from '../keys.ts';
import { noStore } from '../no-assets.ts';
import { isAssetStoreError } from '../port/index.ts';
import { dispositionOf, fileNameOf } from '../present.ts';
import type { AssetRow } from '../tables.ts';
import { crossOrigin } from './cross-origin.ts';

/** A document with an origin of its own that runs no scripts and loads nothing except the picture itself. */
const policy = "default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; sandbox";

/** The 404 of any unknown path, so that it does not reveal which ids exist. */
export const routeNotFound = (path: string): Error => coreErrors.route_not_found({ path });

/** Answers GET and HEAD of a ready asset. `cacheControl`: the Cache-Control header of this address. */
export async function serveAsset(
  ctx: PublicRouteContext,
  request: PublicRequest,
  workspaceId: string,
  row: AssetRow,
  cacheControl: string,
): Promise<HttpResponse> {
  const { bytes, content_type: type, sha256 } = row;
  const store = await ctx.ports.assets.of(workspaceId);
  return fileResponse(request, {
    size: bytes ?? 0,
    etag: `"${sha256}"`,
    type: type ?? 'application/octet-stream',
    lastModified: row.created_at,
    name: fileNameOf(row),
    disposition: dispositionOf(row),
    headers: {
      'Cache-Control': cacheControl,
      ...crossOrigin,
      'Content-Security-Policy': policy,
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Referrer-Policy': 'no-referrer',
    },
    async open(range) {
      try {
        const { signal } = request;
        return await store.get(assetKey(workspaceId, row.id), { range, ...(signal === undefined ? {} : { signal }) });
      } catch (cause) {
        if (!isAssetStoreError(cause)) throw cause;
        ctx.log.error({ asset: row.id, fault: cause.fault, cause: cause.message }, 'an asset could not be read');
        throw errors.asset_store_unavailable({ isConfigured: store.id !== noStore }, { cause });
      }
    },
  });
}
