// The embedded composer of lead magnets: makes an outline and chapters from the sentences of the brief, without a model
// or a network. The same input gives the same text. It claims nothing that the brief does not say.
import { shortened } from '../../../core/unstable.ts';
import { briefOpening, briefSentences } from '../../kit/brief-sentences.ts';
import type { ChapterHead, LeadMagnetFormat } from '../schema.ts';
import type { LeadMagnetComposeInput } from './compose.ts';

/** Matches sentences that address the author, not the readers. */
const toAuthor =
  /^(?:(?:the\s+)?(?:tone|voice|style|length|audience|language)\b|keep\s+(?:it|the)\b|make\s+(?:it|sure)\b|please\b|write\b(?!.*\b(?:ebook|guide|checklist)\b)|no\s+(?:jargon|fluff|buzzwords)\b)/i;
/** Matches an opening such as `Write a guide for …`; the text after it is kept. */
const opening = briefOpening({ verbs: 'prepare', things: 'ebook|e-book|guide|checklist|lead magnet', joins: 'to' });

const plain = (text: string): string =>
  text
    .replace(/[`*_#<>|~[\]\\]+/g, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
const capitalised = (text: string): string => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
const ended = (text: string): string => (/[.!?…。！？]$/.test(text) ? text : `${text.replace(/[:,;]$/, '')}.`);

/** The sentences of the brief that can appear in a text; never empty. */
function sentencesOf({ brief, title }: LeadMagnetComposeInput): readonly string[] {
  const all = briefSentences(brief);
  const said = all
    .filter((sentence) => !toAuthor.test(sentence))
    .map((sentence) => ended(capitalised(sentence.replace(opening, ''))))
    .filter((sentence, index, list) => list.indexOf(sentence) === index);
  return said.length > 0 ? said : [ended(capitalised(plain(title)))];
}

const headingOf = (sentence: string, max = 70): string => shortened(sentence.replace(/[.!?…:。！？]+$/, ''), max);

interface Frame {
  readonly first: string;
  readonly firstSummary: string;
  readonly last: string;
  readonly lastSummary: string;
}

const frames: Readonly<Record<LeadMagnetFormat, Frame>> = {
  ebook: {
    first: 'What this is about',
    firstSummary: 'The subject, and what the following chapters take up.',
    last: 'In short',
    lastSummary: 'The main thoughts once more, to come back to.',
  },
  guide: {
    first: 'Before you start',
    firstSummary: 'What this guide covers, and how to use it.',
    last: 'Where to go from here',
    lastSummary: 'What you have read, and what to do next.',
  },
  checklist: {
    first: 'How to use this checklist',
    firstSummary: 'Go through the parts in order, and tick what is done.',
    last: 'Before you finish',
    lastSummary: 'A last look at everything.',
  },
};

const maxPoints = 6;

/** The sentences of the brief in groups, at most `maxPoints`. */
function groupsOf(setting: LeadMagnetComposeInput): readonly (readonly string[])[] {
  const sentences = sentencesOf(setting);
  const count = Math.min(maxPoints, sentences.length);
  return Array.from({ length: count }, (_, index) =>
    sentences.slice(
      Math.floor((index * sentences.length) / count),
      Math.floor(((index + 1) * sentences.length) / count),
    ),
  );
}

/** Makes the outline of the chapters. */
export function embeddedOutline(setting: LeadMagnetComposeInput): ChapterHead[] {
  const frame = frames[setting.format];
  const points = groupsOf(setting).map(([first = '', ...rest]) => ({
    heading: headingOf(first),
    summary: shortened(rest[0] ?? first, 500),
  }));
  const chapters = [
    { heading: frame.first, summary: frame.firstSummary },
    ...points,
    { heading: frame.last, summary: frame.lastSummary },
  ];
  return chapters.filter(
    ({ heading }, index) => chapters.findIndex((one) => one.heading.toLowerCase() === heading.toLowerCase()) === index,
  );
}

const bullets = (lines: readonly string[], sign = '-'): string => lines.map((line) => `${sign} ${line}`).join('\n');

function firstText(setting: LeadMagnetComposeInput, plan: readonly ChapterHead[]): string {
  const headings = plan.slice(1, -1).map(({ heading }) => heading);
  const from = setting.brand === undefined ? '' : ` It comes from ${plain(setting.brand.name)}.`;
  const [sentence = ''] = sentencesOf(setting);
  const listed = bullets(headings);
  switch (setting.format) {
    case 'ebook':
      return `${sentence}\n\nThis ebook takes the subject one thought at a time.${from} Read it from the front to the back, or begin with the chapter that you need most.\n\nThe chapters:\n\n${listed}`;
    case 'guide':
      return `${sentence}\n\nThis guide goes through it step by step.${from} Have something to write at hand: each step ends with a question to answer for your own case.\n\nThe steps:\n\n${headings.map((heading, index) => `${index + 1}. ${heading}`).join('\n')}`;
    case 'checklist':
      return `${sentence}\n\nEach part has boxes to tick.${from} Print the list, or keep it open while you work. Leave a box empty until you are sure.\n\n- [ ] I have read the list once from top to bottom.\n- [ ] I know who does which part.`;
  }
}

function lastText({ format }: LeadMagnetComposeInput, plan: readonly ChapterHead[]): string {
  const headings = plan.slice(1, -1).map(({ heading }) => heading);
  switch (format) {
    case 'ebook':
      return `These are the thoughts of this ebook:\n\n${bullets(headings)}\n\nKeep what is of use to you, and pass it on to whom it may help.`;
    case 'guide':
      return `You have gone through these steps:\n\n${bullets(headings)}\n\nGo back to the step that raised the most questions. **Begin there**, with one thing that you can do today.`;
    case 'checklist':
      return `${bullets(headings, '- [ ]')}\n- [ ] Nothing on this list is left open.\n\nKeep the ticked list: it is a good start for the next time.`;
  }
}

function pointText(setting: LeadMagnetComposeInput, sentences: readonly string[]): string {
  const joinedSentences = sentences.join(' ');
  switch (setting.format) {
    case 'ebook':
      return `${joinedSentences}\n\n> Take a moment before you read on: where do you meet this in your own work?\n\nWrite down one example of your own. It makes the next chapter easier to follow.`;
    case 'guide':
      return `${joinedSentences}\n\n## What to do\n\n1. Read the sentence above once more, with your own case in mind.\n2. Note what you already have, and what is missing.\n3. Decide what comes first, and who does it.\n\n**A question to answer:** what would be different if this step were done?`;
    case 'checklist':
      return `${bullets(
        sentences.map((sentence) => headingOf(sentence, 200)),
        '- [ ]',
      )}\n- [ ] I have looked at this part once more.`;
  }
}

/** Writes the text of one chapter of the outline. */
export function embeddedChapter(setting: LeadMagnetComposeInput, plan: readonly ChapterHead[], index: number): string {
  if (index === 0) return firstText(setting, plan);
  if (index === plan.length - 1) return lastText(setting, plan);
  const heading = plan[index]?.heading ?? '';
  const group = groupsOf(setting).find(([first = '']) => headingOf(first) === heading) ?? [];
  return pointText(setting, group.length > 0 ? group : [ended(heading)]);
}
