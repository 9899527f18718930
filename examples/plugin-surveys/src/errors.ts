import { defineErrors, notFound } from 'postrider';

export const errors = defineErrors({
  survey_not_found: notFound('survey', 'GET /v1/surveys'),
  survey_expiry_past: {
    status: 422,
    type: 'validation_error',
    description: 'A survey must leave time to answer it.',
    message: () => 'expires_at has passed. Give a time that is still to come, or none.',
  },
});
