// The words of a brief: its sentences without what is said to the author of the post, and a title made of them. Pure.

/** `Write a blog post about …` says what follows. */
const opening =
  /^(?:please\s+)?(?:(?:write|create|make|compose|draft|publish)\s+(?:me\s+|us\s+)?)?(?:an?\s+|the\s+|our\s+)?(?:[\w-]+\s+){0,2}?(?:blog\s?post|blog\s+article|blog\s+entry|post|article|announcement)\s+(?:for|about|on|that|which|announcing|explaining|presenting|saying that)\s+/i;

/** Sentences that tell the author how to write. */
const toAuthor =
  /^(?:(?:the\s+)?(?:tone|voice|style|length|audience|readers?|language|title|layout|mood)\b|keep\s+(?:it|the)\b|make\s+(?:it|sure|the)\b|use\s+|please\b|do\s+not\b|don[’']t\b|avoid\b|include\b|add\s+|mention\b|write\b|ensure\b|end\s+with\b|start\s+with\b|explain\b|no\s+(?:jargon|fluff|buzzwords)\b|(?:about\s+)?[\d,]+\s+words\b|(?:short|plain|warm|friendly|formal|playful)(?:\s+(?:and|but)\s+\w+|,\s*\w+)*\s*(?:tone|please)?[.!]*$)/i;

/** `Friendly tone, no jargon.` */
const aboutStyle = (sentence: string): boolean =>
  sentence.split(' ').length <= 5 && /\b(?:tone|voice|jargon|wording|style)\b/i.test(sentence);

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Plain text in one line: no Markdown, no HTML, no control characters. */
const plain = (text: string): string =>
  text
    .replace(/[`*_#<>|~[\]\\]+/g, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();

/** With a sign at its end. */
const ended = (sentence: string): string => (/[.!?…:]$/.test(sentence) ? sentence.replace(/:$/, '.') : `${sentence}.`);

/** The sentences of a brief that readers can be told; never empty. */
export function sentencesOf(brief: string): string[] {
  const lines = brief.split(/\n+/).map((line) => plain(line.replace(/^\s*(?:[-*•–]|\d+[.)])\s+/, '')));
  const all = lines
    .flatMap((line) => line.match(/[^.!?]+(?:[.!?](?!\s|$)[^.!?]*)*[.!?]*/g) ?? [])
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
  const said = all
    .map((sentence) => sentence.replace(opening, ''))
    .filter((sentence) => sentence !== '' && !toAuthor.test(sentence) && !aboutStyle(sentence))
    .map(capitalised)
    .filter((sentence, index, list) => list.indexOf(sentence) === index);
  const kept = said.length > 0 ? said : all.map(capitalised);
  return kept.length > 0 ? kept.map(ended) : ['Welcome.'];
}

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
