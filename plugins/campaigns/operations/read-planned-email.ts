import { defineRead } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { plannedEmail, present, somePlanned } from '../schema.ts';
import { plannedRows } from '../tables.ts';

export const readPlannedEmail = defineRead({
  id: 'campaigns.planned_read',
  summary: 'Read a planned email',
  description: 'Answers its name, date, time zone and state, and the template that it is planned for.',
  http: 'GET /v1/campaigns/planned/{campaignId}',
  tool: 'read_planned_email',
  scopes: ['campaigns:read'],
  rows: plannedRows,
  item: plannedEmail,
  present,
  missing: errors.campaign_not_found,
  one: somePlanned,
});
