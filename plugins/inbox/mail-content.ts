// Analyses a message without showing it: its links, the remote content that it would load, and its styles for dark mode. Called
// by the routes. Fetches nothing.
import { decodeText, linksIn, parseUrl, readMarkup } from '../../core/unstable.ts';
import type { StoredMail } from './sealed-mail.ts';
import type { MailFacts } from './wire.ts';

const maxLinks = 1_000;
/** Longer URLs are not listed. */
const maxUrlLength = 4_000;
const maxHosts = 50;
const loadedBy: ReadonlySet<string> = new Set(['src', 'srcset', 'background', 'poster', 'data']);

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The host of a URL that is fetched over the network, or undefined. */
function hostOf(url: string): string | undefined {
  const absolute = url.trim().slice(0, maxUrlLength).replace(/^\/\//, 'https://');
  return /^https?:/i.test(absolute) ? parseUrl(absolute)?.host : undefined;
}

/** URLs in a style sheet or a style attribute. */
const styleUrls = (css: string): string[] =>
  [...css.matchAll(/(?:url\(\s*|@import\s+)["']?([^"')\s;]+)/gi)].map(([, url = '']) => url);

/**
 * Whether a declaration selects dark mode. Searches only after the first colon; searching after each colon would take quadratic
 * time.
 */
function isDarkDeclaration(declaration: string): boolean {
  const match = /(?:^|[^-\w])color-scheme\s*:/i.exec(declaration);
  return match !== null && /\bdark\b/i.test(declaration.slice(match.index + match[0].length));
}

const isDark = (css: string): boolean =>
  /prefers-color-scheme\s*:\s*dark/i.test(css) || css.split(/[;}]/).some(isDarkDeclaration);

interface Findings {
  readonly links: Map<string, string>;
  readonly hosts: Set<string>;
  dark: boolean;
}

function addLink(links: Map<string, string>, url: string, text: string): void {
  if (url.length > maxUrlLength || links.get(url)) return;
  if (links.has(url) || links.size < maxLinks) links.set(url, text);
}

function findInHtml(html: string): Findings {
  const findings: Findings = { links: new Map(), hosts: new Set(), dark: false };
  const addHosts = (urls: readonly string[]): void => {
    for (const url of urls) {
      if (findings.hosts.size >= maxHosts) return;
      const host = hostOf(url);
      if (host !== undefined) findings.hosts.add(host);
    }
  };
  let open: { url: string; text: string } | undefined;
  const close = (): void => {
    if (open !== undefined) addLink(findings.links, open.url, oneLine(open.text));
    open = undefined;
  };
  for (const token of readMarkup(html)) {
    if (token.kind === 'text' && open !== undefined) open.text += decodeText(html.slice(token.start, token.end));
    if (token.kind === 'close' && token.name === 'a') close();
    if (token.kind === 'raw' && token.name === 'style') {
      const css = html.slice(token.start, token.end);
      addHosts(styleUrls(css));
      findings.dark ||= isDark(css);
    }
    if (token.kind !== 'open') continue;
    const { name, attributes } = token;
    // Skips tags without attributes, because only a and area matter without them.
    if (attributes.size === 0 && name !== 'a' && name !== 'area') continue;
    const href = attributes.get('href')?.value.trim() ?? '';
    if (name === 'a' || name === 'area') {
      close();
      if (href !== '' && !href.startsWith('#')) open = { url: href, text: attributes.get('alt')?.value ?? '' };
      if (name === 'area') close();
    }
    if (name === 'img' && open !== undefined) open.text += ` ${attributes.get('alt')?.value ?? ''} `;
    if (name === 'link') addHosts([href]);
    for (const [key, { value }] of attributes) {
      if (key === 'srcset') addHosts(value.split(/,\s+/).map((candidate) => candidate.trim().split(/\s/, 1)[0] ?? ''));
      else if (loadedBy.has(key)) addHosts([value]);
      if (key === 'style') addHosts(styleUrls(value));
    }
    if (name === 'meta' && /^(supported-color-schemes|color-scheme)$/i.test(attributes.get('name')?.value ?? ''))
      findings.dark ||= /\bdark\b/i.test(attributes.get('content')?.value ?? '');
    for (const key of ['style', 'media']) {
      const value = attributes.get(key)?.value ?? '';
      findings.dark ||= value !== '' && isDark(value);
    }
  }
  close();
  return findings;
}

/** Analyses a message. */
export function analyseMail({ html, text }: Pick<StoredMail, 'html' | 'text'>): MailFacts {
  const { links, hosts, dark } = findInHtml(html);
  for (const { url } of linksIn(text)) {
    if (links.size >= maxLinks) break;
    addLink(links, url, '');
  }
  return {
    links: [...links].map(([url, label]) => ({ url, text: label })),
    remote_hosts: [...hosts],
    dark_styles: dark,
  };
}
