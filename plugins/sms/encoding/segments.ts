// Computes how a text is encoded and divided into segments that carriers bill (3GPP TS 23.038 and 23.040, section 9.2.3.24.1). Pure.
import { gsmReplacementFor, septetsOf } from './gsm7.ts';

/** The encoding of a whole message. One character that is not in GSM-7 makes the whole message UCS-2. */
export type SmsEncoding = 'GSM-7' | 'UCS-2';

/** A character that keeps a message from being GSM-7. */
export interface NonGsmCharacter {
  readonly character: string;
  /** The code point, such as U+201C. */
  readonly codePoint: string;
  /** The number of times that the character occurs in the text. */
  readonly count: number;
  /** A replacement in GSM-7; null if there is none. */
  readonly standIn: string | null;
}

/** The size of a text. */
export interface SmsSize {
  readonly encoding: SmsEncoding;
  /** The number of code points. */
  readonly characters: number;
  readonly segments: number;
  /** The characters that keep the text from being GSM-7, in the order of their first occurrence; empty for GSM-7. */
  readonly offenders: readonly NonGsmCharacter[];
}

/** The size limit of a single-part message, and of each part of a longer one, which has a header: septets or UTF-16 code units. */
const limits = { 'GSM-7': { alone: 160, part: 153 }, 'UCS-2': { alone: 70, part: 67 } } as const;

const codePointOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

function offendersIn(characters: readonly string[]): NonGsmCharacter[] {
  const counts = new Map<string, number>();
  for (const character of characters)
    if (septetsOf(character) === undefined) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts].map(([character, count]) => ({
    character,
    codePoint: codePointOf(character),
    count,
    standIn: gsmReplacementFor(character) ?? null,
  }));
}

/** Counts parts of at most `limit` units. Escape pairs and surrogate pairs are not split. */
function countParts(sizes: readonly number[], limit: number): number {
  let parts = 1;
  let used = 0;
  for (const size of sizes) {
    if (used + size > limit) {
      parts += 1;
      used = 0;
    }
    used += size;
  }
  return parts;
}

/** Measures a text. An empty text has no segments. */
export function measureSms(text: string): SmsSize {
  const characters = [...text];
  const offenders = offendersIn(characters);
  const encoding: SmsEncoding = offenders.length === 0 ? 'GSM-7' : 'UCS-2';
  const sizes = characters.map((character) => (encoding === 'GSM-7' ? (septetsOf(character) ?? 1) : character.length));
  const units = sizes.reduce((sum, size) => sum + size, 0);
  const { alone, part } = limits[encoding];
  const segments = units === 0 ? 0 : units <= alone ? 1 : countParts(sizes, part);
  return { encoding, characters: characters.length, segments, offenders };
}
