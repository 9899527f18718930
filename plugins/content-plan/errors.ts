import { defineErrors, notFound } from '../../core/index.ts';

export const errors = defineErrors({
  plan_run_not_found: notFound('plan', 'GET /v1/content-plan/runs'),
  news_not_found: notFound(
    'piece of news',
    'GET /v1/content-plan/market-news',
    'The workspace has no piece of market news with this id, or it was removed because of its age.',
  ),
});
