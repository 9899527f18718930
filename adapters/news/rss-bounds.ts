// How much of a feed is parsed. Called by rss-reader.ts with documents of strangers. A parser takes its time for each tag, not for
// each letter, and stops the process meanwhile: so the tags are counted first, in one pass, and old pieces are left out. Pure.

/** As many pieces are parsed from either end of a feed: some begin with the newest one, some with the oldest. */
const keptAtEachEnd = 150;
/** A hundred pieces with all that feeds say of them have a few thousand. */
const maxMarks = 25_000;
/** The letters of all tags together, and of one. */
const maxMarkup = 400_000;
const maxTag = 32_768;

const tooMuch = () => new Error('It has too much markup.');

/** A place in the document, and how much markup lies before it. */
interface Mark {
  readonly at: number;
  readonly marks: number;
  readonly markup: number;
}

/** Where a tag ends. A `>` in a quoted value ends none; a `<` never lies in one, so that an apostrophe reaches no other tag. */
function afterTag(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '>') return at + 1;
    if (sign === '<') return at;
    if (sign !== '"' && sign !== "'") continue;
    let close = at + 1;
    while (close < text.length && text[close] !== sign && text[close] !== '<') close += 1;
    if (text[close] === sign) at = close;
  }
  return text.length;
}

/** After the first `sought` from a place on; the end where there is none. */
function after(text: string, sought: string, from: number): number {
  const found = text.indexOf(sought, from);
  return found < 0 ? text.length : found + sought.length;
}

const itemTag = /<(\/?)((?:[\w-]+:)?(?:item|entry))(?=[\s/>])/iy;

/** The places before and after each piece. */
interface Span {
  readonly start: Mark;
  readonly end: Mark;
}

/** Finds the pieces of a document, and counts its markup. @throws Error where there is too much of it in one place */
function scan(text: string): { readonly items: readonly Span[]; readonly total: Mark } {
  const items: Span[] = [];
  let [marks, markup, depth] = [0, 0, 0];
  let start: Mark = { at: 0, marks, markup };
  let name: string | undefined;
  for (let at = text.indexOf('<'); at >= 0; ) {
    const before: Mark = { at, marks, markup };
    marks += 1;
    // Between two pieces, or within one.
    if (marks - (items.at(-1)?.end.marks ?? 0) > maxMarks) throw tooMuch();
    let end: number;
    if (text.startsWith('<![CDATA[', at)) end = after(text, ']]>', at + 9);
    else if (text.startsWith('<!--', at)) end = after(text, '-->', at + 4);
    else if (text.startsWith('<?', at)) end = after(text, '?>', at + 2);
    else {
      end = afterTag(text, at + 1);
      markup += end - at;
      if (end - at > maxTag) throw tooMuch();
      itemTag.lastIndex = at;
      const [, slash, found] = itemTag.exec(text) ?? [];
      name ??= found;
      if (found !== undefined && found === name) {
        const isAlone = slash === '' && text[end - 2] === '/';
        if (slash === '' && depth === 0) start = before;
        if (!isAlone) depth += slash === '' ? 1 : -1;
        if (depth <= 0 && (isAlone || slash !== '')) {
          items.push({ start, end: { at: end, marks, markup } });
          depth = 0;
        }
      }
    }
    at = text.indexOf('<', end);
  }
  return { items, total: { at: text.length, marks, markup } };
}

/** The document with the pieces at its ends only. @throws Error where its markup is too much */
function boundedXml(text: string): string {
  const { items, total } = scan(text);
  const [cut, rest] = [items[keptAtEachEnd - 1]?.end, items[items.length - keptAtEachEnd]?.start];
  const isCut = cut !== undefined && rest !== undefined && rest.at > cut.at;
  const left = isCut
    ? { marks: total.marks - rest.marks + cut.marks, markup: total.markup - rest.markup + cut.markup }
    : total;
  if (left.marks > maxMarks || left.markup > maxMarkup) throw tooMuch();
  return isCut ? text.slice(0, cut.at) + text.slice(rest.at) : text;
}

/** The document itself. @throws Error where it has too many objects and lists */
function boundedJson(text: string): string {
  let marks = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '{' || sign === '[' || sign === ',') marks += 1;
    else if (sign === '"') for (at += 1; at < text.length && text[at] !== '"'; ) at += text[at] === '\\' ? 2 : 1;
    if (marks > maxMarks) throw tooMuch();
  }
  return text;
}

/** As much of a feed as is parsed. @throws Error where that is too much, in words of our own */
export function bounded(document: string): string {
  const text = document.trim();
  return text.startsWith('{') ? boundedJson(text) : boundedXml(text);
}
