// The page of jobs in the console: lists the jobs that failed or wait for another attempt, and retries them.
import type { ConsoleAction, ConsoleContext, ConsoleMatch, ConsoleView, z } from '../../../core/index.ts';
import {
  actionForm,
  beginsWith,
  comparedRows,
  counted,
  dataTable,
  emptyNotice,
  filterForm,
  firstPageWithRows,
  type Html,
  html,
  idOfRow,
  moment,
  noMatchNotice,
  pager,
  pill,
} from '../../../core/unstable.ts';
import type { failedJob } from '../schema.ts';

const path = 'jobs';
const pageSize = 50;
const states = ['failed', 'waiting'] as const;

type Job = z.output<typeof failedJob>;

const stateChoices = [
  ['failed', 'Failed'],
  ['waiting', 'Waiting for another attempt'],
] as const;

function stateCell(ctx: ConsoleContext, { state, due_at: due }: Job): Html {
  if (state === 'failed') return pill('Failed', 'bad');
  return html`${pill('Waiting', 'wait')} <span class="below">Next attempt ${moment(due, ctx)}</span>`;
}

function retryCell(ctx: ConsoleContext, { id, kind, can_retry: canRetry }: Job): Html | string | null {
  if (!canRetry) return 'Final: do the work anew';
  if (!ctx.mayCall('jobs.retry')) return null;
  return actionForm(ctx, 'retry', {
    label: 'Retry',
    question: html`The job ${kind} runs again at once, with all of its attempts. It may send messages that it could not send before.`,
    verb: 'Retry the job',
    fields: { jobId: id },
  });
}

/** Lets a job run again. */
export const retryAction: ConsoleAction = {
  done: 'The job runs again. If it fails again, it comes back to this list.',
  async run({ calls }, { idempotencyKey, fields: { jobId = '' } }) {
    await calls.jobs.retry({ jobId }, { idempotencyKey });
  },
};

/** The matches of the console's search among the newest jobs: kinds that begin with the text, and the kind of the job with this id. */
export async function findJobs({ calls }: ConsoleContext, text: string): Promise<ConsoleMatch[]> {
  const { data } = await calls.jobs.list({ limit: comparedRows });
  const found = data.filter(({ id, kind }) => id === text || beginsWith(text, kind));
  return [...new Set(found.map(({ kind }) => kind))].map((kind) => ({ title: kind, path, query: { kind } }));
}

export async function jobList(ctx: ConsoleContext): Promise<ConsoleView> {
  const { kind } = ctx.query;
  const state = states.find((option) => option === ctx.query['state']);
  const { data, next_cursor: next } = await firstPageWithRows(ctx, (at) =>
    ctx.calls.jobs.list({
      limit: pageSize,
      ...(state === undefined ? {} : { state }),
      ...(kind === undefined ? {} : { kind }),
      ...at,
    }),
  );
  const filter = filterForm(ctx, path, [
    { name: 'state', label: 'State', options: stateChoices },
    { name: 'kind', label: 'Kind, such as email.deliver' },
  ]);
  const isFiltered = state !== undefined || kind !== undefined;
  const empty = isFiltered
    ? noMatchNotice(ctx, path, 'job', next)
    : emptyNotice(
        'No job has failed. Work in the background that fails is listed here, with its error, until it succeeds or is deleted.',
      );
  const rows = data.map((job) => [
    html`<span class="name">${job.kind}</span><span class="below">${idOfRow(job.id)}</span>`,
    stateCell(ctx, job),
    html`${job.error_code ?? 'Without a code'}<span class="below">after ${counted(job.tries, 'attempt')}</span>`,
    html`${moment(job.failed_at, ctx)}<span class="below">Created ${moment(job.created_at, ctx)}</span>`,
    retryCell(ctx, job),
  ]);
  const columns = ['Job', 'State', 'Error', 'Failed', 'Retry'];
  const table = data.length === 0 ? empty : dataTable('Jobs that failed', columns, rows);
  return { heading: 'Jobs', body: html`${filter}${table}${pager(ctx, path, next)}` };
}
