import { defineList } from '../../../core/index.ts';
import { presentWebhook } from '../present.ts';
import { webhookResource } from '../schema.ts';
import { webhookRows } from '../store.ts';
import { someWebhook } from './fixture-rows.ts';

export const listWebhooks = defineList({
  id: 'webhooks.list',
  summary: 'List webhooks',
  description: 'Subscriptions, the newest first. Of a signing secret only the last four characters are shown.',
  http: 'GET /v1/webhooks',
  tool: 'list_webhooks',
  scopes: ['webhooks:manage'],
  rows: webhookRows,
  item: webhookResource,
  present: presentWebhook,
  exampleRow: someWebhook,
});
