// Keeps the interests of a subscription (the events for which the core notifies it) equal to its row. Callers lock the row, so that
// the later of two concurrent changes decides.
import { setInterests, type TransactionContext, type WorkspaceHandle } from '../../core/index.ts';
import { presentWebhook } from './present.ts';
import { type Disabling, disableWebhookRow, webhookRows } from './store.ts';
import type { WebhookRow } from './tables.ts';

/** The id of this plugin's event consumer in the table of interests. */
export const consumerId = 'webhooks';

/** Sets the interests to the events of the row. */
export const keepInterests = (
  handle: WorkspaceHandle,
  { id, enabled, events }: Pick<WebhookRow, 'id' | 'enabled' | 'events'>,
): Promise<void> => setInterests(handle, { consumer: consumerId, subscriberId: id }, enabled ? events : []);

/** An entry of `webhooks.changes`, for a plugin that reacts if the subscriptions of a workspace change. */
export interface SubscriptionChanges {
  /** Called after the events of a subscription have changed, in the transaction of the change. */
  changed(ctx: TransactionContext): Promise<void>;
}

/** Notifies all entries of `webhooks.changes`. */
export async function notifySubscriptionChanged(ctx: TransactionContext): Promise<void> {
  const all: ReadonlyMap<string, SubscriptionChanges> = ctx.ports.contributions('webhooks.changes');
  for (const changes of all.values()) await changes.changed(ctx);
}

declare module '../../core/contract/open.ts' {
  interface ExtensionPoints {
    'webhooks.changes': SubscriptionChanges;
  }
}

/** Removes the interests, so that no further event is posted. */
export const dropInterests = (handle: WorkspaceHandle, webhookId: string): Promise<void> =>
  setInterests(handle, { consumer: consumerId, subscriberId: webhookId }, []);

/**
 * Disables a subscription because its receiver fails, and emits `webhook.disabled`. Does nothing if the subscription was deleted,
 * disabled or changed meanwhile.
 */
export async function disableWebhook(
  ctx: TransactionContext,
  webhookId: string,
  why: Omit<Disabling, 'at'>,
): Promise<void> {
  if (!(await disableWebhookRow(ctx.trx, webhookId, { at: ctx.now, ...why }))) return;
  const row = await webhookRows.find(ctx.trx, webhookId);
  if (row === undefined) return;
  await dropInterests(ctx.trx, webhookId);
  ctx.emit('webhook.disabled', presentWebhook(row));
}
