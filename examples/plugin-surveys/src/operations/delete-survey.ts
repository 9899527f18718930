import { defineDelete } from 'postrider';
import { errors } from '../errors.js';
import { someSurvey } from '../schema.js';
import { rows } from '../tables.js';

export const deleteSurvey = defineDelete({
  id: 'surveys.delete',
  summary: 'Delete a survey',
  http: 'DELETE /v1/surveys/{id}',
  tool: { name: 'delete_survey', destructive: true },
  scopes: ['surveys:write'],
  rows,
  missing: errors.survey_not_found,
  audit: { action: 'survey.delete', kind: 'survey' },
  one: someSurvey,
  before: async (ctx, { id }) => void (await ctx.cancelJob({ kind: 'surveys.expire', key: id })),
});
