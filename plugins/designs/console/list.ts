// The page of designs in the console: a list of the compositions.
import type { ConsoleContext, ConsoleMatch, ConsoleView } from '../../../core/index.ts';
import {
  counted,
  emptyNotice,
  foundByIdOrName,
  html,
  moment,
  pager,
  picturedList,
  picturedPageSize,
  viewTabs,
} from '../../../core/unstable.ts';
import { pictureOfDesign } from './picture.ts';

const path = 'designs';

/** The designs that a search of the console finds. */
export const findDesigns = ({ calls }: ConsoleContext, text: string): Promise<ConsoleMatch[]> =>
  foundByIdOrName(text, {
    prefix: 'cmp',
    read: (id) => calls.designs.read({ compositionId: id }),
    list: (page) => calls.designs.list(page),
    namesOf: ({ name }) => [name],
    matchOf: ({ compositionId, name }) => ({ title: name, path: `${path}/${compositionId}` }),
  });

export async function designList(ctx: ConsoleContext): Promise<ConsoleView> {
  const { cursor } = ctx.query;
  const { data, next_cursor: next } = await ctx.calls.designs.list({
    limit: picturedPageSize(ctx),
    ...(cursor === undefined ? {} : { cursor }),
  });
  const rows = data.map(({ compositionId, name, width, height, cropPresetId, layers, updatedAt }) => ({
    href: ctx.link(`${path}/${compositionId}`),
    name,
    picture: pictureOfDesign(ctx, { compositionId, name }),
    status: html`<span class="quiet">${width} × ${height}</span>`,
    cells: [
      html`${width} × ${height}${cropPresetId === null ? null : html`<span class="below">${cropPresetId}</span>`}`,
      counted(layers.length, 'layer'),
      moment(updatedAt, ctx),
    ],
  }));
  const table =
    rows.length === 0
      ? emptyNotice(
          'A design is a picture of layers: texts, pictures, shapes, the logo. Create the first one through the API.',
        )
      : picturedList(ctx, 'Designs', ['Design', 'Pixels', 'Layers', 'Changed'], rows);
  return { heading: 'Designs', body: html`${viewTabs(ctx, path)}${table}${pager(ctx, path, next)}` };
}
