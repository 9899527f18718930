// The public routes of the blog on content hosts: the list, its feed, a post, and the preview of a working copy.
import {
  entityResponse,
  entityTag,
  type HttpResponse,
  type PublicRoute,
  type PublicRouteContext,
  type Workspace,
} from '../../../core/index.ts';
import { contentRoutes, contentUrl, escapeHtml, lengthOf, lookOf, type TextParts } from '../../../core/unstable.ts';
import { readPreviewToken } from '../preview-token.ts';
import type { PostAtSlug } from '../service.ts';
import { slugInUrl } from '../slug.ts';
import { publishedPage, publishedTexts } from '../store.ts';
import { headRows, type PostHead, type PostRow, postRows } from '../tables.ts';
import { articlePage, shownIds } from './article.ts';
import { privateAnswer, publicAnswer, publicHeaders } from './document.ts';
import { feedXml } from './feed.ts';
import { indexPage } from './index-page.ts';
import { linksOf, mediaUrl, picturesOf } from './load.ts';
import { missingPage } from './missing.ts';
import { addressOf } from './parts.ts';
import type { BlogLanguage } from './texts.ts';

/** The number of posts on a page of the list, and in the feed. */
const onPage = 20;
/** More pages than the posts of a workspace can fill. */
const maxPage = 10_000;

const limit = { perMinute: 600, burst: 200 };

const covers = (posts: readonly PostHead[]): string[] =>
  posts.flatMap(({ published }) => (typeof published?.coverAssetId === 'string' ? [published.coverAssetId] : []));

/** The page number in the query; undefined if it is not a valid page number. */
function pageOf(query: URLSearchParams): number | undefined {
  const given = query.get('page') ?? '1';
  const page = /^[1-9]\d{0,4}$/.test(given) ? Number(given) : Number.NaN;
  return page <= maxPage ? page : undefined;
}

