// Limits the part of a feed that is parsed. Called by rss-reader.ts with untrusted documents. The time that a parser takes
// depends on the number of tags, not on the length of the texts, and the parser blocks the process meanwhile. So the tags are
// counted first, in one pass, and items in the middle of a long feed are left out. Pure.

/**
 * The number of items that are parsed from each end of a feed, because some feeds begin with the newest item and others with the
 * oldest.
 */
const itemsAtEachEnd = 150;
/**
 * The maximum number of marks: tags, comments and CDATA sections of XML, or brackets and commas of JSON. A hundred items with all
 * fields that feeds use have a few thousand tags.
 */
const maxTags = 25_000;
/** The maximum length of all tags together, and of one tag, in characters. */
const maxMarkupLength = 400_000;
const maxTagLength = 32_768;

const tooMuchMarkup = () => new Error('It has too much markup.');

/** A position in the document, and the number of marks and the length of the tags before it. */
interface MarkupPosition {
  readonly at: number;
  readonly tagCount: number;
  readonly markup: number;
}

/**
 * The position after a tag. A `>` in a quoted value does not end the tag. A quoted value never contains `<`, so that an
 * apostrophe cannot reach another tag.
 */
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

/** The position after the next `sought`; the end if it does not occur. */
function afterText(text: string, sought: string, from: number): number {
  const index = text.indexOf(sought, from);
  return index < 0 ? text.length : index + sought.length;
}

const itemTag = /<(\/?)((?:[\w-]+:)?(?:item|entry))(?=[\s/>])/iy;

/** The positions before and after an item. */
interface Span {
  readonly start: MarkupPosition;
  readonly end: MarkupPosition;
}

/** Finds the items of a document, and counts its markup. @throws Error if there is too much markup in one place */
function scan(text: string): { readonly items: readonly Span[]; readonly total: MarkupPosition } {
  const items: Span[] = [];
  let [marks, markup, depth] = [0, 0, 0];
  let start: MarkupPosition = { at: 0, tagCount: marks, markup };
  let name: string | undefined;
  for (let at = text.indexOf('<'); at >= 0; ) {
    const tagStart: MarkupPosition = { at, tagCount: marks, markup };
    marks += 1;
    // Counts between two items, or within one.
    if (marks - (items.at(-1)?.end.tagCount ?? 0) > maxTags) throw tooMuchMarkup();
    let end: number;
    if (text.startsWith('<![CDATA[', at)) end = afterText(text, ']]>', at + 9);
    else if (text.startsWith('<!--', at)) end = afterText(text, '-->', at + 4);
    else if (text.startsWith('<?', at)) end = afterText(text, '?>', at + 2);
    else {
      end = afterTag(text, at + 1);
      markup += end - at;
      if (end - at > maxTagLength) throw tooMuchMarkup();
      itemTag.lastIndex = at;
      const [, slash, tagName] = itemTag.exec(text) ?? [];
      name ??= tagName;
      if (tagName !== undefined && tagName === name) {
        const isSelfClosing = slash === '' && text[end - 2] === '/';
        if (slash === '' && depth === 0) start = tagStart;
        if (!isSelfClosing) depth += slash === '' ? 1 : -1;
        if (depth <= 0 && (isSelfClosing || slash !== '')) {
          items.push({ start, end: { at: end, tagCount: marks, markup } });
          depth = 0;
        }
      }
    }
    at = text.indexOf('<', end);
  }
  return { items, total: { at: text.length, tagCount: marks, markup } };
}

/** The document with the items at its ends only. @throws Error if it has too much markup */
function boundedXml(text: string): string {
  const { items, total } = scan(text);
  const [cutStart, cutEnd] = [items[itemsAtEachEnd - 1]?.end, items[items.length - itemsAtEachEnd]?.start];
  const isCut = cutStart !== undefined && cutEnd !== undefined && cutEnd.at > cutStart.at;
  const remaining = isCut
    ? {
        tagCount: total.tagCount - cutEnd.tagCount + cutStart.tagCount,
        markup: total.markup - cutEnd.markup + cutStart.markup,
      }
    : total;
  if (remaining.tagCount > maxTags || remaining.markup > maxMarkupLength) throw tooMuchMarkup();
  return isCut ? text.slice(0, cutStart.at) + text.slice(cutEnd.at) : text;
}

/** The document itself. @throws Error if it has too many objects, lists and members */
function boundedJson(text: string): string {
  let marks = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '{' || sign === '[' || sign === ',') marks += 1;
    else if (sign === '"') for (at += 1; at < text.length && text[at] !== '"'; ) at += text[at] === '\\' ? 2 : 1;
    if (marks > maxTags) throw tooMuchMarkup();
  }
  return text;
}

/** The part of a feed that is parsed. @throws Error if it is too large, with a message of this file */
export function boundedFeed(document: string): string {
  const text = document.trim();
  return text.startsWith('{') ? boundedJson(text) : boundedXml(text);
}
