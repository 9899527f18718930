// Finds URLs in a text as X does, by the rules of its published twitter-text: with a scheme, or as a bare domain of the Latin alphabet.
// X counts each URL as 23. The time is linear in the length of the text, plus a bounded search around each dot. Pure.
import { domainToASCII } from 'node:url';
import { type TextRange, topLevelEnd } from '../../../core/unstable.ts';

const accents =
  '\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u024f\\u0253\\u0254\\u0256\\u0257\\u0259\\u025b\\u0263\\u0268\\u026f\\u0272\\u0289\\u028b\\u02bb\\u0300-\\u036f\\u1e00-\\u1eff';
const letter = `a-z0-9\\u0400-\\u04ff${accents}`;
const plain = `[${letter}!*';:=+,.$/%#[\\]\\-\\u2013_~@|&]`;
const bracketed = `\\((?:${plain}+|${plain}*\\(${plain}+\\)${plain}*)\\)`;
const piece = `${plain}*(?:${bracketed}${plain}*)*[${letter}+\\-=_#/]|${bracketed}|@${plain}+/`;
const path = new RegExp(`/(?:${piece})*`, 'iy');
const query = /\?[a-z0-9!?*'@();:&=+$/%#[\]\-_.,~|]*[a-z0-9\-_&=#/]/iy;
const port = /:\d+/y;

/** A run of host characters: no ASCII punctuation except dots, hyphens and underscores, no space, no bidirectional control. */
const hostRun =
  /[^\s\u0085\u180e!'#%&()*+,\\/:;<=>?@[\]^{|}~$\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\ufeff\uffff]+/g;
const latinLabels = new RegExp(`(?:[a-z0-9\\-${accents}]+\\.)+`, 'gi');
/** A character that a URL must not follow directly. */
const wordBefore = /[a-z0-9@＠$#＃\ufffe\ufeff\uffff]/i;

const longestUrl = 4_096;
const shortLink = /^https?:\/\/t\.co\/([a-z0-9]+)(?:\?[a-z0-9!?*'@();:&=+$/%#[\]\-_.,~|]*[a-z0-9\-_&=#/])?/i;
const longestSlug = 40;

/** The length of the match of `form` at `at`; 0 if there is none. */
function lengthAt(form: RegExp, text: string, at: number): number {
  form.lastIndex = at;
  return form.exec(text)?.[0].length ?? 0;
}

/** The first match of `form` at or after `from`. */
function nextOf(form: RegExp, text: string, from: number): TextRange | undefined {
  form.lastIndex = from;
  const found = form.exec(text);
  return found === null ? undefined : { start: found.index, end: found.index + found[0].length };
}

const longestLabel = 63;

/** The length of a label's ASCII form. It is an estimate for labels that no registry accepts, such as those that mix text directions. */
function asciiLength(label: string): number {
  if (label.length > 2 * longestLabel) return label.length;
  const nonAsciiCount = label.replace(/[\0-\x7f]/g, '').length;
  return domainToASCII(label).length || label.length + nonAsciiCount + (nonAsciiCount === 0 ? 0 : 5);
}

/** Whether each label fits into a domain name. A host that begins with `xn--` must have an ASCII first label. */
const isDomain = (host: string): boolean =>
  !/^xn--[^.]*[^\0-\x7f.]/i.test(host) && host.split('.').every((label) => asciiLength(label) <= longestLabel);

const isEdge = (char: string): boolean => char === '-' || char === '_' || char === '.' || char === '';

/** The number of characters of a host that are checked, from its end. Longer hosts are not domains. */
const farthest = 300;

/**
 * The first position, at or after `from`, where a host can begin whose suffix begins at `suffixAt`. No label may begin or end with a
 * hyphen or an underscore, and underscores are allowed only below the registered domain. Undefined if there is no such position.
 */
function firstStart(text: string, from: number, suffixAt: number): number | undefined {
  if (suffixAt - 1 <= from || isEdge(text.charAt(suffixAt - 2))) return undefined;
  let isRegistered = true;
  let at = suffixAt - 1;
  while (at > from) {
    const char = text.charAt(at - 1);
    if (isRegistered && char === '_') break;
    if (char === '.' && (isEdge(text.charAt(at)) || isEdge(text.charAt(at - 2)))) break;
    if (char === '.') isRegistered = false;
    at -= 1;
    if (suffixAt - at > farthest) return from;
  }
  while (isEdge(text.charAt(at))) at += 1;
  return at < suffixAt - 1 ? at : undefined;
}

/** The first position, at or after `from`, where a bare host can begin: not inside a word, a hashtag or a mention. */
function freeStart(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && (isEdge(text.charAt(at)) || (at > 0 && wordBefore.test(text.charAt(at - 1))))) at += 1;
  return at;
}

/** The first host in a run of text at or after `from`. If several hosts begin there, the longest. */
function hostIn(text: string, from: number, runEnd: number): TextRange | undefined {
  const dots = text.slice(from, runEnd);
  let earliestHost: TextRange | undefined;
  for (let at = dots.lastIndexOf('.'); at > 0; at = dots.lastIndexOf('.', at - 1)) {
    const dot = from + at;
    const end = topLevelEnd(text, dot + 1);
    const first = end === undefined ? undefined : firstStart(text, from, dot + 1);
    if (end === undefined || first === undefined) continue;
    const start = first === from ? first : freeStart(text, first, dot);
    if (start < dot && (earliestHost === undefined || start < earliestHost.start)) earliestHost = { start, end };
    if (earliestHost?.start === from) break;
  }
  return earliestHost;
}

/** The end of a URL's path, and the end of the query after it. `host`: the end of the host. */
function endsFrom(text: string, host: number): { readonly ofPath: number; readonly ofQuery: number } {
  const atPath = host + lengthAt(port, text, host);
  const ofPath = atPath + lengthAt(path, text, atPath);
  return { ofPath: ofPath === atPath ? host : ofPath, ofQuery: ofPath + lengthAt(query, text, ofPath) };
}

interface FoundUrls {
  readonly places: readonly TextRange[];
  /** The position at which the search continues. */
  readonly next: number;
}

function urlWithScheme(text: string, start: number, hostAt: number): FoundUrls | undefined {
  const run = nextOf(hostRun, text, hostAt);
  const host = run?.start === hostAt ? hostIn(text, hostAt, run.end) : undefined;
  if (host?.start !== hostAt) return undefined;
  const { ofQuery: end } = endsFrom(text, host.end);
  if (!isDomain(text.slice(hostAt, host.end)) || end - start > longestUrl) return { places: [], next: end };
  const [short, slug = ''] = shortLink.exec(text.slice(start, end)) ?? [];
  if (slug.length > longestSlug) return { places: [], next: end };
  return { places: [{ start, end: short === undefined ? end : start + short.length }], next: end };
}

/** The domains of the Latin alphabet in a host. They can be surrounded by text of other scripts. */
function latinDomains(text: string, { start, end }: TextRange): TextRange[] {
  const host = text.slice(start, end);
  const found: TextRange[] = [];
  for (let labels = nextOf(latinLabels, host, 0); labels !== undefined; ) {
    let suffixEnd: number | undefined;
    for (let dot = labels.end - 1; dot > labels.start && suffixEnd === undefined; dot = host.lastIndexOf('.', dot - 1))
      suffixEnd = topLevelEnd(host, dot + 1);
    if (suffixEnd !== undefined) found.push({ start: start + labels.start, end: start + suffixEnd });
    labels = nextOf(latinLabels, host, suffixEnd ?? labels.end);
  }
  return found;
}

/** The bare URLs of a run of text. The path belongs to the last URL. */
function bareUrls(text: string, from: number, runEnd: number): FoundUrls | undefined {
  const host = hostIn(text, freeStart(text, from, runEnd), runEnd);
  if (host === undefined) return undefined;
  const { ofPath, ofQuery } = endsFrom(text, host.end);
  const isPart = host.start > 0 && /[-_./]/.test(text.charAt(host.start - 1));
  const domains = isPart || !isDomain(text.slice(host.start, host.end)) ? [] : latinDomains(text, host);
  const last = domains.pop();
  if (last === undefined) return { places: [], next: ofQuery };
  return { places: [...domains, { start: last.start, end: ofPath === host.end ? last.end : ofQuery }], next: ofQuery };
}

/** The scheme at the end of a run of text. */
function schemeAt(text: string, from: number, runEnd: number): TextRange | undefined {
  const [scheme] = text.startsWith('://', runEnd)
    ? (/https?$/i.exec(text.slice(Math.max(from, runEnd - 5), runEnd)) ?? [])
    : [];
  return scheme === undefined ? undefined : { start: runEnd - scheme.length, end: runEnd + 3 };
}

/**
 * The part of a run in which bare URLs can begin. At the beginning of the text, or directly after a URL, the first character counts only as the
 * character before the next URL, unless a URL can begin with it.
 */
function startIn(text: string, { start }: TextRange, from: number): number {
  const isBefore = start === from && (from > 0 || !(wordBefore.test(text.charAt(0)) || isEdge(text.charAt(1))));
  return isBefore ? start + 1 : start;
}

/** The ranges of the URLs in a text. */
export function urlsIn(text: string): TextRange[] {
  const found: TextRange[] = [];
  let from = 0;
  for (let run = nextOf(hostRun, text, 0); run !== undefined; run = nextOf(hostRun, text, from)) {
    const start = startIn(text, run, from);
    const scheme = schemeAt(text, run.start, run.end);
    const isFree =
      scheme !== undefined &&
      (scheme.start >= start || scheme.start === 0) &&
      !wordBefore.test(text.charAt(scheme.start - 1));
    const urls = bareUrls(text, start, run.end) ?? (isFree ? urlWithScheme(text, scheme.start, scheme.end) : undefined);
    found.push(...(urls?.places ?? []));
    from = urls?.next ?? run.end;
  }
  return found;
}

/** Whether X finds a URL in the text. */
export const hasUrl = (text: string): boolean => urlsIn(text).length > 0;
