// Adapts a message's HTML for a frame: links open in a new tab, inline parts are embedded, the styles for light or dark are
// selected, and hints that make the browser connect to other hosts are removed. Everything else stays as it was sent. mailPolicy
// keeps the HTML harmless.
import { createEmbedder, type Embedder, type InlinePart } from './inline-parts.ts';
import { readMarkup, type Token } from './markup.ts';

/** How a message is shown. */
export interface DisplayOptions {
  /** Whether pictures, styles and fonts are loaded from other hosts. */
  readonly remote: boolean;
  /** The colour scheme in which the message is shown. */
  readonly scheme: 'light' | 'dark';
}

/**
 * The content security policy of the frame's document. Without allow-scripts no script runs in it; it keeps its origin, so
 * that the surrounding page can measure it and receive its key events.
 */
export function mailPolicy({ remote }: DisplayOptions): string {
  const elsewhere = remote ? ' http: https:' : '';
  return [
    "default-src 'none'",
    `img-src data:${elsewhere}`,
    `style-src 'unsafe-inline'${elsewhere}`,
    `font-src data:${elsewhere}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox',
  ].join('; ');
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const always = '(min-width:0)';
const never = '(max-width:0)';

/** Resolves media queries and colour schemes for `scheme`, regardless of the browser's own preference. */
function chooseScheme(css: string, scheme: DisplayOptions['scheme']): string {
  return css
    .replace(/\(\s*prefers-color-scheme\s*:\s*(light|dark|no-preference)\s*\)/gi, (_, preferred: string) =>
      preferred.toLowerCase() === scheme ? always : never,
    )
    .replace(/(^|[^-\w])color-scheme\s*:\s*([a-z ]+)/gi, (whole, before: string, schemes: string) =>
      schemes.toLowerCase().split(/\s+/).includes(scheme) ? `${before}color-scheme:${scheme}` : whole,
    );
}

/** Link types whose address the policy controls. For other types, browsers may connect regardless of the policy. */
const styleSheet = /^\s*(?:alternate\s+)?stylesheet\s*$/i;

/** Elements that load another page. The policy blocks them, and the browser would show an error instead. */
const frames: ReadonlySet<string> = new Set(['frame', 'iframe', 'object', 'embed']);

function editsOfTag(
  { name, attributes }: Token & { kind: 'open' },
  scheme: DisplayOptions['scheme'],
  embedder: Embedder,
): Edit[] {
  const edits: Edit[] = [];
  const set = (attribute: string, change: (value: string) => string) => {
    const found = attributes.get(attribute);
    if (found === undefined || found.start === found.end) return;
    const text = change(found.value);
    if (text !== found.value) edits.push({ ...found, text: escapeValue(text) });
  };
  if (name === 'a' || name === 'area') {
    set('target', () => '_blank');
    set('rel', (value) => (/\bopener\b/i.test(value) ? 'noopener' : value));
  }
  set('media', (value) => chooseScheme(value, scheme));
  set('style', (value) => embedder.css(chooseScheme(value, scheme)));
  // Browsers follow preconnect and dns-prefetch regardless of the policy, and most other link types before they check it.
  if (name === 'link') set('rel', (value) => (styleSheet.test(value) ? value : 'none'));
  if (name === 'meta' && /^\s*x-dns-prefetch-control/i.test(attributes.get('http-equiv')?.value ?? ''))
    set('content', () => 'off');
  if (frames.has(name)) set('srcdoc', () => 'about:blank');
  if (frames.has(name)) for (const attribute of ['src', 'data']) set(attribute, () => 'about:blank');
  else for (const attribute of ['src', 'background', 'poster']) set(attribute, embedder.url);
  set('srcset', embedder.urls);
  if (name === 'meta' && /^(supported-color-schemes|color-scheme)$/i.test(attributes.get('name')?.value ?? ''))
    set('content', (value) => (value.toLowerCase().split(/\s+/).includes(scheme) ? scheme : value));
  return edits;
}

function applyEdits(html: string, edits: readonly Edit[]): string {
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

const beginnings = ['html', 'head'];

/** The document for the frame. */
export function displayHtml(html: string, parts: readonly InlinePart[], { scheme }: DisplayOptions): string {
  const edits: Edit[] = [];
  const embedder = createEmbedder(parts);
  let top = 0;
  let inBody = false;
  for (const token of readMarkup(html)) {
    if (token.kind === 'doctype') top = token.end;
    if (token.kind === 'raw' && token.name === 'style') {
      const css = html.slice(token.start, token.end);
      edits.push({ start: token.start, end: token.end, text: embedder.css(chooseScheme(css, scheme)) });
    }
    if (token.kind !== 'open') continue;
    if (!beginnings.includes(token.name)) inBody = true;
    else if (!inBody) top = token.end;
    if (token.attributes.size > 0) edits.push(...editsOfTag(token, scheme, embedder));
  }
  edits.push({ start: top, end: top, text: '<base target="_blank">' });
  return applyEdits(html, edits);
}
