// Parts of sections. Every text is escaped here, and every link was checked where it was given.
import { escapeHtml } from '../../../core/unstable.ts';
import type { Section, SectionItem } from '../sections/schema.ts';
import type { RenderPlace } from './place.ts';

/** The Markdown of a text; nothing for none. */
export const markdown = ({ texts }: Pick<RenderPlace, 'texts'>, source: string | undefined): string =>
  source === undefined || source.trim() === '' ? '' : (texts.get(source) ?? '');

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
export const itemHeading = ({ title, href }: SectionItem): string =>
  title === undefined || title === '' ? '' : `<h3>${linked(escapeHtml(title), href)}</h3>`;

/** Whether a section has a heading that can be read. */
export const hasHeading = ({ heading }: Pick<Section, 'heading'>): boolean =>
  heading !== undefined && heading.trim() !== '';

/** Heading and text above the items. */
export function intro(place: RenderPlace, { heading, text }: Section): string {
  const said = markdown(place, text);
  const title = hasHeading({ heading }) ? `<h2>${escapeHtml(heading ?? '')}</h2>` : '';
  return title === '' && said === ''
    ? ''
    : `<div class="intro">${title}${said === '' ? '' : `<div class="lead">${said}</div>`}</div>`;
}

/** In a section without a heading of its own, the highest headings take its level, so that no level is left out. */
function inOrder(heading: string | undefined, body: string): string {
  const levels = [...body.matchAll(/<h([2-6])\b/g)].map(([, level]) => Number(level));
  const up = hasHeading({ heading }) || levels.length === 0 ? 0 : Math.min(...levels) - 2;
  return body.replace(/<(\/?)h([2-6])\b/g, (_, end: string, level: string) => `<${end}h${Number(level) - up}`);
}

/** A section of the page. Its id is what `#sec_…` leads to. */
export const sectionHtml = ({ id, heading }: Section, body: string, className = ''): string =>
  `<section id="${escapeHtml(id)}"${className === '' ? '' : ` class="${className}"`}${
    hasHeading({ heading }) ? ` aria-label="${escapeHtml(heading ?? '')}"` : ''
  }><div class="wrap">${inOrder(heading, body)}</div></section>`;
