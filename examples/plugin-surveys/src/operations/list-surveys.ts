import { defineList, emailAddress } from 'postrider';
import { present, someSurvey, status, surveyResource } from '../schema.js';
import { rows } from '../tables.js';

export const listSurveys = defineList({
  id: 'surveys.list',
  summary: 'List surveys',
  http: 'GET /v1/surveys',
  tool: 'list_surveys',
  scopes: ['surveys:read'],
  rows,
  item: surveyResource,
  filters: {
    status: status.optional().describe('Only those with this status.'),
    email: emailAddress.optional().describe('Only those of this customer.'),
  },
  present,
  one: someSurvey,
});
