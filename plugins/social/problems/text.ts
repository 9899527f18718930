// Problems of texts: missing, too long, with characters that a network refuses, too many hashtags, mentions or links.
import { allLinksIn } from '../../../core/unstable.ts';
import { placeholdersIn } from '../../kit/placeholders.ts';
import type { ChannelRules, TextUnit } from '../port/index.ts';
import type { PostProblem, SocialPostContent } from '../schema.ts';
import { captionOf, targetTexts, textRuleOf } from '../text/build.ts';
import { excessOf } from '../text/count.ts';

/** The display names of units. */
const units: Readonly<Record<TextUnit, string>> = {
  weighted: 'characters, as X counts them',
  graphemes: 'characters',
  code_points: 'characters',
  utf16: 'characters',
  bytes: 'bytes',
  emoji_bytes: 'characters',
};

/** A sentence about a text that is too long; undefined if it fits. */
export function tooLong(what: string, rule: Parameters<typeof excessOf>[0], text: string): string | undefined {
  const excess = excessOf(rule, text);
  if (excess === undefined) return undefined;
  const { length, max, unit } = excess;
  return `${what} has ${length} ${units[unit]}; ${max} are allowed.`;
}

/** A character in visible form: itself, or its code point such as `U+200B`. */
const signName = (sign: string): string =>
  /[!-~]/.test(sign) ? sign : `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** The end of a sentence about characters that the network refuses; undefined if there are none. */
export function forbiddenIn({ forbidden = '' }: ChannelRules, text: string): string | undefined {
  const refusedSigns = [...forbidden].filter((sign) => text.includes(sign));
  return refusedSigns.length === 0
    ? undefined
    : `contains ${refusedSigns.map(signName).join(' and ')}, which the network refuses.`;
}

/** The text with a space in place of each link, because a URL fragment is not a hashtag and a name in a path is not a mention. */
function withoutLinks(text: string): string {
  let at = 0;
  const parts: string[] = [];
  for (const { start, end } of allLinksIn(text)) {
    parts.push(text.slice(at, start));
    at = end;
  }
  return [...parts, text.slice(at)].join(' ');
}

/** The normalized form by which a network compares links. */
const linkKey = (url: string): string => new URL(url).href.replace(/^http:/, 'https:').replace(/\/$/, '');

/** The number of different links of a post. */
const countLinks = (text: string, linkUrl: string | null): number =>
  new Set([...allLinksIn(text).map(({ url }) => url), ...(linkUrl === null ? [] : [linkUrl])].map(linkKey)).size;

/** The field that contains the text of a channel. */
const pathOf = (content: SocialPostContent, channelId: string): string =>
  Object.hasOwn(content.channelCaptions, channelId) ? `channelCaptions.${channelId}` : 'caption';

function mayBeEmpty({ textOptional, link }: ChannelRules, { media, linkUrl }: SocialPostContent): boolean {
  return (textOptional && media.length > 0) || (link === 'link' && linkUrl !== null);
}

/** The problems of the texts on one channel. */
export function textProblems(rules: ChannelRules, content: SocialPostContent): PostProblem[] {
  const { channelId, name } = rules;
  const problems: PostProblem[] = [];
  const add = (code: PostProblem['code'], path: string, message: string) =>
    problems.push({ channelId, path, code, message });
  const { texts, linkUrl } = targetTexts(rules, content);
  const [first] = texts;
  const rule = textRuleOf(rules, content);
  if (first.trim() === '' && !mayBeEmpty(rules, content))
    add('text_missing', pathOf(content, channelId), `${name} needs a text.`);
  for (const { path: index, text } of placeholdersIn(texts))
    add(
      'placeholders_left',
      index === '0' ? pathOf(content, channelId) : `threadTweets.${Number(index) - 1}`,
      `The text for ${name} has the placeholder ${text}. Replace it.`,
    );
  for (const [index, text] of texts.entries()) {
    const message = tooLong(index === 0 ? `The text for ${name}` : `Tweet ${index + 1}`, rule, text);
    const path = index === 0 ? pathOf(content, channelId) : `threadTweets.${index - 1}`;
    if (message !== undefined) add('text_too_long', path, message);
  }
  for (const [index, text] of texts.entries()) {
    const forbiddenText = forbiddenIn(rules, text);
    const path = index === 0 ? pathOf(content, channelId) : `threadTweets.${index - 1}`;
    if (forbiddenText !== undefined) add('text_invalid', path, `The text for ${name} ${forbiddenText}`);
  }
  problems.push(...countProblems(rules, content, { text: first, linkUrl }));
  return problems;
}

/** The problems of too many hashtags, mentions or links. */
function countProblems(
  { channelId, name, maxHashtags, maxMentions, maxLinks }: ChannelRules,
  content: SocialPostContent,
  { text, linkUrl }: { readonly text: string; readonly linkUrl: string | null },
): PostProblem[] {
  const problems: PostProblem[] = [];
  const add = (code: PostProblem['code'], path: string, message: string) =>
    problems.push({ channelId, path, code, message });
  const plainText = withoutLinks(text);
  const hashtags = plainText.match(/(?<![\p{L}\p{N}_&/])#[\p{L}\p{N}_]+/gu)?.length ?? 0;
  if (maxHashtags !== null && hashtags > maxHashtags) {
    const inText = captionOf(content, channelId).includes('#') ? ', including those in the text' : '';
    add('hashtags_too_many', 'hashtags', `${name} takes ${maxHashtags} hashtags; there are ${hashtags}${inText}.`);
  }
  const mentions = plainText.match(/(?<![\p{L}\p{N}._@])@[\p{L}\p{N}_]/gu)?.length ?? 0;
  if (maxMentions !== undefined && mentions > maxMentions)
    add('text_too_long', pathOf(content, channelId), `${name} takes ${maxMentions} mentions; there are ${mentions}.`);
  const links = maxLinks === undefined ? 0 : countLinks(text, linkUrl);
  if (maxLinks !== undefined && links > maxLinks)
    add('links_too_many', pathOf(content, channelId), `${name} takes ${maxLinks} different links; there are ${links}.`);
  return problems;
}
