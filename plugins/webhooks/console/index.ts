// The pages of webhooks in the console.
import type { ConsoleEntry } from '../../../core/index.ts';
import { createAction } from './create.ts';
import { deliveryPage, replayAction } from './delivery.ts';
import { findWebhooks, webhookList } from './list.ts';
import { webhookPage } from './webhook.ts';
import { webhookActions } from './webhook-actions.ts';

const ofWebhooks = { area: 'Developers', scopes: ['webhooks:manage'] } as const;

export const consolePages: readonly ConsoleEntry[] = [
  {
    ...ofWebhooks,
    path: 'webhooks',
    title: 'Webhooks',
    render: webhookList,
    find: findWebhooks,
    actions: { create: createAction },
  },
  { ...ofWebhooks, path: 'webhooks/{webhookId}', title: 'Webhook', render: webhookPage, actions: webhookActions },
  {
    ...ofWebhooks,
    path: 'webhooks/{webhookId}/deliveries/{deliveryId}',
    title: 'Delivery',
    render: deliveryPage,
    actions: { replay: replayAction },
  },
];

/** The page for a query of the page that webhooks had before the console. */
export function movedPage({ webhook, delivery }: Readonly<Record<string, string>>): string {
  if (webhook === undefined) return 'webhooks';
  return delivery === undefined ? `webhooks/${webhook}` : `webhooks/${webhook}/deliveries/${delivery}`;
}
