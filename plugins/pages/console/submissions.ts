// The submissions of the forms of a page, in the console: a list with filters. A submission with text in the hidden field is marked,
// because a program may have sent it.
import type { ConsoleContext, ConsoleDownload, ConsoleView } from '../../../core/index.ts';
import {
  clearFilters,
  dataTable,
  emptyNotice,
  facts,
  filterForm,
  type Html,
  html,
  idOfRow,
  moment,
  pager,
  pill,
} from '../../../core/unstable.ts';

const pageSize = 50;
const statuses = ['received', 'trapped'] as const;

interface Submission {
  readonly email: string | null;
  readonly confirmed: boolean;
  readonly status: (typeof statuses)[number];
}

/** A confirmed address belongs to a contact. */
function emailCell(ctx: ConsoleContext, { email, confirmed }: Submission): Html {
  if (email === null) return html`<span class="quiet">No address</span>`;
  return confirmed
    ? html`<a class="name" dir="auto" href="${ctx.link('contacts', { search: email })}">${email}</a>`
    : html`<span class="name" dir="auto">${email}</span>`;
}

function statePill({ email, confirmed, status }: Submission): Html {
  if (status === 'trapped') return pill('Trapped', 'bad');
  if (confirmed) return pill('Confirmed', 'good');
  return email === null ? pill('Received', 'info') : pill('Not confirmed', 'wait');
}

/** The input of the list operation, from the filters and the cursor in the query. */
function inputOf({ params, query }: ConsoleContext) {
  const { form, cursor } = query;
  const status = statuses.find((one) => one === query['status']);
  return {
    idOrSlug: params['pageId'] ?? '',
    ...(form === undefined ? {} : { formId: form }),
    ...(status === undefined ? {} : { status }),
    ...(cursor === undefined ? {} : { cursor }),
  };
}

/** The same part of the list as a CSV file, with as many rows as the operation allows. */
export async function submissionFile(ctx: ConsoleContext): Promise<ConsoleDownload> {
  const input = { ...inputOf(ctx), limit: 100 };
  const file = await ctx.calls.pages.submissions(input, { representation: 'text/csv' });
  return { download: { fileName: file.filename ?? 'submissions.csv', type: file.contentType, content: file.bytes } };
}

/** The list. */
export async function submissionList(ctx: ConsoleContext): Promise<ConsoleView> {
  const input = inputOf(ctx);
  const { formId, status } = input;
  const { id, title } = await ctx.calls.pages.read({ idOrSlug: input.idOrSlug });
  const path = `pages/${id}/submissions`;
  const { data, next_cursor: next } = await ctx.calls.pages.submissions({ ...input, limit: pageSize });
  const filter = filterForm(ctx, path, [
    { name: 'form', label: 'Key of the form' },
    {
      name: 'status',
      label: 'State',
      options: [
        ['received', 'Received'],
        ['trapped', 'Trapped'],
      ],
    },
  ]);
  const empty =
    formId === undefined && status === undefined
      ? emptyNotice('Nobody has sent a form of this page yet.')
      : emptyNotice('No submission matches these filters.', clearFilters(ctx, path));
  const rows = data.map((submission) => [
    html`${emailCell(ctx, submission)}<span class="below">${idOfRow(submission.submissionId)}</span>`,
    statePill(submission),
    html`${facts(Object.entries(submission.fields).filter(([, value]) => value !== submission.email))}${submission.consentText === null ? null : html`<span class="below" dir="auto">Agreed to: ${submission.consentText}</span>`}`,
    html`<code>${submission.formId}</code>`,
    moment(submission.at, ctx),
  ]);
  const table =
    rows.length === 0 ? empty : dataTable('Submissions', ['Address', 'State', 'Fields', 'Form', 'Sent'], rows);
  const trap = html`<p class="quiet">Trapped: a field that people do not see was filled in, as programs do. It is kept for 7 days; nobody was asked to confirm it.</p>`;
  const file =
    rows.length === 0
      ? null
      : html`<p><a class="button" href="${ctx.link(`${path}/csv`, ctx.query)}">Download as CSV</a></p>`;
  return {
    heading: 'Form submissions',
    meta: html`${title}`,
    body: html`${filter}${file}${table}${trap}${pager(ctx, path, next)}`,
  };
}
