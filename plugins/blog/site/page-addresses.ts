// The addresses of the list, the feed, the posts, the tags and the pictures of public pages. Called by the routes.
import type { PublicRouteContext, Workspace } from '../../../core/index.ts';
import type { AssetRow } from '../../assets/index.ts';
import { encodeSlug } from '../slug.ts';
import { tagSlug } from '../tags.ts';
import type { BlogPicture } from './article.ts';
import { addressOf } from './parts.ts';

/** The addresses of the list and of the feed. */
export const linksOf = ({ ports }: PublicRouteContext, workspace: Workspace) => ({
  blog: addressOf(ports.service, workspace, '/blog'),
  feed: addressOf(ports.service, workspace, '/blog/feed.xml'),
});

/** The address of a post. */
export const postUrl = ({ ports }: PublicRouteContext, workspace: Workspace, slug: string): string =>
  addressOf(ports.service, workspace, `/blog/${encodeSlug(slug)}`);

/** The address of the page of a tag. */
export const tagUrl = ({ ports }: PublicRouteContext, workspace: Workspace, tag: string): string =>
  addressOf(ports.service, workspace, `/blog/tags/${encodeSlug(tagSlug(tag))}`);

/** The pictures, by asset id. `urlOf` returns the address of an asset. */
export async function picturesOf(
  ctx: PublicRouteContext,
  workspace: Workspace,
  ids: readonly string[],
  urlOf: (asset: AssetRow) => string | undefined,
): Promise<ReadonlyMap<string, BlogPicture>> {
  if (ids.length === 0) return new Map();
  const { assets } = ctx.services;
  const found = await ctx.read(workspace.id, ({ trx }) => assets.findAll(trx, ids));
  return new Map(
    [...found].flatMap(([id, asset]): [string, BlogPicture][] => {
      const url = urlOf(asset);
      const { alt, width, height } = asset;
      return url === undefined ? [] : [[id, { url, alt, width, height }]];
    }),
  );
}

/** The public address of a picture that a published post shows. */
export const mediaUrl =
  ({ services }: PublicRouteContext) =>
  ({ id }: Pick<AssetRow, 'id'>): string =>
    services.assets.mediaUrl(id);
