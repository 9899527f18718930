// Plain text of the HTML in feeds. Called by rss-feed.ts and rss-reader.ts with untrusted texts. It takes one pass for any input. Its
// result is text, not safe HTML.

/** Elements that may occur inside a word or a sentence. Any other element ends a word. */
const inlineElements: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo cite code del dfn em font i ins kbd mark q s samp small span strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);

/** Elements whose content is not shown to readers. */
const hiddenElements: ReadonlySet<string> = new Set(
  'head iframe math noembed noframes noscript object script style svg template textarea title'.split(' '),
);

const tagStart = /<\/?([a-z][a-z\d:-]*)/iy;

/** The position after the `>` that ends a tag. A `>` in a quoted value does not end it. */
function afterTag(html: string, from: number): number {
  let quote = '';
  let previous = '';
  for (let at = from; at < html.length; at += 1) {
    const sign = html[at] as string;
    if (quote !== '') {
      if (sign === quote) quote = '';
      else continue;
    } else if (sign === '>') return at + 1;
    else if (previous === '=' && (sign === '"' || sign === "'")) quote = sign;
    if (!/\s/.test(sign)) previous = sign;
  }
  return html.length;
}

/** The text without tags, comments and elements that are not shown. Character references are not resolved yet. */
function withoutTags(html: string): string {
  let text = '';
  for (let at = 0; at < html.length; ) {
    const tagStartIndex = html.indexOf('<', at);
    if (tagStartIndex < 0) return text + html.slice(at);
    text += html.slice(at, tagStartIndex);
    tagStart.lastIndex = tagStartIndex;
    const name = tagStart.exec(html)?.[1]?.toLowerCase();
    if (html.startsWith('<!--', tagStartIndex)) {
      const end = html.indexOf('-->', tagStartIndex + 4);
      at = end < 0 ? html.length : end + 3;
    } else if (name !== undefined) {
      at = afterTag(html, tagStartIndex + 1);
      if (!inlineElements.has(name)) text += ' ';
      if (hiddenElements.has(name) && html[tagStartIndex + 1] !== '/') {
        const end = html.slice(at).search(new RegExp(`</${name}`, 'i'));
        at = end < 0 ? html.length : at + end;
      }
    } else if (/[!?/]/.test(html[tagStartIndex + 1] ?? '')) {
      const end = html.indexOf('>', tagStartIndex);
      at = end < 0 ? html.length : end + 1;
    } else {
      // A plain `<`, as in 1 < 2.
      text += '<';
      at = tagStartIndex + 1;
    }
  }
  return text;
}

/** The letters of Latin-1 from À on, by their names in HTML. */
const latin =
  'Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
    .split(' ')
    .map((name, index) => [name, String.fromCodePoint(0xc0 + index)] as const);

/** Signs of Latin-1 before À. */
const signs =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest'
    .split(' ')
    .map((name, index) => [name, String.fromCodePoint(0xa0 + index)] as const);

const namedEntities: ReadonlyMap<string, string> = new Map([
  ...latin,
  ...signs,
  ...Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }),
  ...Object.entries({ ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', sbquo: '‚', ldquo: '“', rdquo: '”', bdquo: '„' }),
  ...Object.entries({
    hellip: '…',
    bull: '•',
    euro: '€',
    trade: '™',
    lsaquo: '‹',
    rsaquo: '›',
    minus: '−',
    dagger: '†',
  }),
  ...Object.entries({ OElig: 'Œ', oelig: 'œ', Scaron: 'Š', scaron: 'š', Yuml: 'Ÿ', larr: '←', rarr: '→', permil: '‰' }),
  ...Object.entries({ ensp: ' ', emsp: ' ', thinsp: ' ', zwnj: '\u200c', zwj: '\u200d', lrm: '', rlm: '' }),
]);

/** The characters of Windows-1252 from 0x80 to 0x9F, where Unicode has control characters. Five positions are unused. */
const windowsSigns = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Replaces control characters with characters of Windows-1252. Some versions of Node decode its bytes to control characters. */
export const withWindowsSigns = (text: string): string =>
  text.replace(/[\x80-\x9f]/g, (sign) => windowsSigns[sign.charCodeAt(0) - 0x80] ?? sign);

/** The character of a numeric reference, by the rules of HTML. */
function signOf(code: number): string {
  if (code >= 0x80 && code <= 0x9f) return withWindowsSigns(String.fromCodePoint(code));
  const isSign = code > 0 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff);
  return isSign ? String.fromCodePoint(code) : '\ufffd';
}

const reference = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][a-z\d]{1,9}));/gi;

/** The text with its character references resolved. Unknown names stay. */
const decoded = (text: string): string =>
  text.replace(reference, (whole, decimal?: string, hexadecimal?: string, name?: string) => {
    if (name !== undefined) return namedEntities.get(name) ?? whole;
    return signOf(decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal));
  });

/** A whole tag that was written as text, because many feeds encode their HTML twice. */
const writtenTag = /<\/?[a-z][a-z\d]*(?:\s[^<>]*)?\/?>/gi;

/** The readable text of some HTML. */
export const textOfHtml = (html: string): string => decoded(withoutTags(html)).replace(writtenTag, ' ');
