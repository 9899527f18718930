// The Markdown of a page as HTML. It is rendered when a caller sends the texts, before they are stored, and stored with
// them. So a request for the page renders nothing.
import type { ErrorDetail } from '../../../core/index.ts';
import { joinParts, type MarkdownSource, renderTexts, type TextParts } from '../../../core/unstable.ts';
import { maxContentBytes } from '../schema.ts';
import type { Section, SectionInput } from '../sections/schema.ts';

/** A text with its HTML. */
export interface PageText {
  readonly source: string;
  /** The level of its highest headings. */
  readonly top: number;
  readonly html: TextParts;
}

/** The HTML of texts, by `textKey`. */
export type RenderedTexts = ReadonlyMap<string, string>;

export const textKey = (source: string, top: number): string => `${top} ${source}`;

/** Whether a section has a visible heading. */
export const hasHeading = ({ heading }: Pick<Section, 'heading'>): boolean =>
  heading !== undefined && heading.trim() !== '';

/** The level of the headings in a section: in its items and in its texts. */
export const levelIn = (section: Pick<Section, 'heading'>): number => (hasHeading(section) ? 3 : 2);

/** The level of the headings in the text of an item. */
export const levelInItem = (section: Pick<Section, 'heading'>, { title }: { readonly title?: string | undefined }) =>
  levelIn(section) + (title === undefined || title === '' ? 0 : 1);

/** The Markdown of sections, by path. */
export function sourcesOf(
  sections: readonly SectionInput[],
  at: string,
): ReadonlyMap<string, MarkdownSource & { top: number }> {
  const sources = new Map<string, MarkdownSource & { top: number }>();
  const add = (path: string, source: string | undefined, top: number) => {
    if (source !== undefined && source.trim() !== '') sources.set(path, { source, top });
  };
  sections.forEach((section, index) => {
    const { text, items = [], form } = section;
    add(`${at}.${index}.text`, text, levelIn(section));
    add(`${at}.${index}.form.thanks`, form?.thanks, levelIn(section));
    items.forEach((item, number) => {
      add(`${at}.${index}.items.${number}.text`, item.text, levelInItem(section, item));
    });
  });
  return sources;
}

/**
 * The HTML of rendered texts, by `textKey`. Only sections contain pictures. A picture in a text is replaced by its alternative text.
 * @param language the BCP 47 tag of the page
 */
export const textsIn = (texts: readonly PageText[], language: string): RenderedTexts =>
  new Map(
    texts.map(({ source, top, html }) => [
      textKey(source, top),
      joinParts(html, { pictureUrl: () => undefined, language }),
    ]),
  );

/** Renders the Markdown of sections, outside any transaction. @throws validation_failed */
export async function renderSections(sections: readonly SectionInput[], at: string): Promise<readonly PageText[]> {
  const sources = sourcesOf(sections, at);
  const rendered = await renderTexts(sources);
  const texts = new Map<string, PageText>();
  for (const [path, { source, top }] of sources) {
    const text = rendered.get(path);
    if (text !== undefined) texts.set(textKey(source, top), { source, top, html: text.html });
  }
  return [...texts.values()];
}

/** The texts that these sections use. */
export function textsOf(sections: readonly Section[], known: readonly PageText[]): readonly PageText[] {
  const neededKeys = new Set([...sourcesOf(sections, '').values()].map(({ source, top }) => textKey(source, top)));
  const texts = new Map(known.map((text) => [textKey(text.source, text.top), text]));
  return [...texts].filter(([key]) => neededKeys.has(key)).map(([, text]) => text);
}

/** Reports sections that are too large for a page, with their texts counted as HTML. */
export function sizeFaults(sections: readonly Section[], texts: readonly PageText[], at: string): ErrorDetail[] {
  const html = textsIn(texts, 'en');
  let bytes = Buffer.byteLength(JSON.stringify(sections));
  for (const { source, top } of sourcesOf(sections, at).values())
    bytes += Math.max(0, Buffer.byteLength(html.get(textKey(source, top)) ?? '') - Buffer.byteLength(source));
  if (bytes <= maxContentBytes) return [];
  const message = `The sections have ${bytes} bytes together, with their texts as HTML. A page may have at most ${maxContentBytes}, so that it loads quickly.`;
  return [{ path: at, code: 'too_big', message }];
}
