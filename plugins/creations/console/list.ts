// The page of creations in the console: a list by state, and the form that starts one from a brief.
import type { ConsoleAction, ConsoleContext, ConsoleMatch, ConsoleView } from '../../../core/index.ts';
import {
  actionForm,
  clearFilters,
  dataTable,
  emptyNotice,
  filterForm,
  foundByIdOrName,
  type Html,
  html,
  moment,
  nameCell,
  pager,
} from '../../../core/unstable.ts';
import { creationStatus } from '../schema.ts';
import { statusChoices, statusPill } from './words.ts';

const path = 'creations';
const pageSize = 50;

const spawnForm = (ctx: ConsoleContext): Html | null =>
  ctx.mayCall('creations.spawn')
    ? actionForm(ctx, 'spawn', {
        label: 'Start a creation',
        question:
          'A strategy is drafted from the brief, free of charge. Nothing is built before it is approved, and nothing is published by itself.',
        verb: 'Draft the strategy',
        inputs: [
          { name: 'brief', label: 'Subject, audience and goal', isLong: true, isRequired: true, maxLength: 8_000 },
          { name: 'name', label: 'Name (the beginning of the brief, if empty)', maxLength: 200 },
        ],
      })
    : null;

/** Starts a creation. */
export const spawnAction: ConsoleAction = {
  done: 'The strategy is being drafted. The creation is the first in the list.',
  async run({ calls }, { idempotencyKey, fields: { brief = '', name = '' } }) {
    await calls.creations.spawn({ brief, ...(name.trim() === '' ? {} : { name }) }, { idempotencyKey });
  },
};

/** The creations that a search of the console finds. */
export const findCreations = ({ calls }: ConsoleContext, text: string): Promise<ConsoleMatch[]> =>
  foundByIdOrName(text, {
    prefix: 'cre',
    read: (id) => calls.creations.read({ creationId: id }),
    list: (page) => calls.creations.list(page),
    namesOf: ({ name }) => [name],
    matchOf: ({ creationId, name }) => ({ title: name, path: `${path}/${creationId}` }),
  });

export async function creationList(ctx: ConsoleContext): Promise<ConsoleView> {
  const { cursor } = ctx.query;
  const status = creationStatus.safeParse(ctx.query['status']).data;
  const { data, next_cursor: next } = await ctx.calls.creations.list({
    limit: pageSize,
    ...(status === undefined ? {} : { status }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  const filter = filterForm(ctx, path, [{ name: 'status', label: 'State', options: statusChoices }]);
  const empty =
    status === undefined
      ? emptyNotice('A creation is a campaign over several channels, built as drafts from one brief.')
      : emptyNotice('No creation matches this filter.', clearFilters(ctx, path));
  const rows = data.map((creation) => {
    const { built, failed, planned, building } = creation.itemCounts;
    const total = built + failed + planned + building;
    return [
      nameCell(ctx.link(`${path}/${creation.creationId}`), creation.name),
      statusPill(creation),
      total === 0 ? '' : `${built} of ${total}`,
      creation.credits.charged,
      moment(creation.updatedAt, ctx),
    ];
  });
  const columns = ['Creation', 'State', 'Built', { head: 'Credits', isNumber: true }, 'Changed'];
  const table = rows.length === 0 ? empty : dataTable('Creations', columns, rows);
  return { heading: 'Creations', body: html`${spawnForm(ctx)}${filter}${table}${pager(ctx, path, next)}` };
}
