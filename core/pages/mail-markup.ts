// Splits the HTML of a message into tags and text as browsers do, in one pass and without building a tree, and edits it
// in place. Used to list links and to adapt a message for display. Not a sanitiser: the sandbox and the content security
// policy of the frame keep HTML harmless.

/** An attribute. `start` and `end` are the bounds of its value as written, without quotes. */
export interface MarkupAttribute {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** A piece of markup. Comments and declarations other than the doctype are left out. */
export type MarkupToken =
  | { readonly kind: 'text'; readonly start: number; readonly end: number }
  | { readonly kind: 'doctype'; readonly end: number }
  | {
      readonly kind: 'open';
      readonly name: string;
      readonly attributes: ReadonlyMap<string, MarkupAttribute>;
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
  text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,4}));/gi,
    (reference, hex, decimal, name: string | undefined) => {
      if (name !== undefined) return references[name.toLowerCase()] ?? reference;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
        ? String.fromCodePoint(code)
        : reference;
    },
  );

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
  const quoteEnd = html.indexOf(quote, from + 1);
  const end = quoteEnd === -1 ? html.length : quoteEnd;
  return { start: from + 1, end, next: end + 1 };
}

const noAttributes: ReadonlyMap<string, MarkupAttribute> = new Map();

function readAttributes(html: string, from: number): { attributes: ReadonlyMap<string, MarkupAttribute>; end: number } {
  let at = skipBlanks(html, from);
  if (html[at] === '>') return { attributes: noAttributes, end: at + 1 };
  const attributes = new Map<string, MarkupAttribute>();
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
function positionAfter(html: string, mark: string, from: number): number {
  const markStart = html.indexOf(mark, from);
  return markStart === -1 ? html.length : markStart + mark.length;
}

/** Yields the pieces of a message's HTML, in order. */
export function* readMarkup(html: string): Generator<MarkupToken> {
  const lower = html.toLowerCase();
  // Lower-casing may change the length of text in other scripts, and positions must match the original text.
  const searchableHtml = lower.length === html.length ? lower : html;
  let at = 0;
  let textStart = 0;
  while (at < html.length) {
    const tagStart = html.indexOf('<', at);
    if (tagStart === -1) break;
    const isClose = html[tagStart + 1] === '/';
    const first = html[tagStart + (isClose ? 2 : 1)] ?? '';
    const isTag = /[a-z]/i.test(first);
    const isOther = first === '!' || first === '?' || (isClose && first !== '');
    if (!isTag && !isOther) {
      at = tagStart + 1;
      continue;
    }
    if (tagStart > textStart) yield { kind: 'text', start: textStart, end: tagStart };
    if (!isTag) {
      at = html.startsWith('<!--', tagStart)
        ? positionAfter(html, '-->', tagStart + 4)
        : positionAfter(html, '>', tagStart + 1);
      if (searchableHtml.startsWith('<!doctype', tagStart)) yield { kind: 'doctype', end: at };
      textStart = at;
      continue;
    }
    const nameStart = tagStart + (isClose ? 2 : 1);
    const nameStop = until(html, nameStart, nameEnd);
    const name = html.slice(nameStart, nameStop).toLowerCase();
    const { attributes, end } = readAttributes(html, nameStop);
    at = end;
    if (isClose) yield { kind: 'close', name };
    else {
      yield { kind: 'open', name, attributes, end };
      if (rawElements.has(name)) {
        const close = searchableHtml.indexOf(`</${name}`, at);
        const rawEnd = close === -1 ? html.length : close;
        if (rawEnd > at) yield { kind: 'raw', name, start: at, end: rawEnd };
        at = rawEnd;
      }
    }
    textStart = at;
  }
  if (html.length > textStart) yield { kind: 'text', start: textStart, end: html.length };
}

/** A text in place of the markup between two positions. */
export interface MarkupEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The markup with these edits, which must not overlap. */
export function editedMarkup(html: string, edits: readonly MarkupEdit[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start)) {
    pieces.push(html.slice(at, start), text);
    at = end;
  }
  return [...pieces, html.slice(at)].join('');
}

const escapeValue = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/'/g, '&#39;');

/** The edit that changes the value of an attribute. Empty if the value is missing, is empty or stays the same. */
export function attributeEdits(
  attribute: MarkupAttribute | undefined,
  change: (value: string) => string,
): MarkupEdit[] {
  if (attribute === undefined || attribute.start === attribute.end) return [];
  const text = change(attribute.value);
  return text === attribute.value ? [] : [{ start: attribute.start, end: attribute.end, text: escapeValue(text) }];
}
