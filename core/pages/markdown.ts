// Markdown as safe HTML. What micromark writes is the only markup: HTML in the text is escaped. Links lead to the web, to mail, to
// a telephone or into the site; pictures are assets of the workspace. Pure but for loading micromark. Called by plugins with public pages.
import { slugFrom } from '../contract/slug.ts';
import { escapeHtml } from './html.ts';

/** A text in the form in which it is stored. */
export interface RenderedText {
  /** Pictures are `asset:asset_…`. */
  readonly html: string;
  /** Its first words, without markup. */
  readonly beginning: string;
  readonly words: number;
}

const maxBeginning = 200;

const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };
const plain = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:lt|gt|quot|amp);/g, (entity) => entities[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();

const isAsset = (url: string): boolean => /^asset:asset_[0-9A-HJKMNP-TV-Z]{26}$/.test(url);
/** A path of the site is no address of another: `//host`. */
const isLink = (url: string): boolean => /^(?:https?:\/\/|mailto:|tel:|#|\/(?![/\\]))/i.test(url);

/** Which of the workspace's pictures it is, or the words in its place. */
const picture = (_: string, src: string, alt: string, title: string | undefined): string =>
  isAsset(src) ? `<img src="${src}" alt="${alt}"${title ?? ''} loading="lazy" decoding="async">` : alt;

/** Headings below that of the post, each with a name that links can lead to. */
function headings(html: string): string {
  const taken = new Set<string>(['content']);
  return html.replace(/<h([1-6])>([\s\S]*?)<\/h\1>/g, (_, level: string, text: string) => {
    const base = slugFrom(plain(text), 'part');
    let id = base;
    for (let number = 2; taken.has(id); number += 1) id = `${base}-${number}`;
    taken.add(id);
    const below = Math.min(Number(level) + 1, 6);
    return `<h${below} id="${id}">${text}</h${below}>`;
  });
}

/** Markup of micromark with what a page needs. Texts in it are escaped, so no tag comes from them. */
const finished = (html: string): string =>
  headings(html)
    .replace(/<a href="([^"]*)"([^>]*)>([\s\S]*?)<\/a>/g, (whole, href: string, rest: string, text: string) => {
      if (!isLink(href)) return text;
      return /^https?:/i.test(href) ? `<a href="${href}"${rest} rel="noopener">${text}</a>` : whole;
    })
    .replace(/<img src="([^"]*)" alt="([^"]*)"( title="[^"]*")? \/>/g, picture)
    .replace(/<p>(<img [^>]*>)<\/p>/g, '<figure>$1</figure>')
    .replace(
      /<figure>(<img [^>]*?) title="([^"]*)"([^>]*>)<\/figure>/g,
      '<figure>$1$3<figcaption>$2</figcaption></figure>',
    )
    .replace(
      /<li>(\s*(?:<p>)?)<input type="checkbox" disabled=""( checked="")? \/>/g,
      // The box stands in place of the bullet.
      (_, start: string, checked) => `<li class="task">${start}${checked ? '☑' : '☐'}`,
    )
    .replace(/<pre>/g, '<pre tabindex="0">')
    .replace(/<table>/g, '<div class="table" role="region" aria-label="Table" tabindex="0"><table>')
    .replace(/<\/table>/g, '</table></div>')
    .replace(/<h2 id="footnote-label" class="sr-only">/g, '<h2 id="footnote-label" class="unseen">');

/** What takes micromark too long: each is far beyond what a text to be read has. */
const bounds: readonly { readonly what: string; readonly most: number; count(body: string): number }[] = [
  {
    what: 'columns in one table row',
    most: 60,
    count: (body) =>
      body
        .split('\n')
        .reduce((most, line) => (/^[\s>|:-]*-[\s|:-]*$/.test(line) ? Math.max(most, line.split('|').length) : most), 0),
  },
  { what: 'footnote signs', most: 300, count: (body) => body.split('[^').length - 1 },
  { what: 'brackets', most: 8_000, count: (body) => body.split('[').length - 1 },
  {
    what: 'levels of quotes in one line',
    most: 40,
    count: (body) =>
      body
        .split('\n')
        .reduce((most, line) => Math.max(most, (/^[\s>]*/.exec(line)?.[0] ?? '').split('>').length - 1), 0),
  },
];

/** Why the text cannot be shown, as a sentence; undefined for one that can. */
export function textFault(body: string): string | undefined {
  const broken = bounds.find(({ most, count }) => count(body) > most);
  return broken === undefined ? undefined : `The text has more than ${broken.most} ${broken.what}.`;
}

/** The text as HTML. */
export async function renderText(body: string): Promise<RenderedText> {
  const [{ micromark }, { gfm, gfmHtml }] = await Promise.all([import('micromark'), import('micromark-extension-gfm')]);
  const written = micromark(body, {
    // Every address is checked below.
    allowDangerousProtocol: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
  const html = finished(written);
  const text = plain(html.replace(/<\/(?:p|li|h\d|td|th|pre)>/g, ' '));
  const [, first = ''] = /<p>([\s\S]*?)<\/p>/.exec(html) ?? [];
  return { html, beginning: shortened(plain(first) || text), words: text === '' ? 0 : text.split(' ').length };
}

/** Shortened at a word. */
function shortened(text: string): string {
  if (text.length <= maxBeginning) return text;
  const cut = text.slice(0, maxBeginning);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), 1)).replace(/[,;:–—-]$/, '')}…`;
}

/** The HTML with the addresses that its pictures have; of a picture without one, its words are left. */
export const withPictures = (html: string, urlOf: (assetId: string) => string | undefined): string =>
  html.replace(/<img src="asset:(asset_\w{26})" alt="([^"]*)"[^>]*>/g, (tag, id: string, alt: string) => {
    const url = urlOf(id);
    return url === undefined ? alt : tag.replace(`asset:${id}`, escapeHtml(url));
  });
