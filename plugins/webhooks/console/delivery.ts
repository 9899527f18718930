// The page of one delivery in the console: its result, and every attempt with the receiver's response.
import type { ConsoleAction, ConsoleContext, ConsoleView } from '../../../core/index.ts';
import {
  actionForm,
  conclusion,
  detailLayout,
  facts,
  type Html,
  html,
  idOfRow,
  moment,
  panel,
  type TimelineStep,
  timelineOf,
} from '../../../core/unstable.ts';
import { errors } from '../errors.ts';
import type { DeliveryResource, WebhookResource } from '../schema.ts';
import { deliveryPill, nameOf, responseWords } from './words.ts';

/** @throws webhook_delivery_not_found */
async function findDelivery({ calls, params }: ConsoleContext): Promise<DeliveryResource> {
  const id = params['deliveryId'] ?? '';
  const { data } = await calls.webhooks.deliveries({ id: params['webhookId'] ?? '', delivery_id: id });
  const [delivery] = data;
  if (delivery === undefined) throw errors.webhook_delivery_not_found({ id: id.slice(0, 100) });
  return delivery;
}

const countOf = (attempts: number): string => (attempts === 1 ? 'one attempt' : `${attempts} attempts`);

/** The result of the delivery, as a sentence. */
function resultOf({ status, attempts }: DeliveryResource): Html {
  const error = attempts.at(-1)?.error;
  if (status === 'delivered') return conclusion('good', 'The receiver accepted it.');
  if (status === 'failed')
    return conclusion('bad', html`It was not delivered, in ${countOf(attempts.length)}. ${error}`);
  if (attempts.length === 0) return conclusion('wait', 'It waits to be posted.');
  return conclusion('wait', html`It was not delivered yet, and is tried again. ${error}`);
}

function stepOf(attempt: DeliveryResource['attempts'][number]): TimelineStep {
  const { at, error, response_excerpt: excerpt } = attempt;
  const response = excerpt === null || excerpt === '' ? null : html` <code>${excerpt}</code>`;
  return {
    at,
    tone: error === null ? 'good' : 'bad',
    title: responseWords(attempt),
    ...(error === null && response === null ? {} : { detail: html`${error}${response}` }),
  };
}

const replayForm = (ctx: ConsoleContext, delivery: DeliveryResource, webhook: WebhookResource): Html | null =>
  delivery.status === 'pending'
    ? null
    : actionForm(ctx, 'replay', {
        label: 'Replay',
        question: html`The same event is posted to ${webhook.url} again, with a new signature and the same id. No other webhook gets it.`,
        verb: 'Replay the delivery',
      });

export async function deliveryPage(ctx: ConsoleContext): Promise<ConsoleView> {
  const delivery = await findDelivery(ctx);
  const webhook = await ctx.calls.webhooks.read({ id: delivery.webhook_id });
  const { attempts, next_attempt_at: next } = delivery;
  const attemptsPart =
    attempts.length === 0
      ? html`<p class="quiet">It was not tried yet.</p>`
      : timelineOf(ctx, attempts.map(stepOf).reverse());
  const deliveryFacts = facts([
    ['Webhook', html`<a href="${ctx.link(`webhooks/${webhook.id}`)}">${nameOf(webhook)}</a>`],
    ['Address', webhook.url],
    ['Event', html`<code>${delivery.event_type}</code>`],
    ['Next attempt', next === null ? undefined : moment(next, ctx)],
    ['Id of the event', idOfRow(delivery.event_id)],
    ['Id', idOfRow(delivery.id)],
  ]);
  return {
    heading: delivery.event_type,
    status: deliveryPill(delivery),
    body: detailLayout(
      [resultOf(delivery), replayForm(ctx, delivery, webhook), panel('Attempts', attemptsPart)],
      panel('Delivery', deliveryFacts),
    ),
  };
}

/** Posts the delivery again. */
export const replayAction: ConsoleAction = {
  done: 'The delivery was queued to be posted again.',
  async run({ calls, params }, { idempotencyKey }) {
    await calls.webhooks.replay({ deliveryId: params['deliveryId'] ?? '' }, { idempotencyKey });
  },
};
