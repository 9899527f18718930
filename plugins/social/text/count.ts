// Measures the length of texts as networks do.
import { lettersOf } from '../../../core/unstable.ts';
import type { TextRule, TextUnit } from '../port/index.ts';
import { emojiSource } from './emoji.ts';
import { weightedLength } from './weighted.ts';

const bytesOf = (text: string): number => Buffer.byteLength(text, 'utf8');

const codePoints = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

const graphemes = (text: string): number => lettersOf(text).length;

const emoji = new RegExp(emojiSource, 'gu');

/** Counts code points, except that an emoji counts as its UTF-8 bytes. */
function emojiBytes(text: string): number {
  let count = codePoints(text);
  for (const [emojiMatch] of text.matchAll(emoji)) {
    const isPlain = emojiMatch.length === 1 && emojiMatch.charCodeAt(0) <= 0xff;
    if (!isPlain) count += bytesOf(emojiMatch) - codePoints(emojiMatch);
  }
  return count;
}

const counters: Readonly<Record<TextUnit, (text: string) => number>> = {
  weighted: weightedLength,
  graphemes,
  code_points: codePoints,
  utf16: (text) => text.length,
  bytes: bytesOf,
  emoji_bytes: emojiBytes,
};

/** The length of a text in a unit. */
export const countText = (unit: TextUnit, text: string): number => counters[unit](text);

/** The exceeded limit and the length of a text that is too long; undefined if it fits. */
export function excessOf(
  { unit, max, maxBytes }: TextRule,
  text: string,
): { readonly length: number; readonly max: number; readonly unit: TextUnit } | undefined {
  const length = countText(unit, text);
  if (length > max) return { length, max, unit };
  const bytes = maxBytes === undefined ? 0 : bytesOf(text);
  return maxBytes !== undefined && bytes > maxBytes ? { length: bytes, max: maxBytes, unit: 'bytes' } : undefined;
}
