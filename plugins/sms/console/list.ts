// The page of SMS in the console: a list with filters. Each row opens to the text and the timeline.
import type { ConsoleContext, ConsoleView } from '../../../core/index.ts';
import {
  counted,
  dataTable,
  emptyNotice,
  facts,
  filterForm,
  type Html,
  html,
  idOfRow,
  moment,
  pager,
  timelineOf,
} from '../../../core/unstable.ts';
import { kitKeys } from '../kit/kit.ts';
import { type SmsPublic, smsStatus } from '../schema.ts';
import { stateChoices, statePill, stepWords } from './words.ts';

const path = 'sms';
const pageSize = 50;

function detailsOf(ctx: ConsoleContext, sms: SmsPublic): Html {
  const steps = sms.events.map((event) => {
    const [title, tone] = stepWords(event);
    const detail = [event.reason, event.providerCode].filter((part) => part !== undefined).join(' · ');
    return { at: event.ts, title, tone, ...(detail === '' ? {} : { detail }) };
  });
  const known = facts([
    ['Provider', sms.provider],
    ['Consent', sms.consentProofId === null ? undefined : idOfRow(sms.consentProofId)],
    ['Scheduled for', sms.scheduledAt === undefined ? undefined : moment(sms.scheduledAt, ctx)],
    ['Message in the inbox', sms.inboxUrl === undefined ? undefined : html`<a href="${sms.inboxUrl}">Open</a>`],
    ['Id', idOfRow(sms.id)],
  ]);
  return html`<details><summary>${counted(sms.events.length, 'step')}</summary>${timelineOf(ctx, steps)}${known}</details>`;
}

/** The list. */
export async function smsList(ctx: ConsoleContext): Promise<ConsoleView> {
  const { template, cursor } = ctx.query;
  const status = smsStatus.safeParse(ctx.query['status']).data;
  const { data, next_cursor: next } = await ctx.calls.sms.deliveries({
    limit: pageSize,
    ...(status === undefined ? {} : { status }),
    ...(template === undefined ? {} : { templateKey: template }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  const filter = filterForm(ctx, path, [
    { name: 'status', label: 'State', options: stateChoices },
    { name: 'template', label: 'Template', options: kitKeys.map((key) => [key, key] as const) },
  ]);
  const empty =
    status === undefined && template === undefined
      ? emptyNotice('Codes, notices and reminders that your product sends to phones stand here.')
      : emptyNotice('No SMS matches these filters.', { text: 'Clear filters', href: ctx.link(path) });
  const rows = data.map((sms) => [
    html`<span class="name" dir="ltr">${sms.to}</span><span class="below" dir="auto">${sms.body}</span>`,
    html`${statePill(sms.status)}${sms.whyNotSent === undefined ? null : html`<span class="below" dir="auto">${sms.whyNotSent}</span>`}`,
    html`<code>${sms.templateKey}</code>`,
    sms.segments,
    moment(sms.createdAt, ctx),
    detailsOf(ctx, sms),
  ]);
  const columns = ['Recipient', 'State', 'Template', { head: 'Segments', isNumber: true }, 'Accepted', 'Timeline'];
  const table = rows.length === 0 ? empty : dataTable('SMS', columns, rows);
  return { heading: 'SMS', body: html`${filter}${table}${pager(ctx, path, next)}` };
}
