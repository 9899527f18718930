// The segments of a workspace in the console, with the number of their contacts on this side.
import type { ConsoleContext, ConsoleMatch, ConsoleView } from '../../../core/index.ts';
import { dataTable, emptyNotice, foundByIdOrName, html, moment, nameCell, pager } from '../../../core/unstable.ts';

const path = 'segments';
const pageSize = 50;

/** What the search of the console finds among segments. */
export const findSegments = ({ calls }: ConsoleContext, text: string): Promise<ConsoleMatch[]> =>
  foundByIdOrName(text, {
    prefix: 'sgm',
    read: (segmentId) => calls.segments.read({ segmentId }),
    list: (page) => calls.segments.list(page),
    namesOf: ({ name }) => [name],
    matchOf: ({ segmentId, name }) => ({ title: name, path: `${path}/${segmentId}` }),
  });

/** The segments, the newest first. */
export async function segmentList(ctx: ConsoleContext): Promise<ConsoleView> {
  const { cursor } = ctx.query;
  const { data, next_cursor: next } = await ctx.calls.segments.list({
    limit: pageSize,
    ...(cursor === undefined ? {} : { cursor }),
  });
  const rows = data.map(({ segmentId, name, description, contactCount, watched, updatedAt }) => [
    nameCell(ctx.link(`${path}/${segmentId}`), name, description === '' ? undefined : description),
    contactCount === null ? 'Not counted yet' : contactCount.toLocaleString('en-GB'),
    watched ? 'By a sequence or a webhook' : '',
    moment(updatedAt, ctx),
  ]);
  const columns = ['Segment', { head: 'Contacts', isNumber: true }, 'Watched', 'Changed'];
  const table =
    rows.length === 0
      ? emptyNotice('A segment is the contacts for whom a filter is true now. Create the first one through the API.')
      : dataTable('Segments', columns, rows);
  return { heading: 'Segments', body: html`${table}${pager(ctx, path, next)}` };
}
