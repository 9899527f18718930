// Subscriptions and deliveries that the fixtures of this plugin need.
import { type FixtureKit, toIsoTime } from '../../../core/index.ts';
import { storeUndispatchedEvent } from '../../../core/unstable.ts';
import { deliveryRows } from '../store.ts';
import type { DeliveryAttempt } from '../tables.ts';

/** A URL at which no server listens. */
export const fixtureUrl = 'http://127.0.0.1:65530/webhooks';

/** Above this number, the oldest subscriptions are deleted, because fixtures create more than the 50 that a side may have. */
const maxBeforeNew = 25;

/** Deletes the oldest subscriptions if needed, so that the workspace can have another one. */
export async function makeRoom(kit: FixtureKit, workspaceId: string): Promise<void> {
  const { data } = await kit.call('webhooks.list', { limit: 100 }, workspaceId);
  const oldest = (data as { id: string }[]).slice(maxBeforeNew);
  for (const { id } of oldest) await kit.call('webhooks.delete', { id }, workspaceId);
}

/** Creates a subscription in the workspace and returns its id. */
export async function someWebhook(kit: FixtureKit, workspaceId: string): Promise<string> {
  await makeRoom(kit, workspaceId);
  const body = { url: fixtureUrl, events: ['send.delivered', 'send.bounced'], description: kit.unique('Orders') };
  const { id } = await kit.call('webhooks.create', body, workspaceId);
  return String(id);
}

/** Creates a failed delivery of a new subscription in the workspace. */
export async function someDelivery(
  kit: FixtureKit,
  workspaceId: string,
): Promise<{ readonly id: string; readonly webhookId: string }> {
  const webhookId = await someWebhook(kit, workspaceId);
  return { id: await deliveryOf(kit, workspaceId, { id: webhookId }), webhookId };
}

/** Creates a failed delivery of this subscription and returns its id. */
export function deliveryOf(
  kit: FixtureKit,
  workspaceId: string,
  { id: webhookId = '' }: Readonly<Record<string, string>>,
): Promise<string> {
  return kit.write(async (ctx) => {
    const attempt: DeliveryAttempt = {
      at: toIsoTime(ctx.now),
      status_code: 500,
      duration_ms: 42,
      error: 'The receiver answered 500.',
      response_excerpt: 'Internal Server Error',
    };
    const id = ctx.newId('dlv');
    deliveryRows.deferInsert(ctx.trx, {
      id,
      sandbox: ctx.sandbox,
      webhook_id: webhookId,
      event_id: storeUndispatchedEvent(ctx, { type: 'send.bounced', source: 'service', data: {}, synthetic: true }),
      event_type: 'send.bounced',
      status: 'failed',
      attempts: [attempt],
      tries: 1,
      replay: false,
      next_attempt_at: null,
      created_at: ctx.now,
    });
    return id;
  }, workspaceId);
}
