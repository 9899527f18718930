// The fingerprint of a request: decides whether a retry with the same Idempotency-Key is the same request. Called by
// check-call.ts. The canonical form must never change: stored fingerprints outlive a release.
import { createHash, hash } from 'node:crypto';
import { coreErrors } from '../contract/errors/core-errors.ts';

/** Deeper than any schema; without a bound, hostile input would exhaust the stack. */
const maxDepth = 256;

/** Longer texts are hashed piece by piece instead of being joined first. */
const pieceLength = 65_536;

/** Takes the pieces of one canonical text, in order. */
type Sink = (piece: string) => void;

function tooDeep(): Error {
  const summary = `The request is nested more than ${maxDepth} levels deep. Send a flatter one.`;
  return coreErrors.validation_failed({ summary });
}

/** Up to this many names, sorting by insertion is faster than Array.sort. */
const maxInsertionSort = 24;

/** Own names in the order of their UTF-16 units, as RFC 8785 requires. */
function sortedNames(value: object): string[] {
  const names = Object.keys(value);
  if (names.length > maxInsertionSort) return names.sort();
  for (let index = 1; index < names.length; index += 1) {
    const name = names[index] ?? '';
    let position = index;
    for (
      let previousName = names[position - 1];
      previousName !== undefined && previousName > name;
      previousName = names[position - 1]
    ) {
      names[position] = previousName;
      position -= 1;
    }
    names[position] = name;
  }
  return names;
}

/** Up to this length, searching for characters to escape is faster than JSON.stringify. */
const shortText = 40;

/** A text in quotes. Lone surrogates are escaped, so that two of them stay different in UTF-8. */
function quoted(text: string): string {
  if (text.length > shortText) return JSON.stringify(text);
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x20 || unit === 0x22 || unit === 0x5c || unit > 0x7e) return JSON.stringify(text);
  }
  return `"${text}"`;
}

const isText = (value: unknown): value is string => typeof value === 'string';

const isMissing = (value: unknown): boolean =>
  value === undefined || typeof value === 'function' || typeof value === 'symbol';

/**
 * The value that JSON.stringify would see: dates and others with toJSON in their JSON form. Bytes become base64, not a
 * list of numbers.
 */
function plainOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (ArrayBuffer.isView(value))
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  const convert = (value as { readonly toJSON?: unknown }).toJSON;
  return typeof convert === 'function' ? convert.call(value, '') : value;
}

function writeArray(items: readonly unknown[], depth: number, prefix: string, sink: Sink): string {
  let text = `${prefix}[`;
  let separator = '';
  for (const item of items) {
    text += separator;
    separator = ',';
    const plain = plainOf(item);
    text = isMissing(plain) ? `${text}null` : write(plain, depth + 1, text, sink);
  }
  return `${text}]`;
}

function writeObject(value: object, depth: number, prefix: string, sink: Sink): string {
  let text = `${prefix}{`;
  let separator = '';
  for (const name of sortedNames(value)) {
    const plain = plainOf((value as Readonly<Record<string, unknown>>)[name]);
    if (isMissing(plain)) continue;
    text = write(plain, depth + 1, `${text}${separator}${quoted(name)}:`, sink);
    separator = ',';
  }
  return `${text}}`;
}

/** Appends a value to the text before it, and passes the text to the sink when it is long. */
function write(value: unknown, depth: number, prefix: string, sink: Sink): string {
  if (depth > maxDepth) throw tooDeep();
  let text: string;
  if (isText(value)) text = prefix + quoted(value);
  else if (Array.isArray(value)) text = writeArray(value, depth, prefix, sink);
  else if (typeof value === 'object' && value !== null) text = writeObject(value, depth, prefix, sink);
  else if (typeof value === 'bigint') text = prefix + String(value);
  else text = prefix + JSON.stringify(value);
  if (text.length < pieceLength) return text;
  sink(text);
  return '';
}

/**
 * Canonical JSON after RFC 8785: names sorted, no white space, numbers as ECMAScript writes them (-0 is 0, 1e3 is 1000),
 * members without a value dropped. Equal JSON values give equal texts, and only they do.
 * @throws validation_failed when nested more than 256 levels deep
 */
export function canonicalJson(value: unknown): string {
  let text = '';
  const lastPiece = write(plainOf(value) ?? null, 0, '', (piece) => {
    text += piece;
  });
  return text + lastPiece;
}

/**
 * SHA-256 over the canonical JSON of `{ params, query, body }`, in base64url. If the answer is not JSON, its media type is
 * included. If the operation reads the If-Match header, the header is included. The order of names has no effect; the order of
 * list items has.
 * @throws validation_failed when nested more than 256 levels deep
 */
export function fingerprint(input: {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly representation?: string | undefined;
  readonly ifMatch?: unknown;
}): string {
  const { params, query, body, representation, ifMatch } = input;
  let digest: ReturnType<typeof createHash> | undefined;
  const lastPiece = write({ params, query, body, representation, ifMatch }, 0, '', (piece) => {
    digest ??= createHash('sha256');
    digest.update(piece, 'utf8');
  });
  return digest === undefined
    ? hash('sha256', lastPiece, 'base64url')
    : digest.update(lastPiece, 'utf8').digest('base64url');
}
