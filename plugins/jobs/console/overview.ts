// What the overview of the console shows of jobs: that some have failed.
import type { ConsoleContext } from '../../../core/index.ts';
import { counted, type Html, html, panel } from '../../../core/unstable.ts';
import type { OverviewPart } from '../../console/index.ts';

/** More are not counted. */
const most = 25;

async function failed(ctx: ConsoleContext): Promise<Html | null> {
  const { data, next_cursor: next } = await ctx.calls.jobs.list({ state: 'failed', limit: most });
  if (data.length === 0) return null;
  const count = next === null ? counted(data.length, 'job') : `More than ${counted(most, 'job')}`;
  return panel('Failed jobs', html`<p><a href="${ctx.link('jobs', { state: 'failed' })}">${count} failed</a></p>`);
}

export const overviewPart: OverviewPart = { scopes: ['jobs:read'], render: failed };
