// Marketing: the strategy, the ideal customer profiles and the creation defaults of a workspace.
export { marketingPlugin } from './plugin.ts';
export type { Defaults } from './schema.ts';
export type { MarketingService } from './service.ts';
