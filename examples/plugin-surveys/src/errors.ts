import { defineErrors, notFound } from 'postrider';

export const errors = defineErrors({
  survey_not_found: notFound('survey', 'GET /v1/surveys'),
  survey_expiry_past: {
    status: 422,
    type: 'validation_error',
    description: 'A survey must leave time to answer it.',
    message: () => 'expires_at is in the past. Give a time in the future, or leave it out.',
  },
});
