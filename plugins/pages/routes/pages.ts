// The addresses of pages on content hosts, and below `/p/{workspace}` on all other hosts: published pages and previews.
import type { PublicRequest, PublicRoute, PublicRouteContext, Workspace } from '../../../core/index.ts';
import { contentRoutes, plainResponse } from '../../../core/unstable.ts';
import type { PageFormTextsByLanguage } from '../forms/texts.ts';
import { readPreviewToken } from '../preview-token.ts';
import type { PageAtSlug, PageView } from '../service.ts';
import { encodeSlug } from '../slug.ts';
import { notFoundPage, showPreview, showPublished } from './page-response.ts';

const limit = { perMinute: 600, burst: 300 };

async function findPublished(ctx: PublicRouteContext, { params }: PublicRequest, workspace: Workspace | undefined) {
  if (workspace === undefined) return undefined;
  const found: PageAtSlug | undefined = await ctx.read(workspace.id, ({ trx }) =>
    ctx.services.pages.atSlug(trx, params['slug'] ?? '', ctx.now),
  );
  return found === undefined ? undefined : { workspaceId: workspace.id, found };
}

/** Finds the working copy of a token's page, on either side. */
async function findPreview(ctx: PublicRouteContext, { params }: PublicRequest, workspace: Workspace | undefined) {
  const token = readPreviewToken(ctx.ports.keyring, params['token'] ?? '', ctx.now);
  if (workspace === undefined || token === undefined) return undefined;
  const view = await ctx.read(workspace.id, async ({ trx }): Promise<PageView | undefined> => {
    const { pages } = ctx.services;
    return (
      (await pages.workingCopy(trx.onSide(false), token.pageId)) ??
      (await pages.workingCopy(trx.onSide(true), token.pageId))
    );
  });
  return view === undefined ? undefined : { workspaceId: workspace.id, found: view };
}

/** A permanent redirect to the new address of a page, for as long as its old address is stored. */
const movedTo = (slug: string, query: string) => ({
  ...plainResponse('text/plain; charset=utf-8', '', { Location: `${encodeSlug(slug)}${query}` }),
  status: 301,
});

export function pageRoutes(languages: PageFormTextsByLanguage): readonly PublicRoute[] {
  const [show, preview, missing] = [showPublished(languages), showPreview(languages), notFoundPage(languages)];
  return [
    ...contentRoutes<PageAtSlug>({
      http: 'GET /p/{slug}',
      description: 'A published page.',
      limit,
      find: findPublished,
      async handler(ctx, request, place) {
        const { object: found } = place;
        const query = request.query.toString();
        if ('movedTo' in found) return movedTo(found.movedTo, query === '' ? '' : `?${query}`);
        const sent = request.query.get('sent') ?? undefined;
        return show(ctx, request, { ...place, object: found.view }, { sent, isPreview: false });
      },
      missing,
    }),
    ...contentRoutes<PageView>({
      http: 'GET /p/preview/{token}',
      description: 'The working copy of a page, for 24 hours, for people who have its link.',
      limit,
      find: findPreview,
      handler: (ctx, request, { workspace, object: found }) => preview(ctx, request, workspace, found),
      missing,
    }),
  ];
}
