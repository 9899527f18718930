// Reports each attempt of a subscription's deliveries soon after it was made. Polls the API, because another process makes the attempts.
import { setTimeout as wait } from 'node:timers/promises';
import type { WebhookCalls, WebhookDelivery } from './webhook-calls.ts';

const everyMs = 300;

/** One attempt of a delivery. */
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
  const found: WebhookDelivery[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await webhooks.deliveries({ id, limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    found.push(...page.data);
    if (page.next_cursor === null || page.data.some((delivery) => known.has(delivery.id))) return found;
    cursor = page.next_cursor;
  }
}

/** Calls `report` for each attempt, in the order of their times, until the signal is aborted. */
export async function followDeliveries(
  calls: WebhookCalls,
  id: string,
  signal: AbortSignal,
  report: (tried: DeliveryTry) => void,
): Promise<void> {
  const printed = new Map<string, number>();
  while (!signal.aborted) {
    const tries: DeliveryTry[] = [];
    for (const delivery of await poll(calls, id, printed)) {
      const news = delivery.attempts.slice(printed.get(delivery.id) ?? 0);
      printed.set(delivery.id, delivery.attempts.length);
      for (const attempt of news) tries.push({ delivery, attempt });
    }
    tries.sort((a, b) => a.attempt.at.localeCompare(b.attempt.at));
    for (const one of tries) report(one);
    await wait(everyMs, undefined, { signal }).catch(() => undefined);
  }
}
