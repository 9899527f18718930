// Splits a brief into sentences by the rules of its language. Called by the embedded writers of plugins. Pure.
import { languageOf } from './brief-language.ts';

const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();

/** Intl.Segmenter takes quadratic time, so long lines are split first. */
const maxPiece = 4_000;

/** A line without its list marker. */
const withoutSign = (line: string): string => line.replace(/^\s*(?:[-*•–]|\d+[.)])\s+/, '');

const abbreviations =
  'Dr|Prof|Mr|Mrs|Ms|St|Nr|No|ca|bzw|usw|evtl|inkl|etc|Sr|Sra|Srta|Mme|Av|Inc|Ltd|Co|vs|approx|Tel|str';
/** Matches the end of a part that a segmenter ends too early: after an initial or an abbreviation. */
const abbreviationEnd = new RegExp(`(?:^|[\\s(.])(?:\\p{L}|${abbreviations}|[\\p{L}-]+str)\\.\\s*$`, 'u');
/** Matches a part that ends inside a word, such as an address with a question mark. */
const insideWord = /[.?!]$/;
/** In German, an ordinal number has a point: `am 3. März`. */
const ordinal = /(?:^|\s)\d{1,2}\.\s*$/;

function splitLine(line: string, segmenter: Intl.Segmenter, isGerman: boolean): string[] {
  const sentences: string[] = [];
  let open = '';
  for (const { segment } of segmenter.segment(line)) {
    open += segment;
    if (insideWord.test(open) || abbreviationEnd.test(open) || (isGerman && ordinal.test(open))) continue;
    sentences.push(open);
    open = '';
  }
  return open === '' ? sentences : [...sentences, open];
}

/** The sentences of a brief, without list markers. The end of a line also ends a sentence. */
export function plainSentences(brief: string): string[] {
  const language = languageOf(brief);
  const segmenter = new Intl.Segmenter(language ?? 'en', { granularity: 'sentence' });
  return brief
    .split(/\n+/)
    .flatMap((line) => withoutSign(line).match(new RegExp(`[\\s\\S]{1,${maxPiece}}`, 'g')) ?? [])
    .flatMap((line) => splitLine(oneLine(line), segmenter, language === 'de'))
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}
