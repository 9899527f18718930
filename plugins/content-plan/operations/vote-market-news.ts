import { defineOperation, idParameter, z } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { newsPiece, presentNews, someNews, vote } from '../news/schema.ts';
import { newsRows } from '../news/tables.ts';
import { castVote, voterOf } from '../news/votes.ts';

export const voteMarketNews = defineOperation({
  id: 'content_plan.news_vote',
  summary: 'Vote on a piece of market news',
  description:
    'Each key and each member has one vote; a new vote replaces it, and the vote none removes it. Plans prefer news with a high score, and ignore news with a score below 0.',
  http: 'POST /v1/content-plan/market-news/{newsId}/vote',
  tool: 'vote_market_news',
  scopes: ['campaigns:write'],
  liveOnly: true,
  idempotency: 'replay',
  input: {
    params: z.object({ newsId: idParameter('news') }),
    body: z.object({ vote }),
  },
  output: newsPiece,
  errors: ['news_not_found'],
  audit: { action: 'content_plan.news.vote', target: ({ newsId }) => ({ kind: 'news', id: newsId }) },
  fixture: async (kit) => ({
    params: { newsId: await someNews(kit, kit.workspaceId) },
    body: { vote: 'up' },
    foreign: { newsId: await someNews(kit, kit.foreignWorkspaceId) },
  }),

  async handler(ctx, { params: { newsId: id }, body }) {
    const row = await newsRows.lock(ctx.trx, id);
    if (row === undefined) throw errors.news_not_found({ id });
    ctx.note({ vote: body.vote });
    return presentNews(await castVote(ctx, row, { voter: voterOf(ctx.actor), vote: body.vote }), body.vote);
  },
});
