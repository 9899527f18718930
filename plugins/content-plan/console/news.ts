// The page of market news in the console: the newest pieces, and the person's vote on each.
import type { ConsoleAction, ConsoleContext, ConsoleView, z } from '../../../core/index.ts';
import { actionForm, dataTable, emptyNotice, type Html, html, moment, pager } from '../../../core/unstable.ts';
import { type newsPiece, vote } from '../news/schema.ts';

const path = 'market-news';
const pageSize = 50;

const choices = [
  ['up', 'For it'],
  ['down', 'Against it'],
  ['none', 'No vote'],
] as const;

/** Votes in the person's name. */
export const voteAction: ConsoleAction = {
  done: 'Your vote counts. Plans prefer news with a high score.',
  async run({ calls }, { idempotencyKey, fields: { newsId = '', vote: chosen } }) {
    await calls.contentPlan.newsVote({ newsId, vote: vote.safeParse(chosen).data ?? 'none' }, { idempotencyKey });
  },
};

/** Votes change the live workspace. The form is therefore not shown on the sandbox side, except in workspaces whose plan is named `sandbox`. */
const voteForm = (ctx: ConsoleContext, { newsId, title, myVote }: z.output<typeof newsPiece>): Html | null =>
  ctx.mayCall('content_plan.news_vote') && (ctx.side === 'live' || ctx.workspace.plan.name === 'sandbox')
    ? actionForm(ctx, 'vote', {
        label: 'Vote',
        question: html`Your vote on “${title}” replaces an earlier one.`,
        verb: 'Vote',
        fields: { newsId },
        inputs: [{ name: 'vote', label: 'Vote', options: choices, value: myVote }],
      })
    : null;

export async function newsList(ctx: ConsoleContext): Promise<ConsoleView> {
  const { cursor } = ctx.query;
  const { data, next_cursor: next } = await ctx.calls.contentPlan.news({
    limit: pageSize,
    ...(cursor === undefined ? {} : { cursor }),
  });
  const rows = data.map((piece) => [
    html`<a class="name" dir="auto" href="${piece.url}" target="_blank" rel="noreferrer">${piece.title}</a><span class="below" dir="auto">${piece.excerpt}</span>`,
    html`<span dir="auto">${piece.source}</span>`,
    moment(piece.publishedAt, ctx),
    piece.score,
    voteForm(ctx, piece),
  ]);
  const columns = ['News', 'Source', 'Published', { head: 'Score', isNumber: true }, 'Vote'];
  const table =
    rows.length === 0
      ? emptyNotice('There is no news. Your program names the feeds of a workspace.')
      : dataTable('Market news', columns, rows);
  return { heading: 'Market news', body: html`${table}${pager(ctx, path, next)}` };
}
