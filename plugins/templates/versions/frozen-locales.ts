// The stored form of a version's languages. The names come first, so that lists of versions need not read the contents.
// Written at publish.
import type { CompiledContent } from '../authoring/authoring.ts';

/** The compiled parts of one language. */
export type FrozenContent = Omit<CompiledContent, 'locale'>;

interface Frozen {
  readonly names: readonly string[];
  readonly contents: Readonly<Record<string, FrozenContent>>;
}

/** Returns the column's text; null without languages. */
export function freezeLocales(contents: readonly CompiledContent[]): string | null {
  const entries = contents.flatMap(({ locale, ...content }) => (locale === null ? [] : [[locale, content] as const]));
  if (entries.length === 0) return null;
  const frozen: Frozen = { names: entries.map(([name]) => name), contents: Object.fromEntries(entries) };
  return JSON.stringify(frozen);
}

/** Returns the names alone, from the column's text or from a prefix that contains them. */
export function localeNames(text: string | null): string[] {
  const end = text?.indexOf(']') ?? -1;
  return text === null || end < 0 ? [] : (JSON.parse(text.slice(text.indexOf('['), end + 1)) as string[]);
}

/** Returns the compiled parts of one language. */
export function frozenContent(text: string, locale: string): FrozenContent | undefined {
  const { contents } = JSON.parse(text) as Frozen;
  return Object.hasOwn(contents, locale) ? contents[locale] : undefined;
}
