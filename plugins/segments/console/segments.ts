// The segments of a workspace in the console, with the number of their contacts on this side.
import type { ConsoleContext, ConsoleMatch, ConsoleView } from '../../../core/index.ts';
import { dataTable, emptyNotice, foundByIdOrName, html, moment, nameCell, pager } from '../../../core/unstable.ts';

const path = 'segments';
const pageSize = 50;

/** The segments that a search of the console finds. */
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
      ? emptyNotice(
          'A segment is the contacts for whom a filter is true now. It has no list of its own: whoever changes is in or out at once.',
        )
      : dataTable('Segments', columns, rows);
  const create = ctx.mayCall('segments.create')
    ? html`<p><a class="button primary" href="${ctx.link(`${path}/new`)}">New segment</a></p>`
    : null;
  return { heading: 'Segments', body: html`${create}${table}${pager(ctx, path, next)}` };
}
