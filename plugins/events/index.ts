// Custom events: events that a program reports about its own users.
export type { CustomEventListener, RecordedEvent } from './listeners.ts';
export { eventsPlugin } from './plugin.ts';
