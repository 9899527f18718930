// The page of one design in the console: its layers, a link to its picture, and its deletion.
import type { ConsoleContext, ConsoleView } from '../../../core/index.ts';
import {
  actionForm,
  dataTable,
  deleteAction,
  detailLayout,
  emptyNotice,
  facts,
  type Html,
  html,
  idOfRow,
  moment,
  panel,
} from '../../../core/unstable.ts';
import type { Layer } from '../schema.ts';
import { pictureOfDesign } from './picture.ts';

const kindWords: Readonly<Record<Layer['kind'], string>> = {
  text: 'Text',
  image: 'Picture',
  shape: 'Shape',
  logo: 'Logo',
  qr: 'QR code',
};

function contentOf(ctx: ConsoleContext, layer: Layer): Html | string {
  switch (layer.kind) {
    case 'text':
      return html`<span dir="auto">${layer.text}</span>`;
    case 'image':
      return ctx.mayCall('assets.read')
        ? html`<a href="${ctx.link(`assets/${layer.assetId}`)}">${layer.assetId}</a>`
        : idOfRow(layer.assetId);
    case 'shape':
      return layer.shape;
    case 'logo':
      return layer.variant;
    default:
      return idOfRow(layer.qrId);
  }
}

/** Deletes the design. */
export const deleteDesign = deleteAction({
  remove: (ctx, idempotencyKey) =>
    ctx.calls.designs.delete({ compositionId: ctx.params['compositionId'] ?? '' }, { idempotencyKey }),
  sentence: 'The design was deleted.',
  link: { text: 'All designs', path: 'designs' },
});

export async function designPage(ctx: ConsoleContext): Promise<ConsoleView> {
  const design = await ctx.calls.designs.read({ compositionId: ctx.params['compositionId'] ?? '' });
  const { name, brandId, layers } = design;
  const rows = layers.map((layer) => [
    kindWords[layer.kind],
    contentOf(ctx, layer),
    `${layer.x}, ${layer.y}`,
    `${layer.width} × ${layer.height}`,
  ]);
  const table =
    rows.length === 0
      ? emptyNotice('The design has no layer yet.')
      : dataTable('Layers, the lowest first', ['Layer', 'Content', 'Place', 'Size'], rows);
  const designFacts = facts([
    ['Picture', html`<a href="${design.thumbnailUrl}" target="_blank" rel="noreferrer">Open a small one</a>`],
    ['Pixels', `${design.width} × ${design.height}`],
    ['Made for', design.cropPresetId],
    [
      'Brand',
      brandId === null
        ? undefined
        : ctx.mayCall('brand.read')
          ? html`<a href="${ctx.link(`brand/${brandId}`)}">${brandId}</a>`
          : idOfRow(brandId),
    ],
    ['Version', design.version],
    ['Created', moment(design.createdAt, ctx)],
    ['Changed', moment(design.updatedAt, ctx)],
    ['Id', idOfRow(design.compositionId)],
  ]);
  const remove = ctx.mayCall('designs.delete')
    ? actionForm(ctx, 'delete', {
        label: 'Delete',
        question: html`${name} is deleted. Pictures that were stored of it stay in the assets.`,
        verb: 'Delete the design',
        isDestructive: true,
      })
    : null;
  const picture = pictureOfDesign(ctx, design);
  const shown = panel('Picture', html`<img class="chart" src="${picture.src}" alt="${picture.alt}">`);
  return {
    heading: name,
    body: detailLayout(
      [shown, html`<section class="stack"><h2>Layers</h2>${table}</section>`],
      [panel('Design', designFacts), remove],
    ),
  };
}
