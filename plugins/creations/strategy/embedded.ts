// The built-in composer of strategies: plans a small campaign from the sentences of the brief, without a model. The same input gives
// the same result.
import { shortened } from '../../../core/unstable.ts';
import { plainSentences } from '../../kit/brief-sentences.ts';
import type { CampaignOptions, PlannedItem, StrategyReply } from './form.ts';

const purposes: Readonly<Record<string, string>> = {
  email: 'Tells people who know us, with the details.',
  page: 'The place where all links lead.',
  blog: 'Explains it at length, and is found by search engines.',
};

/** The days of posts on one network: at the start, in the middle and at the end. */
const daysOf = (lastDay: number): readonly number[] =>
  [...new Set([0, Math.floor(lastDay / 2), lastDay])].filter((day) => day >= 0);

/** Writes the strategy. */
export function embeddedStrategy(brief: string, options: CampaignOptions): StrategyReply {
  const sentences = plainSentences(brief);
  const sentenceAt = (index: number): string =>
    shortened(sentences[index % Math.max(1, sentences.length)] ?? brief, 480);
  const items: PlannedItem[] = [];
  const add = (item: Partial<PlannedItem> & Pick<PlannedItem, 'kind'>): number =>
    items.push({ channel: null, purpose: sentenceAt(0), day: 0, url: null, needs: [], ...item }) - 1;
  const links = options.urls.slice(0, 1).map((url) => add({ kind: 'link', url, purpose: 'The link of the campaign.' }));
  if (options.kinds.has('page')) add({ kind: 'page', channel: 'page', needs: links });
  if (options.kinds.has('email')) {
    const template = add({ kind: 'email_template', channel: 'email', needs: links });
    add({ kind: 'planned_email', channel: 'email', needs: [template] });
  }
  if (options.kinds.has('blog')) add({ kind: 'blog_post', channel: 'blog', needs: links });
  const networks = [...options.kinds].filter(([, kinds]) => kinds.includes('social_post')).map(([channel]) => channel);
  for (const channel of networks)
    for (const [index, day] of daysOf(Math.min(options.lastDay, 14)).entries())
      if (items.length < 60) add({ kind: 'social_post', channel, day, needs: links, purpose: sentenceAt(index) });
  return {
    summary: shortened(sentences.slice(0, 3).join(' ') || brief, 1_900),
    messages: sentences.slice(0, 5).map((sentence) => shortened(sentence, 480)),
    channels: [...options.kinds.keys()].map((channel) => ({
      channel,
      purpose: purposes[channel] ?? 'Short posts at the start, in the middle and at the end.',
    })),
    items,
  };
}
