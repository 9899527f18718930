// The embedded composer of posts: lays out an article without a model or a network. It copies the facts of the brief, and puts placeholders
// where words are missing. The same input gives the same article.
import { factsOf } from '../../kit/brief-facts.ts';
import { placeholder } from '../../kit/placeholders.ts';
import { postWords } from './words.ts';

/** The post that a composer returns. */
export interface WrittenPost {
  readonly title: string;
  readonly excerpt: string;
  readonly body: string;
}

const quoteOf = (text: string): string => `> ${text}`;

/** Writes the post. `title`: the title that the caller has chosen. */
export function embeddedPost(brief: string, title: string | undefined): WrittenPost {
  const { language, name, quotes, dates, prices, places, contacts, links } = factsOf(brief);
  const { fixed, missing } = postWords[language ?? 'en'];
  // If the brief has several facts of one sort, their roles are unclear, so placeholders ask people to describe each fact.
  const listed = (label: string, factsOfSort: readonly string[]): string[] =>
    factsOfSort.length === 1
      ? [`- **${label}:** ${factsOfSort[0]}`]
      : factsOfSort.map((text) => `- **${text}:** ${placeholder(missing.factFor)}`);
  const facts = [
    ...listed(fixed.date, dates),
    ...listed(fixed.place, places.slice(0, 1)),
    ...listed(fixed.price, prices),
  ];
  const [firstContact] = contacts;
  const parts = [
    placeholder(missing.lead),
    ...(facts.length === 0 ? [] : [`## ${fixed.facts}`, facts.join('\n')]),
    ...[`## ${fixed.about}`, placeholder(missing.about), ...quotes.slice(0, 3).map(quoteOf)],
    ...[`## ${fixed.benefits}`, placeholder(missing.benefits)],
    ...(links.length === 0 ? [] : [`## ${fixed.more}`, links.map((link) => `- <${link}>`).join('\n')]),
    ...(firstContact === undefined ? [] : [`## ${fixed.questions}`, `${fixed.write} ${firstContact}`]),
  ];
  return {
    title: title ?? name ?? placeholder(missing.title),
    excerpt: placeholder(missing.excerpt),
    body: parts.join('\n\n'),
  };
}
