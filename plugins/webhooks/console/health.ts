// Shows in the console whether a webhook works, by the newest delivery that has an attempt.
import type { ConsoleContext } from '../../../core/index.ts';
import { conclusion, type Html, html, moment, pill } from '../../../core/unstable.ts';
import type { WebhookResource } from '../schema.ts';

/** The number of deliveries that are read, newest first, because the very newest may not have an attempt yet. */
const maxDeliveries = 5;

/** A webhook, and the result of its newest attempt. */
export interface WebhookHealth {
  readonly webhook: WebhookResource;
  /** Undefined if nothing was tried yet. */
  readonly lastAttempt: { readonly at: string; readonly error: string | null } | undefined;
}

/** Reads the newest deliveries of the webhook. */
export async function healthOf({ calls }: ConsoleContext, webhook: WebhookResource): Promise<WebhookHealth> {
  const { data } = await calls.webhooks.deliveries({ id: webhook.id, limit: maxDeliveries });
  return { webhook, lastAttempt: data.find(({ attempts }) => attempts.length > 0)?.attempts.at(-1) };
}

export function healthPill({ webhook, lastAttempt }: WebhookHealth): Html {
  if (!webhook.enabled) return pill('Disabled', 'bad');
  if (lastAttempt === undefined) return pill('Enabled', 'info');
  return lastAttempt.error === null ? pill('Enabled', 'good') : pill('Failing', 'wait');
}

/** The sentence on top of a webhook's page. */
export function healthSentence(ctx: ConsoleContext, { webhook, lastAttempt }: WebhookHealth): Html {
  const { enabled, disabled_reason: reason } = webhook;
  if (!enabled) return conclusion('bad', 'Nothing is posted: the webhook is disabled.', reason ?? undefined);
  if (lastAttempt === undefined)
    return conclusion('info', 'Nothing was posted in the last 30 days. Send a test to see whether the receiver works.');
  const { at, error } = lastAttempt;
  const lastTriedText = html`Last tried ${moment(at, ctx)}.`;
  if (error === null) return conclusion('good', 'The receiver accepted the newest delivery.', lastTriedText);
  return conclusion(
    'wait',
    html`The newest delivery failed: ${error}`,
    html`${lastTriedText} After five days without a success, the webhook is disabled.`,
  );
}
