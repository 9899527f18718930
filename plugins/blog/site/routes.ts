// The public routes of the blog on content hosts: the list, its feed, a post, and the preview of a working copy.
import {
  entityResponse,
  entityTag,
  type HttpResponse,
  type PublicRoute,
  type PublicRouteContext,
  type Workspace,
} from '../../../core/index.ts';
import {
  contentRoutes,
  contentUrl,
  escapeHtml,
  lengthOf,
  pageAppearanceOf,
  type TextParts,
} from '../../../core/unstable.ts';
import { readPreviewToken } from '../preview-token.ts';
import type { PostAtSlug } from '../service.ts';
import { encodeSlug } from '../slug.ts';
import { publishedPage, publishedTexts } from '../store.ts';
import { type BlogPostHead, type BlogPostRow, postRows, summaryRows } from '../tables.ts';
import { articlePage, visibleAssetIds } from './article.ts';
import { privateResponse, publicHeaders, publicResponse } from './document.ts';
import { feedXml } from './feed.ts';
import { indexPage } from './index-page.ts';
import { notFoundPage } from './not-found-page.ts';
import { linksOf, mediaUrl, picturesOf } from './page-addresses.ts';
import { addressOf } from './parts.ts';
import type { BlogLanguage } from './texts.ts';

/** The number of posts on a page of the list, and in the feed. */
const onPage = 20;
/** More pages than the posts of a workspace can fill. */
const maxPage = 10_000;

const limit = { perMinute: 600, burst: 200 };

const covers = (posts: readonly BlogPostHead[]): string[] =>
  posts.flatMap(({ published }) => (typeof published?.coverAssetId === 'string' ? [published.coverAssetId] : []));

/** The page number in the query; undefined if it is not a valid page number. */
function pageOf(query: URLSearchParams): number | undefined {
  const text = query.get('page') ?? '1';
  const page = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : Number.NaN;
  return page <= maxPage ? page : undefined;
}

/** The posts of a page, and the number of pages. */
async function listAt(ctx: PublicRouteContext, workspaceId: string, page: number) {
  return ctx.read(workspaceId, async ({ trx }) => {
    const count = await summaryRows.count(trx, { status: 'published' }, maxPage * onPage);
    const pages = Math.max(1, Math.ceil(count / onPage));
    if (page > pages) return undefined;
    return { page, pages, posts: await publishedPage(trx, { limit: onPage, skip: (page - 1) * onPage }) };
  });
}

type ListAt = NonNullable<Awaited<ReturnType<typeof listAt>>>;

const listRoutes = (spoken: BlogLanguage) =>
  contentRoutes<ListAt>({
    http: 'GET /blog',
    description: 'The blog of a workspace: its posts, the newest first.',
    limit,
    missing: notFoundPage(spoken),
    async find(ctx, { query }, workspace) {
      const page = pageOf(query);
      if (workspace === undefined || page === undefined) return undefined;
      const found = await listAt(ctx, workspace.id, page);
      return found === undefined ? undefined : { workspaceId: workspace.id, found };
    },
    async handler(ctx, request, { workspace, found: { page, pages, posts } }) {
      const { service } = ctx.ports;
      const pictures = await picturesOf(ctx, workspace, covers(posts), mediaUrl(ctx));
      const shown = posts.flatMap(({ published: card, published_at: publishedAt, published_slug: slug }) =>
        card === null || publishedAt === null
          ? []
          : [
              {
                ...{ card, publishedAt, url: addressOf(service, workspace, `/blog/${encodeSlug(slug ?? '')}`) },
                cover: card.coverAssetId === null ? undefined : pictures.get(card.coverAssetId),
              },
            ],
      );
      const links = linksOf(ctx, workspace);
      const urlOf = (target: number) => (target === 1 ? links.blog : `${links.blog}?page=${target}`);
      const look = await pageAppearanceOf(ctx, workspace);
      return publicResponse(request, indexPage(shown, { page, pages, urlOf }, look, links, spoken), spoken);
    },
  });

/** The maximum number of characters of all texts in the feed. Readers follow the links for further texts. */
const maxFeedText = 500_000;

interface FoundFeed {
  readonly posts: readonly BlogPostHead[];
  readonly texts: ReadonlyMap<string, TextParts>;
}

/** A feed contains only absolute addresses, so a service without a public address has no feed. */
const feedRoutes = (spoken: BlogLanguage) =>
  contentRoutes<FoundFeed>({
    http: 'GET /blog/feed.xml',
    description: 'The newest posts of a workspace as RSS 2.0.',
    limit,
    missing: notFoundPage(spoken),
    async find(ctx, _request, workspace) {
      if (workspace === undefined || contentUrl(ctx.ports.service, workspace, '/') === undefined) return undefined;
      const found = await ctx.read(workspace.id, async ({ trx }) => {
        const posts = await publishedPage(trx, { limit: onPage, skip: 0 });
        return { posts, texts: await publishedTexts(trx, posts, maxFeedText) };
      });
      return { workspaceId: workspace.id, found };
    },
    async handler(ctx, request, { workspace, found }) {
      const { services, ports } = ctx;
      const look = await pageAppearanceOf(ctx, workspace);
      const { blog: url, feed: feedUrl } = linksOf(ctx, workspace);
      const posts = found.posts.flatMap(({ id, published: card, published_at: publishedAt, published_slug: slug }) => {
        if (card === null || publishedAt === null) return [];
        const html = found.texts.get(id);
        return [
          { id, card, html, publishedAt, url: addressOf(ports.service, workspace, `/blog/${encodeSlug(slug ?? '')}`) },
        ];
      });
      const title = `${look.name} · ${spoken.texts.blog}`;
      const updatedAt = Math.max(0, ...found.posts.map(({ revised_at: at }) => at ?? 0));
      const head = { title, description: title, language: spoken.language, url, feedUrl, updatedAt };
      const xml = await feedXml(head, posts, (assetId) => services.assets.mediaUrl(assetId));
      return entityResponse(request, entityTag(xml), xml, 'application/rss+xml; charset=utf-8', publicHeaders);
    },
  });

