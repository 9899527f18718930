// What verifyWebhook answers. Types only: the catalogue's come from the plugins that declare them in EventMap.
import type { EventEnvelope } from '../contract/events.ts';
import type { CustomEventData, EventMap } from '../contract/open.ts';

/** The names of the catalogue. */
export type WebhookEventType = keyof EventMap & string;

/** An event of the service: `type` decides what `data` is. */
export type ServiceWebhookEvent<T extends WebhookEventType = WebhookEventType> = {
  [K in T]: EventEnvelope<K, EventMap[K]> & { readonly source: 'service' };
}[T];

/** An event that was reported with POST /v1/events: its `type` may be any text, one of the catalogue too. */
export type CustomWebhookEvent = EventEnvelope<string, CustomEventData> & { readonly source: 'custom' };

/** An event as it was delivered: ask for `source` first, then for `type`. */
export type WebhookEvent = ServiceWebhookEvent | CustomWebhookEvent;
