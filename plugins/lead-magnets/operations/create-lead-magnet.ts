import { defineOperationWithPrepare, idParameter, z } from '../../../core/index.ts';
import { createLeadMagnet } from '../create.ts';
import { showLeadMagnet } from '../present.ts';
import {
  brief,
  chapters,
  coverPages,
  formats,
  leadMagnetResource,
  maxChapters,
  maxLeadMagnets,
  title,
} from '../schema.ts';
import { checkChapters } from '../texts.ts';
import { brandIn, noBrand } from './fixture-rows.ts';

export const createLeadMagnetOperation = defineOperationWithPrepare({
  id: 'lead_magnets.create',
  summary: 'Create a lead magnet',
  description: `Without chapters it is a draft: compose writes them from the brief. With chapters (at most ${maxChapters}) it is ready to export at once. A workspace has at most ${maxLeadMagnets} lead magnets. Free.`,
  http: 'POST /v1/lead-magnets',
  tool: 'create_lead_magnet',
  scopes: ['pages:write'],
  idempotency: 'replay',
  input: {
    body: z.object({
      title,
      format: z.enum(formats).default('guide'),
      brief: brief.optional(),
      coverPages: coverPages.default(1),
      chapters: chapters.optional(),
      brandId: idParameter('brd').optional().describe('Prefix brd_. (Default: the default one at each use)'),
    }),
  },
  output: leadMagnetResource,
  status: 201,
  errors: ['brand_not_found', 'limit_reached'],
  audit: { action: 'lead_magnet.create', target: ({ id }) => ({ kind: 'lead_magnet', id }) },
  fixture: async (kit) => ({
    body: {
      title: 'Sourdough in six evenings',
      format: 'guide',
      brief: 'A guide for people who bake their first sourdough bread. A starter needs a week. Bread needs time.',
    },
    foreign: { body: { brandId: await brandIn(kit, kit.foreignWorkspaceId) } },
    errors: {
      brand_not_found: async () => ({ body: { title: 'Sourdough', brandId: noBrand } }),
      limit_reached: 'unreachable here: shown in test/plugins/lead-magnets.test.ts',
    },
  }),

  prepare: (_, { body }) => checkChapters(body.chapters),

  async handler(ctx, { body }) {
    return showLeadMagnet(ctx, await createLeadMagnet(ctx, body));
  },
});
