// Organic posts on the company accounts of networks.
import './events.ts';

export { socialPlugin } from './plugin.ts';
export type { SocialNetworkShown, SocialPost } from './resources.ts';
