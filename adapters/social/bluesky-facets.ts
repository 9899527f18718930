// Links, hashtags and mentions in a text on Bluesky, by their positions in bytes of its UTF-8 form
// (docs.bsky.app/docs/advanced-guides/post-richtext). Called by bluesky.ts. Pure.
import { linksIn } from '../../core/contract/values/text-links.ts';

/** A link, a hashtag or a mention in a text. */
export interface Mark {
  readonly kind: 'link' | 'tag' | 'mention';
  /** The URL, the hashtag without `#`, or the handle without `@`. */
  readonly value: string;
  readonly byteStart: number;
  readonly byteEnd: number;
}

const beforeMark = '(?<=^|[\\s(\\[{「『（【])';
/** A letter, a digit, an emoji with its parts, or another character that is not punctuation. */
const sign =
  '(?:\\p{Extended_Pictographic}[\\p{Emoji_Modifier}\\uFE0F]*\\u200D(?=\\p{Extended_Pictographic})|[^\\s\\p{P}\\p{C}<>|`]|[\\u{E0020}-\\u{E007F}])';
/**
 * Matches hashtags as Bluesky's own apps do: `#node.js` and `#e-commerce` are whole hashtags, and punctuation at the end does not belong to
 * them.
 */
const tag = new RegExp(`${beforeMark}[#＃]((?:[_&%/@+.'’·・-]*${sign})+)`, 'gu');
const mention = new RegExp(
  `${beforeMark}@([a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+)`,
  'giu',
);

/** A hashtag has at most 64 characters, counted as graphemes. */
const longestTag = 64;

/** A number is not a hashtag. */
const isTag = (word: string): boolean => !/^[\p{N}\p{P}]+$/u.test(word) && graphemes(word) <= longestTag;

let segmenter: Intl.Segmenter | undefined;

function graphemes(text: string): number {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  let count = 0;
  for (const _ of segmenter.segment(text)) count += 1;
  return count;
}

interface FoundMark {
  readonly kind: Mark['kind'];
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

function foundBy(kind: Mark['kind'], form: RegExp, text: string): FoundMark[] {
  return [...text.matchAll(form)].map(({ 0: written, 1: value = '', index }) => ({
    kind,
    value,
    start: index,
    end: index + written.length,
  }));
}

/** The marks of a text, in order, without overlaps. */
export function marksOf(text: string): Mark[] {
  const foundMarks = [
    ...linksIn(text).map(({ url, start, end }): FoundMark => ({ kind: 'link', value: url, start, end })),
    ...foundBy('mention', mention, text),
    ...foundBy('tag', tag, text).filter(({ value }) => isTag(value)),
  ].sort((a, b) => a.start - b.start);
  const marks: Mark[] = [];
  let end = 0;
  let bytes = 0;
  const bytesTo = (to: number): number => {
    bytes += Buffer.byteLength(text.slice(end, to), 'utf8');
    end = to;
    return bytes;
  };
  for (const { kind, value, start, end: markEnd } of foundMarks)
    if (start >= end) marks.push({ kind, value, byteStart: bytesTo(start), byteEnd: bytesTo(markEnd) });
  return marks;
}
