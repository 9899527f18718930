// Links of a page to its own sections, in buttons and in Markdown: each must lead to a section that the page has. Pure;
// called when sections are stored or published, and for composed sections.
import type { ErrorDetail } from '../../../core/index.ts';
import type { Section } from './schema.ts';

/** A link of a section, with its path in the section. */
interface SectionLink {
  readonly path: string;
  readonly href: string | undefined;
}

/**
 * Matches one token of Markdown, in this order: a fenced code block, an escaped character, a code span, a link or a link
 * definition. Code and escaped characters contain no links. The text is not rendered here, because
 * rendering loads a package, which a transaction cannot wait for.
 */
const markdown =
  /^ {0,3}(?:(`{3,})(?!`)[^`\n]*|(~{3,})(?!~)[^\n]*)\n[\s\S]*?(?:^ {0,3}(?:\1\2)|(?![\s\S]))|\\[\s\S]|(?<!`)(`+)(?!`)[\s\S]*?[^`]\3(?!`)|(?:\]\(\s*|^ {0,3}\[[^\]\n]+\]:\s*)<?(#sec\\?_[^\s)>]*)/gm;

const unescaped = (text: string): string => text.replace(/\\([!-/:-@[-`{-~])/g, '$1');

/** The sections to which a Markdown text links, as `#sec_…`, without duplicates. */
function sectionsIn(source = ''): string[] {
  const links = [...source.matchAll(markdown)].map(([, , , , link]) => link);
  return [...new Set(links.filter((link) => link !== undefined).map(unescaped))];
}

/** The links to sections in the Markdown of a section. */
export function textLinks({ text, items = [], form }: Omit<Section, 'id'>): SectionLink[] {
  const texts = [
    { path: 'text', source: text },
    ...items.map((item, index) => ({ path: `items.${index}.text`, source: item.text })),
    { path: 'form.thanks', source: form?.thanks },
  ];
  return texts.flatMap(({ path, source }) => sectionsIn(source).map((href) => ({ path, href })));
}

const linksOf = (section: Section): SectionLink[] => [
  { path: 'cta.href', href: section.cta?.href },
  ...(section.items ?? []).map(({ href }, item) => ({ path: `items.${item}.href`, href })),
  ...textLinks(section),
];

/** The faults of links to sections that the page does not have. */
export function linkFaults(sections: readonly Section[], at: string): ErrorDetail[] {
  const anchors = new Set(sections.map(({ id }) => `#${id}`));
  return sections.flatMap((section, index) =>
    linksOf(section).flatMap(({ path, href }) => {
      if (!href?.startsWith('#sec_') || anchors.has(href)) return [];
      const message = `The page has no section ${href.slice(1)}. Change the link, or give the id of the removed section to the section that replaces it.`;
      return [{ path: `${at}.${index}.${path}`, code: 'unknown', message }];
    }),
  );
}
