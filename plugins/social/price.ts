// The price of a publication. Posts on X through X's own API cost credits; all other publications are free.

import type { SocialPrices } from './options.ts';
import type { ChannelRules } from './port/index.ts';
import type { SocialPostContent } from './schema.ts';
import { targetTexts } from './text/build.ts';
import { hasUrl } from './text/urls.ts';

/** The price of each part of a post on a channel: of its one text, or of each tweet of a thread. */
export function partPrices(
  { tweet, tweetWithUrl }: SocialPrices,
  rules: ChannelRules,
  transport: string,
  content: SocialPostContent,
): readonly number[] {
  const { texts } = targetTexts(rules, content);
  const costs = rules.channelId === 'x' && transport === 'native';
  return texts.map((text) => (costs ? (hasUrl(text) ? tweetWithUrl : tweet) : 0));
}
