// Webhooks: events posted to URLs of a workspace's choice.
import './events.ts';

export { webhooksPlugin } from './plugin.ts';
export type { OwnEvent, WebhooksService } from './service.ts';
export type { SubscriptionChanges } from './subscription.ts';
