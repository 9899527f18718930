// postrider/plugins/social/port, the social port.
export type * from './adapter.ts';
export type { CaptureControl, CapturedPost, CapturingNetwork, SimulatedFault } from './capture.ts';
export { isCapturing, simulatedFaults } from './capture.ts';
export type { SocialErrorOptions, SocialFault } from './errors.ts';
export { isSocialError, SocialError } from './errors.ts';
export type { SocialConnectorOptions, SocialNetwork, SocialNetworkDefinition } from './network.ts';
export { defineSocialNetwork, isSocialNetwork } from './network.ts';
export type * from './rules.ts';
