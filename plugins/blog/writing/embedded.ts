// The embedded composer of posts: lays out an article without a model or a network. It takes over the facts of the brief,
// and puts placeholders where words are missing. The same input gives the same article.
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
  // Several facts of one sort have unclear roles, so people say what each is.
  const listed = (label: string, found: readonly string[]): string[] =>
    found.length === 1
      ? [`- **${label}:** ${found[0]}`]
      : found.map((text) => `- **${text}:** ${placeholder(missing.factFor)}`);
  const facts = [
    ...listed(fixed.date, dates),
    ...listed(fixed.place, places.slice(0, 1)),
    ...listed(fixed.price, prices),
  ];
  const [asked] = contacts;
  const parts = [
    placeholder(missing.lead),
    ...(facts.length === 0 ? [] : [`## ${fixed.facts}`, facts.join('\n')]),
    ...[`## ${fixed.about}`, placeholder(missing.about), ...quotes.slice(0, 3).map(quoteOf)],
    ...[`## ${fixed.benefits}`, placeholder(missing.benefits)],
    ...(links.length === 0 ? [] : [`## ${fixed.more}`, links.map((link) => `- <${link}>`).join('\n')]),
    ...(asked === undefined ? [] : [`## ${fixed.questions}`, `${fixed.write} ${asked}`]),
  ];
  return {
    title: title ?? name ?? placeholder(missing.title),
    excerpt: placeholder(missing.excerpt),
    body: parts.join('\n\n'),
  };
}
