// The page of assets in the console: a list with filters, and a form that has a file fetched from an address.
import type { ConsoleAction, ConsoleContext, ConsoleView } from '../../../core/index.ts';
import {
  actionForm,
  dataTable,
  emptyNotice,
  filterForm,
  type Html,
  html,
  moment,
  nameCell,
  pager,
} from '../../../core/unstable.ts';
import { kind as assetKind, source as assetSource } from '../schema.ts';
import { dimensions, kindWords, sizeWords, sourceWords, statusPill } from './words.ts';

const path = 'assets';
const pageSize = 50;

const addForm = (ctx: ConsoleContext): Html | null =>
  ctx.mayCall('assets.create')
    ? actionForm(ctx, 'add', {
        label: 'Add from an address',
        question: 'The file is fetched once and stored. A picture, a video or a PDF, up to 25 MB.',
        verb: 'Add the asset',
        inputs: [
          { name: 'name', label: 'Name', isRequired: true, maxLength: 200 },
          { name: 'sourceUrl', label: 'Address of the file (https)', isRequired: true, maxLength: 2_048 },
          { name: 'alt', label: 'What it shows, for those who cannot see it', maxLength: 1_000 },
        ],
      })
    : null;

/** Has a file fetched. */
export const addAction: ConsoleAction = {
  done: 'The file is being fetched. Its state is in the list.',
  async run({ calls }, { idempotencyKey, fields: { name = '', sourceUrl = '', alt = '' } }) {
    await calls.assets.create({ name, sourceUrl: sourceUrl.trim(), alt }, { idempotencyKey });
  },
};

/** The list. */
export async function assetList(ctx: ConsoleContext): Promise<ConsoleView> {
  const { tag, cursor } = ctx.query;
  const kind = assetKind.safeParse(ctx.query['kind']).data;
  const source = assetSource.safeParse(ctx.query['source']).data;
  const { data, next_cursor: next } = await ctx.calls.assets.list({
    limit: pageSize,
    ...(kind === undefined ? {} : { kind }),
    ...(source === undefined ? {} : { source }),
    ...(tag === undefined ? {} : { tag }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  const filter = filterForm(ctx, path, [
    { name: 'kind', label: 'Kind', options: assetKind.options.map((one) => [one, kindWords[one]] as const) },
    { name: 'source', label: 'Origin', options: assetSource.options.map((one) => [one, sourceWords[one]] as const) },
    { name: 'tag', label: 'Tag' },
  ]);
  const isFiltered = kind !== undefined || source !== undefined || tag !== undefined;
  const empty = isFiltered
    ? emptyNotice('No asset matches these filters.', { text: 'Clear filters', href: ctx.link(path) })
    : emptyNotice('Assets are the pictures, videos and documents that pages, posts and brands show.');
  const rows = data.map((asset) => [
    nameCell(ctx.link(`${path}/${asset.assetId}`), asset.name, asset.alt === '' ? undefined : asset.alt),
    statusPill(asset),
    html`${asset.kind === null ? '' : kindWords[asset.kind]}<span class="below">${dimensions(asset)}</span>`,
    sourceWords[asset.source],
    asset.bytes === null ? '' : sizeWords(asset.bytes),
    moment(asset.createdAt, ctx),
  ]);
  const columns = ['Asset', 'State', 'Kind', 'Origin', { head: 'Size', isNumber: true }, 'Created'];
  const table = rows.length === 0 ? empty : dataTable('Assets', columns, rows);
  return { heading: 'Assets', body: html`${addForm(ctx)}${filter}${table}${pager(ctx, path, next)}` };
}
