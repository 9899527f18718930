// Webhooks: events posted to the addresses that a workspace names.
export type { WebhooksOptions } from './options.ts';
export { webhooksPlugin } from './plugin.ts';
