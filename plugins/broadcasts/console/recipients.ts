// The page of the recipients of one broadcast in the console: every contact of its audience, with its status.
import type { ConsoleContext, ConsoleView } from '../../../core/index.ts';
import {
  clearFilters,
  dataTable,
  emptyNotice,
  type Html,
  html,
  moment,
  nameCell,
  pager,
  tabBar,
} from '../../../core/unstable.ts';
import type { BroadcastResource } from '../broadcasts.ts';
import { type RecipientStatus, recipientStatus } from '../schema.ts';
import { reasonText, recipientPill, recipientWords } from './words.ts';

const pageSize = 100;

type Recipient = Awaited<ReturnType<ConsoleContext['calls']['broadcasts']['recipients']>>['data'][number];

/** The path of the page. */
export const recipientsPath = ({ broadcastId }: Pick<BroadcastResource, 'broadcastId'>): string =>
  `broadcasts/${broadcastId}/recipients`;

/** Links to the recipients of each status, with their number. `chosen`: the status that the page shows. */
export function recipientLinks(
  ctx: ConsoleContext,
  broadcast: BroadcastResource,
  chosen?: RecipientStatus | 'all',
): Html | null {
  const { waiting, accepted, failed, canceled, recipients, audience } = broadcast.counts;
  const numbers = { waiting, accepted, failed, canceled, excluded: audience - recipients };
  const path = recipientsPath(broadcast);
  const all = { text: `All ${audience}`, href: ctx.link(path), isCurrent: chosen === 'all' };
  const links = recipientStatus.options
    .filter((status) => numbers[status] > 0 || status === chosen)
    .map((status) => ({
      text: `${recipientWords(status)} ${numbers[status]}`,
      href: ctx.link(path, { status }),
      isCurrent: status === chosen,
    }));
  return tabBar('Recipients by status', [all, ...links]);
}

/** The address links to the contact, or to the mails that were sent to it. */
function personCell(ctx: ConsoleContext, { contactId, email }: Recipient): Html | string {
  if (email === undefined) return 'Not for your role';
  if (email === null) return 'Erased';
  if (typeof contactId === 'string' && ctx.mayCall('contacts.read'))
    return nameCell(ctx.link(`contacts/${contactId}`), email);
  return ctx.mayCall('sends.list')
    ? nameCell(ctx.link('sends', { to: email }), email)
    : html`<span dir="auto">${email}</span>`;
}

export async function recipientsPage(ctx: ConsoleContext): Promise<ConsoleView> {
  const broadcast = await ctx.calls.broadcasts.read({ broadcastId: ctx.params['broadcastId'] ?? '' });
  const path = recipientsPath(broadcast);
  const { cursor, reason } = ctx.query;
  const status = recipientStatus.options.find((one) => one === ctx.query['status']);
  const { data, next_cursor: next } = await ctx.calls.broadcasts.recipients({
    broadcastId: broadcast.broadcastId,
    limit: pageSize,
    ...(status === undefined ? {} : { status }),
    ...(reason === undefined ? {} : { reason }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  const mayReadSends = ctx.mayCall('sends.read');
  const rows = data.map((one) => [
    personCell(ctx, one),
    recipientPill(one.status),
    reasonText(one.reason),
    ...(broadcast.experiment === null ? [] : [one.variant]),
    one.sendId !== null && mayReadSends ? html`<a href="${ctx.link(`sends/${one.sendId}`)}">Send</a>` : null,
    moment(one.at, ctx),
  ]);
  const columns = [
    'Recipient',
    'Status',
    'Why',
    ...(broadcast.experiment === null ? [] : ['Variant']),
    'Mail',
    'Since',
  ];
  const isFiltered = status !== undefined || reason !== undefined;
  const emptyText = isFiltered
    ? emptyNotice('No recipient matches these filters.', clearFilters(ctx, path))
    : emptyNotice('Recipients are stored when the time of the broadcast has come, and kept for 400 days.');
  const reasonFilter =
    reason === undefined
      ? null
      : html`<p>Only this reason: ${reasonText(reason)}. <a href="${ctx.link(path, { status })}">Show every reason</a></p>`;
  const table = data.length === 0 ? emptyText : dataTable('Recipients', columns, rows);
  return {
    heading: 'Recipients',
    meta: html`<span dir="auto">${broadcast.name}</span>`,
    body: html`${recipientLinks(ctx, broadcast, status ?? 'all')}${reasonFilter}${table}${pager(ctx, path, next)}`,
  };
}
