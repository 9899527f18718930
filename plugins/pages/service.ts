// `ctx.services.pages`: finds and creates pages for other plugins.
import type { TimeSpan, TransactionContext, WorkspaceHandle } from '../../core/index.ts';
import { workingCopy } from './content.ts';
import { createPage, type NewPage } from './create-page.ts';
import { errors } from './errors.ts';
import type { PageText } from './rendering/texts.ts';
import { buildPrice } from './schema.ts';
import { normaliseSlug } from './slug.ts';
import { findHead, publishedBetween } from './store.ts';
import { type PageContent, type PageHead, pageRows, slugRows, summaryRows, versionRows } from './tables.ts';

/** A content of a page, with the data to show it. */
export interface PageView {
  readonly page: PageHead;
  readonly content: PageContent;
  /** The HTML of its Markdown. */
  readonly texts: readonly PageText[];
  /** The version; null for the working copy. */
  readonly version: number | null;
}

/** The result for a slug: a page, or the slug to which the page has moved. */
export type PageAtSlug = { readonly view: PageView } | { readonly movedTo: string };

/** `ctx.services.pages`. */
export interface PagesService {
  /** The price of a page's build, in credits. */
  readonly buildPrice: number;
  /**
   * Finds a page by its id or slug, without its content. `lock` prevents its deletion until the transaction ends.
   * (Default: no lock)
   */
  find(handle: WorkspaceHandle, idOrSlug: string, lock?: 'share'): Promise<PageHead | undefined>;
  /** The error for an id that no page has. Other plugins throw it too. */
  notFound(id: string): Error;
  /** The error if something is made in the style of a brand but the workspace has no brand. */
  brandRequired(): Error;
  /** Finds the public page at a slug; undefined if there is none. An old slug redirects to the new one for 400 days. */
  atSlug(handle: WorkspaceHandle, slug: string, now: number): Promise<PageAtSlug | undefined>;
  /** The published content of a page; undefined if the page is not published. */
  published(handle: WorkspaceHandle, pageId: string): Promise<PageView | undefined>;
  /** The working copy, for previews. */
  workingCopy(handle: WorkspaceHandle, pageId: string): Promise<PageView | undefined>;
  /** The published pages, newest first, in batches, for a sitemap. */
  eachPublished(handle: WorkspaceHandle): AsyncGenerator<readonly PageHead[]>;
  /** The pages that were published in a span of time and are still public, oldest first, for a plan. */
  publishedBetween(handle: WorkspaceHandle, span: TimeSpan): Promise<readonly PageHead[]>;
  /**
   * Makes a page and starts its build, as POST /v1/pages does. The price is reserved, and the event page.ready or
   * page.failed reports the end of the build.
   * @throws validation_failed, brand_required, brand_not_found, slug_taken, limit_reached, credits_exhausted
   */
  createDraft(ctx: TransactionContext, input: NewPage): Promise<PageHead>;
}

export const createPagesService = (): PagesService => {
  const published: PagesService['published'] = async (handle, pageId) => {
    const page = await summaryRows.find(handle, pageId);
    if (page?.status !== 'published') return undefined;
    const version = await versionRows.findBy(handle, { page_id: pageId, version: page.version });
    if (version === undefined) return undefined;
    const { content, texts } = version;
    return { page, content, texts, version: version.version };
  };
  return {
    buildPrice,
    async find(handle, idOrSlug, lock) {
      if (lock === undefined) return findHead(handle, idOrSlug);
      const head = await findHead(handle, idOrSlug);
      return head === undefined ? undefined : summaryRows.findBy(handle, { id: head.id }, lock);
    },
    notFound: (id) => errors.page_not_found({ id }),
    brandRequired: () => errors.brand_required(),
    async atSlug(handle, requestedSlug, now) {
      const slug = normaliseSlug(requestedSlug);
      const head = await summaryRows.findBy(handle, { published_slug: slug, status: 'published' });
      const view = head === undefined ? undefined : await published(handle, head.id);
      if (view !== undefined) return { view };
      const formerSlug = await slugRows.findBy(handle, { slug });
      if (formerSlug === undefined || formerSlug.until <= now) return undefined;
      const moved = await summaryRows.find(handle, formerSlug.page_id);
      return moved?.status === 'published' && moved.published_slug !== null
        ? { movedTo: moved.published_slug }
        : undefined;
    },
    published,
    async workingCopy(handle, pageId) {
      const row = await pageRows.find(handle, pageId);
      return row === undefined ? undefined : { page: row, content: workingCopy(row), texts: row.texts, version: null };
    },
    eachPublished: (handle) => summaryRows.each(handle, { status: 'published' }),
    publishedBetween,
    createDraft: (ctx, input) => createPage(ctx, input),
  };
};

declare module '../../core/contract/open.ts' {
  interface Services {
    pages: PagesService;
  }
}
