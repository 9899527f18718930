import { coreErrors, defineOperationWithPrepare, idOf, type PrepareContext, z } from '../../../core/index.ts';
import { creditPools, creditsExhausted, lockWorkspace } from '../../../core/unstable.ts';
import type { BrandStyle } from '../../brand/index.ts';
import { type Canvas, canvasOf } from '../canvas.ts';
import { compose } from '../composing/compose.ts';
import type { ComposedPicture } from '../composing/embedded.ts';
import { checkedLayers } from '../layers.ts';
import { presentComposition } from '../present.ts';
import { canvasSide, compositionResource, name, preset } from '../schema.ts';
import { compositionRows } from '../tables.ts';

/** The maximum number of compositions of one side of a workspace. */
const maxCompositions = 5_000;

interface Prepared {
  readonly canvas: Canvas;
  readonly brand: BrandStyle | undefined;
  readonly composed: ComposedPicture | undefined;
}

/** Checks the credits before a model is called. @throws credits_exhausted, leash_exceeded */
async function checkCredits(ctx: PrepareContext): Promise<void> {
  if (ctx.sandbox) return;
  const price = ctx.services.designs.prices.compose;
  await ctx.checkLeash(price);
  await ctx.read(async ({ trx }) => {
    const { month, granted } = await creditPools(trx, ctx.workspace, ctx.now);
    if (month + granted < price) throw creditsExhausted(ctx.workspace, price, month + granted, ctx.now);
  });
}

export const createComposition = defineOperationWithPrepare({
  id: 'designs.create',
  summary: 'Create a composition',
  description:
    'Its size is a cropPresetId of list_canvas_sizes, or width and height; without any of them, ig-square. With a brief it is composed in the style of the brand, for 3 credits: background, heading, a line of text, and the logo if it is an asset. Without a brief it is empty and free: give it layers with PATCH. brandId is the brand of its logos, by default the default brand.',
  http: 'POST /v1/compositions',
  tool: 'create_composition',
  searchWords: ['header', 'graphic', 'banner'],
  scopes: ['compositions:write'],
  idempotency: 'replay',
  input: {
    body: z.object({
      name: name.optional().describe('(Default: the heading of the composed picture, or the name of the size)'),
      cropPresetId: preset.optional().describe('A size by its name, in place of width and height.'),
      width: canvasSide.optional().describe('In px. Together with height.'),
      height: canvasSide.optional(),
      brandId: idOf('brd').optional().describe('(Default: the default brand)'),
      brief: z
        .string()
        .max(8_000)
        .refine((text) => text.trim() !== '', 'Describe the subject of the picture, or leave brief out.')
        .optional()
        .describe('What the picture is about. Words in quotation marks become its heading.'),
    }),
  },
  fieldHints: { layers: 'Create the composition, then give it layers with PATCH /v1/compositions/{compositionId}.' },
  output: compositionResource,
  status: 201,
  entityTag: ({ version }) => version,
  errors: ['brand_not_found', 'compose_failed', 'provider_timeout', 'credits_exhausted', 'limit_reached'],
  emits: ['budget.reached'],
  audit: { action: 'composition.create', target: ({ compositionId }) => ({ kind: 'composition', id: compositionId }) },
  fixture: async (kit) => ({
    body: { cropPresetId: 'og-image', brief: `"${kit.unique('Spring sale')}" 20 % off all chairs until Sunday.` },
    foreign: {
      body: {
        brandId: (await kit.call('brand.create', { name: 'Theirs' }, kit.foreignWorkspaceId))['id'],
        cropPresetId: 'skipped: the sizes come with the service',
      },
    },
    errors: {
      brand_not_found: async () => ({ body: { brandId: 'brd_00000000000000000000000000' } }),
      compose_failed: 'unreachable here: shown in test/plugins/designs.test.ts',
      provider_timeout: 'unreachable here: shown in test/plugins/social-posts-composing.test.ts',
      credits_exhausted: 'unreachable here: shown in test/plugins/designs.test.ts',
      limit_reached: 'unreachable here: shown in test/plugins/designs.test.ts',
    },
  }),

  async prepare(ctx, { body: { brandId, brief, ...canvasInput } }): Promise<Prepared> {
    const canvas = canvasOf(canvasInput);
    const brand = await ctx.read(({ trx }) => ctx.services.brands.style(trx, brandId));
    if (brand === undefined && brandId !== undefined) throw ctx.services.brands.notFound(brandId);
    if (brief === undefined) return { canvas, brand, composed: undefined };
    await checkCredits(ctx);
    const { width, height } = canvas;
    return { canvas, brand, composed: await compose(ctx, { brief, width, height, brand }) };
  },

  async handler(ctx, { body }, { canvas, brand, composed }: Prepared) {
    if (composed !== undefined) await ctx.charge(ctx.services.designs.prices.compose, 'composition');
    // Two concurrent calls must not exceed the limit.
    await lockWorkspace(ctx.trx);
    if ((await compositionRows.count(ctx.trx, {}, maxCompositions)) === maxCompositions)
      throw coreErrors.limit_reached({ limit: maxCompositions, resources: 'compositions' });
    const row = await compositionRows.insert(ctx.trx, {
      id: ctx.newId('cmp'),
      sandbox: ctx.sandbox,
      name: body.name ?? composed?.name ?? canvas.name,
      width: canvas.width,
      height: canvas.height,
      crop_preset_id: canvas.cropPresetId,
      brand_id: brand?.id ?? null,
      layers: await checkedLayers(ctx, composed?.layers ?? []),
      version: 1,
      created_at: ctx.now,
      updated_at: ctx.now,
    });
    ctx.note({ width: row.width, height: row.height, composed: composed !== undefined });
    return presentComposition(ctx, row);
  },
});
