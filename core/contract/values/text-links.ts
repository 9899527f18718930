// Links in plain texts: web addresses with a scheme, and bare domains such as acme.careers. Called by all code that looks for
// links in texts of people, which adds the rules of a network or a carrier. Linear in the length of the text. Pure.

import { domainToASCII } from 'node:url';
import { REBuilder } from 'linkify-it';
import { parse } from 'tldts';
import { parseUrl } from './parse-url.ts';

/** A part of a text. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A web address in a text. `url` always has a scheme. */
export interface TextLink extends TextRange {
  readonly url: string;
}

/** The characters around a dot. */
interface DomainRun {
  /** The longest domain that ends with a top-level domain; undefined if there is none. */
  readonly domain: TextRange | undefined;
  /** The end of the run of letters, digits, dots and hyphens around the dot. */
  readonly end: number;
}

const suffixes = { allowPrivateDomains: false, extractHostname: false, validateHostname: false, detectIp: false };

const isPublic = (domain: string): boolean => parse(domain, suffixes).isIcann === true;

/**
 * Whether the label is a current top-level domain according to the Public Suffix List, or the ASCII form of one. The list
 * contains some top-level domains only with their second level.
 */
const isTopLevelDomain = (label: string): boolean => {
  const name = label.toLowerCase();
  return /^xn--[a-z0-9]/.test(name) || isPublic(`a.${name}`) || isPublic(`a.co.${name}`);
};

const longestDomain = 253;
/** The longest top-level domain with letters outside of ASCII, in characters. */
const longestSuffix = 16;
const asciiWord = /[a-z0-9-]+/iy;
const otherWord = /[\p{L}\p{M}\u200c\u200d]+/uy;

function wordAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

/**
 * The end of the top-level domain that begins at `from`; undefined if there is none. Text of another script may follow directly.
 */
export function topLevelEnd(text: string, from: number): number | undefined {
  const ascii = wordAt(asciiWord, text, from);
  if (ascii !== '' && isTopLevelDomain(ascii)) {
    const end = from + ascii.length;
    return /[@+]/.test(text.charAt(end)) ? undefined : end;
  }
  const word = [...wordAt(otherWord, text.slice(0, from + 2 * longestSuffix), from)].slice(0, longestSuffix + 1);
  for (; word.length > 0 && word.join('').length > ascii.length; word.pop()) {
    const end = from + word.join('').length;
    if (!/[\w@+-]/.test(text.charAt(end)) && isTopLevelDomain(word.join(''))) return end;
  }
  return undefined;
}

/** Whether every label of a host is valid, and the whole host has an ASCII form (RFC 5890). */
function isDomain(host: string): boolean {
  const ascii = domainToASCII(host);
  const labels = ascii.split('.');
  return ascii !== '' && ascii.length <= longestDomain && labels.every((label) => /^(?!-).{1,63}(?<!-)$/.test(label));
}

/** A Latin letter, with or without accents, a digit, a hyphen or a dot. */
const domainLetter = /[a-z0-9.\-\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff]|[\u0300-\u036f]/i;

/** The longest domain around the dot at `dot` that begins at `from` or later. */
function domainAround(text: string, dot: number, from: number): DomainRun {
  let start = dot;
  while (start > from && domainLetter.test(text.charAt(start - 1))) start -= 1;
  let runEnd = dot + 1;
  while (runEnd - dot < longestDomain && domainLetter.test(text.charAt(runEnd))) runEnd += 1;
  const dots = text.slice(dot, runEnd);
  for (let at = dots.lastIndexOf('.'); at >= 0; at = at === 0 ? -1 : dots.lastIndexOf('.', at - 1)) {
    const end = topLevelEnd(text, dot + at + 1);
    if (end !== undefined && end - start <= longestDomain && isDomain(text.slice(start, end)))
      return { domain: { start, end }, end: Math.max(runEnd, end) };
  }
  return { domain: undefined, end: runEnd };
}

/** The bare domains of a text. Text of other scripts may surround them without a space. */
export function domainsIn(text: string): TextRange[] {
  const domains: TextRange[] = [];
  let from = 0;
  for (let dot = text.indexOf('.'); dot !== -1; dot = text.indexOf('.', from)) {
    const { domain, end } = domainAround(text, dot, from);
    if (domain !== undefined) domains.push(domain);
    from = domain?.end ?? end;
  }
  return domains;
}

