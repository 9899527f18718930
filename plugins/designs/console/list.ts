// The page of designs in the console: a list of the compositions.
import type { ConsoleContext, ConsoleView } from '../../../core/index.ts';
import { counted, dataTable, emptyNotice, html, moment, nameCell, pager } from '../../../core/unstable.ts';

const path = 'designs';
const pageSize = 50;

/** The list. */
export async function designList(ctx: ConsoleContext): Promise<ConsoleView> {
  const { cursor } = ctx.query;
  const { data, next_cursor: next } = await ctx.calls.designs.list({
    limit: pageSize,
    ...(cursor === undefined ? {} : { cursor }),
  });
  const rows = data.map(({ compositionId, name, width, height, cropPresetId, layers, updatedAt }) => [
    nameCell(ctx.link(`${path}/${compositionId}`), name),
    html`${`${width} × ${height}`}${cropPresetId === null ? null : html`<span class="below">${cropPresetId}</span>`}`,
    counted(layers.length, 'layer'),
    moment(updatedAt, ctx),
  ]);
  const table =
    rows.length === 0
      ? emptyNotice(
          'A design is a picture of layers: texts, pictures, shapes, the logo. Create the first one through the API.',
        )
      : dataTable('Designs', ['Design', 'Pixels', 'Layers', 'Changed'], rows);
  return { heading: 'Designs', body: html`${table}${pager(ctx, path, next)}` };
}
