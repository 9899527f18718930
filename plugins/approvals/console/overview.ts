// The approvals in the overview of the console: the requests that have waited for the longest time.
import type { ConsoleContext } from '../../../core/index.ts';
import { dataTable, type Html, html, moment, nameCell, panel } from '../../../core/unstable.ts';
import type { OverviewPart } from '../../console/index.ts';
import { kindWords } from './words.ts';

const maxShown = 5;

async function waitingApprovals(ctx: ConsoleContext): Promise<Html> {
  const { data, next_cursor: next } = await ctx.calls.approvals.pending({ limit: maxShown });
  const allUrl = ctx.link('approvals');
  if (data.length === 0)
    return panel('Approvals', html`<p>Nothing waits for a decision. <a href="${allUrl}">All requests</a></p>`);
  const rows = data.map(({ requestId, summary, surfaceKind, createdAt }) => [
    nameCell(ctx.link(`approvals/${requestId}`), summary, kindWords[surfaceKind]),
    moment(createdAt, ctx),
  ]);
  const moreLink = next === null ? null : html`<p><a href="${allUrl}">All that wait</a></p>`;
  return html`<section class="stack"><h2>Waiting approvals</h2>${dataTable('Waiting approvals', ['Request', 'Since'], rows)}${moreLink}</section>`;
}

export const overviewPart: OverviewPart = { scopes: ['approvals:read'], render: waitingApprovals };
