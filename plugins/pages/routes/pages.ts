// The addresses of pages on content hosts, and below `/p/{workspace}` on all other hosts: published pages and previews.
import type { PublicRequest, PublicRoute, PublicRouteContext, Workspace } from '../../../core/index.ts';
import { contentRoutes, plainAnswer } from '../../../core/unstable.ts';
import type { PageFormTextsByLanguage } from '../forms/texts.ts';
import { readPreviewToken } from '../preview-token.ts';
import type { PageAtSlug, ShownPage } from '../service.ts';
import { slugInUrl } from '../slug.ts';
import { missingPage, showPreview, showPublished } from './show.ts';

const limit = { perMinute: 600, burst: 300 };

async function findPublished(context: PublicRouteContext, { params }: PublicRequest, workspace: Workspace | undefined) {
  if (workspace === undefined) return undefined;
  const found: PageAtSlug | undefined = await context.read(workspace.id, ({ trx }) =>
    context.services.pages.atSlug(trx, params['slug'] ?? '', context.now),
  );
  return found === undefined ? undefined : { workspaceId: workspace.id, found };
}

/** Finds the working copy that a token names, on either side. */
async function findPreview(context: PublicRouteContext, { params }: PublicRequest, workspace: Workspace | undefined) {
  const token = readPreviewToken(context.ports.keyring, params['token'] ?? '', context.now);
  if (workspace === undefined || token === undefined) return undefined;
  const found = await context.read(workspace.id, async ({ trx }): Promise<ShownPage | undefined> => {
    const { pages } = context.services;
    return (
      (await pages.workingCopy(trx.onSide(false), token.pageId)) ??
      (await pages.workingCopy(trx.onSide(true), token.pageId))
    );
  });
  return found === undefined ? undefined : { workspaceId: workspace.id, found };
}

/** A permanent redirect to the new address of a page, for as long as its old address is stored. */
const movedTo = (slug: string, query: string) => ({
  ...plainAnswer('text/plain; charset=utf-8', '', { Location: `${slugInUrl(slug)}${query}` }),
  status: 301,
});

export function pageRoutes(languages: PageFormTextsByLanguage): readonly PublicRoute[] {
  const [show, preview, missing] = [showPublished(languages), showPreview(languages), missingPage(languages)];
  return [
    ...contentRoutes<PageAtSlug>({
      http: 'GET /p/{slug}',
      description: 'A published page.',
      limit,
      find: findPublished,
      async handler(context, request, place) {
        const { found } = place;
        const query = request.query.toString();
        if ('movedTo' in found) return movedTo(found.movedTo, query === '' ? '' : `?${query}`);
        const sent = request.query.get('sent') ?? undefined;
        return show(context, request, { ...place, found: found.shown }, { sent, isPreview: false });
      },
      missing,
    }),
    ...contentRoutes<ShownPage>({
      http: 'GET /p/preview/{token}',
      description: 'The working copy of a page, for 24 hours to who has its link.',
      limit,
      find: findPreview,
      handler: (context, request, { workspace, found }) => preview(context, request, workspace, found),
      missing,
    }),
  ];
}
