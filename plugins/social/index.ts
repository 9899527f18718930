// Organic posts on a company's accounts at social networks.
import './events.ts';

export type { SocialChannels } from './channels.ts';
export type { SocialPluginOptions, SocialPrices } from './options.ts';
export { socialPlugin } from './plugin.ts';
export type { SocialNetworkView, SocialPost } from './resources.ts';
export type { SocialPostContent as SocialContent } from './schema.ts';
export type { SocialService, UnavailableAccount } from './service.ts';