const scheme = /https?:(?=\/\/)/gi;
/** If one of these characters directly precedes a link, the link is a part of another word. */
const wordBefore = /[a-z0-9@$#＠＃]/i;

/** Scripts in which a text may continue directly after an address, without a space. */
const unspaced =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
/** Japanese particles and endings: they seldom begin a path, but often continue a sentence. */
const particle = /\p{Script=Hiragana}/u;
const latin = /[a-z]/i;
const otherLetter = /(?!\p{Script=Latin})\p{L}/u;
/** Characters that an address cannot contain: spaces, direction controls, broken characters, punctuation of other scripts. */
const outside = /(?![\u200c\u200d])[\s\p{C}\ufffd]|(?![!-~])\p{P}/u;

/**
 * Whether the sentence continues at `char`: a letter of another script, directly after the address, without punctuation
 * between.
 */
function sentenceContinues(before: string, char: string): boolean {
  if (latin.test(before) && otherLetter.test(char)) return true;
  if (!unspaced.test(char) || unspaced.test(before)) return false;
  return /[\p{L}\p{M}\p{N}]/u.test(before) || (particle.test(char) && before !== '=');
}

/** The end of the word that began before `from`. No path reaches beyond it. */
function wordEnd(text: string, from: number): number {
  let at = from;
  let before = '';
  for (; at < text.length; at += before.length) {
    const char = String.fromCodePoint(text.codePointAt(at) ?? 0);
    if (sentenceContinues(before, char) || outside.test(char)) break;
    before = char;
  }
  return at;
}

/** The end of the host in a text such as `acme.comです`; undefined if the whole text is the host. */
function domainEndOf(host: string): number | undefined {
  const isKnown = isTopLevelDomain(host.slice(host.lastIndexOf('.') + 1));
  for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1)) {
    const end = topLevelEnd(host, dot + 1) ?? host.length;
    if (end === host.length || host.charAt(end) === '.') continue;
    if (!isKnown || unspaced.test(String.fromCodePoint(host.codePointAt(end) ?? 0))) return end;
  }
  return undefined;
}

/** Characters that enclose an emphasised text. */
const emphasis = ['*', '_', '~', '`'];

/** The end of the address without trailing colons and asterisks, and without the mark that closes an emphasis around it. */
function withoutEmphasis(text: string, start: number, end: number): number {
  const mark = text.charAt(start - 1);
  const isMarked = emphasis.includes(mark);
  let to = end;
  while (to > start && ('*:'.includes(text.charAt(to - 1)) || (isMarked && text.charAt(to - 1) === mark))) to -= 1;
  return to;
}

/** Optional user and password, then a host: an IPv6 address, or a name that ends with a letter, a digit or an emoji. */
const hostPattern =
  /\/\/(?:[\w.~!$&'*+,;=:%-]{0,100}@)?((?:[\p{L}\p{M}\p{N}\p{So}\p{Emoji_Modifier}._-]|\u200c|\u200d){0,252}[\p{L}\p{M}\p{N}\p{So}\p{Emoji_Modifier}]|\[[\da-f:.]{2,45}\])/iuy;

let tailPattern: RegExp | undefined;

/**
 * The text after a host: port, path, query and fragment. The expression has no `i` flag: V8 compiles it ten times slower with it.
 */
function tailOf(word: string): string {
  const forms = new REBuilder();
  tailPattern ??= new RegExp(forms.get_port().source + forms.get_path().source, 'y');
  return wordAt(tailPattern, word, 0);
}

interface ReadLink {
  /** Undefined if it is not a valid URL. */
  readonly link: TextLink | undefined;
  readonly end: number;
}

/** Reads the links of one text. Each end of a word is searched only once. */
function linkReader(text: string) {
  let end = 0;
  const endOfLink = (host: number): number => {
    if (host > end) end = wordEnd(text, host);
    return host + tailOf(text.slice(host, end)).length;
  };
  const readLink = (start: number, to: number, prefix: string): ReadLink => {
    const linkEnd = withoutEmphasis(text, start, to);
    const url = prefix + text.slice(start, linkEnd);
    return parseUrl(url) !== undefined
      ? { link: { start, end: linkEnd, url }, end: linkEnd }
      : { link: undefined, end: to };
  };
  return {
    withScheme(start: number, afterScheme: number): ReadLink {
      hostPattern.lastIndex = afterScheme;
      const [authority, host = ''] = hostPattern.exec(text) ?? [];
      if (authority === undefined) return { link: undefined, end: afterScheme };
      const hostEnd = afterScheme + authority.length;
      const cut = domainEndOf(host);
      return readLink(start, cut === undefined ? endOfLink(hostEnd) : hostEnd - host.length + cut, '');
    },
    bare: ({ start, end: domainEnd }: TextRange): ReadLink => readLink(start, endOfLink(domainEnd), 'https://'),
  };
}

/** The web addresses with a scheme, in order. They do not include punctuation and brackets of the sentence. */
export function linksIn(text: string): TextLink[] {
  const links: TextLink[] = [];
  const { withScheme } = linkReader(text);
  let from = 0;
  for (const { 0: schemeText, index } of text.matchAll(scheme)) {
    if (index < from || wordBefore.test(text.charAt(index - 1))) continue;
    const { link, end } = withScheme(index, index + schemeText.length);
    if (link !== undefined) links.push(link);
    from = end;
  }
  return links;
}

/** As `linksIn`, and also bare domains, whose `url` begins with https://. Domains of mail addresses are left out. */
export function allLinksIn(text: string): TextLink[] {
  const { bare } = linkReader(text);
  const linksWithScheme = linksIn(text);
  const links: TextLink[] = [];
  let from = 0;
  for (const next of [...linksWithScheme, { start: text.length, end: text.length, url: '' }]) {
    for (const domain of domainsIn(text.slice(from, next.start))) {
      const range = { start: from + domain.start, end: from + domain.end };
      if (range.start < (links.at(-1)?.end ?? 0) || /[\w@$#＠＃./-]/.test(text.charAt(range.start - 1))) continue;
      const { link } = bare(range);
      if (link !== undefined) links.push(link);
    }
    // The path of a bare domain may contain an address with a scheme: it is not a second link.
    if (next.url !== '' && next.start >= (links.at(-1)?.end ?? 0)) links.push(next);
    from = next.end;
  }
  return links;
}
