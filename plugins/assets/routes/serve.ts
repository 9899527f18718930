// How the bytes of an asset are answered, wherever they are asked for: as what they are, and as nothing that runs.
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

/** A document of its own origin, in which nothing runs and nothing loads but the picture itself. */
const policy = "default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; sandbox";

/** No host but ours serves these paths: a 404 like any unknown one, so that it does not show which ids there are. */
export const notThere = (path: string): Error => coreErrors.route_not_found({ path });

/** GET and HEAD of a ready asset. `cacheControl` is what its address allows. */
export async function serveAsset(
  context: PublicRouteContext,
  request: PublicRequest,
  workspaceId: string,
  row: AssetRow,
  cacheControl: string,
): Promise<HttpResponse> {
  const { bytes, content_type: type, sha256 } = row;
  const store = await context.ports.assets.of(workspaceId);
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
        context.log.error({ asset: row.id, fault: cause.fault, cause: cause.message }, 'an asset could not be read');
        throw errors.asset_store_unavailable({ isConfigured: store.id !== noStore }, { cause });
      }
    },
  });
}
