// The page of assets in the console: a list with filters, and a form with which the service fetches a file from a URL.
import type { ConsoleAction, ConsoleContext, ConsoleMatch, ConsoleView } from '../../../core/index.ts';
import {
  actionForm,
  clearFilters,
  emptyNotice,
  filterForm,
  foundByIdOrName,
  type Html,
  html,
  moment,
  pager,
  picturedList,
  picturedPageSize,
  viewName,
  viewTabs,
} from '../../../core/unstable.ts';
import { kind as assetKind, source as assetSource } from '../schema.ts';
import { pictureOfAsset } from './picture.ts';
import { dimensions, kindWords, sizeWords, sourceWords, statusPill } from './words.ts';

const path = 'assets';

const addForm = (ctx: ConsoleContext): Html | null =>
  ctx.mayCall('assets.create')
    ? actionForm(ctx, 'add', {
        label: 'Add from an address',
        question: 'The file is fetched once and stored. A picture, a video or a PDF, up to 25 MB.',
        verb: 'Add the asset',
        inputs: [
          { name: 'name', label: 'Name', isRequired: true, maxLength: 200 },
          { name: 'sourceUrl', label: 'Address of the file (https)', isRequired: true, maxLength: 2_048 },
          { name: 'alt', label: 'What it shows, for people who cannot see it', maxLength: 1_000 },
        ],
      })
    : null;

/** Asks the service to fetch a file. */
export const addAction: ConsoleAction = {
  done: 'The file is being fetched. Its state is in the list.',
  async run({ calls }, { idempotencyKey, fields: { name = '', sourceUrl = '', alt = '' } }) {
    await calls.assets.create({ name, sourceUrl: sourceUrl.trim(), alt }, { idempotencyKey });
  },
};

/** The assets that a search of the console finds. */
export const findAssets = ({ calls }: ConsoleContext, text: string): Promise<ConsoleMatch[]> =>
  foundByIdOrName(text, {
    prefix: 'asset',
    read: (id) => calls.assets.read({ assetId: id }),
    list: (page) => calls.assets.list(page),
    namesOf: ({ name, alt }) => [name, alt],
    matchOf: ({ assetId, name }) => ({ title: name, path: `${path}/${assetId}` }),
  });

export async function assetList(ctx: ConsoleContext): Promise<ConsoleView> {
  const { tag, cursor } = ctx.query;
  const kind = assetKind.safeParse(ctx.query['kind']).data;
  const source = assetSource.safeParse(ctx.query['source']).data;
  const { data, next_cursor: next } = await ctx.calls.assets.list({
    limit: picturedPageSize(ctx),
    ...(kind === undefined ? {} : { kind }),
    ...(source === undefined ? {} : { source }),
    ...(tag === undefined ? {} : { tag }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  const filter = filterForm(
    ctx,
    path,
    [
      {
        name: 'kind',
        label: 'Kind',
        options: assetKind.options.map((kindOption) => [kindOption, kindWords[kindOption]] as const),
      },
      {
        name: 'source',
        label: 'Origin',
        options: assetSource.options.map((sourceOption) => [sourceOption, sourceWords[sourceOption]] as const),
      },
      { name: 'tag', label: 'Tag' },
    ],
    [viewName],
  );
  const isFiltered = kind !== undefined || source !== undefined || tag !== undefined;
  const empty = isFiltered
    ? emptyNotice('No asset matches these filters.', clearFilters(ctx, path))
    : emptyNotice('Assets are the pictures, videos and documents that pages, posts and brands show.');
  const rows = data.map((asset) => ({
    href: ctx.link(`${path}/${asset.assetId}`),
    name: asset.name,
    below: asset.alt === '' ? undefined : asset.alt,
    picture: pictureOfAsset(ctx, asset),
    status: statusPill(asset),
    cells: [
      statusPill(asset),
      html`${asset.kind === null ? '' : kindWords[asset.kind]}<span class="below">${dimensions(asset)}</span>`,
      sourceWords[asset.source],
      asset.bytes === null ? '' : sizeWords(asset.bytes),
      moment(asset.createdAt, ctx),
    ],
  }));
  const columns = ['Asset', 'State', 'Kind', 'Origin', { head: 'Size', isNumber: true }, 'Created'];
  const table = rows.length === 0 ? empty : picturedList(ctx, 'Assets', columns, rows);
  return {
    heading: 'Assets',
    body: html`${addForm(ctx)}${filter}${viewTabs(ctx, path)}${table}${pager(ctx, path, next)}`,
  };
}
