// The words of a brief: its sentences without what is said to the author of the page, and headings made of them. Pure.

/** `Write a landing page for …` says what follows. */
const opening =
  /^(?:please\s+)?(?:(?:write|create|make|build|design|compose|draft)\s+(?:me\s+|us\s+)?)?(?:an?\s+|the\s+|our\s+)?(?:[\w-]+\s+){0,2}?(?:landing\s?page|web\s?page|page|site|website)\s+(?:for|about|on|to|that|which|announcing|promoting|presenting)\s+/i;

/** Sentences that tell the author how to write. */
const toAuthor =
  /^(?:(?:the\s+)?(?:tone|voice|style|length|colou?rs?|audience|language|layout|mood)\b|keep\s+(?:it|the)\b|make\s+(?:it|sure|the)\b|use\s+|please\b|do\s+not\b|don[’']t\b|avoid\b|include\b|add\s+|mention\b|write\b|ensure\b|no\s+(?:jargon|fluff|buzzwords)\b|(?:short|plain|warm|friendly|formal|playful)(?:\s+(?:and|but)\s+\w+|,\s*\w+)*\s*(?:tone|please)?[.!]*$)/i;

/** `Friendly tone, no jargon.` */
const aboutStyle = (sentence: string): boolean =>
  sentence.split(' ').length <= 5 && /\b(?:tone|voice|jargon|wording|style)\b/i.test(sentence);

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Plain text in one line: no Markdown, no control characters. */
const plain = (text: string): string =>
  text
    .replace(/[`*_#>|~[\]]+/g, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();

/** The sentences of a brief that can stand on a page; never empty. */
export function sentencesOf(brief: string): string[] {
  const lines = brief.split(/\n+/).map((line) => plain(line.replace(/^\s*(?:[-*•–]|\d+[.)])\s+/, '')));
  const all = lines
    .flatMap((line) => line.match(/[^.!?]+(?:[.!?](?!\s|$)[^.!?]*)*[.!?]*/g) ?? [])
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
  const said = all
    .filter((sentence) => !toAuthor.test(sentence) && !aboutStyle(sentence))
    .map((sentence) => capitalised(sentence.replace(opening, '')))
    .filter((sentence, index, list) => list.indexOf(sentence) === index);
  const kept = said.length > 0 ? said : all;
  return kept.length > 0 ? kept.map(ended) : ['Welcome.'];
}

/** With a sign at its end. */
const ended = (sentence: string): string => (/[.!?…:]$/.test(sentence) ? sentence.replace(/:$/, '.') : `${sentence}.`);

/** Shortened at a word. */
function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, max);
  return `${cut
    .slice(0, Math.max(cut.lastIndexOf(' '), 1))
    .replace(/[,;:–—-]$/, '')
    .trimEnd()}…`;
}

/** A heading: the sentence, or its first part where it is long. */
export function headingOf(sentence: string, max = 80): string {
  const whole = sentence.replace(/[.!:…]+$/, '').trim();
  if (whole.length <= max) return whole;
  const [first = whole] = whole.split(/\s*(?:[,;:–—]|\s-\s|\b(?:that|which|who|because|so that|with)\b)\s*/);
  return first.length >= 12 && first.length <= max ? first : shortened(whole, max);
}

/** The title of a page that is to be written. */
export const titleOf = (headline: string | null, brief: string): string =>
  headingOf(headline === null ? (sentencesOf(brief)[0] ?? '') : (sentencesOf(headline)[0] ?? headline));
