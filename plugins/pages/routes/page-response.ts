// Responds with a page: loads its brand, pictures and texts, and writes the document. Called by the routes of pages,
// previews and forms.
import {
  entityResponse,
  entityTag,
  type HttpResponse,
  type PublicRequest,
  type PublicRouteContext,
  type Workspace,
} from '../../../core/index.ts';
import {
  chooseTexts,
  contentUrl,
  escapeHtml,
  pageAppearanceOf,
  paragraph,
  publicPage,
} from '../../../core/unstable.ts';
import type { AssetRow } from '../../assets/index.ts';
import type { FormsState } from '../forms/form-html.ts';
import type { ShowPage } from '../forms/routes.ts';
import type { PageFormTextsByLanguage } from '../forms/texts.ts';
import { pageBrand } from '../rendering/brand.ts';
import { documentOf } from '../rendering/document.ts';
import type { PagePicture, PageRenderContext } from '../rendering/render-context.ts';
import { textsIn } from '../rendering/texts.ts';
import type { PageView } from '../service.ts';
import { encodeSlug } from '../slug.ts';
import type { PageContent } from '../tables.ts';
import { textsForVisitor } from '../visitor-texts.ts';

/**
 * The signed times of forms are rounded down to a multiple of this time in milliseconds, so that a page has the same
 * bytes for that long.
 */
const roundingMs = 600_000;

const assetIds = ({ sections }: PageContent): string[] => [
  ...new Set(
    sections.flatMap(({ imageAssetId, items = [] }) =>
      [imageAssetId, ...items.map((item) => item.imageAssetId)].filter((id) => id !== undefined),
    ),
  ),
];

/** The data from which the document is written. */
interface LoadedPage {
  readonly place: PageRenderContext;
  /** Whether the document depends on the visitor's language. */
  readonly dependsOnVisitor: boolean;
}

/** How to show a page. */
interface PageToShow {
  readonly workspace: Workspace;
  readonly view: PageView;
  readonly state: FormsState;
  /** The address to which forms post; the formId is appended. */
  readonly action: string;
  /** Returns the address of a picture. */
  urlOf(asset: AssetRow): string;
}

async function load(
  ctx: PublicRouteContext,
  { headers }: PublicRequest,
  languages: PageFormTextsByLanguage,
  { workspace, view: { page, content, texts }, state, action, urlOf }: PageToShow,
): Promise<LoadedPage> {
  const { services, ports, now } = ctx;
  const accepted = headers['accept-language'];
  const {
    look: style,
    assets,
    spoken: visitorTexts,
  } = await ctx.read(workspace.id, async (tx) => ({
    look: (await services.brands.style(tx.trx, page.brand_id)) ?? (await services.brands.style(tx.trx)),
    assets: await services.assets.findAll(tx.trx, assetIds(content)),
    spoken: await textsForVisitor(tx, content, { languages, accepted }),
  }));
  const pictures = new Map(
    [...assets].map(([id, row]): [string, PagePicture] => [
      id,
      { url: urlOf(row), alt: row.alt, width: row.width, height: row.height },
    ]),
  );
  const { language, direction, texts: words, byVisitor } = visitorTexts;
  const renderContext: PageRenderContext = {
    ...{ content, pictures, texts: textsIn(texts, language), seed: page.id },
    ...{ words, language, direction },
    brand: pageBrand(style, workspace.name),
    forms: {
      pageId: page.id,
      action,
      keyring: ports.keyring,
      now: now - (now % roundingMs),
      chosen: visitorTexts,
      state,
    },
  };
  return { place: renderContext, dependsOnVisitor: byVisitor };
}

/** The address under which visitors find the page. */
const publicUrl = ({ ports }: PublicRouteContext, workspace: Workspace, slug: string): string =>
  contentUrl(ports.service, workspace, `/p/${encodeSlug(slug)}`) ?? `/p/${workspace.id}/p/${encodeSlug(slug)}`;

