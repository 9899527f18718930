// The sender's reputation of each workspace: counts complaints and hard bounces, and holds marketing mail if there are too many.
import './events.ts';

export type { HoldListener } from './hold-listeners.ts';
export type { ReputationLimit, ReputationOptions } from './options.ts';
export { reputationPlugin } from './plugin.ts';
export type { ReleaseReputation } from './provisioning.ts';
export type { ReputationService } from './service.ts';
export type { ReputationState } from './tables.ts';
