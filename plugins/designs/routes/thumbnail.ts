// GET /thumbnails/{token}: the thumbnail of a composition, for anyone who has its URL.
import { coreErrors, definePublicRoute } from '../../../core/index.ts';
import { thumbnailPath } from '../present.ts';
import { findOwner } from '../store.ts';
import { readThumbnailToken } from '../tokens.ts';
import { serveThumbnail } from './serve-thumbnail.ts';

export const thumbnail = definePublicRoute({
  http: `GET ${thumbnailPath}/{token}`,
  description: 'The thumbnail of a composition, for people who have its URL.',
  limit: { perMinute: 600, burst: 300 },
  async handler(ctx, request) {
    const notFound = () => coreErrors.route_not_found({ path: thumbnailPath });
    const name = readThumbnailToken(ctx.ports.keyring, request.params.token ?? '');
    if (name === undefined) throw notFound();
    const owner = await ctx.readUnscoped('the URL of a thumbnail does not contain its workspace', (handle) =>
      findOwner(handle, name.compositionId),
    );
    const served = owner === undefined ? undefined : await serveThumbnail(ctx, request, { ...owner, ...name });
    if (served === undefined) throw notFound();
    return served;
  },
});
