// A page as a whole document, and the Content-Security-Policy for it: style and script by hash, pictures from named
// hosts, forms that post to its own host, frames only if it has a video. Pure.
import { createHash } from 'node:crypto';
import { brandMark, escapeHtml, iconLink, pictureSources } from '../../../core/unstable.ts';
import type { PageRenderContext } from './render-context.ts';
import { script } from './script.ts';
import { footer, writers } from './sections.ts';
import { styleOf } from './style.ts';
import { hasHeading } from './texts.ts';
import { videoHosts } from './video.ts';

/** The metadata of a page for search engines and link previews. */
export interface DocumentHead {
  readonly url: string;
  readonly noindex: boolean;
  readonly image: string | undefined;
  /** Text before the title of the window, such as `Error:`. */
  readonly windowPrefix?: string;
  /** HTML above the page. */
  readonly notice?: string;
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const meta = (name: string, content: string): string =>
  `<meta ${name.startsWith('og:') ? 'property' : 'name'}="${name}" content="${escapeHtml(content)}">`;

function headOf({ content, brand }: PageRenderContext, { url, noindex, image }: DocumentHead): string {
  const title = content.metadata.title ?? content.title;
  const { description } = content.metadata;
  return [
    ...(description === null ? [] : [meta('description', description)]),
    ...(noindex ? [meta('robots', 'noindex')] : [`<link rel="canonical" href="${escapeHtml(url)}">`]),
    ...[meta('og:type', 'website'), meta('og:title', title), meta('og:url', url), meta('og:site_name', brand.name)],
    ...(description === null ? [] : [meta('og:description', description)]),
    ...(image === undefined ? [] : [meta('og:image', image), meta('og:image:alt', title)]),
    meta('twitter:card', image === undefined ? 'summary' : 'summary_large_image'),
  ].join('\n');
}

function bodyOf(context: PageRenderContext): string {
  const { content, brand } = context;
  const sections = content.sections.filter(({ kind }) => kind !== 'footer');
  // No heading may precede the first-level heading, so only a hero at the top can contain it.
  const [top] = sections;
  const titleSection = top?.kind === 'hero' && hasHeading(top) ? top : undefined;
  const title = titleSection === undefined ? `<h1 class="unseen">${escapeHtml(content.title)}</h1>\n` : '';
  const sectionsHtml = sections.map((section) =>
    section.kind === 'footer' ? '' : writers[section.kind](context, section, section === titleSection),
  );
  const main =
    content.html === undefined ? `${title}${sectionsHtml.join('\n')}` : `<div class="wrap text">${content.html}</div>`;
  return `<header><div class="wrap mark">${brandMark(brand)}</div></header>
<main id="content">
${main}
</main>
${footer(
  context,
  content.sections.find(({ kind }) => kind === 'footer'),
)}`;
}

/** Returns the document and its policy. */
export function documentOf(
  context: PageRenderContext,
  head: DocumentHead,
): { readonly html: string; readonly policy: string } {
  const { content, brand, pictures, words, language, direction } = context;
  const kinds = new Set(content.sections.map(({ kind }) => kind));
  const hasScript = kinds.has('video') || kinds.has('countdown');
  const hasForm = content.sections.some(({ form }) => form !== undefined);
  const style = styleOf(brand, language);
  const shown = [...pictures.values()].map(({ url }) => url);
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    ...(hasScript ? [`script-src ${hashOf(script)}`] : []),
    `img-src ${pictureSources(brand, shown)}`,
    ...(kinds.has('video') ? [`frame-src ${videoHosts.join(' ')}`] : []),
    "base-uri 'none'",
    `form-action ${hasForm ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ].join('; ');
  const title = `${head.windowPrefix === undefined ? '' : `${head.windowPrefix} `}${content.metadata.title ?? content.title}`;
  const html = `<!doctype html>
<html lang="${escapeHtml(language)}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
${headOf(context, head)}
${iconLink({ ...brand, primary: brand.colours.primary })}
<style>${style}</style>
</head>
<body>
<a class="skip" href="#content">${escapeHtml(words.skip)}</a>
${head.notice ?? ''}${bodyOf(context)}
${hasScript ? `<script>${script}</script>\n` : ''}</body>
</html>
`;
  return { html, policy };
}
