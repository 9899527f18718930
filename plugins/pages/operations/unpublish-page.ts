import { coreErrors, defineOperation } from '../../../core/index.ts';
import { showPage } from '../present.ts';
import { takeOffline } from '../publishing/publish.ts';
import { pageParams, pageResource } from '../schema.ts';
import { lockPage } from '../store.ts';
import { publishedPage, readyPage } from './fixture-rows.ts';

export const unpublishPage = defineOperation({
  id: 'pages.unpublish',
  summary: 'Take a page offline',
  description: 'Visitors get 404 from then on. The page, its versions and its slug stay: publish shows it again.',
  http: 'POST /v1/pages/{idOrSlug}/unpublish',
  tool: { name: 'unpublish_page', openWorld: true },
  scopes: ['pages:publish'],
  idempotency: 'replay',
  input: { params: pageParams },
  output: pageResource,
  errors: ['page_not_found', 'state_conflict'],
  emits: ['page.unpublished'],
  audit: { action: 'page.unpublish', target: ({ id }) => ({ kind: 'page', id }) },
  fixture: async (kit) => ({
    params: { idOrSlug: await publishedPage(kit, kit.workspaceId) },
    foreign: { idOrSlug: await publishedPage(kit, kit.foreignWorkspaceId) },
    errors: {
      state_conflict: async (own) => ({ params: { idOrSlug: await readyPage(own, own.workspaceId) } }),
    },
  }),

  async handler(ctx, { params }) {
    const page = await lockPage(ctx.trx, params.idOrSlug);
    if (page.status === 'draft')
      throw coreErrors.state_conflict({ reason: `The page ${page.id} was never published: it is a draft.` });
    if (page.status === 'unpublished') return showPage(ctx, page);
    const response = await showPage(ctx, await takeOffline(ctx, page));
    ctx.emit('page.unpublished', response);
    return response;
  },
});
