// The retention of submissions, and their personal data. Called by the plugin's manifest.
import {
  type PersonalData,
  type RetentionDeclaration,
  type ScheduleDeclaration,
  sweepRows,
  toIsoTime,
  toIsoTimeOrNull,
} from '../../../core/index.ts';
import { type PageSubmissionRow, submissionRows } from '../tables.ts';

export const formRetention = {
  page_submissions: {
    rows: 'Form submissions of pages with a confirmed address',
    since: 'the confirmation',
    default: '400 days',
  },
  page_submissions_unconfirmed: {
    rows: 'Form submissions of pages that were not confirmed, or need no confirmation',
    since: 'the submission, or the last confirmation mail',
    default: '30 days',
  },
  page_submissions_trapped: {
    rows: 'Form submissions of pages in which the honeypot field was filled',
    since: 'the form',
    default: '7 days',
  },
} as const satisfies Readonly<Record<string, RetentionDeclaration>>;

export const formSchedules: readonly ScheduleDeclaration[] = [
  {
    id: 'pages.submissions',
    description: 'Removes old forms that visitors sent.',
    everyMs: 3_600_000,
    async run({ keptSince, purge }) {
      const table = 'page_submissions';
      const received = { status: 'received' };
      await purge(table, 'kept_from', keptSince('page_submissions_unconfirmed'), { ...received, confirmed: 0 });
      await purge(table, 'kept_from', keptSince('page_submissions'), { ...received, confirmed: 1 });
      await purge(table, 'kept_from', keptSince('page_submissions_trapped'), { status: 'trapped', confirmed: 0 });
    },
  },
];

const visibleFields = (row: PageSubmissionRow) => ({
  submissionId: row.id,
  pageId: row.page_id,
  slug: row.slug,
  formId: row.form_id,
  fields: row.fields,
  email: row.email_as_given,
  consentText: row.consent_text,
  status: row.status,
  confirmedAt: toIsoTimeOrNull(row.confirmed_at),
  createdAt: toIsoTime(row.created_at),
});

/** The forms that a person sent. The core removes them when the person is erased. */
export const exportSubmissions: PersonalData['export'] = async ({ trx: handle }, { personId, emails }, limit) => {
  const submissions = new Map<string, PageSubmissionRow>();
  const conditions = [...emails.map((email) => ({ email })), ...(personId === null ? [] : [{ contact_id: personId }])];
  for (const where of conditions)
    for (const row of await submissionRows.page(handle, { where, limit })) submissions.set(row.id, row);
  const rows = [...submissions.values()].sort((a, b) => b.created_at - a.created_at);
  return { page_submissions: rows.slice(0, limit).map(visibleFields) };
};

/** Erases an erased person from forms that mention them in another person's text. */
export const sweepSubmissions: NonNullable<PersonalData['sweep']> = (context, finder) =>
  sweepRows(context, finder, {
    rows: submissionRows,
    batch: 200,
    textOf: ({ fields }) => JSON.stringify(fields),
    changes: ({ fields }) => ({
      fields: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, finder.erase(value)])),
    }),
  });
