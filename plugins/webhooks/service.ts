// `ctx.services.webhooks`: lets other plugins find subscriptions and deliver events to one of them, inside their transactions.
import type { TransactionContext, WorkspaceHandle } from '../../core/index.ts';
import { queueFor } from './delivery/index.ts';
import { webhookRows } from './store.ts';

/** An event of the service that is sent to one subscription only. */
export interface OwnEvent {
  readonly type: string;
  readonly data: unknown;
  /** The subject of the event, as in `EmitOptions`. */
  readonly subject?: string;
}

/** `ctx.services.webhooks`. */
export interface WebhooksService {
  /** The ids among these whose subscriptions are on the handle's side. */
  among(handle: WorkspaceHandle, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Queues a delivery to one subscription on the side of the transaction, regardless of the events to which it subscribes. Returns the
   * delivery's id; undefined if the subscription does not exist or is disabled.
   */
  deliver(ctx: TransactionContext, webhookId: string, event: OwnEvent): Promise<string | undefined>;
  /** The enabled subscriptions, with their URLs. The path or query of a URL may contain a secret. */
  listEnabled(handle: WorkspaceHandle): Promise<readonly { readonly id: string; readonly url: string }[]>;
}

/** Creates the service. It has no state. */
export const createWebhooksService = (): WebhooksService => ({
  async among(handle, ids) {
    const rows = await webhookRows.findIn(handle, 'id', ids);
    return new Set(rows.map(({ id }) => id));
  },
  async deliver(ctx, webhookId, event) {
    const webhook = await webhookRows.find(ctx.trx, webhookId);
    if (webhook === undefined || !webhook.enabled) return undefined;
    return queueFor(ctx, webhook, event).id;
  },
  async listEnabled(handle) {
    const enabledWebhooks: { id: string; url: string }[] = [];
    for await (const rows of webhookRows.each(handle))
      for (const { id, url, enabled } of rows) if (enabled) enabledWebhooks.push({ id, url });
    return enabledWebhooks;
  },
});

declare module '../../core/contract/open.ts' {
  interface Services {
    webhooks: WebhooksService;
  }
}
