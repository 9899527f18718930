import { defineRead } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { presentWebhook } from '../present.ts';
import { webhookResource } from '../schema.ts';
import { webhookRows } from '../store.ts';
import { someWebhook } from './fixture-rows.ts';

export const readWebhook = defineRead({
  id: 'webhooks.read',
  summary: 'Read a webhook',
  description: 'Of its signing secret only the last four characters are shown.',
  http: 'GET /v1/webhooks/{id}',
  tool: 'read_webhook',
  scopes: ['webhooks:manage'],
  rows: webhookRows,
  item: webhookResource,
  present: presentWebhook,
  notFoundError: errors.webhook_not_found,
  exampleRow: someWebhook,
});
