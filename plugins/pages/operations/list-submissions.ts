import {
  coreErrors,
  decodeCursor,
  defineOperation,
  isoTime,
  listOf,
  pageQuery,
  toIsoTime,
  toPage,
  z,
} from '../../../core/index.ts';
import { csvOf } from '../../../core/unstable.ts';
import { errors } from '../errors.ts';
import { pageParams } from '../schema.ts';
import { slug } from '../slug.ts';
import { findHead } from '../store.ts';
import { type PageSubmissionRow, submissionRows } from '../tables.ts';
import { publishedPage, somePage } from './fixture-rows.ts';

const status = z
  .enum(['received', 'trapped'])
  .describe('trapped: a hidden field was filled in, as programs do. Kept for 7 days; nobody was asked to confirm it.');

const submission = z
  .object({
    submissionId: z.string().describe('Prefix sub_.'),
    formId: z.string(),
    fields: z.record(z.string(), z.string()).describe('By name, in order. A ticked checkbox is yes.'),
    email: z.string().nullable().describe('As it was given: anybody can type any address.'),
    confirmed: z.boolean().describe('Whether the address was confirmed by mail.'),
    consentText: z.string().nullable().describe('What the visitor agreed to by sending.'),
    status,
    at: isoTime,
  })
  .meta({ id: 'PageSubmission' });

const present = (row: PageSubmissionRow): z.input<typeof submission> => ({
  ...{ submissionId: row.id, formId: row.form_id, fields: { ...row.fields }, email: row.email_as_given },
  ...{ confirmed: row.confirmed, consentText: row.consent_text, status: row.status, at: toIsoTime(row.created_at) },
});

type SubmissionView = z.output<typeof submission>;

/** Makes the rows of the CSV, with a column for each field of any of the forms. */
function rowsOf(data: readonly SubmissionView[]): string[][] {
  const names = [...new Set(data.flatMap(({ fields }) => Object.keys(fields)))];
  return [
    [
      'submissionId',
      'formId',
      'at',
      'status',
      'confirmed',
      'email',
      'consentText',
      ...names.map((name) => `fields.${name}`),
    ],
    ...data.map(({ submissionId, formId, at, status: state, confirmed, email, consentText, fields }) => [
      ...[submissionId, formId, at, state, String(confirmed), email ?? '', consentText ?? ''],
      ...names.map((name) => fields[name] ?? ''),
    ]),
  ];
}

export const listSubmissions = defineOperation({
  id: 'pages.submissions',
  summary: "List what visitors sent with a page's forms",
  description:
    'The newest first, including those that filled the honeypot field: look there for people who were taken for a program. Unconfirmed submissions are kept for 30 days, confirmed ones for 400. Also needs contacts:read.',
  http: 'GET /v1/pages/{idOrSlug}/submissions',
  tool: 'list_page_submissions',
  searchWords: ['who', 'signed', 'up'],
  scopes: ['pages:read'],
  idempotency: 'read',
  input: {
    params: pageParams,
    query: z.object({
      ...pageQuery,
      formId: slug.optional().describe('The key of a form of the page.'),
      status: status.optional(),
    }),
  },
  output: listOf(submission),
  representations: {
    'text/csv': {
      description:
        'The page of the list with a heading line, as UTF-8. Cells that a spreadsheet would run get a quote in front.',
      render: async ({ output }) => ({
        bytes: await csvOf(rowsOf(output.data as SubmissionView[])),
        filename: 'submissions.csv',
      }),
    },
  },
  errors: ['page_not_found', 'cursor_invalid', 'insufficient_scope'],
  fixture: async (kit) => ({
    params: { idOrSlug: await publishedPage(kit, kit.workspaceId) },
    foreign: {
      params: { idOrSlug: await somePage(kit, kit.foreignWorkspaceId) },
      query: { formId: 'skipped: it names a form of the page' },
    },
    errors: { insufficient_scope: 'unreachable here: shown in test/plugins/pages-submissions.test.ts' },
  }),
  exampleRow: 'skipped: visitors make them: shown in test/plugins/pages-submissions.test.ts',

  async handler(ctx, { params: { idOrSlug }, query: { limit, cursor, formId, status: wanted } }) {
    if (!ctx.holds('contacts:read')) throw coreErrors.insufficient_scope({ scopes: ['contacts:read'] });
    const page = await findHead(ctx.trx, idOrSlug);
    if (page === undefined) throw errors.page_not_found({ id: idOrSlug });
    const list = `submissions of ${page.id}`;
    const rows = await submissionRows.page(ctx.trx, {
      where: {
        page_id: page.id,
        ...(formId === undefined ? {} : { form_id: formId }),
        ...(wanted === undefined ? {} : { status: wanted }),
      },
      after: decodeCursor(list, cursor),
      limit: limit + 1,
    });
    return toPage(list, rows, limit, submissionRows.position, present);
  },
});
