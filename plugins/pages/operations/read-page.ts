import { defineOperation, z } from '../../../core/index.ts';
import { placeholdersIn } from '../../kit/placeholders.ts';
import { placeholderContent, workingCopy } from '../content.ts';
import { showPage } from '../present.ts';
import { pageParams, pageResourceObject } from '../schema.ts';
import { section } from '../sections/schema.ts';
import { findPage } from '../store.ts';
import { somePage } from './fixture-rows.ts';

export const readPage = defineOperation({
  id: 'pages.read',
  summary: 'Read a page',
  description:
    'Its state, its metadata and its sections by id, kind and heading; sections=full returns the whole working copy and its placeholders. Read it with sections=full before you change sections.',
  http: 'GET /v1/pages/{idOrSlug}',
  tool: 'read_page',
  scopes: ['pages:read'],
  idempotency: 'read',
  input: {
    params: pageParams,
    query: z.object({
      sections: z.enum(['summary', 'full']).default('summary').describe('full returns all data of each section.'),
    }),
  },
  output: pageResourceObject
    .extend({
      sections: z.array(z.union([section, pageResourceObject.shape.sections.element])),
      placeholders: z
        .array(z.object({ path: z.string(), text: z.string() }))
        .optional()
        .describe('With sections=full.'),
    })
    .meta({ id: 'PageDetail' }),
  errors: ['page_not_found'],
  fixture: async (kit) => ({
    params: { idOrSlug: await somePage(kit, kit.workspaceId) },
    foreign: { idOrSlug: await somePage(kit, kit.foreignWorkspaceId) },
  }),

  async handler(ctx, { params, query }) {
    const row = await findPage(ctx.trx, params.idOrSlug);
    const response = await showPage(ctx, row);
    if (query.sections !== 'full') return response;
    const placeholders = placeholdersIn(placeholderContent(workingCopy(row)));
    return { ...response, sections: [...row.sections], placeholders };
  },
});
