// The embedded composer of pages: makes a plan and sections from the sentences of the brief, without a model or a
// network. The same input gives the same page. It claims nothing that the brief does not say.

import { shortened } from '../../../../core/unstable.ts';
import { headingOf } from '../../../kit/brief-sentences.ts';
import type { PageBuildInput } from '../build-input.ts';
import type { PlannedSection } from '../build-state.ts';
import type { ComposedKind, PlanReply, SectionReply } from '../reply-schemas.ts';
import { sentencesOf, titleOf } from './brief-sentences.ts';

/** The roles of a page's sections. */
type Part =
  | 'hero'
  | 'overview'
  | 'points'
  | 'banner'
  | 'steps'
  | 'more'
  | 'glance'
  | 'questions'
  | 'call'
  | 'contact'
  | 'footer'
  | 'second banner';

const kinds: Readonly<Record<Part, ComposedKind>> = {
  hero: 'hero',
  overview: 'richtext',
  points: 'features',
  banner: 'banner',
  steps: 'how_it_works',
  more: 'richtext',
  glance: 'features',
  questions: 'faq',
  call: 'cta',
  contact: 'contact',
  footer: 'footer',
  'second banner': 'banner',
};

const short: readonly Part[] = ['hero', 'points', 'steps', 'contact', 'footer'];
const medium: readonly Part[] = ['hero', 'overview', 'points', 'steps', 'questions', 'call', 'contact', 'footer'];
const long: readonly Part[] = [
  ...(['hero', 'banner', 'overview', 'points', 'second banner', 'steps'] as const),
  ...(['more', 'glance', 'questions', 'call', 'contact', 'footer'] as const),
];

const partsFor = (count: number): readonly Part[] => (count <= 5 ? short : count <= 8 ? medium : long);

/** The length of a brand's name that fits into headings. */
const maxBrand = 100;

/** The sentences of the brief, and the page's words for the brand. */
interface Words {
  readonly title: string;
  readonly sentences: readonly string[];
  /** The sentences that the headline does not repeat. */
  readonly rest: readonly string[];
  readonly brand: string;
  readonly label: string;
}

const wordsOf = ({ brief, headline, brand, ctaLabel, buttonUrl }: PageBuildInput): Words => {
  const sentences = sentencesOf(brief);
  const title = titleOf(headline, brief);
  const label = ctaLabel ?? (buttonUrl === undefined ? 'Get in touch' : 'Read more');
  const rest = sentences.filter((sentence) => headingOf(sentence) !== title);
  return { title, sentences, rest, brand: shortened(brand?.name ?? 'us', maxBrand), label };
};

const headings = ({ title, rest, brand }: Words): Readonly<Record<Part, string>> => ({
  hero: title,
  overview: 'What it is about',
  points: 'At a glance',
  banner: headingOf(rest[0] ?? title),
  'second banner': headingOf(rest.at(-1) ?? title),
  steps: 'How to go on from here',
  more: 'In full',
  glance: 'Point by point',
  questions: 'Questions and answers',
  call: 'Would you like to know more?',
  contact: `Write to ${brand}`,
  footer: brand,
});

/** Makes the plan of the page. */
export function embeddedPlan(setting: PageBuildInput): PlanReply {
  const words = wordsOf(setting);
  const headingByPart = headings(words);
  return {
    title: words.title,
    description: shortened(words.sentences.join(' '), 300),
    sections: partsFor(setting.count).map((part) => ({ kind: kinds[part], heading: headingByPart[part], aim: part })),
  };
}

/** Makes a point: a short title and the sentence below it, or only the title if it equals the sentence. */
function pointOf(sentence: string): { title: string; text: string } {
  const title = headingOf(sentence, 60);
  return title === sentence.replace(/[.!:…。！]+$/, '')
    ? { title, text: '' }
    : { title, text: shortened(sentence, 600) };
}

/** Groups sentences into paragraphs of two or three. */
function paragraphs(sentences: readonly string[]): string {
  const size = sentences.length > 8 ? 3 : 2;
  const grouped: string[] = [];
  for (let from = 0; from < sentences.length; from += size) grouped.push(sentences.slice(from, from + size).join(' '));
  return shortened(grouped.join('\n\n'), 6_000);
}

const some = (list: readonly string[], otherwise: readonly string[]): readonly string[] =>
  list.length > 0 ? list : otherwise;

/** Makes the content of the planned section. `anchor` links to the form of the page. */
export function embeddedSection(
  setting: PageBuildInput,
  planned: Pick<PlannedSection, 'heading' | 'aim'>,
  anchor: string,
): SectionReply {
  const words = wordsOf(setting);
  const { sentences, rest, brand, label, title } = words;
  const { heading } = planned;
  const { buttonUrl } = setting;
  const cta = { label, href: buttonUrl ?? anchor };
  const isLong = partsFor(setting.count) === long;
  const half = Math.ceil(sentences.length / 2);
  switch (planned.aim as Part) {
    case 'hero':
      return { heading, text: shortened(rest.slice(0, 2).join(' '), 1_200), cta };
    case 'banner':
    case 'second banner':
      return { heading, cta };
    case 'overview':
      return { heading, text: paragraphs(sentences.slice(0, isLong ? half : 6)) };
    case 'points':
      return {
        heading,
        items: some(rest, sentences)
          .slice(0, isLong ? 3 : 6)
          .map(pointOf),
      };
    case 'glance':
      return { heading, items: some(rest.slice(3), sentences).slice(0, 8).map(pointOf) };
    case 'more':
      return { heading, text: paragraphs(some(sentences.slice(half), sentences)) };
    case 'steps':
      return {
        heading,
        items: [
          { title: 'Read on', text: `This page says what there is to know: ${title}.` },
          { title: 'Ask', text: 'Use the form below for whatever you would like to know.' },
          { title: 'Decide', text: 'Sending a message commits you to nothing.' },
        ],
      };
    case 'questions':
      return {
        heading,
        items: [
          { title: 'What is this about?', text: shortened(some(rest, sentences).slice(0, 2).join(' '), 600) },
          { title: 'Who is behind it?', text: `${brand === 'us' ? 'We are' : `${brand} is`} behind this page.` },
          { title: 'How can I ask something?', text: 'With the form on this page.' },
        ],
      };
    case 'call':
      return buttonUrl === undefined
        ? { heading, text: 'Send a message with the form on this page.', cta }
        : { heading, cta };
    case 'contact':
      return { heading, text: 'Leave your address and your message.' };
    default:
      return { heading, text: title };
  }
}
