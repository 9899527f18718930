// Organic posts on the company accounts of networks.
import './events.ts';

export type { SocialChannels } from './channels.ts';
export type { ConsoleCaption, ConsoleEvent, ConsoleEvents } from './console/events.ts';
export type { SocialPluginOptions, SocialPrices } from './options.ts';
export { socialPlugin } from './plugin.ts';
export type { SocialNetworkShown, SocialPost } from './resources.ts';
export type { PostContent as SocialContent } from './schema.ts';
export type { GoneAccount, SocialService } from './service.ts';
