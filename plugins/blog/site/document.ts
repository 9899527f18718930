// The document around each page of the blog, and its response: the headers for loading, caching and referrers.
import { createHash } from 'node:crypto';
import { entityResponse, entityTag, type HttpResponse, type PublicRequest } from '../../../core/index.ts';
import {
  brandMark,
  escapeHtml,
  iconLink,
  legalAnchors,
  type PageAppearance,
  pictureSources,
} from '../../../core/unstable.ts';
import { languageAttributes } from './parts.ts';
import { styleOf } from './style.ts';
import type { BlogLanguage } from './texts.ts';

/** A page of the blog. */
export interface BlogPage {
  readonly appearance: PageAppearance;
  /** The title that the browser shows. */
  readonly title: string;
  /** HTML. */
  readonly body: string;
  /** The addresses of the pages around it. */
  readonly links: { readonly blog: string; readonly feed: string };
  /** The elements of the page in the head: `<meta …>`, `<link …>`. */
  readonly head: readonly string[];
  /** The addresses of the pictures on the page. */
  readonly pictures: readonly string[];
  /** Whether the page has a form, which posts to its own host. */
  readonly hasForm?: boolean;
  /** HTML above the page. */
  readonly notice?: string;
}

/** Headers of every response that browsers may cache for a minute. */
export const publicHeaders: Readonly<Record<string, string>> = {
  'Cache-Control': 'public, max-age=60',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'X-Content-Type-Options': 'nosniff',
};

export const meta = (name: string, content: string): string =>
  `<meta ${name.includes(':') ? 'property' : 'name'}="${name}" content="${escapeHtml(content)}">`;
export const linkTag = (rel: string, href: string): string => `<link rel="${rel}" href="${escapeHtml(href)}">`;

/** Returns the document and its policy: nothing inline except the style (by its hash); no script, no frame, and a form only to its own host. */
function documentOf(page: BlogPage, { language, texts }: BlogLanguage) {
  const { appearance, title, body, links, head, pictures, notice = '', hasForm = false } = page;
  const style = styleOf(appearance, language);
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    `img-src ${pictureSources(appearance, pictures)}`,
    "base-uri 'none'",
    `form-action ${hasForm ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ].join('; ');
  const name = escapeHtml(appearance.name);
  const html = `<!doctype html>
<html${languageAttributes(language)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
${head.join('\n')}
${iconLink(appearance)}
<style>${style}</style>
</head>
<body>
<a class="skip" href="#content">${escapeHtml(texts.skip)}</a>
${notice}<header><div class="wrap"><a class="name mark" href="${escapeHtml(links.blog)}">${brandMark(appearance)}</a></div></header>
${body}
<footer><div class="wrap"><bdi>${name}</bdi><a href="${escapeHtml(links.feed)}">${escapeHtml(texts.feed)}</a>${legalAnchors(appearance, language)}</div></footer>
</body>
</html>
`;
  return { html, policy };
}

/** The response for everybody. Clients may cache it for a minute. A client that already has it gets a short response without the page. */
export function publicResponse(request: PublicRequest, page: BlogPage, spoken: BlogLanguage): HttpResponse {
  const { html, policy } = documentOf(page, spoken);
  const headers = { ...publicHeaders, 'Content-Security-Policy': policy };
  return entityResponse(request, entityTag(html), html, 'text/html; charset=utf-8', headers);
}

/** The response for people with the preview link. It is never cached and never indexed. */
export function privateResponse(page: BlogPage, spoken: BlogLanguage): HttpResponse {
  const { html, policy } = documentOf(page, spoken);
  return {
    status: 200,
    headers: {
      ...publicHeaders,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
    },
    body: html,
  };
}
