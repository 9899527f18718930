// The pages of webhooks in the console.
import type { ConsoleEntry } from '../../../core/index.ts';

const webhookArea = { area: 'Developers', scopes: ['webhooks:manage'] } as const;

const pages = () => import('./pages.ts');

export const consolePages: readonly ConsoleEntry[] = [
  { ...webhookArea, path: 'webhooks', title: 'Webhooks', load: async () => (await pages()).webhooks },
  { ...webhookArea, path: 'webhooks/{webhookId}', title: 'Webhook', load: async () => (await pages()).webhook },
  {
    ...webhookArea,
    path: 'webhooks/{webhookId}/deliveries/{deliveryId}',
    title: 'Delivery',
    load: async () => (await pages()).delivery,
  },
];

/** The path of the page that replaces the former page `webhooks?webhook=…&delivery=…`. Used by the redirect of old links. */
export function movedPage({ webhook, delivery }: Readonly<Record<string, string>>): string {
  if (webhook === undefined) return 'webhooks';
  return delivery === undefined ? `webhooks/${webhook}` : `webhooks/${webhook}/deliveries/${delivery}`;
}
