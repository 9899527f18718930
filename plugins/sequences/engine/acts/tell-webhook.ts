import type { WebhooksService } from '../../../webhooks/index.ts';
import type { Action, Outcome } from '../../interpreter/types.ts';
import { summaryOf } from '../place.ts';
import type { ActPlace } from './act-place.ts';

type TellWebhook = Extract<Action, { kind: 'webhook' }>;

/** One delivery of `sequence_run.node_reached` to one subscription. The run does not wait for the receiver. */
export async function tellWebhook(place: ActPlace, { webhookId }: TellWebhook): Promise<Outcome> {
  const { surface, effects, run, nodeId, contact } = place;
  const webhooks: WebhooksService | undefined = surface.services.webhooks;
  const data = { run: summaryOf(place, run), nodeId, event: run.state?.event ?? null };
  const event = { type: 'sequence_run.node_reached', data, subject: contact.id } as const;
  const deliveryId = await webhooks?.deliver(effects, webhookId, event);
  // A sandbox run finds subscriptions of the sandbox only.
  if (deliveryId === undefined) return { kind: 'skipped', reason: 'webhook_not_found' };
  return { kind: 'done', output: { deliveryId } };
}
