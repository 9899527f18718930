// Finds the links of a rendered message and replaces them with other URLs. Pure, and linear in the length of the HTML.
// Called at delivery: variables that are output `raw` may contain links too, so the compiled template does not contain all links.

/** The value of an attribute, as offsets in the HTML. */
interface OffsetRange {
  readonly from: number;
  readonly to: number;
}

const space = /\s/;
const namedEntities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * The plain text of an attribute's value; undefined if it contains a character reference that this function does not know. A `&`
 * that does not begin a reference, as in `?a=1&b=2`, stays.
 */
function decodeAttribute(value: string): string | undefined {
  if (!value.includes('&')) return value;
  let isKnown = true;
  const text = value.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{2,32}));/g, (_, decimal, hex, name) => {
    const code = name === undefined ? Number.parseInt(decimal ?? hex, decimal === undefined ? 16 : 10) : 0;
    const decoded =
      name === undefined ? (code <= 0x10ffff ? String.fromCodePoint(code) : undefined) : namedEntities[name];
    isKnown &&= decoded !== undefined;
    return decoded ?? '';
  });
  return isKnown ? text : undefined;
}

/** Escapes a URL for a double-quoted or single-quoted attribute. */
export const escapeAttribute = (url: string): string =>
  url.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#39;').replaceAll('<', '&lt;');

function skip(html: string, from: number, isSkipped: (char: string) => boolean): number {
  let at = from;
  while (at < html.length && isSkipped(html.charAt(at))) at += 1;
  return at;
}

const isBetween = (char: string): boolean => space.test(char) || char === '/';
const isName = (char: string): boolean => !space.test(char) && char !== '=' && char !== '>' && char !== '/';
const isBlank = (char: string): boolean => space.test(char);

/** The href of a start tag whose attributes begin at `from`, and the end of the tag; undefined if the tag never ends. */
function readTag(
  html: string,
  from: number,
): { readonly href: OffsetRange | undefined; readonly end: number } | undefined {
  let href: OffsetRange | undefined;
  let at = from;
  for (;;) {
    at = skip(html, at, isBetween);
    if (at >= html.length) return undefined;
    if (html.charAt(at) === '>') return { href, end: at + 1 };
    // A name may begin with `=`. Consuming that character ensures that the loop advances.
    const nameEnd = skip(html, at + 1, isName);
    const name = html.slice(at, nameEnd).toLowerCase();
    const equals = skip(html, nameEnd, isBlank);
    if (html.charAt(equals) !== '=') {
      at = nameEnd;
      continue;
    }
    const begin = skip(html, equals + 1, isBlank);
    const quote = html.charAt(begin);
    const isQuoted = quote === '"' || quote === "'";
    const value: OffsetRange = isQuoted
      ? { from: begin + 1, to: html.indexOf(quote, begin + 1) }
      : { from: begin, to: skip(html, begin, (char) => !space.test(char) && char !== '>') };
    if (value.to < 0) return undefined;
    // If two attributes have the same name, the first counts. Values without quotes stay as they are.
    if (name === 'href' && isQuoted) href ??= value;
    at = isQuoted ? value.to + 1 : value.to;
  }
}

/**
 * Replaces the targets of `<a>` and `<area>`. `replace` gets the plain URL. It returns another URL, or undefined to keep the link as
 * it is.
 */
export function replaceLinks(html: string, replace: (url: string) => string | undefined): string {
  const opening = /<(?:a|area)(?=[\s/])/gi;
  let out = '';
  let copied = 0;
  for (let match = opening.exec(html); match !== null; match = opening.exec(html)) {
    const tag = readTag(html, opening.lastIndex);
    if (tag === undefined) break;
    opening.lastIndex = tag.end;
    if (tag.href === undefined) continue;
    const url = decodeAttribute(html.slice(tag.href.from, tag.href.to));
    const other = url === undefined ? undefined : replace(url.trim());
    if (other === undefined) continue;
    out += html.slice(copied, tag.href.from) + escapeAttribute(other);
    copied = tag.href.to;
  }
  return out + html.slice(copied);
}
