// The subpath postrider/webhooks: the functions with which receivers verify webhooks, and the types of every standard event.
// Loads only Node's crypto; from the plugins it imports only types. Guards check both.
export * from '../core/webhooks/verify.ts';
// The exports are named, because these modules add types to EventMap and CustomEventData, and a declaration file drops imports that
// are not used.
export type * as approvals from './approvals/events.ts';
export type * as blog from './blog/events.ts';
export type * as broadcasts from './broadcasts/events.ts';
export type * as contacts from './contacts/events.ts';
export type * as contentPlan from './content-plan/events.ts';
export type * as creations from './creations/events.ts';
export type * as email from './email/events.ts';
export type * as events from './events/events.ts';
export type * as leadMagnets from './lead-magnets/events.ts';
export type * as links from './links/events.ts';
export type * as lists from './lists/events.ts';
export type * as pages from './pages/events.ts';
export type * as reputation from './reputation/events.ts';
export type * as segments from './segments/events.ts';
export type * as sequences from './sequences/events.ts';
export type * as sms from './sms/events.ts';
export type * as social from './social/events.ts';
export type * as suppressions from './suppressions/events.ts';
export type * as templates from './templates/events.ts';
export type * as topics from './topics/events.ts';
export type * as webhooks from './webhooks/events.ts';
