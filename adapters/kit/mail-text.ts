// Encodes a text part of a mail as 7bit, quoted-printable or base64 (RFC 2045), whichever is best for the text. Called
// by mime-bytes.ts for the bodies of a mail. Linear in the length of the text. The parts that mails of one template
// have in common are encoded once. A long text is encoded in slices, and the event loop runs after each slice.
import { setImmediate } from 'node:timers/promises';
import type { FixedText } from '../../plugins/email/port/index.ts';

/** The encoded body of a text part. */
export interface EncodedText {
  readonly encoding: '7bit' | 'quoted-printable' | 'base64';
  /** The chunks to join. Lines end with CRLF and have at most 76 characters. There is no line break at the end. */
  readonly chunks: readonly Buffer[];
}

const longestLine = 76;
const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const DOT = 0x2e;
const EQUALS = 0x3d;

const hexadecimal = Buffer.from('0123456789ABCDEF');

/** Bytes that quoted-printable does not encode. White space may stay if it is not at the end of a line. */
const literal = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === TAB || (byte >= SPACE && byte <= 0x7e && byte !== EQUALS) ? 1 : 0,
);

/** The properties that determine a text's encoding. */
interface TextProperties {
  /** Whether the text is ASCII without control characters, in lines that need no change. */
  readonly plain: boolean;
  /** The number of Latin letters, and of bytes that quoted-printable makes three times as long. */
  readonly letterCount: number;
  readonly encodedCount: number;
}

function propertiesOf(bytes: Uint8Array): TextProperties {
  let letters = 0;
  let coded = 0;
  let longest = 0;
  let begin = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte === LF || byte === CR) {
      if (at - begin > longest) longest = at - begin;
      begin = at + 1;
    } else if (byte >= 0x7f || (byte < SPACE && byte !== TAB)) coded += 1;
    else {
      const lowerCase = byte | 0x20;
      if (lowerCase >= 0x61 && lowerCase <= 0x7a) letters += 1;
    }
  }
  if (bytes.length - begin > longest) longest = bytes.length - begin;
  return { plain: coded === 0 && longest <= longestLine, letterCount: letters, encodedCount: coded };
}

/** The length of the line break of any form at this position; 0 if there is none. */
function breakAt(bytes: Uint8Array, at: number): number {
  if (bytes[at] === LF) return 1;
  if (bytes[at] !== CR) return 0;
  return bytes[at + 1] === LF ? 2 : 1;
}

/** The number of bytes of the character that begins here. A soft break goes before all of them. */
function widthAt(byte: number): number {
  if (byte < 0xc0) return 1;
  return byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

/** Whether quoted-printable leaves the bytes unchanged: one short line without white space at its end. */
function isLiteralLine(bytes: Uint8Array): boolean {
  const { length } = bytes;
  if (length >= longestLine || bytes[0] === DOT) return false;
  for (let at = 0; at < length; at += 1) if (literal[bytes[at] as number] === 0) return false;
  const last = bytes[length - 1];
  return last !== SPACE && last !== TAB;
}

function quotedPrintable(bytes: Buffer): Buffer {
  if (isLiteralLine(bytes)) return bytes;
  // The worst case: every byte becomes three, and every 72 of those need a soft break of three more.
  const out = Buffer.allocUnsafe(bytes.length * 3 + Math.ceil(bytes.length / 20) * 3 + 8);
  let to = 0;
  let column = 0;
  let from = 0;
  while (from < bytes.length) {
    const byte = bytes[from] as number;
    const breakLength = byte === LF || byte === CR ? breakAt(bytes, from) : 0;
    if (breakLength > 0) {
      out[to] = CR;
      out[to + 1] = LF;
      to += 2;
      column = 0;
      from += breakLength;
      continue;
    }
    const nextIndex = from + 1;
    let isLiteral = literal[byte] === 1;
    if (isLiteral && (byte === SPACE || byte === TAB))
      isLiteral = nextIndex < bytes.length && breakAt(bytes, nextIndex) === 0;
    // A dot alone on a line ends the message, and some servers do not remove the doubled dot.
    if (byte === DOT && column === 0) isLiteral = false;
    const width = isLiteral ? 1 : byte < 0x80 ? 3 : 3 * widthAt(byte);
    // The last column is reserved for the sign of the soft break. At the first byte of a character there was room for all its bytes, so
    // no soft break is needed before the other bytes.
    const isInsideCharacter = byte >= 0x80 && byte < 0xc0 && column + 3 <= longestLine - 1;
    if (!isInsideCharacter && column + width > longestLine - 1) {
      out[to] = EQUALS;
      out[to + 1] = CR;
      out[to + 2] = LF;
      to += 3;
      column = 0;
      isLiteral &&= byte !== DOT;
    }
    if (isLiteral) {
      out[to] = byte;
      to += 1;
      column += 1;
    } else {
      out[to] = EQUALS;
      out[to + 1] = hexadecimal[byte >> 4] as number;
      out[to + 2] = hexadecimal[byte & 15] as number;
      to += 3;
      column += 3;
    }
    from = nextIndex;
  }
  return out.subarray(0, to);
}

const anyBreak = /\r\n|\r|\n/g;
const softBreak = Buffer.from('=\r\n');

/** A longer text is encoded in slices of this many characters. Each takes one or a few milliseconds. */
const sliceLength = 65_536;

/** The text in slices. No slice divides a character or a CRLF break. */
function* slicesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + sliceLength);
    if (to < text.length && /[\ud800-\udbff\r]/.test(text.charAt(to - 1))) to -= 1;
    yield text.slice(from, to);
    from = to;
  }
}

