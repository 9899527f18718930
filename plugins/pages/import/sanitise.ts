// Converts HTML of another system to the content of a page: its text, structure, links and pictures. Removes scripts,
// handlers, frames, forms and styles, because a page has the style of the brand and its policy allows nothing inline.
// Loads sanitize-html at first use.
import { canonicalLocale } from '../../../core/index.ts';
import { href } from '../sections/href.ts';

/** The content and metadata of an imported page. */
export interface ImportedHtml {
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** The language that the document declares. */
  readonly language: string | undefined;
  readonly html: string;
}

const structure = ['section', 'article', 'header', 'footer', 'main', 'nav', 'aside', 'div', 'figure', 'figcaption'];
const blocks = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'blockquote', 'pre', 'hr', 'ul', 'ol', 'li', 'dl', 'dt', 'dd'];
const tables = ['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'];
const inlineTags = ['a', 'b', 'strong', 'i', 'em', 'u', 's', 'small', 'sub', 'sup', 'mark', 'code', 'kbd', 'q', 'cite'];
const otherTags = ['abbr', 'time', 'address', 'span', 'br', 'img', 'details', 'summary'];

/** Elements that are removed together with their text. */
const removedWithText = [
  'script',
  'style',
  'noscript',
  'template',
  'iframe',
  'object',
  'svg',
  'math',
  'textarea',
  'select',
];

/** The allowed elements and attributes. */
const sanitiseOptions = {
  allowedTags: [...structure, ...blocks, ...tables, ...inlineTags, ...otherTags],
  allowedAttributes: {
    '*': ['id', 'lang', 'dir'],
    a: ['href'],
    img: ['src', 'alt', 'width', 'height', 'loading'],
    time: ['datetime'],
    abbr: ['title'],
    th: ['scope', 'colspan', 'rowspan'],
    td: ['colspan', 'rowspan'],
    ol: ['start'],
    details: ['open'],
  },
  allowedSchemes: ['https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['https'] },
  allowProtocolRelative: false,
  nonTextTags: [...removedWithText, 'title', 'option', 'button'],
};

/** Removes the address of a link that is not allowed. The text of the link stays. */
const linkFilter =
  (stays: (link: string) => boolean) =>
  (tagName: string, { href: given, ...rest }: Readonly<Record<string, string>>) => {
    const link = given?.trim() ?? '';
    return { tagName, attribs: stays(link) ? { ...rest, href: link } : rest };
  };

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};
const plainText = (text: string): string | undefined =>
  text
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? '')
    .replace(/\s+/g, ' ')
    .trim() || undefined;

/** Sanitises the HTML, and finds the title, the description and the language of its document. */
export async function sanitiseHtml(source: string): Promise<ImportedHtml> {
  const { default: sanitise } = await import('sanitize-html');
  let title = '';
  let description = '';
  let language: string | undefined;
  /** Reads the metadata in the head of the document. The head is then removed. */
  sanitise(source, {
    allowedTags: ['html', 'title', 'meta'],
    allowedAttributes: { html: ['lang'], meta: ['name', 'content'] },
    nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript'],
    exclusiveFilter({ tag, text, attribs }) {
      if (tag === 'html') language = canonicalLocale(attribs['lang'] ?? '');
      if (tag === 'title') title ||= text;
      if (tag === 'meta' && attribs['name']?.toLowerCase() === 'description') description ||= attribs['content'] ?? '';
      return false;
    },
  });
  const ids = new Set<string>();
  const cleaned = sanitise(source, {
    ...sanitiseOptions,
    transformTags: {
      // A link that pages do not allow is removed.
      a: linkFilter((link) => href.safeParse(link).success),
      img: (tagName, attribs) => ({ tagName, attribs: { alt: '', ...attribs, loading: 'lazy' } }),
      '*': (tagName, attribs) => {
        if (sanitiseOptions.allowedTags.includes(tagName) && attribs['id'] !== undefined) ids.add(attribs['id']);
        return { tagName, attribs };
      },
    },
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !/^https:\/\//.test(attribs['src'] ?? ''),
  });
  // Links to a removed part are removed.
  const hasTarget = (link: string): boolean => !link.startsWith('#') || link === '#top' || ids.has(link.slice(1));
  const html = sanitise(cleaned, { ...sanitiseOptions, transformTags: { a: linkFilter(hasTarget) } }).trim();
  const heading = /<h1[^>]*>([\s\S]*?)<\/h1>/.exec(html)?.[1] ?? '';
  return { title: plainText(heading) ?? plainText(title), description: plainText(description), language, html };
}
