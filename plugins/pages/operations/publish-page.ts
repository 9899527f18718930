import { coreErrors, defineOperation, heldResponse, noteForReviewers, respond, z } from '../../../core/index.ts';
import { refusePlaceholders } from '../../kit/placeholders.ts';
import { placeholderContent, workingCopy } from '../content.ts';
import { publicationContent } from '../content-kind.ts';
import { pageKindId } from '../content-kind-id.ts';
import { checkForms } from '../forms/check-forms.ts';
import { showPage } from '../present.ts';
import { type PagePublication, publishContent } from '../publishing/publish.ts';
import { pageParams, pageResourceObject } from '../schema.ts';
import { linkFaults } from '../sections/links.ts';
import { findVersion, lockPage } from '../store.ts';
import type { PageRow } from '../tables.ts';
import { publishedPage, readyPage, somePage, unwritten } from './fixture-rows.ts';

/** @throws state_conflict until the first build has succeeded */
function checkBuiltOnce({ id, compose_status: status, build }: PageRow): void {
  if (status === 'ready' || (status === 'building' && build?.before === 'ready')) return;
  const next =
    status === 'failed' ? 'Compose it again' : 'Wait for the event page.ready, or until its composeStatus is ready';
  throw coreErrors.state_conflict({ reason: `The page ${id} is ${status}: there is nothing to publish yet. ${next}.` });
}

export const publishPage = defineOperation({
  id: 'pages.publish',
  summary: 'Publish a page',
  description:
    'Makes the working copy, or an older version, the one that visitors see. If nothing has changed, the version stays. Sandbox pages are never public: their previewUrl shows them.',
  http: 'POST /v1/pages/{idOrSlug}/publish',
  tool: { name: 'publish_page', openWorld: true },
  scopes: ['pages:publish'],
  instead: { 'approvals.submit': 'ask for an approval, so that another key may publish it' },
  idempotency: 'replay',
  input: {
    params: pageParams,
    body: z.object({
      version: z.int().min(1).optional().describe('An older version, to publish again. The working copy stays.'),
      note: noteForReviewers,
    }),
  },
  output: pageResourceObject,
  secondSuccess: heldResponse(pageResourceObject),
  contentKind: pageKindId,
  errors: [
    'page_not_found',
    'page_version_not_found',
    'insufficient_scope',
    'asset_not_found',
    'asset_invalid',
    'state_conflict',
    'placeholders_left',
    'limit_reached',
  ],
  emits: ['page.published', 'approval.requested', 'approval.decided'],
  audit: { action: 'page.publish', target: ({ id }) => ({ kind: 'page', id }) },
  fixture: async (kit) => ({
    params: { idOrSlug: await readyPage(kit, kit.workspaceId) },
    body: {},
    foreign: { idOrSlug: await readyPage(kit, kit.foreignWorkspaceId) },
    errors: {
      page_version_not_found: async (own) => ({
        params: { idOrSlug: await publishedPage(own, own.workspaceId) },
        body: { version: 9 },
      }),
      state_conflict: async (own) => ({ params: { idOrSlug: await somePage(own, own.workspaceId) } }),
      placeholders_left: async (own) => ({ params: { idOrSlug: await readyPage(own, own.workspaceId, unwritten) } }),
      insufficient_scope: 'unreachable here: shown in test/plugins/pages-forms.test.ts',
      asset_not_found: 'unreachable here: shown in test/plugins/pages-publishing.test.ts',
      asset_invalid: 'unreachable: a page takes no asset that is not ready',
      limit_reached: 'unreachable here: shown in test/plugins/approvals.test.ts',
    },
  }),

  async handler(ctx, { params, body: { version } }) {
    const page = await lockPage(ctx.trx, params.idOrSlug);
    checkBuiltOnce(page);
    const older = version === undefined ? undefined : await findVersion(ctx.trx, page.id, version);
    const publication: PagePublication =
      older === undefined
        ? { content: workingCopy(page), texts: page.texts, slug: page.slug }
        : { content: older.content, texts: older.texts, slug: page.published_slug ?? page.slug };
    refusePlaceholders('The page', placeholderContent(publication.content));
    await checkForms(ctx, publication.content.sections);
    ctx.refuse(linkFaults(publication.content.sections, 'sections'));
    // Sandbox pages never become public, so no decision is needed.
    const approval = ctx.sandbox
      ? undefined
      : await ctx.requireDecision(page.id, {
          content: () => publicationContent(ctx.trx, page, publication, version),
        });
    if (approval !== undefined) return respond(202, { ...(await showPage(ctx, page)), approval });
    const publishedPage = await publishContent(ctx, page, publication);
    ctx.note({ version: publishedPage.version });
    const response = await showPage(ctx, publishedPage);
    if (publishedPage !== page) ctx.emit('page.published', response);
    return response;
  },
});
