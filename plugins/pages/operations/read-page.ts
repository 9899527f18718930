import { defineOperation, z } from '../../../core/index.ts';
import { placeholdersIn } from '../../kit/placeholders.ts';
import { placeholderContent, summaryOf, workingCopy } from '../content.ts';
import { showPage } from '../present.ts';
import { pageParams, pageResourceObject } from '../schema.ts';
import { section } from '../sections/schema.ts';
import { findPage, findVersion } from '../store.ts';
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
      version: z.coerce
        .number()
        .int()
        .min(1)
        .optional()
        .describe(
          'Shows title, slug, ctaLabel, metadata and sections of this published version. (Default: the working copy)',
        ),
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
  errors: ['page_not_found', 'page_version_not_found'],
  fixture: async (kit) => ({
    params: { idOrSlug: await somePage(kit, kit.workspaceId) },
    foreign: { idOrSlug: await somePage(kit, kit.foreignWorkspaceId) },
    errors: { page_version_not_found: async () => ({ query: { version: '9' } }) },
  }),

  async handler(ctx, { params, query }) {
    const row = await findPage(ctx.trx, params.idOrSlug);
    const version = query.version === undefined ? undefined : await findVersion(ctx.trx, row.id, query.version);
    const content = version?.content ?? workingCopy(row);
    const { title, ctaLabel, metadata, sections } = content;
    const response = {
      ...(await showPage(ctx, row)),
      ...{ title, ctaLabel, metadata, sections: summaryOf(sections) },
      ...(version === undefined ? {} : { slug: version.slug }),
    };
    if (query.sections !== 'full') return response;
    return { ...response, sections: [...sections], placeholders: placeholdersIn(placeholderContent(content)) };
  },
});
