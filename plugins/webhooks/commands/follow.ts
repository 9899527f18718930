// Reports each attempt of a subscription's deliveries soon after it ended. Polls the API, because another process makes the attempts.
import { setTimeout as wait } from 'node:timers/promises';
import type { WebhookCalls, WebhookDelivery } from './webhook-calls.ts';

const pollEveryMs = 300;

/** A delivery, and one of its attempts. */
export interface DeliveryTry {
  readonly delivery: WebhookDelivery;
  readonly attempt: WebhookDelivery['attempts'][number];
}

/** Reads the newest pages, up to the first page with a known delivery. */
async function poll(
  { webhooks }: WebhookCalls,
  id: string,
  known: ReadonlyMap<string, number>,
): Promise<WebhookDelivery[]> {
  const foundDeliveries: WebhookDelivery[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await webhooks.deliveries({ id, limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    foundDeliveries.push(...page.data);
    if (page.next_cursor === null || page.data.some((delivery) => known.has(delivery.id))) return foundDeliveries;
    cursor = page.next_cursor;
  }
}

/** Calls `report` for each attempt, in the order of their times, until the signal is aborted. */
export async function followDeliveries(
  calls: WebhookCalls,
  id: string,
  signal: AbortSignal,
  report: (deliveryTry: DeliveryTry) => void,
): Promise<void> {
  const reportedCounts = new Map<string, number>();
  while (!signal.aborted) {
    const tries: DeliveryTry[] = [];
    for (const delivery of await poll(calls, id, reportedCounts)) {
      const newAttempts = delivery.attempts.slice(reportedCounts.get(delivery.id) ?? 0);
      reportedCounts.set(delivery.id, delivery.attempts.length);
      for (const attempt of newAttempts) tries.push({ delivery, attempt });
    }
    tries.sort((a, b) => a.attempt.at.localeCompare(b.attempt.at));
    for (const deliveryTry of tries) report(deliveryTry);
    await wait(pollEveryMs, undefined, { signal }).catch(() => undefined);
  }
}
