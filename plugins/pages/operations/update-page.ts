import { defineOperationWithPrepare, z } from '../../../core/index.ts';
import { changePage } from '../change-page.ts';
import { showPage } from '../present.ts';
import { renderSections } from '../rendering/texts.ts';
import { ctaLabel, languageInput, metadataFields, pageParams, pageResource, pageTitle } from '../schema.ts';
import { maxSections, sectionInput } from '../sections/schema.ts';
import { slugInput } from '../slug.ts';
import { lockPage } from '../store.ts';
import { foreignParts, importedPage, readyPage, slugOf, somePage } from './fixture-rows.ts';

const { title, description, ogImageUrl, noindex } = metadataFields;

export const updatePage = defineOperationWithPrepare({
  id: 'pages.update',
  summary: 'Change a page',
  description:
    'Changes the working copy; visitors see it once it is published. Missing fields stay, null clears a field. sections is the whole list in order: an id alone keeps a section, an id with fields replaces it, a section without an id is new, and a missing section is removed.',
  http: 'PATCH /v1/pages/{idOrSlug}',
  tool: 'update_page',
  scopes: ['pages:write'],
  idempotency: 'replay',
  input: {
    params: pageParams,
    body: z.object({
      title: pageTitle.optional(),
      slug: slugInput.optional().describe('In use from the next publish on. The old slug redirects for 400 days.'),
      metadata: z
        .strictObject({
          title: title.optional(),
          description: description.optional(),
          ogImageUrl: ogImageUrl.optional(),
          noindex: noindex.optional(),
          language: languageInput.optional(),
        })
        .optional(),
      ctaLabel: ctaLabel.nullable().optional(),
      sections: z.array(sectionInput).max(maxSections).optional(),
    }),
  },
  output: pageResource,
  errors: ['page_not_found', 'slug_taken', 'retired_editor', 'state_conflict'],
  emits: ['approval.decided'],
  audit: { action: 'page.update', target: ({ id }) => ({ kind: 'page', id }) },
  async fixture(kit) {
    const idOrSlug = await readyPage(kit, kit.workspaceId);
    return {
      params: { idOrSlug },
      body: { title: 'Bake sourdough at home', sections: [{ kind: 'richtext', text: 'Six evenings in **Graz**.' }] },
      foreign: {
        params: { idOrSlug: await readyPage(kit, kit.foreignWorkspaceId) },
        body: await foreignParts(kit),
      },
      errors: {
        slug_taken: async (own) => ({ body: { slug: await slugOf(own) } }),
        retired_editor: async (own) => ({ params: { idOrSlug: await importedPage(own) } }),
        state_conflict: async (own) => ({ params: { idOrSlug: await somePage(own, own.workspaceId) } }),
      },
    };
  },

  prepare: (_, { body: { sections = [] } }) => renderSections(sections, 'sections'),

  async handler(ctx, { params, body }, texts) {
    const row = await lockPage(ctx.trx, params.idOrSlug);
    return showPage(ctx, await changePage(ctx, row, body, texts));
  },
});
