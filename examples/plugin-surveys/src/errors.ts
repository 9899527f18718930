import { defineErrors } from 'postrider';

export const errors = defineErrors({
  survey_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'The workspace has no survey with this id.',
    message: (details: { id: string }) => `There is no survey ${details.id}. GET /v1/surveys lists those there are.`,
  },
  survey_expiry_past: {
    status: 422,
    type: 'validation_error',
    description: 'A survey must leave time to answer it.',
    message: () => 'expires_at has passed. Give a time that is still to come, or none.',
  },
});
