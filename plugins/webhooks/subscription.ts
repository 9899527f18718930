// Keeps the interests of a subscription equal to its row after a change. Callers lock the row, so that the later of two
// concurrent changes decides.
import { setInterests, type TransactionContext, type WorkspaceHandle } from '../../core/index.ts';
import { presentWebhook } from './present.ts';
import { type Disabling, disableWebhookRow, webhookRows } from './store.ts';
import type { WebhookRow } from './tables.ts';

/** The id of the event consumer in the interests. */
export const consumerId = 'webhooks';

/** Sets the interests to the events of the row. */
export const keepInterests = (
  handle: WorkspaceHandle,
  { id, enabled, events }: Pick<WebhookRow, 'id' | 'enabled' | 'events'>,
): Promise<void> => setInterests(handle, { consumer: consumerId, subject: id }, enabled ? events : []);

/** Removes the interests, so that no further event is posted. */
export const dropInterests = (handle: WorkspaceHandle, webhookId: string): Promise<void> =>
  setInterests(handle, { consumer: consumerId, subject: webhookId }, []);

/**
 * Disables a subscription because its receiver fails, and emits `webhook.disabled`. Does nothing if the subscription was deleted,
 * disabled or changed meanwhile.
 */
export async function disableWebhook(
  effects: TransactionContext,
  webhookId: string,
  why: Omit<Disabling, 'at'>,
): Promise<void> {
  if (!(await disableWebhookRow(effects.trx, webhookId, { at: effects.now, ...why }))) return;
  const row = await webhookRows.find(effects.trx, webhookId);
  if (row === undefined) return;
  await dropInterests(effects.trx, webhookId);
  effects.emit('webhook.disabled', presentWebhook(row));
}
