// The calls of a workspace's webhooks, as the commands use them.
import type { Api } from '../../../core/index.ts';

/** The webhook operations of `context.calls()`. */
export type WebhookCalls = Pick<Api['webhooks'], 'webhooks'>;

type Page<T> = { readonly data: readonly T[]; readonly next_cursor: string | null };

/** A subscription, as the calls return it. */
export type Webhook = Awaited<ReturnType<WebhookCalls['webhooks']['read']>>;

/** A delivery, as the calls return it. */
export type WebhookDelivery = Awaited<ReturnType<WebhookCalls['webhooks']['deliveries']>>['data'][number];

/** All subscriptions of the workspace. */
export async function listAll({ webhooks }: WebhookCalls): Promise<Webhook[]> {
  const allWebhooks: Webhook[] = [];
  for (let cursor: string | undefined, more = true; more; ) {
    const page: Page<Webhook> = await webhooks.list({ limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    allWebhooks.push(...page.data);
    more = page.next_cursor !== null;
    cursor = page.next_cursor ?? undefined;
  }
  return allWebhooks;
}
