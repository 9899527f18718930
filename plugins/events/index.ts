// Custom events: anything that a program wants to tell of its people.
export { eventsPlugin } from './plugin.ts';
