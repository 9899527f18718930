import { defineErrors } from '../../core/index.ts';

export const errors = defineErrors({
  plan_run_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'The workspace has no plan of a week with this id.',
    message: (details: { id: string }) =>
      `There is no plan ${details.id}. GET /v1/content-plan/runs lists those there are.`,
  },
  news_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'The workspace has no piece of market news with this id, or it was removed because of its age.',
    message: (details: { id: string }) =>
      `There is no piece of news ${details.id}. GET /v1/content-plan/market-news lists those there are.`,
  },
});
