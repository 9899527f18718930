// Extracts the sentences of a brief, without the instructions to the author, and makes headings of them. Called by the embedded
// writers of plugins. Pure.
import { shortened } from '../../core/unstable.ts';

const capitalised = (text: string): string => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();

/** Plain text in one line: no Markdown, no HTML, no control characters. */
const plain = (text: string): string => oneLine(text.replace(/[`*_#<>|~[\]\\]+/g, ''));

/** The sentences of a brief, unchanged except that each is on one line. */
export function plainSentences(brief: string): string[] {
  const line = oneLine(brief);
  return line === '' ? [] : line.split(/(?<=[.!?…])\s|(?<=[。！？])(?=.)/u);
}

/** The sentences of all lines and list items of a brief, without Markdown. */
export const briefSentences = (brief: string): string[] =>
  brief
    .split(/\n+/)
    .map((line) => plain(line.replace(/^\s*(?:[-*•–]|\d+[.)])\s+/, '')))
    .flatMap((line) => line.split(/(?<=[。！？])/u))
    .flatMap((line) => line.match(/[^.!?]+(?:[.!?](?!\s|$)[^.!?]*)*[.!?]*/g) ?? [])
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));

/** The words that a kind of brief uses. Each field is a part of a regular expression. */
export interface BriefForm {
  /** Verbs of the request, in addition to write, create, make, compose and draft. */
  readonly verbs: string;
  /** The things to be written, such as `letter|report`. */
  readonly things: string;
  /** The words between the thing and its subject, in addition to for, about, on, that and which. */
  readonly joins: string;
  /** Further beginnings of sentences that instruct the author how to write. */
  readonly asides: string;
}

/** Matches the opening of a brief, `Write a report about …`, before its subject. */
export const briefOpening = ({ verbs, things, joins }: Omit<BriefForm, 'asides'>): RegExp =>
  new RegExp(
    `^(?:please\\s+)?(?:(?:write|create|make|compose|draft|${verbs})\\s+(?:me\\s+|us\\s+)?)?(?:an?\\s+|the\\s+|our\\s+)?(?:[\\w-]+\\s+){0,2}?(?:${things})\\s+(?:for|about|on|that|which|${joins})\\s+`,
    'i',
  );

/** Matches sentences that instruct the author how to write. */
const toAuthor = (asides: string): RegExp =>
  new RegExp(
    `^(?:(?:the\\s+)?(?:tone|voice|style|length|language|layout|mood)\\b|keep\\s+(?:it|the)\\b|make\\s+(?:it|sure|the)\\b|use\\s+|please\\b|do\\s+not\\b|don[’']t\\b|avoid\\b|include\\b|add\\s+|mention\\b|write\\b|ensure\\b|no\\s+(?:jargon|fluff|buzzwords)\\b|(?:short|plain|warm|friendly|formal|playful)(?:\\s+(?:and|but)\\s+\\w+|,\\s*\\w+)*\\s*(?:tone|please)?[.!]*$|${asides})`,
    'i',
  );

/** Whether the sentence is only about style, such as `Friendly tone, no jargon.` */
const aboutStyle = (sentence: string): boolean =>
  sentence.split(' ').length <= 5 && /\b(?:tone|voice|jargon|wording|style)\b/i.test(sentence);

/** The sentence with a punctuation mark at its end. */
const ended = (sentence: string): string =>
  /[.!?…:。！？]$/.test(sentence) ? sentence.replace(/:$/, '.') : `${sentence}.`;

/** Makes a function that returns the sentences of a brief that address readers. It returns at least one sentence. */
export function readerSentences(form: BriefForm): (brief: string) => string[] {
  const [opening, asides] = [briefOpening(form), toAuthor(form.asides)];
  return (brief) => {
    const all = briefSentences(brief);
    const factSentences = all
      .map((sentence) => sentence.replace(opening, ''))
      .filter((sentence) => sentence !== '' && !asides.test(sentence) && !aboutStyle(sentence))
      .map(capitalised)
      .filter((sentence, index, list) => list.indexOf(sentence) === index);
    const usableSentences = factSentences.length > 0 ? factSentences : all.map(capitalised);
    return usableSentences.length > 0 ? usableSentences.map(ended) : ['Welcome.'];
  };
}

/** A heading: the sentence, or its first part if the sentence is longer than `max`. */
export function headingOf(sentence: string, max = 80): string {
  const whole = sentence.replace(/[.!:…。！]+$/, '').trim();
  if (whole.length <= max) return whole;
  const [first = whole] = whole.split(/\s*(?:[,;:–—、，；：]|\s-\s|\b(?:that|which|who|because|so that|with)\b)\s*/);
  return first.length >= 12 && first.length <= max ? first : shortened(whole, max);
}
