// Custom events: what a program reports about its own users.
export { eventsPlugin } from './plugin.ts';
