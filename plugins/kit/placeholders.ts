// Placeholders: words that an embedded writer does not know, such as [What the course costs]. A word joiner inside each
// bracket marks them in the data. It is invisible, and brackets that people type do not contain it. Pure.
import { coreErrors } from '../../core/index.ts';

/** U+2060, word joiner. */
const mark = '\u2060';
const marked = new RegExp(`\\[${mark}([^\\]${mark}]*)${mark}\\]`, 'gu');

/** A placeholder in a content. */
export interface UnwrittenText {
  /** Where it stands, as a dotted path into the content. */
  readonly path: string;
  /** As people see it: `[What the course costs]`. */
  readonly text: string;
}

/** Makes a placeholder from the words that say what is missing. */
export const placeholder = (words: string): string => `[${mark}${words}${mark}]`;

/** The placeholders in the texts of a value, in order. */
export function placeholdersIn(value: unknown, path = ''): UnwrittenText[] {
  if (typeof value === 'string')
    return [...new Set(Array.from(value.matchAll(marked), ([, words = '']) => `[${words}]`))].map((text) => ({
      path,
      text,
    }));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => placeholdersIn(part, path === '' ? name : `${path}.${name}`));
}

/** The placeholders that a message names. */
const maxNamed = 5;

/** @param what the content with its article, such as `The page` @throws placeholders_left */
export function refusePlaceholders(what: string, content: unknown): void {
  const found = placeholdersIn(content);
  if (found.length === 0) return;
  const details = found.map(({ path, text }) => ({
    path,
    code: 'placeholder',
    message: `${text} stands for words that are missing. Replace it.`,
  }));
  const texts = [...new Set(found.map(({ text }) => text))];
  throw coreErrors.placeholders_left({ what, named: texts.slice(0, maxNamed), count: texts.length }, { details });
}
