// The responses of the console's routes. Types only, because the console's page imports them.
import type { z } from '../../../core/index.ts';
import type { deliveryResource, webhookResource } from '../schema.ts';

/** The workspaces that the caller may see, and the name of the service. */
export interface WebhooksWorkspaceList {
  readonly service: { readonly name: string };
  readonly data: readonly { readonly id: string; readonly name: string }[];
  readonly has_more: boolean;
}

/** A subscription with its health. */
export type ConsoleWebhook = z.output<typeof webhookResource> & {
  /** The time of the first failure since the last success; null while deliveries succeed. */
  readonly failing_since: string | null;
};

export interface WebhookList {
  readonly data: readonly ConsoleWebhook[];
}

/** A delivery with the time of its event. */
export type ConsoleDelivery = z.output<typeof deliveryResource> & { readonly created_at: string };

export interface DeliveryList {
  readonly data: readonly ConsoleDelivery[];
  readonly next_cursor: string | null;
}