function imageOf({ services }: PublicRouteContext, { page, content }: PageView): string | undefined {
  const { ogImageUrl } = content.metadata;
  return ogImageUrl ?? (page.og_asset_id === null ? undefined : services.assets.mediaUrl(page.og_asset_id));
}

/** Shows a page that visitors see, with the state of its forms. */
export const showPublished =
  (languages: PageFormTextsByLanguage): ShowPage =>
  async (ctx, request, { workspace, object: view }, state): Promise<HttpResponse> => {
    const slug = view.page.published_slug ?? view.page.slug;
    const isPosted = state.posted !== undefined;
    const pageToShow = {
      ...{ workspace, view, state, action: isPosted ? '' : `${encodeSlug(slug)}/forms/` },
      urlOf: ({ id }: AssetRow) => ctx.services.assets.mediaUrl(id),
    };
    const { place, dependsOnVisitor: byVisitor } = await load(ctx, request, languages, pageToShow);
    const hasFaults = state.posted?.errors !== undefined;
    const { html, policy } = documentOf(place, {
      url: publicUrl(ctx, workspace, slug),
      noindex: view.content.metadata.noindex || isPosted,
      image: imageOf(ctx, view),
      ...(hasFaults ? { windowPrefix: place.words.error } : {}),
    });
    const headers = {
      'Content-Security-Policy': policy,
      'Cache-Control': isPosted || state.sent !== undefined ? 'no-store' : 'public, max-age=60',
      'Referrer-Policy': 'strict-origin-when-cross-origin',
      ...(byVisitor ? { Vary: 'Accept-Language' } : {}),
      'X-Content-Type-Options': 'nosniff',
      ...(view.content.metadata.noindex ? { 'X-Robots-Tag': 'noindex' } : {}),
    };
    if (isPosted) {
      const { retryAfterSeconds } = state.posted ?? {};
      const wait = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
      return {
        status: retryAfterSeconds !== undefined ? 429 : hasFaults ? 422 : 200,
        headers: { ...headers, ...wait, 'Content-Type': 'text/html; charset=utf-8' },
        body: html,
      };
    }
    return entityResponse(request, entityTag(html), html, 'text/html; charset=utf-8', headers);
  };

/** Shows the working copy to anyone who has the link. */
export const showPreview =
  (languages: PageFormTextsByLanguage) =>
  async (
    ctx: PublicRouteContext,
    request: PublicRequest,
    workspace: Workspace,
    view: PageView,
  ): Promise<HttpResponse> => {
    const { services } = ctx;
    const showing = {
      ...{ workspace, view, state: { isPreview: true }, action: '' },
      urlOf: (asset: AssetRow) => services.assets.present(workspace.id, asset).url ?? '',
    };
    const { place } = await load(ctx, request, languages, showing);
    const { html, policy } = documentOf(place, {
      ...{ url: publicUrl(ctx, workspace, view.page.slug), noindex: true, image: undefined },
      notice: `<aside class="notice"><bdi>${escapeHtml(place.words.previewPage)}</bdi></aside>\n`,
    });
    return {
      status: 200,
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': policy,
        'Cache-Control': 'no-store',
        'Referrer-Policy': 'no-referrer',
        'X-Content-Type-Options': 'nosniff',
        'X-Robots-Tag': 'noindex',
      },
      body: html,
    };
  };

/** Shows the same page for a page that never existed, is offline, is in the sandbox or belongs to another workspace. */
export const notFoundPage =
  (languages: PageFormTextsByLanguage) =>
  async (ctx: PublicRouteContext, { headers }: PublicRequest, workspace: Workspace | undefined) => {
    const { language, texts } = chooseTexts(languages, headers['accept-language']);
    return publicPage({
      ...{ status: 404, language, title: texts.missingTitle, body: paragraph(texts.missingText) },
      appearance: await pageAppearanceOf(ctx, workspace),
    });
  };
