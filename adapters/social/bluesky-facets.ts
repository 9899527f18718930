// Links, hashtags and mentions of a text on Bluesky, by the bytes of its UTF-8 form (docs.bsky.app/docs/advanced-guides/post-richtext).
// Called by bluesky.ts. Pure.

/** A part of a text with a meaning. */
export interface Mark {
  readonly kind: 'link' | 'tag' | 'mention';
  /** The URL, the hashtag without `#`, or the handle without `@`. */
  readonly value: string;
  readonly byteStart: number;
  readonly byteEnd: number;
}

const link = /https?:\/\/[^\s<>"]+/giu;
const tag = /(?<=^|[\s(])[#＃]((?:[\p{L}\p{N}\p{M}_]|\p{Extended_Pictographic})+)/giu;
const mention = /(?<=^|[\s(])@([a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+)/giu;

/** A hashtag has up to 64 characters. */
const longestTag = 64;

const bytesOf = (text: string): number => Buffer.byteLength(text, 'utf8');

/** Without the punctuation behind it; a closing bracket belongs to a URL that opens one. */
function urlIn(found: string): string {
  const opened = found.includes('(');
  let end = found.length;
  while (end > 0 && `.,;:!?'\u2019\u201d${opened ? '' : ')'}`.includes(found.charAt(end - 1))) end -= 1;
  return found.slice(0, end);
}

/** The marks of a text, in order, none inside another. */
export function marksOf(text: string): Mark[] {
  const found: (Mark & { readonly start: number; readonly end: number })[] = [];
  const add = (kind: Mark['kind'], value: string, start: number, written: string): void => {
    const end = start + written.length;
    if (value === '' || found.some((mark) => start < mark.end && mark.start < end)) return;
    const byteStart = bytesOf(text.slice(0, start));
    found.push({ kind, value, start, end, byteStart, byteEnd: byteStart + bytesOf(written) });
  };
  for (const { 0: written, index } of text.matchAll(link)) {
    const url = urlIn(written);
    if (URL.canParse(url)) add('link', url, index, url);
  }
  for (const { 0: written, index } of text.matchAll(mention)) add('mention', written.slice(1), index, written);
  for (const { 0: written, index } of text.matchAll(tag)) {
    // A number is no hashtag.
    if (/^.\p{N}+$/u.test(written) || [...written].length > longestTag + 1) continue;
    add('tag', written.slice(1), index, written);
  }
  return found
    .sort((one, other) => one.start - other.start)
    .map(({ kind, value, byteStart, byteEnd }) => ({ kind, value, byteStart, byteEnd }));
}
