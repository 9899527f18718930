// The page of lead magnets in the console: a list by state, and a form for a new one.
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
import { formats, statuses } from '../schema.ts';
import { formatChoices, formatWords, statusChoices, statusPill } from './words.ts';

const path = 'lead-magnets';

/** The lead magnets that a search of the console finds. */
export const findLeadMagnets = ({ calls }: ConsoleContext, text: string): Promise<ConsoleMatch[]> =>
  foundByIdOrName(text, {
    prefix: 'lm',
    read: (id) => calls.leadMagnets.read({ id }),
    list: (page) => calls.leadMagnets.list(page),
    namesOf: ({ title }) => [title],
    matchOf: ({ id, title }) => ({ title, path: `${path}/${id}` }),
  });

const createForm = (ctx: ConsoleContext): Html | null =>
  ctx.mayCall('lead_magnets.create')
    ? actionForm(ctx, 'create', {
        label: 'Create a lead magnet',
        question:
          'It begins as a draft, free of charge. On its page you can then have its chapters written from the brief.',
        verb: 'Create the lead magnet',
        inputs: [
          { name: 'title', label: 'Title', isRequired: true, maxLength: 200 },
          { name: 'format', label: 'Format', options: formatChoices, value: 'guide' },
          { name: 'brief', label: 'Subject and readers', isLong: true, maxLength: 8_000 },
        ],
      })
    : null;

/** Creates a draft, and leads to its page, which has the form that writes the chapters. */
export const createAction: ConsoleAction = {
  async leadTo({ calls }, { idempotencyKey, fields: { title = '', format: chosen, brief = '' } }) {
    const format = formats.find((one) => one === chosen) ?? 'guide';
    const { id } = await calls.leadMagnets.create(
      { title, format, ...(brief.trim() === '' ? {} : { brief }) },
      { idempotencyKey },
    );
    return `${path}/${id}`;
  },
};

export async function leadMagnetList(ctx: ConsoleContext): Promise<ConsoleView> {
  const { cursor } = ctx.query;
  const status = statuses.find((one) => one === ctx.query['status']);
  const { data, next_cursor: next } = await ctx.calls.leadMagnets.list({
    limit: picturedPageSize(ctx),
    ...(status === undefined ? {} : { status }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  const filter = filterForm(ctx, path, [{ name: 'status', label: 'State', options: statusChoices }], [viewName]);
  const empty =
    status === undefined
      ? emptyNotice('A lead magnet is a PDF that visitors get for their address: an e-book, a guide, a checklist.')
      : emptyNotice('No lead magnet matches this filter.', clearFilters(ctx, path));
  const rows = data.map((one) => ({
    href: ctx.link(`${path}/${one.id}`),
    name: one.title,
    picture: undefined,
    status: statusPill(one),
    cells: [statusPill(one), formatWords[one.format], one.chapters.length, moment(one.updatedAt, ctx)],
  }));
  const columns = ['Lead magnet', 'State', 'Format', { head: 'Chapters', isNumber: true }, 'Changed'];
  const table = rows.length === 0 ? empty : picturedList(ctx, 'Lead magnets', columns, rows);
  return {
    heading: 'Lead magnets',
    body: html`${createForm(ctx)}${filter}${viewTabs(ctx, path)}${table}${pager(ctx, path, next)}`,
  };
}
