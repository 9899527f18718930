// The result types of verifyWebhook. Types only: the types of the catalogue come from the plugins that declare them in
// EventMap.
import type { EventEnvelope } from '../contract/declaration/events.ts';
import type { CustomEventData, EventMap } from '../contract/open.ts';

/** The types of the catalogue. */
export type WebhookEventType = keyof EventMap & string;

/** An event of the service: `type` determines the type of `data`. */
export type ServiceWebhookEvent<T extends WebhookEventType = WebhookEventType> = {
  [K in T]: EventEnvelope<K, EventMap[K]> & { readonly source: 'service' };
}[T];

/** An event from POST /v1/events: its `type` may be any text, even a type of the catalogue. */
export type CustomWebhookEvent = EventEnvelope<string, CustomEventData> & { readonly source: 'custom' };

/** A delivered event: check `source` first, then `type`. */
export type WebhookEvent = ServiceWebhookEvent | CustomWebhookEvent;