/** Lets the event loop run, if the text is longer than a slice. */
const yieldAfterSlice = (text: string): Promise<unknown> | undefined =>
  text.length > sliceLength ? setImmediate() : undefined;

/** Encodes a text with CRLF line breaks as base64. All lines are full, except the last one. */
async function base64(text: string): Promise<readonly Buffer[]> {
  // Encodes as many bytes as fill whole lines; the other bytes begin the next slice.
  const bytesOfLine = (longestLine / 4) * 3;
  const chunks: Buffer[] = [];
  let carried: Buffer = Buffer.alloc(0);
  for (const slice of slicesOf(text)) {
    const bytes = Buffer.concat([carried, Buffer.from(slice.replace(anyBreak, '\r\n'))]);
    const full = bytes.length - (bytes.length % bytesOfLine);
    carried = bytes.subarray(full);
    const encoded = bytes.toString('base64', 0, full);
    const lines: string[] = [];
    for (let at = 0; at < encoded.length; at += longestLine) lines.push(encoded.slice(at, at + longestLine));
    chunks.push(Buffer.from(lines.map((line) => `${line}\r\n`).join(''), 'latin1'));
    await yieldAfterSlice(text);
  }
  if (carried.length > 0) return [...chunks, Buffer.from(carried.toString('base64'), 'latin1')];
  // The body ends without a line break.
  const last = chunks.pop() ?? carried;
  return [...chunks, last.subarray(0, Math.max(0, last.length - 2))];
}

/** A part of a text, as quoted-printable from the beginning of a line. */
interface Piece extends TextProperties {
  readonly quoted: Buffer;
}

function pieceOf(text: string): Piece {
  const bytes = Buffer.from(text);
  return { ...propertiesOf(bytes), quoted: quotedPrintable(bytes) };
}

/** A piece for the cache. It is copied, so that it does not keep the larger buffer in memory. */
function cachedPieceOf(text: string): Piece {
  const piece = pieceOf(text);
  return { ...piece, quoted: Buffer.from(piece.quoted) };
}

/** The number of characters of fixed texts in the cache, in each of two generations. */
const maxCachedCharacters = 4 * 1_048_576;
let young = new Map<string, Piece>();
let old = new Map<string, Piece>();
let youngCharacters = 0;

/** The piece of a fixed text, encoded at most once while it is in use. */
function fixedPiece(text: string): Piece {
  const recent = young.get(text);
  if (recent !== undefined) return recent;
  const piece = old.get(text) ?? cachedPieceOf(text);
  if (youngCharacters > maxCachedCharacters) {
    old = young;
    young = new Map();
    youngCharacters = 0;
  }
  young.set(text, piece);
  youngCharacters += text.length;
  return piece;
}

/**
 * Divides the text into its fixed texts and the parts between them. A fixed text is expected at its rendered position. If it is not
 * there, it is searched for, because links or addresses may have been inserted before it.
 */
async function piecesOf(text: string, fixed: readonly FixedText[]): Promise<readonly Piece[]> {
  const pieces: Piece[] = [];
  let position = 0;
  let offset = 0;
  let sliceCharacters = 0;
  const add = async (between: string): Promise<void> => {
    for (const slice of slicesOf(between)) {
      pieces.push(pieceOf(slice));
      if (slice.length === sliceLength) await yieldAfterSlice(text);
    }
  };
  for (const { at, text: part } of fixed) {
    const expected = at + offset;
    // Slices are compared in one operation, whereas startsWith compares character by character.
    const isThere = expected >= position && text.slice(expected, expected + part.length) === part;
    const index = isThere ? expected : text.indexOf(part, position);
    if (index < 0) continue;
    if (index - position > sliceLength) await add(text.slice(position, index));
    else if (index > position) pieces.push(pieceOf(text.slice(position, index)));
    pieces.push(fixedPiece(part));
    position = index + part.length;
    offset = index - at;
    if (position - sliceCharacters > sliceLength) {
      sliceCharacters = position;
      await yieldAfterSlice(text);
    }
  }
  if (text.length - position > sliceLength) await add(text.slice(position));
  else if (position < text.length || pieces.length === 0) pieces.push(pieceOf(text.slice(position)));
  return pieces;
}

/** Each piece begins on its own line: a soft break, which disappears in decoding, ends the line before. */
function joinQuoted(pieces: readonly Piece[]): readonly Buffer[] {
  const parts: Buffer[] = [];
  let isLineEnded = true;
  for (const { quoted } of pieces) {
    if (!isLineEnded) parts.push(softBreak);
    parts.push(quoted);
    isLineEnded = quoted.at(-1) === LF;
  }
  return parts;
}

/** Encodes a text as UTF-8. `fixed`: the texts in common with other mails, in order. */
export async function encodeText(text: string, fixed: readonly FixedText[] = []): Promise<EncodedText> {
  // A line break of two characters must not be divided.
  const pieces = await piecesOf(text, text.includes('\r') ? [] : fixed);
  // Lines may span several pieces.
  if (pieces.every(({ plain }) => plain) && (pieces.length === 1 || propertiesOf(Buffer.from(text)).plain))
    return { encoding: '7bit', chunks: [Buffer.from(text.replace(anyBreak, '\r\n'), 'latin1')] };
  const letters = pieces.reduce((sum, piece) => sum + piece.letterCount, 0);
  const coded = pieces.reduce((sum, piece) => sum + piece.encodedCount, 0);
  // For a text in another script, quoted-printable would be three times as long.
  if (coded > letters) return { encoding: 'base64', chunks: await base64(text) };
  return { encoding: 'quoted-printable', chunks: joinQuoted(pieces) };
}
