// Splits a message's HTML into tags and text like a browser, in one pass and without building a tree. Used to list links and
// to adapt a message for display. Not a sanitiser: the frame's sandbox and its content security policy keep HTML harmless.

/** An attribute. `start` and `end` are the bounds of its value as written, without quotes. */
export interface Attribute {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** A piece of markup. Comments and declarations other than the doctype are left out. */
export type Token =
  | { readonly kind: 'text'; readonly start: number; readonly end: number }
  | { readonly kind: 'doctype'; readonly end: number }
  | {
      readonly kind: 'open';
      readonly name: string;
      readonly attributes: ReadonlyMap<string, Attribute>;
      readonly end: number;
    }
  | { readonly kind: 'close'; readonly name: string }
  /** The content of style, script, title or textarea. */
  | { readonly kind: 'raw'; readonly name: string; readonly start: number; readonly end: number };

const rawElements: ReadonlySet<string> = new Set(['style', 'script', 'title', 'textarea']);
const references: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};

/** Text with the common character references resolved. */
export const decodeText = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,4}));/gi, (whole, hex, decimal, name: string | undefined) => {
    if (name !== undefined) return references[name.toLowerCase()] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : whole;
  });

const blank = /[\s/]/;
const nameEnd = /[\s/>]/;
const attributeEnd = /[\s/>=]/;

/** The first position from `from` on that matches `stop`, or the end. */
function until(html: string, from: number, stop: RegExp): number {
  let at = from;
  while (at < html.length && !stop.test(html[at] as string)) at += 1;
  return at;
}

function skipBlanks(html: string, from: number): number {
  let at = from;
  while (at < html.length && blank.test(html[at] as string)) at += 1;
  return at;
}

/** Reads the value that begins at `from`, after the equals sign. */
function readValue(html: string, from: number): { start: number; end: number; next: number } {
  const quote = html[from];
  if (quote !== '"' && quote !== "'") {
    const end = until(html, from, /[\s>]/);
    return { start: from, end, next: end };
  }
  const found = html.indexOf(quote, from + 1);
  const end = found === -1 ? html.length : found;
  return { start: from + 1, end, next: end + 1 };
}

const noAttributes: ReadonlyMap<string, Attribute> = new Map();

function readAttributes(html: string, from: number): { attributes: ReadonlyMap<string, Attribute>; end: number } {
  let at = skipBlanks(html, from);
  if (html[at] === '>') return { attributes: noAttributes, end: at + 1 };
  const attributes = new Map<string, Attribute>();
  while (at < html.length && html[at] !== '>') {
    // An equals sign at the beginning is part of the name.
    const nameStop = until(html, at + 1, attributeEnd);
    const name = html.slice(at, nameStop).toLowerCase();
    at = nameStop;
    const equals = until(html, at, /\S/);
    let value = { start: at, end: at, next: at };
    if (html[equals] === '=') value = readValue(html, until(html, equals + 1, /\S/));
    at = skipBlanks(html, value.next);
    if (!attributes.has(name)) {
      const { start, end } = value;
      attributes.set(name, { value: decodeText(html.slice(start, end)), start, end });
    }
  }
  return { attributes, end: Math.min(at + 1, html.length) };
}

/** The position after `mark`, or the end if `mark` is not found. */
function behind(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found === -1 ? html.length : found + mark.length;
}

/** Yields the pieces of a message's HTML, in order. */
export function* readMarkup(html: string): Generator<Token> {
  const lower = html.toLowerCase();
  // Lower-casing may change the length of text in other scripts, and positions must match the original text.
  const searched = lower.length === html.length ? lower : html;
  let at = 0;
  let text = 0;
  while (at < html.length) {
    const less = html.indexOf('<', at);
    if (less === -1) break;
    const isClose = html[less + 1] === '/';
    const first = html[less + (isClose ? 2 : 1)] ?? '';
    const isTag = /[a-z]/i.test(first);
    const isOther = first === '!' || first === '?' || (isClose && first !== '');
    if (!isTag && !isOther) {
      at = less + 1;
      continue;
    }
    if (less > text) yield { kind: 'text', start: text, end: less };
    if (!isTag) {
      at = html.startsWith('<!--', less) ? behind(html, '-->', less + 4) : behind(html, '>', less + 1);
      if (searched.startsWith('<!doctype', less)) yield { kind: 'doctype', end: at };
      text = at;
      continue;
    }
    const nameStart = less + (isClose ? 2 : 1);
    const nameStop = until(html, nameStart, nameEnd);
    const name = html.slice(nameStart, nameStop).toLowerCase();
    const { attributes, end } = readAttributes(html, nameStop);
    at = end;
    if (isClose) yield { kind: 'close', name };
    else {
      yield { kind: 'open', name, attributes, end };
      if (rawElements.has(name)) {
        const close = searched.indexOf(`</${name}`, at);
        const stop = close === -1 ? html.length : close;
        if (stop > at) yield { kind: 'raw', name, start: at, end: stop };
        at = stop;
      }
    }
    text = at;
  }
  if (html.length > text) yield { kind: 'text', start: text, end: html.length };
}
