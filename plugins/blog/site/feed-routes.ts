// The public route of the feed: the newest posts of a workspace as RSS 2.0.
import { entityResponse, entityTag } from '../../../core/index.ts';
import { contentRoutes, contentUrl, pageAppearanceOf, type TextParts } from '../../../core/unstable.ts';
import { publishedPage, publishedTexts } from '../store.ts';
import type { BlogPostHead } from '../tables.ts';
import type { BlogSite } from './blog-site.ts';
import { publicHeaders } from './document.ts';
import { feedXml } from './feed.ts';
import { notFoundPage } from './not-found-page.ts';
import { linksOf, postUrl } from './page-addresses.ts';

/** The number of posts in the feed. */
const maxFeedPosts = 20;

/** The maximum number of characters of all texts in the feed. Readers follow the links for further texts. */
const maxFeedText = 500_000;

interface FoundFeed {
  readonly posts: readonly BlogPostHead[];
  readonly texts: ReadonlyMap<string, TextParts>;
}

/** A feed contains only absolute addresses, so a service without a public address has no feed. */
export const feedRoutes = ({ choose, limit }: BlogSite) =>
  contentRoutes<FoundFeed>({
    http: 'GET /blog/feed.xml',
    description: 'The newest posts of a workspace as RSS 2.0.',
    limit,
    missing: notFoundPage(choose),
    async find(ctx, _request, workspace) {
      if (workspace === undefined || contentUrl(ctx.ports.service, workspace, '/') === undefined) return undefined;
      const found = await ctx.read(workspace.id, async ({ trx }) => {
        const posts = await publishedPage(trx, { limit: maxFeedPosts, skip: 0 });
        return { posts, texts: await publishedTexts(trx, posts, maxFeedText) };
      });
      return { workspaceId: workspace.id, found };
    },
    async handler(ctx, request, { workspace, object: found }) {
      const { services } = ctx;
      const [look, spoken] = [await pageAppearanceOf(ctx, workspace), await choose(ctx, workspace)];
      const { blog: url, feed: feedUrl } = linksOf(ctx, workspace);
      const posts = found.posts.flatMap(({ id, published: card, published_at: publishedAt, published_slug: slug }) => {
        if (card === null || publishedAt === null) return [];
        const html = found.texts.get(id);
        const { language } = spoken.forPost(card.language);
        return [{ id, card, html, publishedAt, language, url: postUrl(ctx, workspace, slug ?? '') }];
      });
      const title = [look.name, spoken.texts.blog].filter((part) => part !== '').join(' · ');
      const times = found.posts.flatMap(({ revised_at: at }) => (at === null ? [] : [at]));
      const updatedAt = times.length === 0 ? undefined : Math.max(...times);
      const head = { title, description: title, language: spoken.language, url, feedUrl, updatedAt };
      const xml = feedXml(head, posts, (assetId) => services.assets.mediaUrl(assetId));
      return entityResponse(request, entityTag(xml), xml, 'application/rss+xml; charset=utf-8', publicHeaders);
    },
  });
