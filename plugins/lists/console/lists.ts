// The contact lists of a workspace in the console, with their members on this side.
import type { ConsoleContext, ConsoleMatch, ConsoleView } from '../../../core/index.ts';
import { dataTable, emptyNotice, foundByIdOrName, html, moment, nameCell, pager } from '../../../core/unstable.ts';

const path = 'lists';
const pageSize = 50;

/** The lists that a search of the console finds. */
export const findLists = ({ calls }: ConsoleContext, text: string): Promise<ConsoleMatch[]> =>
  foundByIdOrName(text, {
    prefix: 'lst',
    read: (listId) => calls.lists.read({ listId }),
    list: (page) => calls.lists.list(page),
    namesOf: ({ name }) => [name],
    matchOf: ({ listId, name }) => ({ title: name, path: `${path}/${listId}` }),
  });

/** The lists, the newest first. */
export async function listOverview(ctx: ConsoleContext): Promise<ConsoleView> {
  const { cursor } = ctx.query;
  const { data, next_cursor: next } = await ctx.calls.lists.list({
    limit: pageSize,
    ...(cursor === undefined ? {} : { cursor }),
  });
  const rows = data.map((list) => [
    nameCell(ctx.link(`${path}/${list.listId}`), list.name, list.description === '' ? undefined : list.description),
    list.contactCount,
    list.unconfirmedCount,
    list.optin === 'double' ? 'After a confirmation' : 'At once',
    list.visibility === 'public' ? 'Public' : 'Private',
    moment(list.updatedAt, ctx),
  ]);
  const columns = [
    'List',
    { head: 'Members', isNumber: true },
    { head: 'Unconfirmed', isNumber: true },
    'New members',
    'Visibility',
    'Changed',
  ];
  const table =
    rows.length === 0
      ? emptyNotice('A list is a group of contacts who agreed to get mail. Create the first one through the API.')
      : dataTable('Contact lists', columns, rows);
  return { heading: 'Lists', body: html`${table}${pager(ctx, path, next)}` };
}
