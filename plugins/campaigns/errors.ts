import { defineErrors } from '../../core/index.ts';

export const errors = defineErrors({
  campaign_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'The workspace has no planned email with this id.',
    message: (details: { id: string }) =>
      `There is no planned email ${details.id}. POST /v1/campaigns/planned returns the id as campaignId.`,
  },
});
