import { defineErrors } from '../../core/index.ts';

export const errors = defineErrors({
  news_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'The workspace has no piece of market news with this id, or it was removed because of its age.',
    message: (details: { id: string }) =>
      `There is no piece of news ${details.id}. GET /v1/content-plan/market-news lists those there are.`,
  },
});
