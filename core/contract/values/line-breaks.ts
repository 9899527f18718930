// Splits text into pieces that stay together on a line, and decides after which pieces a line may end (Unicode
// Standard Annex #14, in the parts that matter for books and pictures). Used by the painters of plugins. Pure.
import { beginning, lettersOf, wordsOf } from './shorten.ts';

/** A piece of a text. */
export interface Token {
  readonly text: string;
  /** The index of its first character in the text. */
  readonly start: number;
}

/**
 * The length of the pieces into which long words are split for measuring. The line joins them again. Measuring a word
 * of 20,000 letters at once would block the event loop.
 */
const longestPiece = 200;

function* piecesOf(word: string): Generator<string> {
  for (let remaining = word; remaining !== ''; ) {
    const piece = beginning(remaining, longestPiece);
    yield piece;
    remaining = remaining.slice(piece.length);
  }
}

/** Whether the script is written without spaces, so that a line may end after any character. */
const breaksAnywhere = (character: string): boolean =>
  /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]|[\u{20000}-\u{3ffff}]/u.test(character);

/** Scripts that write words without spaces between them, but do not break inside of words. */
const joinedWords = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Splits a text without spaces: Thai into words, Chinese and Japanese into letters. Other words stay whole. */
function* partsOf(text: string): Generator<string> {
  for (const [run] of text.matchAll(
    /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+|[^\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu,
  )) {
    if (joinedWords.test(run)) {
      for (const word of wordsOf(run)) yield* piecesOf(word);
      continue;
    }
    let word = '';
    for (const letter of /[\u2e80-\u{3ffff}]/u.test(run) ? lettersOf(run) : [run])
      if (letter !== run && breaksAnywhere(letter)) {
        yield* piecesOf(word);
        word = '';
        yield letter;
      } else word += letter;
    yield* piecesOf(word);
  }
}

/** Yields words, spaces and line ends of a text. Scripts without spaces are split into the pieces that may end a line. */
export function* tokensOf(text: string): Generator<Token> {
  for (const { 0: token, index } of text.matchAll(/\n| +|[^ \n]+/g)) {
    if (token === '\n' || token.startsWith(' ')) {
      yield { text: token, start: index };
      continue;
    }
    let start = index;
    for (const part of partsOf(token)) {
      yield { text: part, start };
      start += part.length;
    }
  }
}

/** Closing punctuation, small kana and repetition marks: never the first letter of a line. */
const neverFirst =
  /^[!%),.:;?\]}»’”‥…›℃、。〃〉》」』】〕〗〙〛〞〟々〻ぁぃぅぇぉっゃゅょゎゕゖ゛゜ゝゞ゠ァィゥェォッャュョヮヵヶ・ーヽヾㇰ-ㇿ！％），．：；？］｝～｠｡｣､･ｧ-ｰﾞﾟ๚๛ๆฯ]/u;
/** Opening punctuation: never the last letter of a line. */
const neverLast = /[([{«‘“‹〈《「『【〔〖〘〚〝（［｛｟｢]$/u;

/** Whether a line may end between two pieces that no space separates. */
export function mayBreakBetween(before: string, after: string): boolean {
  const last = lettersOf(before).at(-1) ?? '';
  const first = String.fromCodePoint(after.codePointAt(0) ?? 0);
  const isBreakable = (letter: string) => breaksAnywhere(letter) || joinedWords.test(letter);
  return (isBreakable(last) || isBreakable(first)) && !neverFirst.test(after) && !neverLast.test(before);
}

/** Whether the character belongs to a script that is read from right to left, or makes the text read so. */
export const isRightToLeft = (character: string): boolean =>
  /[\u0590-\u08ff\u200f\u202b\u2067\ufb1d-\ufdff\ufe70-\ufefc]|[\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.test(
    character,
  );

/** Whether the text reads from right to left: by its first letter. Undefined if it has no letter. */
export function readsRightToLeft(text: string): boolean | undefined {
  const [letter] = /\p{L}/u.exec(text) ?? [];
  return letter === undefined ? undefined : isRightToLeft(letter);
}
