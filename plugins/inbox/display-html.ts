// Adapts a message's HTML for a frame: links open in a new tab, inline parts are embedded, the styles for light or dark are
// selected, and hints that make the browser connect to other hosts are removed. Everything else stays as it was sent. mailPolicy
// keeps the HTML harmless.
import {
  attributeEdits,
  editedMarkup,
  type MailScheme,
  type MarkupEdit,
  type MarkupToken,
  mailInScheme,
  readMarkup,
} from '../../core/unstable.ts';
import { createEmbedder, type Embedder, type InlinePart } from './inline-parts.ts';

/** Options for showing a message. */
export interface DisplayOptions {
  /** Whether pictures, styles and fonts are loaded from other hosts. */
  readonly remote: boolean;
  /** The colour scheme in which the message is shown. */
  readonly scheme: MailScheme;
}

/**
 * The content security policy of the frame's document. Without allow-scripts no script runs in it; it keeps its origin, so
 * that the surrounding page can measure it and receive its key events.
 */
export function mailPolicy({ remote }: DisplayOptions): string {
  const remoteSources = remote ? ' http: https:' : '';
  return [
    "default-src 'none'",
    `img-src data:${remoteSources}`,
    `style-src 'unsafe-inline'${remoteSources}`,
    `font-src data:${remoteSources}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox',
  ].join('; ');
}

/** Link types whose address the policy controls. For other types, browsers may connect regardless of the policy. */
const styleSheet = /^\s*(?:alternate\s+)?stylesheet\s*$/i;

/** Elements that load another page. The policy blocks them, and the browser would show an error instead. */
const frames: ReadonlySet<string> = new Set(['frame', 'iframe', 'object', 'embed']);

function editsOfTag({ name, attributes }: MarkupToken & { kind: 'open' }, embedder: Embedder): MarkupEdit[] {
  const edits: MarkupEdit[] = [];
  const set = (attribute: string, change: (value: string) => string) =>
    edits.push(...attributeEdits(attributes.get(attribute), change));
  if (name === 'a' || name === 'area') {
    set('target', () => '_blank');
    set('rel', (value) => (/\bopener\b/i.test(value) ? 'noopener' : value));
  }
  set('style', embedder.css);
  // Browsers follow preconnect and dns-prefetch regardless of the policy, and most other link types before they check it.
  if (name === 'link') set('rel', (value) => (styleSheet.test(value) ? value : 'none'));
  if (name === 'meta' && /^\s*x-dns-prefetch-control/i.test(attributes.get('http-equiv')?.value ?? ''))
    set('content', () => 'off');
  if (frames.has(name)) set('srcdoc', () => 'about:blank');
  if (frames.has(name)) for (const attribute of ['src', 'data']) set(attribute, () => 'about:blank');
  else for (const attribute of ['src', 'background', 'poster']) set(attribute, embedder.url);
  set('srcset', embedder.urls);
  return edits;
}

const tagsBeforeBase = ['html', 'head'];

/** The document for the frame. */
export function displayHtml(sent: string, parts: readonly InlinePart[], { scheme }: DisplayOptions): string {
  const html = mailInScheme(sent, scheme);
  const edits: MarkupEdit[] = [];
  const embedder = createEmbedder(parts);
  let top = 0;
  let inBody = false;
  for (const token of readMarkup(html)) {
    if (token.kind === 'doctype') top = token.end;
    if (token.kind === 'raw' && token.name === 'style') {
      const css = html.slice(token.start, token.end);
      edits.push({ start: token.start, end: token.end, text: embedder.css(css) });
    }
    if (token.kind !== 'open') continue;
    if (!tagsBeforeBase.includes(token.name)) inBody = true;
    else if (!inBody) top = token.end;
    if (token.attributes.size > 0) edits.push(...editsOfTag(token, embedder));
  }
  edits.push({ start: top, end: top, text: '<base target="_blank">' });
  return editedMarkup(html, edits);
}
