// The possible parts of a campaign: the channels that callers may name, and the kinds of items of each.
import type { ServiceContext } from '../../../core/index.ts';
import type { SocialChannels } from '../../social/index.ts';
import type { ItemKind } from '../tables.ts';

/** The channels that are not networks. */
const media = { email: ['email_template', 'planned_email', 'sequence'], page: ['page'], blog: ['blog_post'] } as const;

const isMedium = (channel: string): channel is keyof typeof media => Object.hasOwn(media, channel);

/** Every channel that a campaign may name. */
export function knownChannels({ services }: ServiceContext): readonly string[] {
  const social: SocialChannels = services.socialChannels;
  return [...Object.keys(media), ...social.ids];
}

/** The kinds of items of a channel. Links do not belong to a channel. */
export function kindsOf({ services }: ServiceContext, channel: string): readonly ItemKind[] {
  if (isMedium(channel)) return media[channel];
  return services.socialChannels.rulesOf(channel) === undefined ? [] : ['social_post'];
}
