import { defineRead } from 'postrider';
import { errors } from '../errors.js';
import { present, someSurvey, surveyResource } from '../schema.js';
import { rows } from '../tables.js';

export const readSurvey = defineRead({
  id: 'surveys.read',
  summary: 'Read a survey',
  http: 'GET /v1/surveys/{id}',
  tool: 'read_survey',
  scopes: ['surveys:read'],
  rows,
  item: surveyResource,
  present,
  missing: errors.survey_not_found,
  one: someSurvey,
});
