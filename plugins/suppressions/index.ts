// Suppressions: addresses that get no mail, and why.
export { suppressionsPlugin } from './plugin.ts';
export type { SuppressionsService } from './service.ts';
