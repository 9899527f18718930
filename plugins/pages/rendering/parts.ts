// Parts of sections. Every text is escaped here; every link was checked when it was given.
import { escapeHtml } from '../../../core/unstable.ts';
import type { Section, SectionItem } from '../sections/schema.ts';
import type { PageRenderContext } from './render-context.ts';
import { hasHeading, levelIn, levelInItem, textKey } from './texts.ts';

/** The HTML of a text whose headings start at this level; empty if there is no text. */
const markdown = ({ texts }: Pick<PageRenderContext, 'texts'>, source: string | undefined, top: number): string =>
  source === undefined || source.trim() === '' ? '' : (texts.get(textKey(source, top)) ?? '');

/** The HTML of a section's text: its own text, or its form's thanks. */
export const sectionText = (context: PageRenderContext, section: Section, source = section.text): string =>
  markdown(context, source, levelIn(section));

/** The HTML of the text of an item. */
export const itemText = (context: PageRenderContext, section: Section, item: SectionItem): string =>
  markdown(context, item.text, levelInItem(section, item));

/** A picture of the workspace; empty if the picture no longer exists. */
export function picture({ pictures }: PageRenderContext, assetId: string | undefined, alt?: string): string {
  const asset = assetId === undefined ? undefined : pictures.get(assetId);
  if (asset === undefined) return '';
  const size = asset.width === null || asset.height === null ? '' : ` width="${asset.width}" height="${asset.height}"`;
  return `<img src="${escapeHtml(asset.url)}" alt="${escapeHtml(alt ?? asset.alt)}"${size} loading="lazy" decoding="async">`;
}

/** A link in the style of a button. */
export function button(cta: Section['cta']): string {
  if (cta === undefined) return '';
  return `<p class="action"><a class="button" href="${escapeHtml(cta.href)}">${escapeHtml(cta.label)}</a></p>`;
}

const externalAttributes = (href: string): string => (href.startsWith('https:') ? ' rel="noopener"' : '');

/** A text; a link if the item has one. */
export const linked = (text: string, href: string | undefined): string =>
  href === undefined ? text : `<a href="${escapeHtml(href)}"${externalAttributes(href)}>${text}</a>`;

/** The heading of an item. */
export function itemHeading(section: Section, { title, href }: SectionItem): string {
  const name = `h${levelIn(section)}`;
  return title === undefined || title === '' ? '' : `<${name}>${linked(escapeHtml(title), href)}</${name}>`;
}

/** Heading and text above the items. */
export function intro(context: PageRenderContext, section: Section): string {
  const { heading } = section;
  const sectionHtml = sectionText(context, section);
  const title = hasHeading({ heading }) ? `<h2>${escapeHtml(heading ?? '')}</h2>` : '';
  return title === '' && sectionHtml === ''
    ? ''
    : `<div class="intro">${title}${sectionHtml === '' ? '' : `<div class="lead">${sectionHtml}</div>`}</div>`;
}

/** A section of the page. Links of the form `#sec_…` lead to its id. */
export const sectionHtml = ({ id, heading }: Section, body: string, className = ''): string =>
  `<section id="${escapeHtml(id)}"${className === '' ? '' : ` class="${className}"`}${
    hasHeading({ heading }) ? ` aria-label="${escapeHtml(heading ?? '')}"` : ''
  }><div class="wrap">${body}</div></section>`;
