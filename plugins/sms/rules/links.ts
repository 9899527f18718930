// Checks the links of a message. Links on generic shorteners are refused, because carriers block them and recipients cannot see their
// target. A sign-in link must lead to the host that readers see in it. Every pass over a text is linear. Pure.
import { domainToASCII, domainToUnicode } from 'node:url';
import { domainsIn, parseUrl } from '../../../core/unstable.ts';

/** The domains of shorteners that anybody can use. Their subdomains count, too. */
const shorteners: ReadonlySet<string> = new Set([
  'bit.ly',
  'bitly.com',
  'bitly.ws',
  'j.mp',
  'tinyurl.com',
  'tiny.cc',
  'tiny.one',
  't.co',
  'goo.gl',
  'ow.ly',
  'is.gd',
  'v.gd',
  'buff.ly',
  'cutt.ly',
  'rb.gy',
  'rebrand.ly',
  'shorturl.at',
  'shorturl.asia',
  't.ly',
  's.id',
  'bl.ink',
  'lnkd.in',
  'dlvr.it',
  'adf.ly',
  'soo.gd',
  'clck.ru',
  'qr.ae',
  'trib.al',
  'ift.tt',
  'x.co',
  'snip.ly',
  'short.io',
  'urlz.fr',
  'vu.fr',
  'u.to',
  'po.st',
]);

/** A link in a text, with or without a scheme, because phones turn both into links. */
interface TextLink {
  /** Lower-case and ASCII. The text as written if it is not a host. */
  readonly host: string;
  /** Whether every parser finds the same host: no user, no backslash, no IP address, no disguised host. */
  readonly isPlain: boolean;
}

/** The start of a link with a scheme. Browsers accept any number of slashes and backslashes. */
const schemePattern = /https?:[\\/]+/i;
/** A possible host without a scheme. Dots of other scripts count as dots. */
const namePattern = /[\p{L}\p{N}_.。．｡-]+/gu;
const dots = /[.。．｡]/;
const ipv4Form = /^\d{1,3}(?:\.\d{1,3}){3}$/;
/** The port, and the start of a path. The remaining characters of the word belong to the path. */
const pathPattern = /^(?::\d{1,5})?[\\/?#]/;
/** Characters at the end of a link that belong to the sentence. */
const closingMarks = new Set('.,;:!?)]}>"\'»”’');

const isAddress = (host: string): boolean => host.startsWith('[') || ipv4Form.test(host);

const longestShown = 100;

function withoutClosing(text: string): string {
  let end = text.length;
  while (end > 0 && closingMarks.has(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

const withoutLastDot = (host: string): string => (host.endsWith('.') ? host.slice(0, -1) : host);

/**
 * The hosts in a name such as go.example.com or 192.0.2.7: the name itself, and domains in it that are surrounded by text of another
 * script. Empty for other words.
 */
function hostsOfName(name: string): string[] {
  const labels = name.normalize('NFKC').toLowerCase().split(dots).filter(Boolean);
  const last = labels.at(-1);
  if (labels.length < 2 || last === undefined) return [];
  const host = labels.join('.');
  if (ipv4Form.test(host)) return [host];
  const wholeHost = /^\p{L}/u.test(last) ? domainToASCII(host) : '';
  const inside = /^[\0-\x7f]*$/.test(host) ? [] : domainsIn(host).map(({ start, end }) => host.slice(start, end));
  return [...new Set([wholeHost, ...inside.map(domainToASCII)])].filter((one) => one !== '');
}

/** The links that are written without a scheme. */
function bareLinks(text: string): TextLink[] {
  const links: TextLink[] = [];
  for (const { 0: name, index } of text.matchAll(namePattern)) {
    const end = index + name.length;
    // In a mail address, the local part is not a host, but the domain is.
    const hosts = text.charAt(end) === '@' ? [] : hostsOfName(name);
    if (hosts.length === 0) continue;
    links.push(...hosts.map((host) => ({ host, isPlain: !isAddress(host) })));
    if (pathPattern.test(text.slice(end, end + 7))) break;
  }
  return links;
}

/** A link with a scheme, parsed as browsers do (WHATWG URL). */
function schemeLink(linkText: string): TextLink {
  const url = parseUrl(linkText);
  if (url === undefined || url.hostname === '') return { host: linkText.slice(0, longestShown), isPlain: false };
  const host = withoutLastDot(url.hostname);
  const lower = linkText.toLowerCase();
  const isSpelledOut = [url.hostname, domainToUnicode(url.hostname)].some((name) => {
    const start = `${url.protocol}//${name}`;
    return lower.startsWith(start) && /^[:/?#]?$/.test(lower.charAt(start.length));
  });
  const isName = !isAddress(host) && url.username === '' && url.password === '';
  return { host, isPlain: isName && isSpelledOut && !/[\s\\]/.test(linkText) };
}

/** The links of one word. From the first link with a scheme, the remaining characters of the word belong to that link. */
function linksIn(word: string): TextLink[] {
  const at = word.search(schemePattern);
  if (at === -1) return bareLinks(word);
  const linkText = withoutClosing(word.slice(at));
  // Some parsers end the link elsewhere than a browser does, so names inside the link are checked, too.
  const names = bareLinks(linkText.replace(schemePattern, ''));
  return [...bareLinks(word.slice(0, at)), schemeLink(linkText), ...names];
}

/**
 * The text itself, and the text without invisible characters such as soft hyphens. Parsers drop such a character, or end a link
 * at it.
 */
const textVariants = (text: string): string[] => [...new Set([text, text.replace(/\p{Cf}/gu, '')])];

const linksOf = (text: string): TextLink[] => textVariants(text).flatMap((read) => read.split(/\s+/).flatMap(linksIn));

/** The hosts of the links in a text, lower-case and ASCII. */
export const linkHosts = (text: string): string[] => [...new Set(linksOf(text).map(({ host }) => host))];

const isBelow = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`);

/** The first host of a generic shortener in a text. */
export const shortenerIn = (text: string): string | undefined =>
  linkHosts(text).find((host) => [...shorteners].some((domain) => isBelow(host, domain)));

/** The host of the first link that does not plainly lead to one of these domains. IP addresses never do. */
export const hostOutside = (text: string, domains: readonly string[]): string | undefined =>
  linksOf(text).find(({ host, isPlain }) => !isPlain || !domains.includes(host))?.host;

/** Checks a value that must be a single link. Returns its host if it does not plainly lead to one of these domains. */
export function hostOfOtherLink(url: string, domains: readonly string[]): string | undefined {
  const { host, isPlain } = schemeLink(url);
  return isPlain && domains.includes(host) ? undefined : host;
}
