// Links of a page to its own sections, those of buttons and those in Markdown: each leads to a section that the page has. Pure; called
// where sections are given and published, and for what a composer writes.
import type { ErrorDetail } from '../../../core/index.ts';
import type { Section } from './schema.ts';

/** A link of a section with its path there. */
interface SectionLink {
  readonly path: string;
  readonly href: string | undefined;
}

/**
 * What Markdown reads first at a place, in this order: a fenced block of code, an escaped sign, a code span, a link or the definition
 * of one. Code and escaped signs hold no link. This does not render the text: rendering loads a package, for which a transaction
 * cannot wait.
 */
const markdown =
  /^ {0,3}(?:(`{3,})(?!`)[^`\n]*|(~{3,})(?!~)[^\n]*)\n[\s\S]*?(?:^ {0,3}(?:\1\2)|(?![\s\S]))|\\[\s\S]|(?<!`)(`+)(?!`)[\s\S]*?[^`]\3(?!`)|(?:\]\(\s*|^ {0,3}\[[^\]\n]+\]:\s*)<?(#sec\\?_[^\s)>]*)/gm;

const unescaped = (text: string): string => text.replace(/\\([!-/:-@[-`{-~])/g, '$1');

/** The sections to which a Markdown text leads, as `#sec_…`, each once. */
function sectionsIn(source = ''): string[] {
  const links = [...source.matchAll(markdown)].map(([, , , , link]) => link);
  return [...new Set(links.filter((link) => link !== undefined).map(unescaped))];
}

/** The links in the Markdown of a section that lead to sections. */
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

/** The links that lead to a section which the page does not have. */
export function linkFaults(sections: readonly Section[], at: string): ErrorDetail[] {
  const known = new Set(sections.map(({ id }) => `#${id}`));
  return sections.flatMap((section, index) =>
    linksOf(section).flatMap(({ path, href }) => {
      if (!href?.startsWith('#sec_') || known.has(href)) return [];
      const message = `The page has no section ${href.slice(1)}. To replace a section by another kind keep its id, or change the link.`;
      return [{ path: `${at}.${index}.${path}`, code: 'unknown', message }];
    }),
  );
}
