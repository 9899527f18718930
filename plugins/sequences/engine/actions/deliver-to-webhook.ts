import type { WebhooksService } from '../../../webhooks/index.ts';
import type { Action, ActionResult } from '../../interpreter/types.ts';
import { summaryOf } from '../open-run.ts';
import type { RunAtNode } from './run-at-node.ts';

type DeliverToWebhook = Extract<Action, { kind: 'webhook' }>;

/** Makes one delivery of `sequence_run.node_reached` to one subscription. The run does not wait for the receiver. */
export async function deliverToWebhook(opened: RunAtNode, { webhookId }: DeliverToWebhook): Promise<ActionResult> {
  const { ctx, run, nodeId, contact } = opened;
  const webhooks: WebhooksService | undefined = ctx.services.webhooks;
  const data = { run: summaryOf(opened, run), nodeId, event: run.state?.event ?? null };
  const event = { type: 'sequence_run.node_reached', data, subject: contact.id } as const;
  const deliveryId = await webhooks?.deliver(ctx, webhookId, event);
  // A sandbox run finds subscriptions of the sandbox only.
  if (deliveryId === undefined) return { kind: 'skipped', reason: 'webhook_not_found' };
  return { kind: 'done', output: { deliveryId } };
}
