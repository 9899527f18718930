// Builds the complete texts of a channel from the content of a post and the rules of the channel.
import { allLinksIn } from '../../../core/unstable.ts';
import type { ChannelRules, SocialTarget, TextRule } from '../port/index.ts';
import type { SocialPostContent } from '../schema.ts';

/** The part of a `SocialTarget` that comes from the texts, the link and the settings of a post. */
export type TargetTexts = Pick<SocialTarget, 'texts' | 'linkUrl' | 'settings'>;

/** The hashtags as they are written in a text. */
export const hashtagLine = (hashtags: readonly string[]): string => hashtags.map((tag) => `#${tag}`).join(' ');

/** The text that the author wrote for a channel. */
export const captionOf = (content: SocialPostContent, channelId: string): string =>
  content.channelCaptions[channelId] ?? content.caption;

/** The limit of a channel's text for a post with these attachments. */
export function textRuleOf({ text, textWith }: ChannelRules, { media: [first] }: SocialPostContent): TextRule {
  return (first === undefined ? undefined : textWith?.[first.kind]) ?? text;
}

/** Whether a text contains the link already. A longer link that only begins with it does not count. */
function containsLink(text: string, linkUrl: string): boolean {
  const links = allLinksIn(text);
  for (let at = text.indexOf(linkUrl); at !== -1; at = text.indexOf(linkUrl, at + 1)) {
    const end = at + linkUrl.length;
    if (!links.some((link) => link.start <= at && link.end > end)) return true;
  }
  return false;
}

/** Builds the texts. The hashtags and, if the rules say so, the link are appended to the first text. */
export function targetTexts(
  rules: Pick<ChannelRules, 'channelId' | 'link' | 'linkInTextWith' | 'hasThreads'>,
  content: SocialPostContent,
): TargetTexts {
  const { channelId, linkInTextWith = [] } = rules;
  const { linkUrl, threadTweets, media } = content;
  const parts = [captionOf(content, channelId), hashtagLine(content.hashtags)].filter((part) => part !== '');
  const hasRival = { media: media.length > 0, text: parts.length > 0 };
  const isInText = rules.link === 'text' || linkInTextWith.some((rival) => hasRival[rival]);
  const isAppended = isInText && linkUrl !== null && !parts.some((part) => containsLink(part, linkUrl));
  const first = [...parts, ...(isAppended ? [linkUrl] : [])].join('\n\n');
  return {
    texts: [first, ...(rules.hasThreads ? threadTweets : [])],
    linkUrl: isInText ? null : linkUrl,
    settings: content.channelSettings[channelId] ?? {},
  };
}
