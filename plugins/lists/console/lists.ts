// The contact lists of a workspace in the console, with their members on this side.
import type { ConsoleContext, ConsoleMatch, ConsoleView } from '../../../core/index.ts';
import {
  beginsWith,
  comparedRows,
  dataTable,
  emptyNotice,
  foundById,
  html,
  moment,
  nameCell,
  pager,
} from '../../../core/unstable.ts';

const path = 'lists';
const pageSize = 50;

const matchOf = ({ listId, name }: { readonly listId: string; readonly name: string }): ConsoleMatch => ({
  title: name,
  path: `${path}/${listId}`,
});

/** The list with this id, or those among the newest whose names begin with the text. */
export async function findLists({ calls }: ConsoleContext, text: string): Promise<ConsoleMatch[]> {
  const byId = await foundById(text, 'lst', async (listId) => matchOf(await calls.lists.read({ listId })));
  if (byId.length > 0) return byId;
  const { data } = await calls.lists.list({ limit: comparedRows });
  return data.filter(({ name }) => beginsWith(text, name)).map(matchOf);
}

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
