import type { ConsoleContext, ConsoleEntry, ConsoleView } from 'postrider';
import { dataTable, emptyNotice, filterForm, html, moment, nameCell, pager, pill } from 'postrider/unstable';

const statuses = ['open', 'answered', 'expired'] as const;
const tones = { open: 'wait', answered: 'good', expired: 'plain' } as const;

/** The surveys of the workspace, the newest first. */
async function listSurveys(ctx: ConsoleContext): Promise<ConsoleView> {
  const { cursor } = ctx.query;
  const status = statuses.find((known) => known === ctx.query['status']);
  const { data, next_cursor: next } = await ctx.calls.surveys.list({
    limit: 50,
    ...(status === undefined ? {} : { status }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  const options = statuses.map((known) => [known, known] as const);
  const rows = data.map((survey) => [
    nameCell(ctx.link('contacts', { search: survey.email }), survey.email, survey.question),
    pill(survey.status, tones[survey.status]),
    survey.score,
    moment(survey.created_at, ctx),
  ]);
  const columns = ['Customer', 'State', { head: 'Score', isNumber: true }, 'Asked'];
  const table = rows.length === 0 ? emptyNotice('No survey yet.') : dataTable('Surveys', columns, rows);
  const filter = filterForm(ctx, 'surveys', [{ name: 'status', label: 'State', options }]);
  return { heading: 'Surveys', body: html`${filter}${table}${pager(ctx, 'surveys', next)}` };
}

export const consolePages: readonly ConsoleEntry[] = [
  { area: 'Audience', path: 'surveys', title: 'Surveys', scopes: ['surveys:read'], render: listSurveys },
];
