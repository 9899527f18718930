// The embedded composer: writes a placeholder for the message, followed by the facts of the brief, without a model and without network
// access. The same input gives the same texts.
import { factsOf } from '../../kit/brief-facts.ts';
import type { BriefLanguage } from '../../kit/brief-language.ts';
import { placeholder } from '../../kit/placeholders.ts';
import type { ChannelRules } from '../port/index.ts';
import type { SocialPostContent } from '../schema.ts';
import { targetTexts, textRuleOf } from '../text/build.ts';
import { excessOf } from '../text/count.ts';

const messages: Readonly<Record<BriefLanguage, string>> = {
  en: 'Your message, in one or two sentences',
  de: 'Ihre Botschaft, in ein oder zwei Sätzen',
  fr: 'Votre message, en une ou deux phrases',
  es: 'Su mensaje, en una o dos frases',
  ja: '伝えたいことを一、二文で',
  ar: 'رسالتك في جملة أو جملتين',
};

/** Whether the complete text of the channel, with this caption, is within the channel's limit. */
function fits(rules: ChannelRules, content: SocialPostContent, caption: string): boolean {
  const [text] = targetTexts(rules, { ...content, channelCaptions: { [rules.channelId]: caption } }).texts;
  return excessOf(textRuleOf(rules, content), text) === undefined;
}

/** Writes the text of one channel: the placeholder, and as many facts as fit. */
export function embeddedCaption(rules: ChannelRules, content: SocialPostContent, brief: string): string {
  const { language, name, dates, places, prices, links } = factsOf(brief);
  // If the brief has several facts of one sort, their roles are unclear, so the text contains none of them.
  const singleFacts = [dates, places, prices].flatMap((values) => (values.length === 1 ? values : []));
  const message = placeholder(messages[language ?? 'en']);
  const facts = [
    ...(name === undefined ? [] : [name]),
    ...(singleFacts.length === 0 ? [] : [singleFacts.join(' · ')]),
    ...(content.linkUrl === null ? links.slice(0, 1) : []),
  ];
  return facts.reduce((caption, fact) => {
    const longerCaption = `${caption}\n${fact}`;
    return fits(rules, content, longerCaption) ? longerCaption : caption;
  }, message);
}
