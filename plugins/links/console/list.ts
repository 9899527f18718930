// The page of short links in the console: a list with a search.
import type { ConsoleContext, ConsoleMatch, ConsoleView } from '../../../core/index.ts';
import {
  dataTable,
  emptyNotice,
  filterForm,
  firstPageWithRows,
  foundByIdOrName,
  html,
  moment,
  nameCell,
  noMatchNotice,
  pager,
} from '../../../core/unstable.ts';
import type { LinkResource } from '../schema.ts';
import { nameOf, shortOf, statusPill } from './words.ts';

const path = 'links';
const pageSize = 50;

/** The short links that a search of the console finds. */
export const findLinks = ({ calls }: ConsoleContext, text: string): Promise<ConsoleMatch[]> =>
  foundByIdOrName<Pick<LinkResource, 'linkId' | 'label' | 'slug' | 'redirectUrl'>>(text, {
    prefix: 'lnk',
    read: (linkId) => calls.links.read({ linkId }),
    list: (page) => calls.links.list(page),
    namesOf: ({ label, slug }) => [label, slug],
    matchOf: (link) => ({ title: nameOf(link), detail: shortOf(link), path: `${path}/${link.linkId}` }),
  });

export async function linkList(ctx: ConsoleContext): Promise<ConsoleView> {
  const { search, archived } = ctx.query;
  const { data, next_cursor: next } = await firstPageWithRows(ctx, (at) =>
    ctx.calls.links.list({
      limit: pageSize,
      ...(search === undefined ? {} : { search }),
      ...(archived === undefined ? {} : { includeArchived: 'true' }),
      ...at,
    }),
  );
  const filter = filterForm(ctx, path, [
    { name: 'search', label: 'Slug, label or destination' },
    { name: 'archived', label: 'Archived links', none: 'Left out', options: [['yes', 'Included']] },
  ]);
  const empty =
    search === undefined && archived === undefined
      ? emptyNotice(
          'A short link leads to an address of yours and counts its clicks. Create the first one through the API.',
        )
      : noMatchNotice(ctx, path, 'link', next);
  const rows = data.map((link) => [
    nameCell(ctx.link(`${path}/${link.linkId}`), nameOf(link), shortOf(link)),
    statusPill(link),
    link.clicks.total.toLocaleString('en-GB'),
    link.clicks.lastAt === null ? '' : moment(link.clicks.lastAt, ctx),
  ]);
  const columns = ['Link', 'State', { head: 'Clicks', isNumber: true }, 'Last click'];
  const table = rows.length === 0 ? empty : dataTable('Links', columns, rows);
  return { heading: 'Links', body: html`${filter}${table}${pager(ctx, path, next)}` };
}
