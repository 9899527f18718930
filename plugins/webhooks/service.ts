// `ctx.services.webhooks`: what other plugins do with subscriptions, inside their transactions.
import type { Effects, ServiceSurface, WorkspaceHandle } from '../../core/index.ts';
import { isOutgoingError } from '../../core/index.ts';
import { queueFor } from './delivery/index.ts';
import { webhookRows } from './store.ts';

/** An event of the service that only one subscription gets. */
export interface OwnEvent {
  readonly type: string;
  readonly data: unknown;
  /** As in `EmitOptions`. */
  readonly subject?: string;
}

/** `ctx.services.webhooks`. */
export interface WebhooksService {
  /** Those of these subscriptions that are on the handle's side. */
  among(handle: WorkspaceHandle, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Queues one delivery to one subscription of the side of the effects, whatever it subscribes to. Answers the delivery's id;
   * undefined where there is no such subscription, or it is disabled.
   */
  deliver(effects: Effects, webhookId: string, event: OwnEvent): Promise<string | undefined>;
  /** The enabled subscriptions whose URL production refuses, with the guard's sentence. Looks names up. */
  refusedInProduction(handle: WorkspaceHandle): Promise<readonly RefusedWebhook[]>;
}

/** An enabled subscription that production never delivers to. */
export interface RefusedWebhook {
  readonly id: string;
  /** Without path and query, which may hold a secret. */
  readonly origin: string;
  readonly reason: string;
}

/** Makes the service, which has no state. */
export const createWebhooksService = ({ ports }: ServiceSurface): WebhooksService => ({
  async among(handle, ids) {
    const found = await webhookRows.findIn(handle, 'id', ids);
    return new Set(found.map(({ id }) => id));
  },
  async deliver(effects, webhookId, event) {
    const webhook = await webhookRows.find(effects.trx, webhookId);
    if (webhook === undefined || !webhook.enabled) return undefined;
    return queueFor(effects, webhook, event).id;
  },
  async refusedInProduction(handle) {
    const judged = async ({ id, url }: { id: string; url: string }): Promise<RefusedWebhook[]> => {
      try {
        await ports.outgoing.check(url, 'production');
        return [];
      } catch (error) {
        // That a name is not found now says nothing of later.
        if (!isOutgoingError(error, 'url_refused') && !isOutgoingError(error, 'address_refused')) return [];
        return [{ id, origin: new URL(url).origin, reason: error.message }];
      }
    };
    const refused: RefusedWebhook[] = [];
    for await (const rows of webhookRows.each(handle))
      refused.push(...(await Promise.all(rows.filter(({ enabled }) => enabled).map(judged))).flat());
    return refused;
  },
});

declare module '../../core/contract/open.ts' {
  interface Services {
    webhooks: WebhooksService;
  }
}
