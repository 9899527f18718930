import { defineOperation, z } from '../../../core/index.ts';
import { formToKeep } from '../build/standard-form.ts';
import { startBuild } from '../build/start-build.ts';
import { briefOf } from '../create-page.ts';
import { errors } from '../errors.ts';
import { showPage } from '../present.ts';
import { buildPrice, pageParams, pageResource } from '../schema.ts';
import { checkNotBuilding } from '../states.ts';
import { lockPage } from '../store.ts';
import { pageRows } from '../tables.ts';
import { importedPage, readyPage, somePage } from './fixture-rows.ts';

export const composePage = defineOperation({
  id: 'pages.compose',
  summary: 'Compose a page again',
  description: `Starts a build from another brief and returns at once. The working copy stays until the new one is ready (event page.ready), and also if the build fails (page.failed). Visitors see neither before publish. It replaces all sections, and keeps your form. Costs ${buildPrice} credits, refunded if the build fails.`,
  http: 'POST /v1/pages/{idOrSlug}/compose',
  tool: 'compose_page',
  scopes: ['pages:write'],
  idempotency: 'replay',
  input: {
    params: pageParams,
    body: z.object({ brief: z.string().max(8_000).describe('What the page is about and for whom.') }),
  },
  output: pageResource,
  status: 202,
  errors: ['page_not_found', 'retired_editor', 'state_conflict', 'credits_exhausted'],
  emits: ['page.ready', 'page.failed', 'budget.reached'],
  audit: { action: 'page.compose', target: ({ id }) => ({ kind: 'page', id }) },
  fixture: async (kit) => ({
    params: { idOrSlug: await readyPage(kit, kit.workspaceId) },
    body: { brief: 'The same course, for people who have baked before.' },
    foreign: { idOrSlug: await readyPage(kit, kit.foreignWorkspaceId) },
    errors: {
      retired_editor: async (own) => ({ params: { idOrSlug: await importedPage(own) } }),
      state_conflict: async (own) => ({ params: { idOrSlug: await somePage(own, own.workspaceId) } }),
      credits_exhausted: 'unreachable here: shown in test/plugins/pages.test.ts',
    },
  }),

  async handler(ctx, { params, body }) {
    const row = await lockPage(ctx.trx, params.idOrSlug);
    if (row.editor === 'retired') throw errors.retired_editor({ id: row.id });
    checkNotBuilding(row);
    const brief = briefOf(body);
    const form = formToKeep(row.sections);
    const order = { pageId: row.id, brief, headline: null, form, length: row.length, before: row.compose_status };
    const started = await startBuild(ctx, order);
    const changes = { ...started, brief, compose_status: 'building' as const, updated_at: ctx.now };
    return showPage(ctx, await pageRows.change(ctx.trx, row, changes));
  },
});
