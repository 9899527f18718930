// The public routes of a post: its page, and the preview of its working copy.
import type { HttpResponse, PublicRouteContext, Workspace } from '../../../core/index.ts';
import { contentRoutes, escapeHtml, lengthOf, pageAppearanceOf } from '../../../core/unstable.ts';
import { readPreviewToken } from '../preview-token.ts';
import type { PostAtSlug } from '../service.ts';
import { neighborsOf, relatedTo } from '../store.ts';
import { type BlogPostHead, type BlogPostRow, postRows } from '../tables.ts';
import { articlePage, type PostLink, type PostsAround, visibleAssetIds } from './article.ts';
import { type BlogSite, subscribeForm } from './blog-site.ts';
import { privateResponse, publicHeaders, publicResponse } from './document.ts';
import { notFoundPage } from './not-found-page.ts';
import { linksOf, mediaUrl, picturesOf, postUrl, tagUrl } from './page-addresses.ts';
import type { BlogLanguage } from './texts.ts';

/** The number of related posts below a post. */
const maxRelatedPosts = 3;

/** The posts before and after a post, and related posts. */
async function postsAround(
  ctx: PublicRouteContext,
  workspace: Workspace,
  post: BlogPostRow,
  blog: BlogLanguage,
): Promise<PostsAround> {
  const linkTo = (head: BlogPostHead | undefined): PostLink | undefined =>
    head?.published == null
      ? undefined
      : {
          title: head.published.title,
          url: postUrl(ctx, workspace, head.published_slug ?? ''),
          language: blog.forPost(head.published.language).language,
        };
  return ctx.read(workspace.id, async ({ trx }) => {
    const { previous, next } = await neighborsOf(trx, post);
    const related = await relatedTo(trx, { id: post.id, tags: post.published?.tags ?? [] }, maxRelatedPosts);
    return {
      ...{ previous: linkTo(previous), next: linkTo(next) },
      related: related.map(linkTo).filter((link) => link !== undefined),
    };
  });
}

/** Reads the post with the title and the texts that visitors see. */
const readPublished = (ctx: PublicRouteContext, workspace: Workspace, id: string) =>
  ctx.read(workspace.id, ({ trx }) => postRows.find(trx, id));

const movedTo = (location: string): HttpResponse => ({
  status: 301,
  headers: { ...publicHeaders, Location: location },
  body: '',
});

export const postRoutes = (site: BlogSite) =>
  contentRoutes<PostAtSlug>({
    http: 'GET /blog/{slug}',
    description: 'A published blog post. The slugs that it had redirect.',
    limit: site.limit,
    missing: notFoundPage(site.choose),
    async find(ctx, { params }, workspace) {
      if (workspace === undefined) return undefined;
      const found = await ctx.read(workspace.id, ({ trx }) =>
        ctx.services.blog.atSlug(trx, params['slug'] ?? '', ctx.now),
      );
      return found === undefined ? undefined : { workspaceId: workspace.id, found };
    },
    async handler(ctx, request, { workspace, object: found }) {
      if ('movedTo' in found) return movedTo(postUrl(ctx, workspace, found.movedTo));
      const row = await readPublished(ctx, workspace, found.post.id);
      const { published: card = null, published_html: html = null, published_at: publishedAt = null } = row ?? {};
      if (row?.status !== 'published' || card === null || html === null || publishedAt === null)
        return notFoundPage(site.choose)(ctx, request, workspace);
      const pictures = await picturesOf(ctx, workspace, visibleAssetIds(card, html), mediaUrl(ctx));
      const blog = await site.choose(ctx, workspace);
      const spoken = blog.forPost(card.language);
      const article = {
        ...{ card, html, publishedAt, revisedAt: row.revised_at ?? publishedAt, pictures },
        url: postUrl(ctx, workspace, row.published_slug ?? row.slug),
        linkPicture: row.og_asset_id === null ? undefined : ctx.services.assets.mediaUrl(row.og_asset_id),
        around: await postsAround(ctx, workspace, row, blog),
        tagUrl: (tag: string) => tagUrl(ctx, workspace, tag),
        subscribe: await subscribeForm(ctx, site, workspace, { base: '../', language: spoken.language }),
      };
      const look = await pageAppearanceOf(ctx, workspace);
      return publicResponse(request, articlePage(article, look, linksOf(ctx, workspace), spoken), spoken);
    },
  });

export const previewRoutes = (site: BlogSite) =>
  contentRoutes<BlogPostRow>({
    http: 'GET /blog/preview/{token}',
    description: 'The working copy of a blog post, for everyone who has the signed link, for 24 hours.',
    limit: site.limit,
    missing: notFoundPage(site.choose),
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
    async handler(ctx, _request, { workspace, object: row }) {
      const { assets } = ctx.services;
      const { title, excerpt, beginning, seo, cover_asset_id: coverAssetId, tags, language, words, html } = row;
      const members = row.author_uid === null ? [] : await ctx.ports.members.list(workspace.id);
      const author = members.find(({ uid }) => uid === row.author_uid) ?? null;
      const card = {
        title,
        excerpt,
        beginning,
        seo,
        coverAssetId,
        tags,
        language,
        words,
        author,
        length: lengthOf(html),
      };
      const signed = (asset: Parameters<typeof assets.present>[1]) =>
        assets.present(workspace.id, asset).url ?? undefined;
      const pictures = await picturesOf(ctx, workspace, visibleAssetIds(card, html), signed);
      const at = { publishedAt: row.published_at ?? ctx.now, revisedAt: row.published_at ?? ctx.now };
      const article = {
        ...{ card, html, pictures, ...at },
        ...{ url: postUrl(ctx, workspace, row.slug), around: { related: [] } },
        tagUrl: (tag: string) => tagUrl(ctx, workspace, tag),
      };
      const spoken = (await site.choose(ctx, workspace)).forPost(language);
      const page = articlePage(article, await pageAppearanceOf(ctx, workspace), linksOf(ctx, workspace), spoken);
      const notice = `<aside class="notice"><bdi>${escapeHtml(spoken.texts.preview)}</bdi></aside>\n`;
      return privateResponse({ ...page, notice }, spoken);
    },
  });
