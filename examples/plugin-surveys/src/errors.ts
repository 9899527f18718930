import { defineErrors } from 'postrider';

export const errors = defineErrors({
  survey_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'The workspace has no survey with this id.',
    message: (details: { id: string }) => `There is no survey ${details.id}. GET /v1/surveys lists those there are.`,
  },
  survey_answered: {
    status: 409,
    type: 'conflict_error',
    description: 'A survey takes one answer, and this one has it.',
    message: (details: { id: string }) => `Survey ${details.id} was answered before. To ask again, create another one.`,
  },
  survey_expired: {
    status: 409,
    type: 'conflict_error',
    description: 'The time to answer the survey is over.',
    message: (details: { id: string }) => `Survey ${details.id} has expired. To ask again, create another one.`,
  },
  survey_expiry_past: {
    status: 422,
    type: 'validation_error',
    description: 'A survey that nobody could answer in time is not created.',
    message: () => 'expires_at has passed. Give a time that is still to come, or none.',
  },
});
