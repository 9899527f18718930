// Cuts texts that people read. Never cuts inside a letter as readers see it (an emoji, a letter with its marks). If possible, cuts
// at the end of a word, even in scripts without spaces. Also counts words and measures width. Pure.

type Granularity = 'grapheme' | 'word';

const segmenters: Partial<Record<Granularity, Intl.Segmenter>> = {};

/** The segmenter, made at its first use, because making one takes some milliseconds. */
function segmenterFor(granularity: Granularity): Intl.Segmenter {
  segmenters[granularity] ??= new Intl.Segmenter('en', { granularity });
  return segmenters[granularity];
}

/** The length of a piece. Intl.Segmenter takes quadratic time, so a text is first split into pieces, far longer than any word. */
const pieceLength = 512;

/** The words or letters of a text with their positions, in linear time. */
function* segmentsOf(text: string, granularity: Granularity): Generator<Intl.SegmentData> {
  let from = 0;
  while (from < text.length) {
    const end = from + pieceLength;
    const isLast = end >= text.length;
    let next = end;
    for (const segmentData of segmenterFor(granularity).segment(text.slice(from, end))) {
      // A segment at the end of a piece may continue in the next piece.
      if (!isLast && segmentData.index > 0 && segmentData.index + segmentData.segment.length === pieceLength)
        next = from + segmentData.index;
      else yield { ...segmentData, index: from + segmentData.index };
    }
    from = next;
  }
}

/** Whether the text is plain ASCII, without marks and emoji: each character is one letter. */
const isPlain = (text: string): boolean => /^[\n\x20-\x7e]*$/.test(text);

/** The letters of a text as readers see them: an emoji of several characters is one. */
export const lettersOf = (text: string): string[] =>
  isPlain(text) ? text.split('') : Array.from(segmentsOf(text, 'grapheme'), ({ segment }) => segment);

/** The words of a text and the parts between them, in order. Also splits scripts without spaces, such as Thai. */
export const wordsOf = (text: string): string[] => Array.from(segmentsOf(text, 'word'), ({ segment }) => segment);

const wide =
  /[\u1100-\u115f\u231a\u231b\u2329\u232a\u23e9-\u23ec\u23f0\u23f3\u25fd\u25fe\u2614\u2615\u2648-\u2653\u267f\u2693\u26a1\u26aa\u26ab\u26bd\u26be\u26c4\u26c5\u26ce\u26d4\u26ea\u26f2\u26f3\u26f5\u26fa\u26fd\u2705\u270a\u270b\u2728\u274c\u274e\u2753-\u2755\u2757\u2795-\u2797\u27b0\u27bf\u2b1b\u2b1c\u2b50\u2b55\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1b000}-\u{1b2fb}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;
const unseen = /^[\p{Mark}\p{Cc}\p{Cf}]*$/u;

const letterWidth = (letter: string): number => (unseen.test(letter) ? 0 : wide.test(letter) ? 2 : 1);

/** The columns of a text in a monospaced font. A letter takes 1; Chinese, Japanese, Korean letters and emoji take 2, marks 0. */
export const displayWidth = (text: string): number =>
  isPlain(text) ? text.length : lettersOf(text).reduce((sum, letter) => sum + letterWidth(letter), 0);

/** Scripts that put no spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** The number of words in a text, even in scripts without spaces between words. */
export function wordCount(text: string): number {
  let count = 0;
  for (const [part] of text.matchAll(/\S+/g)) {
    if (!unspaced.test(part)) count += /[\p{L}\p{N}]/u.test(part) ? 1 : 0;
    else for (const { isWordLike } of segmentsOf(part, 'word')) if (isWordLike === true) count += 1;
  }
  return count;
}

export interface Shortening {
  /**
   * Where the text may be cut: `word`, after a word if a word ends in the second half; `letter`, after any letter. (Default:
   * word)
   */
  readonly at?: 'word' | 'letter';
  /** The text that replaces the rest. It counts towards `max`. (Default: `…`) */
  readonly sign?: string;
  /** The unit of `max`: `length`, UTF-16 units as in database columns and schemas, or `width`, columns. (Default: length) */
  readonly by?: 'length' | 'width';
}

/** More UTF-16 units than any real letter has. A longer letter is cut between its characters. */
const longestLetter = 128;

/** An upper bound for the UTF-16 units of the letters that fit into `max`. Most letters of one column have one or two units. */
const windowLengthOf = (max: number, by: 'length' | 'width'): number =>
  (by === 'width' ? max * 8 : max) + longestLetter;

/** The end of the last letter that fits into `max`, for a text that is longer than `max`. */
function endOfLetters(text: string, max: number, by: 'length' | 'width'): number {
  const window = text.slice(0, windowLengthOf(max, by));
  let end = 0;
  let sum = 0;
  for (const { segment, index } of segmentsOf(window, 'grapheme')) {
    sum += by === 'width' ? letterWidth(segment) : segment.length;
    if (sum > max) break;
    // The last letter of the window may continue after the window.
    if (index + segment.length === window.length && window.length < text.length) break;
    end = index + segment.length;
  }
  if (end > 0 || by === 'width') return end;
  // Not even the first letter fits: cut inside it, but not between the halves of a surrogate pair.
  const high = text.charCodeAt(max - 1);
  return high >= 0xd800 && high <= 0xdbff ? max - 1 : max;
}

/** Characters that would look odd before the sign: spaces, commas and dashes, opening brackets and quotation marks. */
const dangling = /[\s,;:–—\-‐、，；：・…([{«“„‘「『（《【]+$/u;
const half = 0.5;

/** The end of the last word before `end`; undefined if no word ends in the second half of the text before `end`. */
function endOfWord(text: string, end: number): number | undefined {
  if (/\s/.test(text.charAt(end))) return end;
  const head = text.slice(0, end);
  const space = head.search(/\s\S*$/);
  if (space >= end * half) return space;
  let last: number | undefined;
  for (const { index, segment } of segmentsOf(text.slice(0, end + longestLetter), 'word')) {
    const next = index + segment.length;
    if (next > end) break;
    last = next;
  }
  return last !== undefined && last >= end * half ? last : undefined;
}

/** The text if it is at most `max` long. Otherwise its beginning and a sign for the rest, together at most `max` long. */
export function shortened(text: string, max: number, shortening: Shortening = {}): string {
  const { at = 'word', sign = '…', by = 'length' } = shortening;
  const lengthOf = by === 'width' ? displayWidth : (value: string): number => value.length;
  const isShort =
    by === 'length' ? text.length <= max : text.length <= windowLengthOf(max, by) && displayWidth(text) <= max;
  if (isShort) return text;
  if (max < lengthOf(sign)) return '';
  const end = endOfLetters(text, max - lengthOf(sign), by);
  const cut = text.slice(0, (at === 'word' ? endOfWord(text, end) : undefined) ?? end);
  if (sign === '') return cut.trimEnd();
  return `${cut.replace(dangling, '') || cut.trimEnd()}${sign}`;
}

/** The first letters of a text, at most `max` UTF-16 units. For texts that are cut to the available space. */
export const beginning = (text: string, max: number): string =>
  text.length <= max ? text : text.slice(0, endOfLetters(text, max, 'length'));

/**
 * One line of at most `max` UTF-16 units from a text that others wrote, such as the answer of a mail server. Control
 * characters become spaces, and half surrogate pairs become U+FFFD, because databases do not store them.
 */
export const oneLine = (text: string, max: number): string =>
  beginning(
    text
      .slice(0, 8 * max)
      .replace(/\p{Cs}/gu, '\ufffd')
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim(),
    max,
  );
