// The public routes of lists of posts: all posts of a blog, and the posts with a tag.
import type { PublicRequest, PublicRouteContext, Workspace } from '../../../core/index.ts';
import { contentRoutes, pageAppearanceOf, sentenceHtml } from '../../../core/unstable.ts';
import { normaliseSlug } from '../slug.ts';
import { countTagged, publishedPage, taggedPage } from '../store.ts';
import { type BlogPostHead, summaryRows } from '../tables.ts';
import { tagSlug } from '../tags.ts';
import { type BlogSite, subscribeForm } from './blog-site.ts';
import { publicResponse } from './document.ts';
import { indexPage, type PostList } from './index-page.ts';
import { notFoundPage } from './not-found-page.ts';
import { linksOf, mediaUrl, picturesOf, postUrl, tagUrl } from './page-addresses.ts';
import { type BlogLanguage, fillText } from './texts.ts';

/** The number of posts on a page. */
const postsPerPage = 20;
/** A page number beyond this is invalid: the posts of a workspace cannot fill as many pages. */
const maxPage = 10_000;

const covers = (posts: readonly BlogPostHead[]): string[] =>
  posts.flatMap(({ published }) => (typeof published?.coverAssetId === 'string' ? [published.coverAssetId] : []));

/** The page number in the query; undefined if it is not a valid page number. */
function pageOf(query: URLSearchParams): number | undefined {
  const text = query.get('page') ?? '1';
  const page = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : Number.NaN;
  return page <= maxPage ? page : undefined;
}

/** One page of a list. */
interface Page {
  readonly page: number;
  readonly pages: number;
  readonly posts: readonly BlogPostHead[];
}

/** The page, unless the list ends before it. */
async function pageAt(
  page: number,
  count: number,
  read: (place: { readonly limit: number; readonly skip: number }) => Promise<readonly BlogPostHead[]>,
): Promise<Page | undefined> {
  const pages = Math.max(1, Math.ceil(count / postsPerPage));
  if (page > pages) return undefined;
  return { page, pages, posts: await read({ limit: postsPerPage, skip: (page - 1) * postsPerPage }) };
}

/** Shows a page of a list. `base`: the path from its address to the root of the content host. */
async function showList(
  ctx: PublicRouteContext,
  request: PublicRequest,
  {
    site,
    workspace,
    spoken,
    list,
    base,
    url,
  }: {
    readonly site: BlogSite;
    readonly workspace: Workspace;
    readonly spoken: BlogLanguage;
    readonly list: Page & Pick<PostList, 'heading' | 'headingHtml'>;
    readonly base: string;
    readonly url: string;
  },
) {
  const { heading, headingHtml, page, pages } = list;
  const pictures = await picturesOf(ctx, workspace, covers(list.posts), mediaUrl(ctx));
  const posts = list.posts.flatMap(({ published: card, published_at: publishedAt, published_slug: slug }) =>
    card === null || publishedAt === null
      ? []
      : [
          {
            ...{ card, publishedAt, url: postUrl(ctx, workspace, slug ?? '') },
            cover: card.coverAssetId === null ? undefined : pictures.get(card.coverAssetId),
          },
        ],
  );
  const urlOf = (target: number) => (target === 1 ? url : `${url}?page=${target}`);
  const subscribe = await subscribeForm(ctx, site, workspace, { base, language: spoken.language });
  const look = await pageAppearanceOf(ctx, workspace);
  const shown = {
    ...{ heading, posts, position: { page, pages, urlOf }, subscribe },
    ...(headingHtml === undefined ? {} : { headingHtml }),
  };
  return publicResponse(request, indexPage(shown, look, linksOf(ctx, workspace), spoken), spoken);
}

export const listRoutes = (site: BlogSite) =>
  contentRoutes<Page>({
    http: 'GET /blog',
    description: 'The blog of a workspace: its posts, the newest first.',
    limit: site.limit,
    missing: notFoundPage(site.choose),
    async find(ctx, { query }, workspace) {
      const page = pageOf(query);
      if (workspace === undefined || page === undefined) return undefined;
      const found = await ctx.read(workspace.id, async ({ trx }) => {
        const count = await summaryRows.count(trx, { status: 'published' }, maxPage * postsPerPage);
        return pageAt(page, count, (place) => publishedPage(trx, place));
      });
      return found === undefined ? undefined : { workspaceId: workspace.id, found };
    },
    async handler(ctx, request, { workspace, object }) {
      const spoken = await site.choose(ctx, workspace);
      const list = { ...object, heading: spoken.texts.blog };
      return showList(ctx, request, { site, workspace, spoken, list, base: '', url: linksOf(ctx, workspace).blog });
    },
  });

/** The posts with a tag. */
interface TagPage extends Page {
  /** The tag as its newest post writes it. */
  readonly tag: string;
}

/** The tag as the newest of these posts writes it. */
const spellingIn = (posts: readonly BlogPostHead[], slug: string): string | undefined =>
  posts.flatMap(({ published }) => published?.tags ?? []).find((tag) => tagSlug(tag) === slug);

export const tagRoutes = (site: BlogSite) =>
  contentRoutes<TagPage>({
    http: 'GET /blog/tags/{tag}',
    description: 'The published posts of a workspace with a tag, the newest first.',
    limit: site.limit,
    missing: notFoundPage(site.choose),
    async find(ctx, { params, query }, workspace) {
      const page = pageOf(query);
      if (workspace === undefined || page === undefined) return undefined;
      const slug = normaliseSlug(params['tag'] ?? '');
      const found = await ctx.read(workspace.id, async ({ trx }) => {
        const count = await countTagged(trx, slug, maxPage * postsPerPage);
        return pageAt(page, count, (place) => taggedPage(trx, slug, place));
      });
      const tag = spellingIn(found?.posts ?? [], slug);
      return found === undefined || tag === undefined
        ? undefined
        : { workspaceId: workspace.id, found: { ...found, tag } };
    },
    async handler(ctx, request, { workspace, object: { tag, ...page } }) {
      const spoken = await site.choose(ctx, workspace);
      const { tagged } = spoken.texts;
      const list = {
        ...{ ...page, heading: fillText(tagged, { tag }) },
        // In English, the heading keeps its order on a page from right to left.
        headingHtml: `<bdi>${sentenceHtml(tagged, { tag })}</bdi>`,
      };
      const url = tagUrl(ctx, workspace, tag);
      return showList(ctx, request, { site, workspace, spoken, list, base: '../../', url });
    },
  });
