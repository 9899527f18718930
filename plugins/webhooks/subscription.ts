// What follows from a change of a subscription: which events it is told of. Whoever changes a row updates it first, which
// holds it, and calls this after: two changes at once then leave the interests of the later one.
import type { Effects, WorkspaceHandle } from '../../core/index.ts';
import { setInterests } from '../../core/index.ts';
import { eventsOf, presentWebhook } from './present.ts';
import type { Disabling } from './store.ts';
import { disableWebhookRow, findWebhook } from './store.ts';
import type { WebhookRow } from './tables.ts';

/** The id of the event consumer, as it stands in the interests. */
export const consumerId = 'webhooks';

/** Makes the interests those of the row. */
export const keepInterests = (handle: WorkspaceHandle, row: WebhookRow): Promise<void> =>
  setInterests(handle, { consumer: consumerId, subject: row.id }, row.enabled === 1 ? eventsOf(row) : []);

/** Nothing is posted there any more. */
export const dropInterests = (handle: WorkspaceHandle, webhookId: string): Promise<void> =>
  setInterests(handle, { consumer: consumerId, subject: webhookId }, []);

/**
 * Disables a subscription because of what its receiver did, and tells so. Answers false where there is none, or where it
 * is disabled already.
 */
export async function disableWebhook(
  effects: Effects,
  webhookId: string,
  why: Omit<Disabling, 'at'>,
): Promise<boolean> {
  if (!(await disableWebhookRow(effects.trx, webhookId, { at: effects.now, ...why }))) return false;
  const row = await findWebhook(effects.trx, webhookId);
  if (row === undefined) return false;
  await dropInterests(effects.trx, webhookId);
  effects.emit('webhook.disabled', presentWebhook(row));
  return true;
}
