/**
 * Decides which URLs a mail may contain. Called for whole attribute values at publish and at render, and by code that
 * accepts variables. It decides by scheme only: relative URLs, app schemes and mailto are allowed.
 */

const REFUSED_SCHEMES: ReadonlySet<string> = new Set([
  ...['javascript', 'vbscript', 'livescript', 'mocha', 'data', 'file', 'blob', 'filesystem', 'about', 'view-source'],
]);

/** Attributes that contain a URL; `srcset` contains several. */
export const URL_ATTRIBUTES: ReadonlySet<string> = new Set([
  ...['href', 'src', 'srcset', 'action', 'formaction', 'background', 'poster', 'cite', 'data', 'longdesc', 'lowsrc'],
  ...['dynsrc', 'classid', 'codebase', 'icon', 'manifest', 'ping', 'profile', 'usemap', 'xlink:href'],
  ...['background-url', 'thumbnails-src', 'icon-wrapped-url', 'icon-unwrapped-url'],
]);

const NAMED: Readonly<Record<string, string>> = {
  ...{ colon: ':', tab: '\t', newline: '\n', amp: '&', sol: '/', quest: '?', num: '#', period: '.', plus: '+' },
  ...{
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    lpar: '(',
    rpar: ')',
    comma: ',',
    semi: ';',
    equals: '=',
    nbsp: '\u00a0',
  },
};

/** Resolves the character references that can occur in or before a scheme. */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,8});?|#[xX]([\da-fA-F]{1,8});?|([a-zA-Z]{2,8});?)/g, (whole, decimal, hex, name) => {
    if (name) return NAMED[String(name).toLowerCase()] ?? whole;
    const code = decimal ? Number.parseInt(decimal, 10) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

// The characters that URL parsers and mail clients skip inside a scheme: controls, spaces, soft hyphens and zero-width
// characters.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters it is about.
const SKIPPED = /[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\u2028\u2029\u2060\ufeff\ufffc]/g;

/** The scheme of a URL in lower case; '' if it has none; undefined while the text is too short to decide. */
export function schemeOf(url: string): string | undefined {
  const [, scheme, end] = /^([^:/?#]*)([:/?#]?)/.exec(url.replace(SKIPPED, '')) ?? [];
  if (end === ':') return (scheme ?? '').toLowerCase();
  return end ? '' : undefined;
}

/**
 * Whether a URL would run or contain code, or read a file: `javascript:`, `data:`, `vbscript:` and similar.
 * @param url the plain text of the URL, without character references (see decodeReferences)
 */
export function isUnsafeUrl(url: string): boolean {
  const scheme = schemeOf(url);
  return scheme !== undefined && REFUSED_SCHEMES.has(scheme);
}

const IMAGE_DATA = /^\s*data:image\/(?:png|gif|jpe?g|webp)[;,]/i;

/**
 * Whether a whole attribute value, as written in HTML, is unsafe. Data images that an author wrote into `src` are
 * allowed.
 */
export function isUnsafeAttribute(attribute: string, value: string): boolean {
  const text = decodeReferences(value);
  if (attribute === 'srcset') return text.split(',').some((candidate) => isUnsafeUrl(candidate));
  if (attribute === 'src' && IMAGE_DATA.test(text)) return false;
  return isUnsafeUrl(text);
}
