import { defineErrors } from '../../core/index.ts';

export const errors = defineErrors({
  grant_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'The workspace has no OAuth grant with this id, or the grant has ended.',
    message: (details: { id: string }) =>
      `There is no grant ${details.id}. GET /v1/oauth/grants lists those that work.`,
  },
});
