// The document around a page without a script. It has its own style, loads nothing, and has a policy that allows nothing
// else. Used by every page that is one document with its style inside.
import { createHash } from 'node:crypto';
import { escapeHtml } from './html.ts';
import { bodyWithStart, type StartLink } from './start-bar.ts';

/** The content of the frame. */
export interface FramedPage {
  /** (Default: en) */
  readonly language?: string;
  /** (Default: ltr) */
  readonly direction?: 'ltr' | 'rtl';
  readonly title: string;
  /** The URL of the icon. (Default: browsers ask for /favicon.ico) */
  readonly icon?: string;
  /** HTML. */
  readonly body: string;
  /** The start page to which the page links back. (Default: none) */
  readonly start?: StartLink;
}

/** The frame of pages with one style. */
export interface PageFrame {
  /** The Content-Security-Policy. */
  readonly policy: string;
  /**
   * The policy. If the page has its own forms, also a Referrer-Policy with a referrer for this site: without a
   * referrer, browsers send a form with the origin `null`, which the gate of a page treats as another site.
   */
  readonly headers: Readonly<Record<string, string>>;
  /** The whole document. */
  write(page: FramedPage): string;
}

const noStart: StartLink = { startPage: undefined, service: '' };

/** The frame for a style. `allowed` contains the directives of the policy that differ from `'none'`. */
export function pageFrame(style: string, allowed: Readonly<Record<string, string>> = {}): PageFrame {
  const directives = {
    'default-src': "'none'",
    'style-src': `'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    ...allowed,
  };
  const policy = Object.entries(directives)
    .map(([name, source]) => `${name} ${source}`)
    .join('; ');
  const hasForms = directives['form-action'] !== "'none'";
  return {
    policy,
    headers: { 'Content-Security-Policy': policy, ...(hasForms ? { 'Referrer-Policy': 'same-origin' } : {}) },
    write: ({ language = 'en', direction = 'ltr', title, icon, body, start }) => `<!doctype html>
<html lang="${escapeHtml(language)}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
${icon === undefined ? '' : `<link rel="icon" href="${escapeHtml(icon)}">\n`}<style>${style}</style>
</head>
${bodyWithStart(start ?? noStart, body)}
</html>
`,
  };
}
