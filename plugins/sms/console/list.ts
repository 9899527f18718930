// The page of SMS in the console: a list with filters. Each row opens to the text and the timeline.
import type { ConsoleContext, ConsoleMatch, ConsoleView } from '../../../core/index.ts';
import {
  beginsWith,
  clearFilters,
  comparedRows,
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
  const knownFacts = facts([
    ['Provider', sms.provider],
    ['Consent', sms.consentProofId === null ? undefined : idOfRow(sms.consentProofId)],
    ['Scheduled for', sms.scheduledAt === undefined ? undefined : moment(sms.scheduledAt, ctx)],
    ['Message in the inbox', sms.inboxUrl === undefined ? undefined : html`<a href="${sms.inboxUrl}">Open</a>`],
    ['Id', idOfRow(sms.id)],
  ]);
  return html`<details><summary>${counted(sms.events.length, 'step')}</summary>${timelineOf(ctx, steps)}${knownFacts}</details>`;
}

/** Finds the newest SMS that have this id, or whose recipient's number begins with the text. */
export async function findSms({ calls }: ConsoleContext, text: string): Promise<ConsoleMatch[]> {
  const { data } = await calls.sms.deliveries({ limit: comparedRows });
  return data
    .filter(({ id, to }) => id === text || beginsWith(text, to))
    .map(({ id, to, templateKey }) => ({ title: to, detail: templateKey, path, query: { sms: id } }));
}

/** The SMS that the query names, if it is among the newest. */
async function onlyOne({ calls, query }: ConsoleContext) {
  const { data } = await calls.sms.deliveries({ limit: comparedRows });
  return { data: data.filter(({ id }) => id === query['sms']), next_cursor: null };
}

/** The list, filtered. With `?sms=`, it contains only this SMS, if the SMS is among the newest. */
export async function smsList(ctx: ConsoleContext): Promise<ConsoleView> {
  const { template, cursor } = ctx.query;
  const status = smsStatus.safeParse(ctx.query['status']).data;
  const list = () =>
    ctx.calls.sms.deliveries({
      limit: pageSize,
      ...(status === undefined ? {} : { status }),
      ...(template === undefined ? {} : { templateKey: template }),
      ...(cursor === undefined ? {} : { cursor }),
    });
  const isOne = ctx.query['sms'] !== undefined;
  const { data, next_cursor: next } = isOne ? await onlyOne(ctx) : await list();
  const filter = filterForm(ctx, path, [
    { name: 'status', label: 'State', options: stateChoices },
    { name: 'template', label: 'Template', options: kitKeys.map((key) => [key, key] as const) },
  ]);
  const empty =
    status === undefined && template === undefined && !isOne
      ? emptyNotice('Codes, notices and reminders that your product sends to phones appear here.')
      : emptyNotice('No SMS matches these filters.', clearFilters(ctx, path));
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