/** Reads the post with the title and the texts that visitors see. */
const readPublished = (ctx: PublicRouteContext, workspace: Workspace, id: string) =>
  ctx.read(workspace.id, ({ trx }) => postRows.find(trx, id));

const movedTo = (location: string): HttpResponse => ({
  status: 301,
  headers: { ...publicHeaders, Location: location },
  body: '',
});

const postRoutes = (spoken: BlogLanguage) =>
  contentRoutes<PostAtSlug>({
    http: 'GET /blog/{slug}',
    description: 'A published blog post. The slugs that it had redirect.',
    limit,
    missing: notFoundPage(spoken),
    async find(ctx, { params }, workspace) {
      if (workspace === undefined) return undefined;
      const found = await ctx.read(workspace.id, ({ trx }) =>
        ctx.services.blog.atSlug(trx, params['slug'] ?? '', ctx.now),
      );
      return found === undefined ? undefined : { workspaceId: workspace.id, found };
    },
    async handler(ctx, request, { workspace, found }) {
      const { service } = ctx.ports;
      if ('movedTo' in found) return movedTo(addressOf(service, workspace, `/blog/${encodeSlug(found.movedTo)}`));
      const row = await readPublished(ctx, workspace, found.post.id);
      const { published: card = null, published_html: html = null, published_at: publishedAt = null } = row ?? {};
      if (row?.status !== 'published' || card === null || html === null || publishedAt === null)
        return notFoundPage(spoken)(ctx, request, workspace);
      const pictures = await picturesOf(ctx, workspace, visibleAssetIds(card, html), mediaUrl(ctx));
      const article = {
        ...{ card, html, publishedAt, revisedAt: row.revised_at ?? publishedAt, pictures },
        url: addressOf(service, workspace, `/blog/${encodeSlug(row.published_slug ?? row.slug)}`),
        linkPicture: row.og_asset_id === null ? undefined : ctx.services.assets.mediaUrl(row.og_asset_id),
      };
      const look = await pageAppearanceOf(ctx, workspace);
      return publicResponse(request, articlePage(article, look, linksOf(ctx, workspace), spoken), spoken);
    },
  });

const previewRoutes = (spoken: BlogLanguage) =>
  contentRoutes<BlogPostRow>({
    http: 'GET /blog/preview/{token}',
    description: 'The working copy of a blog post, for everyone who has the signed link, for 24 hours.',
    limit,
    missing: notFoundPage(spoken),
    async find(ctx, { params }, workspace) {
      const id = readPreviewToken(ctx.ports.keyring, params['token'] ?? '', ctx.now);
      if (workspace === undefined || id === undefined) return undefined;
      const found = await ctx.read(workspace.id, async ({ trx }) => {
        for (const side of [false, true]) {
          const row = await postRows.find(trx.onSide(side), id);
          if (row !== undefined) return row;
        }
        return undefined;
      });
      return found === undefined ? undefined : { workspaceId: workspace.id, found };
    },
    async handler(ctx, _request, { workspace, found: row }) {
      const { assets } = ctx.services;
      const { title, excerpt, beginning, seo, cover_asset_id: coverAssetId, tags, words, html } = row;
      const members = row.author_uid === null ? [] : await ctx.ports.members.list(workspace.id);
      const author = members.find(({ uid }) => uid === row.author_uid) ?? null;
      const card = { title, excerpt, beginning, seo, coverAssetId, tags, words, author, length: lengthOf(html) };
      const signed = (asset: Parameters<typeof assets.present>[1]) =>
        assets.present(workspace.id, asset).url ?? undefined;
      const pictures = await picturesOf(ctx, workspace, visibleAssetIds(card, html), signed);
      const at = { publishedAt: row.published_at ?? ctx.now, revisedAt: row.published_at ?? ctx.now };
      const article = {
        ...{ card, html, pictures, ...at },
        url: addressOf(ctx.ports.service, workspace, `/blog/${encodeSlug(row.slug)}`),
      };
      const page = articlePage(article, await pageAppearanceOf(ctx, workspace), linksOf(ctx, workspace), spoken);
      const notice = `<aside class="notice">${escapeHtml(spoken.texts.preview)}</aside>\n`;
      return privateResponse({ ...page, notice }, spoken);
    },
  });

/** All public routes of the blog. */
export const blogRoutes = (spoken: BlogLanguage): readonly PublicRoute[] => [
  ...listRoutes(spoken),
  ...feedRoutes(spoken),
  ...postRoutes(spoken),
  ...previewRoutes(spoken),
];
