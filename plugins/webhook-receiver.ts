// The subpath postrider/webhooks: what receivers verify with, and the types of every standard event beside it.
// Loads Node's crypto and nothing else; of the plugins it has types only. Guards hold both.
export * from '../core/webhooks/verify.ts';
// Named for what they add to EventMap and CustomEventData: a declaration file keeps no import that nothing is taken from.
export type * as approvals from './approvals/events.ts';
export type * as blog from './blog/events.ts';
export type * as contacts from './contacts/events.ts';
export type * as contentPlan from './content-plan/events.ts';
export type * as creations from './creations/events.ts';
export type * as email from './email/events.ts';
export type * as events from './events/events.ts';
export type * as leadMagnets from './lead-magnets/events.ts';
export type * as links from './links/events.ts';
export type * as lists from './lists/events.ts';
export type * as pages from './pages/events.ts';
export type * as sequences from './sequences/events.ts';
export type * as sms from './sms/events.ts';
export type * as social from './social/events.ts';
export type * as suppressions from './suppressions/events.ts';
export type * as templates from './templates/events.ts';
export type * as webhooks from './webhooks/events.ts';
