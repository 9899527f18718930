// The embedded composer of posts: makes an article from the sentences of the brief, without a model or a network. The
// same input gives the same article. It claims nothing that the brief does not say.
import { headingOf } from '../../kit/brief-sentences.ts';
import { sentencesOf } from './brief-sentences.ts';

/** The post that a composer returns. */
export interface WrittenPost {
  readonly title: string;
  readonly excerpt: string;
  readonly body: string;
}

/** The number of sentences of a paragraph, and the number of paragraphs of a part. */
const [sentencesEach, paragraphsEach] = [3, 2];

const partHeadings = ['What it is about', 'The details', 'What else there is to know', 'More on this'];

function inParts<T>(list: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let from = 0; from < list.length; from += size) parts.push(list.slice(from, from + size));
  return parts;
}

/** Escapes signs at the start of a line that Markdown would read as a list. */
const asText = (paragraph: string): string => paragraph.replace(/^(\d+)([.)])/, '$1\\$2').replace(/^([-+])/, '\\$1');

/** @param brand the name of the brand, if there is one */
export function embeddedPost(brief: string, title: string | undefined, brand: string | undefined): WrittenPost {
  const [lead = '', ...others] = sentencesOf(brief);
  const heading = title ?? headingOf(lead);
  // If the title equals the first sentence, that sentence is not repeated below it.
  const isSaid = headingOf(lead) === heading && others.length > 0;
  const rest = isSaid ? others : [lead, ...others];
  const [first = lead, ...more] = rest;
  const paragraphs = inParts(more, sentencesEach).map((sentences) => asText(sentences.join(' ')));
  const parts = inParts(paragraphs, paragraphsEach).flatMap((part, index) => [
    `## ${partHeadings[Math.min(index, partHeadings.length - 1)]}${index < partHeadings.length ? '' : ` (${index - partHeadings.length + 2})`}`,
    ...part,
  ]);
  const end = [
    '## Questions?',
    brand === undefined ? 'Write to us: questions are welcome.' : `Write to ${brand}: questions are welcome.`,
  ];
  return { title: heading, excerpt: first.slice(0, 500), body: [asText(first), ...parts, ...end].join('\n\n') };
}
