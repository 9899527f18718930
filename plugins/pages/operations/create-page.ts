import { defineOperation, idParameter, z } from '../../../core/index.ts';
import { createPage } from '../create-page.ts';
import { showPage } from '../present.ts';
import { buildPrice, ctaLabel, maxPages, pageResource } from '../schema.ts';
import { wantedForm } from '../sections/form.ts';
import { slugInput } from '../slug.ts';
import { brandIn, foreignForms, slugOf } from './fixture-rows.ts';

export const createPageOperation = defineOperation({
  id: 'pages.create',
  summary: 'Create a page',
  description: `Builds a landing page from a brief, in the style of the brand. The build runs in the background: composeStatus is queued, then ready (event page.ready) or failed. Nothing is public before publish. Costs ${buildPrice} credits, refunded if the build fails. A workspace has at most ${maxPages} pages.`,
  http: 'POST /v1/pages',
  tool: 'create_page',
  scopes: ['pages:write'],
  idempotency: 'replay',
  input: {
    body: z.object({
      brief: z
        .string()
        .max(8_000)
        .optional()
        .describe('What the page is about and for whom. Required unless headlineAngle says it.'),
      headlineAngle: z
        .string()
        .max(500)
        .optional()
        .describe('The idea of the headline. Without a brief, it is also the brief.'),
      objective: z.string().max(2_000).optional().describe('Its purpose, such as sign-ups for a course.'),
      ctaLabel: ctaLabel.optional(),
      slug: slugInput.optional().describe('The last part of its address. Without one, it is made from the title.'),
      vibe: z.string().max(200).optional().describe('The mood, such as calm and plain.'),
      length: z
        .string()
        .max(50)
        .optional()
        .describe('short (5 sections), medium (8) or long (12). Other words mean medium and are a hint.'),
      form: wantedForm.optional().describe('Its form, as in sections.'),
      brandId: idParameter('brd').optional().describe('Prefix brd_. (Default: the default one)'),
    }),
  },
  output: pageResource,
  status: 201,
  errors: ['brand_required', 'brand_not_found', 'slug_taken', 'limit_reached', 'credits_exhausted'],
  emits: ['page.ready', 'page.failed', 'budget.reached'],
  audit: { action: 'page.create', target: ({ id }) => ({ kind: 'page', id }) },
  async fixture(kit) {
    await brandIn(kit, kit.workspaceId);
    return {
      body: {
        brief: 'A page for our sourdough course. Six evenings for beginners, in our bakery in Graz. Warm and plain.',
        objective: 'Sign-ups for the course in March',
        ctaLabel: 'Join the course',
        length: 'short',
      },
      foreign: { body: { brandId: await brandIn(kit, kit.foreignWorkspaceId), ...(await foreignForms(kit)) } },
      errors: {
        brand_required: 'unreachable here: shown in test/plugins/pages.test.ts',
        brand_not_found: async () => ({ body: { brief: 'A page.', brandId: 'brd_01ARZ3NDEKTSV4RRFFQ69G5FAV' } }),
        slug_taken: async (own) => ({ body: { brief: 'A page.', slug: await slugOf(own) } }),
        limit_reached: 'unreachable here: shown in test/plugins/pages.test.ts',
        credits_exhausted: 'unreachable here: shown in test/plugins/pages.test.ts',
      },
    };
  },

  async handler(ctx, { body }) {
    return showPage(ctx, await createPage(ctx, body));
  },
});
