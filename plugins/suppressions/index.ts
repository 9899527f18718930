// Suppressions: addresses that do not get mail, and why.
import './events.ts';

export { suppressionsPlugin } from './plugin.ts';
export type { MailCategory, Suppressed, SuppressionsService, UnsubscribeScope } from './service.ts';
export type { SuppressionRow } from './tables.ts';
