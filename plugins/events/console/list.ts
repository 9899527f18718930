// The event catalogue in the console: the custom events that were recorded, and every event that webhooks can get.
import type { ConsoleContext, ConsoleView } from '../../../core/index.ts';
import { conclusion, dataTable, filterForm, html, moment, nameCell } from '../../../core/unstable.ts';

const path = 'events';
const pageSize = 100;

/** Every event of the catalogue. */
export async function catalogEvents({ calls }: ConsoleContext) {
  const first = await calls.events.catalog({ limit: pageSize });
  const events = [...first.data];
  for (let cursor = first.next_cursor; cursor !== null; ) {
    const next = await calls.events.catalog({ limit: pageSize, cursor });
    events.push(...next.data);
    cursor = next.next_cursor;
  }
  return events;
}

async function recordedTable(ctx: ConsoleContext) {
  const { types, areMore } = await ctx.calls.events.recorded();
  if (types.length === 0)
    return conclusion(
      'plain',
      'Your product has reported no event here yet.',
      'Events of your product start sequences, divide contacts into segments and go to webhooks. Your program reports them: events.emit.',
    );
  const rows = types.map(({ type, contacts, contactsAreMore, lastAt }) => [
    html`<span class="name" dir="auto">${type}</span>`,
    `${contacts.toLocaleString('en-GB')}${contactsAreMore ? '+' : ''}`,
    moment(lastAt, ctx),
  ]);
  const columns = ['Event of your product', { head: 'Contacts', isNumber: true }, 'Last seen'];
  const more = areMore ? html`<p class="quiet">There are more than ${types.length} names.</p>` : null;
  return html`${dataTable('Events of your product', columns, rows)}${more}`;
}

/** The list. `?search=` is a part of a name or a description. */
export async function eventList(ctx: ConsoleContext): Promise<ConsoleView> {
  const searchText = ctx.query['search']?.toLowerCase();
  const all = await catalogEvents(ctx);
  const events =
    searchText === undefined
      ? all
      : all.filter(({ type, description }) => `${type} ${description}`.toLowerCase().includes(searchText));
  const rows = events.map(({ type, description }) => [nameCell(ctx.link(`${path}/${type}`), type), description]);
  const table =
    rows.length === 0
      ? conclusion('plain', 'No event of the service has this text in its name or description.')
      : dataTable('Events of the service', ['Event of the service', 'When'], rows);
  const filter = filterForm(ctx, path, [{ name: 'search', label: 'Filter by event' }]);
  return { heading: 'Events', body: html`${await recordedTable(ctx)}${filter}${table}` };
}