/** The posts of a page, and the number of pages. */
async function listAt(context: PublicRouteContext, workspaceId: string, page: number) {
  return context.read(workspaceId, async ({ trx }) => {
    const count = await headRows.count(trx, { status: 'published' }, maxPage * onPage);
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
    missing: missingPage(spoken),
    async find(context, { query }, workspace) {
      const page = pageOf(query);
      if (workspace === undefined || page === undefined) return undefined;
      const found = await listAt(context, workspace.id, page);
      return found === undefined ? undefined : { workspaceId: workspace.id, found };
    },
    async handler(context, request, { workspace, found: { page, pages, posts } }) {
      const { service } = context.ports;
      const pictures = await picturesOf(context, workspace, covers(posts), mediaUrl(context));
      const shown = posts.flatMap(({ published: card, published_at: publishedAt, published_slug: slug }) =>
        card === null || publishedAt === null
          ? []
          : [
              {
                ...{ card, publishedAt, url: addressOf(service, workspace, `/blog/${slugInUrl(slug ?? '')}`) },
                cover: card.coverAssetId === null ? undefined : pictures.get(card.coverAssetId),
              },
            ],
      );
      const links = linksOf(context, workspace);
      const urlOf = (target: number) => (target === 1 ? links.blog : `${links.blog}?page=${target}`);
      const look = await lookOf(context, workspace);
      return publicAnswer(request, indexPage(shown, { page, pages, urlOf }, look, links, spoken), spoken);
    },
  });

/** The maximum number of characters of all texts in the feed. Readers follow the links for further texts. */
const maxFeedText = 500_000;

interface FoundFeed {
  readonly posts: readonly PostHead[];
  readonly texts: ReadonlyMap<string, TextParts>;
}

/** A feed contains only absolute addresses, so a service without a public address has no feed. */
const feedRoutes = (spoken: BlogLanguage) =>
  contentRoutes<FoundFeed>({
    http: 'GET /blog/feed.xml',
    description: 'The newest posts of a workspace as RSS 2.0.',
    limit,
    missing: missingPage(spoken),
    async find(context, _request, workspace) {
      if (workspace === undefined || contentUrl(context.ports.service, workspace, '/') === undefined) return undefined;
      const found = await context.read(workspace.id, async ({ trx }) => {
        const posts = await publishedPage(trx, { limit: onPage, skip: 0 });
        return { posts, texts: await publishedTexts(trx, posts, maxFeedText) };
      });
      return { workspaceId: workspace.id, found };
    },
    async handler(context, request, { workspace, found }) {
      const { services, ports } = context;
      const look = await lookOf(context, workspace);
      const { blog: url, feed: feedUrl } = linksOf(context, workspace);
      const posts = found.posts.flatMap(({ id, published: card, published_at: publishedAt, published_slug: slug }) => {
        if (card === null || publishedAt === null) return [];
        const html = found.texts.get(id);
        return [
          { id, card, html, publishedAt, url: addressOf(ports.service, workspace, `/blog/${slugInUrl(slug ?? '')}`) },
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
const readPublished = (context: PublicRouteContext, workspace: Workspace, id: string) =>
  context.read(workspace.id, ({ trx }) => postRows.find(trx, id));

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
    missing: missingPage(spoken),
    async find(context, { params }, workspace) {
      if (workspace === undefined) return undefined;
      const found = await context.read(workspace.id, ({ trx }) =>
        context.services.blog.atSlug(trx, params['slug'] ?? '', context.now),
      );
      return found === undefined ? undefined : { workspaceId: workspace.id, found };
    },
    async handler(context, request, { workspace, found }) {
      const { service } = context.ports;
      if ('movedTo' in found) return movedTo(addressOf(service, workspace, `/blog/${slugInUrl(found.movedTo)}`));
      const row = await readPublished(context, workspace, found.post.id);
      const { published: card = null, published_html: html = null, published_at: publishedAt = null } = row ?? {};
      if (row?.status !== 'published' || card === null || html === null || publishedAt === null)
        return missingPage(spoken)(context, request, workspace);
      const pictures = await picturesOf(context, workspace, shownIds(card, html), mediaUrl(context));
      const article = {
        ...{ card, html, publishedAt, revisedAt: row.revised_at ?? publishedAt, pictures },
        url: addressOf(service, workspace, `/blog/${slugInUrl(row.published_slug ?? row.slug)}`),
        linkPicture: row.og_asset_id === null ? undefined : context.services.assets.mediaUrl(row.og_asset_id),
      };
      const look = await lookOf(context, workspace);
      return publicAnswer(request, articlePage(article, look, linksOf(context, workspace), spoken), spoken);
    },
  });

const previewRoutes = (spoken: BlogLanguage) =>
  contentRoutes<PostRow>({
    http: 'GET /blog/preview/{token}',
    description: 'The working copy of a blog post, for whoever has the signed link, for 24 hours.',
    limit,
    missing: missingPage(spoken),
    async find(context, { params }, workspace) {
      const id = readPreviewToken(context.ports.keyring, params['token'] ?? '', context.now);
      if (workspace === undefined || id === undefined) return undefined;
      const found = await context.read(workspace.id, async ({ trx }) => {
        for (const side of [false, true]) {
          const row = await postRows.find(trx.onSide(side), id);
          if (row !== undefined) return row;
        }
        return undefined;
      });
      return found === undefined ? undefined : { workspaceId: workspace.id, found };
    },
    async handler(context, _request, { workspace, found: row }) {
      const { assets } = context.services;
      const { title, excerpt, beginning, seo, cover_asset_id: coverAssetId, tags, words, html } = row;
      const members = row.author_uid === null ? [] : await context.ports.members.list(workspace.id);
      const author = members.find(({ uid }) => uid === row.author_uid) ?? null;
      const card = { title, excerpt, beginning, seo, coverAssetId, tags, words, author, length: lengthOf(html) };
      const signed = (asset: Parameters<typeof assets.present>[1]) =>
        assets.present(workspace.id, asset).url ?? undefined;
      const pictures = await picturesOf(context, workspace, shownIds(card, html), signed);
      const at = { publishedAt: row.published_at ?? context.now, revisedAt: row.published_at ?? context.now };
      const article = {
        ...{ card, html, pictures, ...at },
        url: addressOf(context.ports.service, workspace, `/blog/${slugInUrl(row.slug)}`),
      };
      const page = articlePage(article, await lookOf(context, workspace), linksOf(context, workspace), spoken);
      const notice = `<aside class="notice">${escapeHtml(spoken.texts.preview)}</aside>\n`;
      return privateAnswer({ ...page, notice }, spoken);
    },
  });

/** All public routes of the blog. */
export const blogRoutes = (spoken: BlogLanguage): readonly PublicRoute[] => [
  ...listRoutes(spoken),
  ...feedRoutes(spoken),
  ...postRoutes(spoken),
  ...previewRoutes(spoken),
];
