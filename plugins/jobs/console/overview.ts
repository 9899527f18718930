// The jobs in the overview of the console: the number of failed jobs.
import type { ConsoleContext } from '../../../core/index.ts';
import { counted, type Html, html, panel } from '../../../core/unstable.ts';
import type { OverviewPart } from '../../console/index.ts';

/** The maximum number of failed jobs that are counted. */
const maxCounted = 25;

async function failedJobs(ctx: ConsoleContext): Promise<Html | null> {
  const { data, next_cursor: next } = await ctx.calls.jobs.list({ state: 'failed', limit: maxCounted });
  if (data.length === 0) return null;
  const count = next === null ? counted(data.length, 'job') : `At least ${counted(data.length, 'job')}`;
  return panel('Failed jobs', html`<p><a href="${ctx.link('jobs', { state: 'failed' })}">${count} failed</a></p>`);
}

export const overviewPart: OverviewPart = { scopes: ['jobs:read'], render: failedJobs };
