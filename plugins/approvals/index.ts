import './events.ts';

export type { ApprovalsPluginOptions, FixedPolicies, FixedPolicy } from './options.ts';
export { approvalsPlugin } from './plugin.ts';
export type { RequestResource } from './schema.ts';
export type { ApprovalsService } from './service.ts';
