// The embedded composer: builds texts for channels from the sentences of a brief, without a model and without network access. The same
// input gives the same texts.
import { plainSentences } from '../../kit/brief-sentences.ts';
import type { ChannelRules } from '../port/index.ts';
import type { SocialPostContent } from '../schema.ts';
import { targetTexts, textRuleOf } from '../text/build.ts';
import { excessOf } from '../text/count.ts';

/** Whether the complete text of the channel fits with this caption. */
function fits(rules: ChannelRules, content: SocialPostContent, caption: string): boolean {
  const [text] = targetTexts(rules, { ...content, channelCaptions: { [rules.channelId]: caption } }).texts;
  return excessOf(textRuleOf(rules, content), text) === undefined;
}

/** The longest beginning of the words that fits, with an ellipsis. */
function shortened(text: string, isShort: (text: string) => boolean): string {
  const words = text.split(' ');
  let [min, max] = [0, words.length];
  while (min < max) {
    const count = Math.ceil((min + max) / 2);
    if (isShort(`${words.slice(0, count).join(' ')}…`)) min = count;
    else max = count - 1;
  }
  return min === 0 ? '' : `${words.slice(0, min).join(' ')}…`;
}

/** Writes the text of one channel: as many whole sentences as fit, or the beginning of the first one. */
export function embeddedCaption(rules: ChannelRules, content: SocialPostContent, brief: string): string {
  const isShort = (text: string): boolean => fits(rules, content, text);
  const sentences = plainSentences(brief);
  const [first = brief] = sentences;
  if (!isShort(first)) return shortened(first, isShort);
  let caption = first;
  for (const sentence of sentences.slice(1)) {
    const longer = `${caption} ${sentence}`;
    if (!isShort(longer)) break;
    caption = longer;
  }
  return caption;
}
