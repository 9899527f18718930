import { coreErrors, defineOperation, z } from '../../../core/index.ts';
import { endBuildKind } from '../build/kinds.ts';
import { pageKindId } from '../content-kind-id.ts';
import { showPage } from '../present.ts';
import { takeOffline } from '../publishing/publish.ts';
import { pageParams } from '../schema.ts';
import { lockPage, removePage } from '../store.ts';
import { somePage } from './fixture-rows.ts';

export const deletePage = defineOperation({
  id: 'pages.delete',
  summary: 'Delete a page',
  description:
    'Deletes the page with its versions, ends its build, and frees its slug. A published page also needs the scope pages:publish: visitors get 404 from then on. This cannot be undone.',
  http: 'DELETE /v1/pages/{idOrSlug}',
  tool: { name: 'delete_page', destructive: true },
  scopes: ['pages:write'],
  idempotency: 'natural',
  input: { params: pageParams },
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  errors: ['page_not_found', 'insufficient_scope'],
  emits: ['page.unpublished', 'approval.decided'],
  audit: { action: 'page.delete', target: ({ id }) => ({ kind: 'page', id }) },
  fixture: async (kit) => ({
    params: { idOrSlug: await somePage(kit, kit.workspaceId) },
    foreign: { idOrSlug: await somePage(kit, kit.foreignWorkspaceId) },
    errors: { insufficient_scope: 'unreachable here: shown in test/plugins/pages-publishing.test.ts' },
  }),

  async handler(ctx, { params }) {
    const page = await lockPage(ctx.trx, params.idOrSlug);
    const { id, build, og_asset_id: picture } = page;
    if (page.status === 'published') {
      if (!ctx.holds('pages:publish'))
        throw coreErrors.insufficient_scope({ scopes: ['pages:publish'], instead: 'take the page offline first' });
      ctx.emit('page.unpublished', await showPage(ctx, await takeOffline(ctx, page)));
    }
    if (build !== null) {
      if (build.holdId !== null) await ctx.release(build.holdId);
      await ctx.cancelJob({ key: id, kind: endBuildKind });
    }
    await removePage(ctx.trx, id);
    if (picture !== null) await ctx.services.assets.remove(ctx, picture);
    await ctx.contentChanged(pageKindId, [id]);
    return { id, deleted: true as const };
  },
});
