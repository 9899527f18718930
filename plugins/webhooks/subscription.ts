// What follows from a change of a subscription: which events are posted to it. Callers hold its row: two changes at once then
// leave the interests of the later one.
import type { Effects, WorkspaceHandle } from '../../core/index.ts';
import { setInterests } from '../../core/index.ts';
import { presentWebhook } from './present.ts';
import type { Disabling } from './store.ts';
import { disableWebhookRow, webhookRows } from './store.ts';
import type { WebhookRow } from './tables.ts';

/** The id of the event consumer, as it stands in the interests. */
export const consumerId = 'webhooks';

/** Makes the interests those of the row. */
export const keepInterests = (
  handle: WorkspaceHandle,
  { id, enabled, events }: Pick<WebhookRow, 'id' | 'enabled' | 'events'>,
): Promise<void> => setInterests(handle, { consumer: consumerId, subject: id }, enabled ? events : []);

/** Nothing is posted there any more. */
export const dropInterests = (handle: WorkspaceHandle, webhookId: string): Promise<void> =>
  setInterests(handle, { consumer: consumerId, subject: webhookId }, []);

/**
 * Disables a subscription because of what its receiver did, and emits `webhook.disabled`. Does nothing where there is none,
 * where it is disabled already, or where it was changed meanwhile.
 */
export async function disableWebhook(effects: Effects, webhookId: string, why: Omit<Disabling, 'at'>): Promise<void> {
  if (!(await disableWebhookRow(effects.trx, webhookId, { at: effects.now, ...why }))) return;
  const row = await webhookRows.find(effects.trx, webhookId);
  if (row === undefined) return;
  await dropInterests(effects.trx, webhookId);
  effects.emit('webhook.disabled', presentWebhook(row));
}
