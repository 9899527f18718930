// The page of requests in the console: the requests of keys in the last day, with the status of each response.
import type { ConsoleContext, ConsoleView } from '../../../core/index.ts';
import {
  clearFilters,
  dataTable,
  emptyNotice,
  filterForm,
  type Html,
  html,
  idOfRow,
  moment,
  type PillTone,
  pager,
  pill,
} from '../../../core/unstable.ts';
import { noTime, periodFields, periodOf } from './period.ts';

const path = 'requests';
const pageSize = 50;

const toneOf = (status: number): PillTone => (status >= 500 ? 'bad' : status >= 400 ? 'wait' : 'good');

async function list(ctx: ConsoleContext): Promise<Html> {
  const { cursor, since, until } = ctx.query;
  const clear = clearFilters(ctx, path);
  const period = periodOf(ctx);
  if (period === undefined) return emptyNotice(noTime, clear);
  const { data, next_cursor: next } = await ctx.calls.requests.list({
    limit: pageSize,
    ...period,
    ...(cursor === undefined ? {} : { cursor }),
  });
  if (data.length === 0)
    return since === undefined && until === undefined
      ? emptyNotice(
          'Requests with your keys are listed here for a day. None was made yet, or the program does not log them.',
        )
      : emptyNotice('No request was made in this time.', clear);
  const rows = data.map(({ request_id: requestId, ts, method, route, status, key_id: keyId, ms }) => [
    html`<span class="name">${method} ${route}</span><span class="below">${idOfRow(requestId)}</span>`,
    pill(String(status), toneOf(status)),
    idOfRow(keyId),
    ms,
    moment(ts, ctx),
  ]);
  const columns = ['Request', 'Status', 'Key', { head: 'Milliseconds', isNumber: true }, 'Time'];
  return html`${dataTable('Requests', columns, rows)}${pager(ctx, path, next)}`;
}

export async function requestList(ctx: ConsoleContext): Promise<ConsoleView> {
  const filter = filterForm(ctx, path, periodFields(['1h', '6h', '24h']));
  return { heading: 'Requests', body: html`${filter}${await list(ctx)}` };
}
