// Tells of every try of a subscription's deliveries, soon after it was made, by looking again and again: the tries are
// made in another process.
import { setTimeout as wait } from 'node:timers/promises';
import type { Delivery, WebhookCalls } from './webhook-calls.ts';

const everyMs = 300;

/** One try of a delivery. */
export interface Tried {
  readonly delivery: Delivery;
  readonly attempt: Delivery['attempts'][number];
}

/** The newest pages, until one brings nothing new. */
async function poll({ webhooks }: WebhookCalls, id: string, known: ReadonlyMap<string, number>): Promise<Delivery[]> {
  const found: Delivery[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await webhooks.deliveries({ id, limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    found.push(...page.data);
    if (page.next_cursor === null || page.data.some((delivery) => known.has(delivery.id))) return found;
    cursor = page.next_cursor;
  }
}

/** Calls `tell` for every try until the signal ends, in the order of time. */
export async function followDeliveries(
  calls: WebhookCalls,
  id: string,
  signal: AbortSignal,
  tell: (tried: Tried) => void,
): Promise<void> {
  const printed = new Map<string, number>();
  while (!signal.aborted) {
    const tried: Tried[] = [];
    for (const delivery of await poll(calls, id, printed)) {
      const news = delivery.attempts.slice(printed.get(delivery.id) ?? 0);
      printed.set(delivery.id, delivery.attempts.length);
      for (const attempt of news) tried.push({ delivery, attempt });
    }
    tried.sort((one, other) => one.attempt.at.localeCompare(other.attempt.at));
    for (const one of tried) tell(one);
    await wait(everyMs, undefined, { signal }).catch(() => undefined);
  }
}
