// Parts of sections. Every text is escaped here, and every link was checked where it was given.
import { escapeHtml } from '../../../core/unstable.ts';
import type { Section, SectionItem } from '../sections/schema.ts';
import type { RenderPlace } from './place.ts';
import { hasHeading, levelIn, levelInItem, textKey } from './texts.ts';

/** The HTML of a text at a level of headings; nothing for none. */
const markdown = ({ texts }: Pick<RenderPlace, 'texts'>, source: string | undefined, top: number): string =>
  source === undefined || source.trim() === '' ? '' : (texts.get(textKey(source, top)) ?? '');

/** The HTML of a text of a section: its own, or the thanks of its form. */
export const sectionText = (place: RenderPlace, section: Section, source = section.text): string =>
  markdown(place, source, levelIn(section));

/** The HTML of the text of an item. */
export const itemText = (place: RenderPlace, section: Section, item: SectionItem): string =>
  markdown(place, item.text, levelInItem(section, item));

/** A picture of the workspace; nothing where it is gone. */
export function picture({ pictures }: RenderPlace, assetId: string | undefined, alt?: string): string {
  const shown = assetId === undefined ? undefined : pictures.get(assetId);
  if (shown === undefined) return '';
  const size = shown.width === null || shown.height === null ? '' : ` width="${shown.width}" height="${shown.height}"`;
  return `<img src="${escapeHtml(shown.url)}" alt="${escapeHtml(alt ?? shown.alt)}"${size} loading="lazy" decoding="async">`;
}

/** A link that looks like a button. */
export function button(cta: Section['cta']): string {
  if (cta === undefined) return '';
  return `<p class="action"><a class="button" href="${escapeHtml(cta.href)}">${escapeHtml(cta.label)}</a></p>`;
}

const outside = (href: string): string => (href.startsWith('https:') ? ' rel="noopener"' : '');

/** A text, as a link where the item has one. */
export const linked = (text: string, href: string | undefined): string =>
  href === undefined ? text : `<a href="${escapeHtml(href)}"${outside(href)}>${text}</a>`;

/** The heading of an item. */
export function itemHeading(section: Section, { title, href }: SectionItem): string {
  const name = `h${levelIn(section)}`;
  return title === undefined || title === '' ? '' : `<${name}>${linked(escapeHtml(title), href)}</${name}>`;
}

/** Heading and text above the items. */
export function intro(place: RenderPlace, section: Section): string {
  const { heading } = section;
  const said = sectionText(place, section);
  const title = hasHeading({ heading }) ? `<h2>${escapeHtml(heading ?? '')}</h2>` : '';
  return title === '' && said === ''
    ? ''
    : `<div class="intro">${title}${said === '' ? '' : `<div class="lead">${said}</div>`}</div>`;
}

/** A section of the page. Its id is what `#sec_…` leads to. */
export const sectionHtml = ({ id, heading }: Section, body: string, className = ''): string =>
  `<section id="${escapeHtml(id)}"${className === '' ? '' : ` class="${className}"`}${
    hasHeading({ heading }) ? ` aria-label="${escapeHtml(heading ?? '')}"` : ''
  }><div class="wrap">${body}</div></section>`;
