import { coreErrors, defineOperationWithPrepare, idParameter, type PrepareContext, z } from '../../../core/index.ts';
import { beginning } from '../../../core/unstable.ts';
import type { StoredAsset } from '../../assets/service.ts';
import { busyError, errors } from '../errors.ts';
import { contentTypes } from '../paint/raster.ts';
import { type RenderedPicture, renderComposition as render } from '../render.ts';
import { formats, type RenderFormat } from '../schema.ts';
import { type CompositionRow, compositionRows } from '../tables.ts';
import { someComposition, somePicture } from './fixture-rows.ts';

/** The maximum number of renders of a workspace at a time. */
const rendersAtOnce = 4;

interface Prepared {
  readonly rendered: RenderedPicture;
  /** The picture in the asset store; undefined if it is not saved. */
  readonly stored: StoredAsset | undefined;
}

const endings = { svg: 'svg', png: 'png', webp: 'webp', jpeg: 'jpg' } as const;

/** Writes the picture to the asset store. The handler makes the asset. */
function store(
  ctx: PrepareContext,
  { name }: CompositionRow,
  format: RenderFormat,
  { bytes, contentType }: RenderedPicture,
): Promise<StoredAsset> {
  const fileStem = name.replace(/[^\p{L}\p{N} _-]+/gu, ' ').trim();
  return ctx.services.assets.store(ctx, {
    name: `${beginning(fileStem, 60).trim() || 'composition'}.${endings[format]}`,
    bytes,
    contentType,
    source: 'render',
    tags: ['composition'],
    alt: name,
  });
}

const bytesAs = (description: string) => ({
  description,
  render: (_: unknown, { rendered }: Prepared) => ({ bytes: rendered.bytes }),
});

const shownInTest = 'unreachable here: shown in test/plugins/designs-render.test.ts';

export const renderComposition = defineOperationWithPrepare({
  id: 'designs.render',
  summary: 'Render a composition',
  description:
    'As svg, png, webp or jpeg, free of charge. scale 1 to 4 multiplies the size of the canvas, up to 8192 px a side; jpeg has a white ground. Pictures and logos are assets and are embedded in the file. If the picture of a layer was deleted, the error names the layer. With saveToAssets the picture is stored in the asset library, tagged composition.',
  http: 'POST /v1/compositions/{compositionId}/render',
  tool: 'render_composition',
  scopes: ['compositions:read'],
  idempotency: 'replay',
  input: {
    params: z.object({ compositionId: idParameter('cmp') }),
    body: z.object({
      format: z.enum(formats),
      scale: z.number().min(1).max(4).default(1).describe('Pixels of the picture for one px of the canvas.'),
      saveToAssets: z.boolean().default(false).describe('Needs compositions:write, too.'),
    }),
  },
  output: z.object({
    compositionId: z.string(),
    format: z.enum(formats),
    contentType: z.string(),
    width: z.int().describe('In px.'),
    height: z.int(),
    bytes: z.int(),
    dataBase64: z
      .string()
      .nullable()
      .describe(
        'The bytes; null if the response contains them in another form: as an image or SVG text of a tool, or in the media type of Accept.',
      ),
    assetId: z.string().nullable().describe('The stored picture, where saveToAssets was true.'),
    creditsCharged: z.int(),
  }),
  representations: {
    'image/svg+xml': bytesAs('The picture, for format svg.'),
    'image/png': bytesAs('The picture, for format png.'),
    'image/webp': bytesAs('The picture, for format webp.'),
    'image/jpeg': bytesAs('The picture, for format jpeg.'),
  },
  representationArgument: { name: 'format', types: contentTypes },
  errors: [
    'composition_not_found',
    'composition_incomplete',
    'composition_too_large',
    'composition_fonts_missing',
    'composition_renderer_missing',
    'composition_busy',
    'asset_invalid',
    'asset_store_unavailable',
    'limit_reached',
  ],
  atOnce: { limit: rendersAtOnce, refused: busyError },
  audit: { action: 'composition.render', target: ({ compositionId }) => ({ kind: 'composition', id: compositionId }) },
  fixture: async (kit) => ({
    params: { compositionId: await someComposition(kit, kit.workspaceId) },
    body: { format: 'svg' },
    foreign: { compositionId: await someComposition(kit, kit.foreignWorkspaceId) },
    errors: {
      composition_incomplete: async (own) => {
        const assetId = await somePicture(own, own.workspaceId);
        const layers = [{ kind: 'image', assetId, x: 0, y: 0, width: 100, height: 100 }] as const;
        const compositionId = await someComposition(own, own.workspaceId, layers);
        await own.call('assets.delete', { assetId });
        return { params: { compositionId } };
      },
      composition_too_large: async (own) => {
        const design = await own.call('designs.create', { width: 8_192, height: 16 });
        return { params: { compositionId: String(design['compositionId']) }, body: { format: 'svg', scale: 2 } };
      },
      composition_fonts_missing: shownInTest,
      composition_renderer_missing: shownInTest,
      composition_busy: shownInTest,
      asset_invalid: shownInTest,
      asset_store_unavailable: 'unreachable here: shown in test/plugins/assets-upkeep.test.ts',
      limit_reached: 'unreachable here: shown in test/plugins/assets-upkeep.test.ts',
    },
  }),

  async prepare(ctx, { params: { compositionId }, body: { format, scale, saveToAssets } }): Promise<Prepared> {
    const row = await ctx.read(({ trx }) => compositionRows.find(trx, compositionId));
    if (row === undefined) throw errors.composition_not_found({ id: compositionId });
    if (saveToAssets && !ctx.holds('compositions:write'))
      throw coreErrors.insufficient_scope({ scopes: ['compositions:write'] });
    const rendered = await render(ctx, row, format, scale);
    const stored = saveToAssets && !ctx.dryRun ? await store(ctx, row, format, rendered) : undefined;
    return { rendered, stored };
  },

  async handler(ctx, { params: { compositionId }, body: { format } }, { rendered, stored }: Prepared) {
    const asset = stored === undefined ? undefined : await ctx.services.assets.add(ctx, stored);
    ctx.note({ format });
    const { contentType, width, height, bytes } = rendered;
    return {
      compositionId,
      format,
      contentType,
      width,
      height,
      bytes: bytes.length,
      dataBase64: ctx.representation === 'application/json' ? bytes.toString('base64') : null,
      assetId: asset?.id ?? null,
      creditsCharged: 0,
    };
  },
});
