// The page of brands in the console: a list with their colours, and the form for a new one.
import type { ConsoleAction, ConsoleContext, ConsoleMatch, ConsoleView } from '../../../core/index.ts';
import {
  actionForm,
  dataTable,
  emptyNotice,
  foundByIdOrName,
  type Html,
  html,
  idOfRow,
  moment,
  nameCell,
  pager,
  pill,
} from '../../../core/unstable.ts';
import { mayChange } from './forms.ts';
import { palettePicture } from './palette.ts';

const path = 'brand';
const pageSize = 20;

const createForm = (ctx: ConsoleContext): Html | null =>
  mayChange(ctx, 'brand.create')
    ? actionForm(ctx, 'create', {
        label: 'Create a brand',
        question:
          'Templates, pages and designs take its colours, fonts and voice. The first brand is the default. A brand cannot be deleted.',
        verb: 'Create the brand',
        inputs: [{ name: 'name', label: 'Name', isRequired: true, maxLength: 200 }],
      })
    : null;

/** Creates a brand with neutral values. */
export const createAction: ConsoleAction = {
  done: 'The brand was created. Open it to give it colours and a voice.',
  async run({ calls }, { idempotencyKey, fields: { name = '' } }) {
    await calls.brand.create({ name }, { idempotencyKey });
  },
};

/** The brands that a search of the console finds. */
export const findBrands = ({ calls }: ConsoleContext, text: string): Promise<ConsoleMatch[]> =>
  foundByIdOrName(text, {
    prefix: 'brd',
    read: (id) => calls.brand.read({ id }),
    list: (page) => calls.brand.list(page),
    namesOf: ({ name }) => [name],
    matchOf: ({ id, name }) => ({ title: name, path: `${path}/${id}` }),
  });

export async function brandList(ctx: ConsoleContext): Promise<ConsoleView> {
  const { cursor } = ctx.query;
  const { data, next_cursor: next } = await ctx.calls.brand.list({
    limit: pageSize,
    ...(cursor === undefined ? {} : { cursor }),
  });
  const rows = data.map((brand) => [
    html`${nameCell(ctx.link(`${path}/${brand.id}`), brand.name, idOfRow(brand.id))}${brand.is_default ? html` ${pill('Default', 'info')}` : null}`,
    palettePicture(brand.palette),
    brand.warnings.length === 0 ? pill('Good', 'good') : pill('Hard to read', 'wait'),
    moment(brand.updated_at, ctx),
  ]);
  const table =
    rows.length === 0
      ? emptyNotice(
          'A brand is the look and the voice of what you publish, and the sender in the footer of marketing mail.',
        )
      : dataTable('Brands', ['Brand', 'Colours', 'Contrast', 'Changed'], rows);
  return { heading: 'Brands', body: html`${createForm(ctx)}${table}${pager(ctx, path, next)}` };
}
