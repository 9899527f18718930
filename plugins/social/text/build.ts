// The complete texts of a channel, from the content of a post and the rules of the channel.
import type { ChannelRules, SocialTarget } from '../port/index.ts';
import type { PostContent } from '../schema.ts';

/** What an adapter gets of a post's content, beside its media. */
export type TargetTexts = Pick<SocialTarget, 'texts' | 'linkUrl' | 'settings'>;

/** The hashtags as they stand in a text. */
export const hashtagLine = (hashtags: readonly string[]): string => hashtags.map((tag) => `#${tag}`).join(' ');

/** The text that the author wrote for a channel. */
export const captionOf = (content: PostContent, channelId: string): string =>
  content.channelCaptions[channelId] ?? content.caption;

/** Builds them: hashtags, and where the rules say so the link, are at the end of the first text. */
export function targetTexts(
  rules: Pick<ChannelRules, 'channelId' | 'link' | 'threads'>,
  content: PostContent,
): TargetTexts {
  const { channelId } = rules;
  const { linkUrl, threadTweets } = content;
  const written = captionOf(content, channelId);
  const isInText = rules.link === 'text';
  const link = isInText && linkUrl !== null && !written.includes(linkUrl) ? linkUrl : '';
  const first = [written, hashtagLine(content.hashtags), link].filter((part) => part !== '').join('\n\n');
  return {
    texts: [first, ...(rules.threads ? threadTweets : [])],
    linkUrl: isInText ? null : linkUrl,
    settings: content.channelSettings[channelId] ?? {},
  };
}
