// Placeholders: words that an embedded writer does not know, such as [What the course costs]. A word joiner inside each
// bracket marks them in the data. It is invisible, and brackets that people type do not contain it. Pure.
import { coreErrors } from '../../core/index.ts';

/** U+2060, word joiner. */
const mark = '\u2060';
const marked = new RegExp(`\\[${mark}([^\\]${mark}]*)${mark}\\]`, 'gu');

/** A placeholder in a content. */
export interface UnwrittenText {
  /** Its position in the content, as a dotted path. */
  readonly path: string;
  /** As people see it: `[What the course costs]`. */
  readonly text: string;
}

/** Creates a placeholder from a description of the missing words. */
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

/** The maximum number of placeholders that the error message names. */
const maxNamed = 5;

/**
 * Checks that the content has no placeholders.
 * @param contentName the content with its article, such as `The page`
 * @throws placeholders_left
 */
export function refusePlaceholders(contentName: string, content: unknown): void {
  const placeholders = placeholdersIn(content);
  if (placeholders.length === 0) return;
  const details = placeholders.map(({ path, text }) => ({
    path,
    code: 'placeholder',
    message: `${text} stands for words that are missing. Replace it.`,
  }));
  const texts = [...new Set(placeholders.map(({ text }) => text))];
  throw coreErrors.placeholders_left(
    { what: contentName, named: texts.slice(0, maxNamed), count: texts.length },
    { details },
  );
}
