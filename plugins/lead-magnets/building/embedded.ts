// The embedded composer of lead magnets: writes an outline and chapters without a model or a network. It copies the
// facts of the brief, and writes placeholders for missing words. The same input gives the same text.
import { type BriefFacts, factsOf } from '../../kit/brief-facts.ts';
import { placeholder } from '../../kit/placeholders.ts';
import type { ChapterHead, LeadMagnetFormat } from '../schema.ts';
import type { LeadMagnetComposeInput } from './compose.ts';
import { type LeadMagnetWords, leadMagnetWords } from './words.ts';

const pointCount = 3;
const maxQuoted = 8;
const maxHeading = 100;

interface Material extends LeadMagnetWords {
  readonly facts: BriefFacts;
  /** The headings of the chapters between the first and the last. */
  readonly headings: readonly string[];
}

function materialOf({ brief, title, format }: LeadMagnetComposeInput): Material {
  const facts = factsOf(brief);
  const words = leadMagnetWords[facts.language ?? 'en'];
  const frame = words.frames[format];
  const reserved = [title, frame.first, frame.last].map((text) => text.toLowerCase());
  // Quoted texts become chapter headings, unless they are sentences.
  const quoted = [...(facts.name === undefined ? [] : [facts.name]), ...facts.quotes].filter(
    (text) => text.length <= maxHeading && !/[.!?。！？]$/u.test(text) && !reserved.includes(text.toLowerCase()),
  );
  const placeholderHeadings = Array.from({ length: pointCount }, (_, index) =>
    placeholder(`${words.missing.heading} ${index + 1}`),
  );
  const candidates = quoted.length >= 2 ? quoted.slice(0, maxQuoted) : placeholderHeadings;
  const headings = candidates.filter(
    (text, index) => candidates.findIndex((one) => one.toLowerCase() === text.toLowerCase()) === index,
  );
  return { ...words, facts, headings };
}

/** Makes the outline of the chapters. */
export function embeddedOutline(input: LeadMagnetComposeInput): ChapterHead[] {
  const { frames, missing, headings } = materialOf(input);
  const { first, last } = frames[input.format];
  return [first, ...headings, last].map((heading) => ({ heading, summary: placeholder(missing.summary) }));
}

const lines = (count: number, text: string, marker: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `${marker(index)} ${text}`).join('\n');

/** The facts of the brief as a list, for the first chapter. */
function factList({ facts: { name, dates, prices, places, contacts, links }, missing, headings }: Material): string {
  const factsToExplain = [...dates, ...prices].map((text) => `- **${text}:** ${placeholder(missing.factFor)}`);
  const nameItem = name === undefined || headings.includes(name) ? [] : [name];
  const otherFacts = [...nameItem, ...places, ...contacts, ...links.map((link) => `<${link}>`)].map(
    (text) => `- ${text}`,
  );
  return [...factsToExplain, ...otherFacts].join('\n');
}

/** The text of each chapter between the first and the last. */
const middleChapterText = (format: LeadMagnetFormat, { missing }: Material): string => {
  switch (format) {
    case 'ebook':
      return [placeholder(missing.text), placeholder(missing.example)].join('\n\n');
    case 'guide':
      return [placeholder(missing.text), lines(pointCount, placeholder(missing.step), (index) => `${index + 1}.`)].join(
        '\n\n',
      );
    case 'checklist':
      return lines(pointCount, placeholder(missing.step), () => '- [ ]');
  }
};

/** Writes the text of one chapter of the outline. */
export function embeddedChapter(setting: LeadMagnetComposeInput, plan: readonly ChapterHead[], index: number): string {
  const material = materialOf(setting);
  const { missing } = material;
  if (index === plan.length - 1) return placeholder(missing.end);
  if (index > 0) return middleChapterText(setting.format, material);
  return [placeholder(missing.start), factList(material)].filter((part) => part !== '').join('\n\n');
}
