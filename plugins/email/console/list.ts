// The page of sends in the console: a list with filters.
import { type ConsoleContext, type ConsoleMatch, type ConsoleView, isPostriderError } from '../../../core/index.ts';
import {
  clearFilters,
  dataTable,
  emptyNotice,
  filterForm,
  foundById,
  type Html,
  html,
  moment,
  nameCell,
  pager,
  wordsForPeople,
} from '../../../core/unstable.ts';
import { isSendStatus, stateChoices, statePill } from './words.ts';

const path = 'sends';
const pageSize = 50;
const withoutSubject = 'A mail without subject';

/** The send with this id, or the newest ones to this address. */
export async function findSends({ calls }: ConsoleContext, text: string): Promise<ConsoleMatch[]> {
  if (!text.includes('@'))
    return foundById(text, 'snd', async (id) => {
      const { subject, to } = await calls.sends.read({ id });
      return { title: subject || withoutSubject, detail: to, path: `${path}/${id}` };
    });
  const { data } = await calls.sends.list({ to: text, limit: 3 });
  const allSends = { title: `All sends to ${text}`, path, query: { to: text } };
  const newest = data.map(({ id, subject, createdAt }) => ({
    title: subject || withoutSubject,
    detail: createdAt.slice(0, 10),
    path: `${path}/${id}`,
  }));
  return data.length === 0 ? [] : [...newest, allSends];
}

async function list(ctx: ConsoleContext): Promise<Html> {
  const { to, template, status, cursor } = ctx.query;
  const isFiltered = to !== undefined || template !== undefined || status !== undefined;
  const { data, next_cursor: next } = await ctx.calls.sends.list({
    limit: pageSize,
    ...(to === undefined ? {} : { to }),
    ...(template === undefined ? {} : { templateKey: template }),
    ...(status !== undefined && isSendStatus(status) ? { status } : {}),
    ...(cursor === undefined ? {} : { cursor }),
  });
  if (data.length === 0)
    return isFiltered
      ? emptyNotice('No send matches these filters.', clearFilters(ctx, path))
      : emptyNotice('A send is one mail to one person. Your product sends the first one through the API.');
  const rows = data.map((send) => [
    nameCell(
      ctx.link(`${path}/${send.id}`),
      send.subject || withoutSubject,
      html`<a dir="auto" href="${ctx.link('contacts', { search: send.to })}">${send.to}</a>`,
    ),
    statePill(send.status),
    html`<a href="${ctx.link(`templates/${send.templateKey}`)}">${send.templateKey}</a>`,
    moment(send.createdAt, ctx),
  ]);
  return html`${dataTable('Sends', ['Send', 'State', 'Template', 'Accepted'], rows)}${pager(ctx, path, next)}`;
}

export async function sendList(ctx: ConsoleContext): Promise<ConsoleView> {
  const filter = filterForm(ctx, path, [
    { name: 'to', label: 'Recipient' },
    { name: 'template', label: 'Key of the template' },
    { name: 'status', label: 'State', options: stateChoices },
  ]);
  const listPart = await list(ctx).catch((error: unknown) => {
    if (!isPostriderError(error, 'filter_conflict')) throw error;
    return emptyNotice(wordsForPeople(error.message), clearFilters(ctx, path));
  });
  return { heading: 'Sends', body: html`${filter}${listPart}` };
}
