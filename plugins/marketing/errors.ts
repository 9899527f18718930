import { defineErrors } from '../../core/index.ts';

export const errors = defineErrors({
  icp_not_found: {
    status: 404,
    type: 'not_found_error',
    description:
      'The workspace has no ICP (ideal customer profile) with this id. GET /v1/marketing/icps lists its ICPs.',
    message: (details: { id: string }) =>
      `There is no ICP ${details.id}. GET /v1/marketing/icps lists those there are.`,
  },
});
