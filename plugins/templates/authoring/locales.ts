// Languages of a template: the content for each language, and the choice of the language for a recipient. Pure.
import { canonicalLocale, type ErrorDetail } from '../../../core/index.ts';
import { fallbackTags } from '../../../core/unstable.ts';
import { LOCALE_LIMIT, LOCALES_LIMIT } from '../language/limits.ts';

/** A template's content in one language. A missing part is taken from the template itself. */
export interface LocaleContent {
  readonly subject?: string | undefined;
  readonly previewText?: string | undefined;
  readonly body?: string | undefined;
  readonly text?: string | undefined;
}

/** Contents by canonical language tag. */
export type Locales = Readonly<Record<string, LocaleContent>>;

/** An author's changes. Null removes a field or a whole language. */
export type LocaleChanges = Readonly<
  Record<string, { readonly [K in keyof LocaleContent]: LocaleContent[K] | null } | null>
>;

export const parseLocales = (row: { readonly locales: string | null }): Locales =>
  row.locales === null ? {} : (JSON.parse(row.locales) as Locales);

/** Returns the languages after a change, and the faults of the change. */
export function changeLocales(
  before: Locales,
  changes: LocaleChanges,
  ownLocale: string | null,
): { locales: string | null; details: ErrorDetail[] } {
  const changedLocales = new Map(Object.entries(before));
  const details: ErrorDetail[] = [];
  const seenLocales = new Set<string>();
  const refuse = (tag: string, code: string, message: string) =>
    details.push({ path: `locales.${tag.slice(0, 40)}`, code, message });
  for (const [tag, change] of Object.entries(changes)) {
    const locale = canonicalLocale(tag);
    if (locale === undefined) {
      refuse(tag, 'locale_invalid', 'This is not a language tag (BCP 47), such as de or pt-BR.');
      continue;
    }
    if (seenLocales.has(locale)) refuse(tag, 'duplicate', `${locale} is given twice, in two spellings.`);
    seenLocales.add(locale);
    if (change === null) {
      changedLocales.delete(locale);
      continue;
    }
    const content = Object.entries({ ...changedLocales.get(locale), ...change }).filter(
      ([, value]) => value !== null && value !== undefined,
    );
    if (content.length === 0) refuse(tag, 'locale_empty', 'Say what differs in this language, or leave it out.');
    changedLocales.set(locale, Object.fromEntries(content));
  }
  if (ownLocale !== null && changedLocales.has(ownLocale)) {
    refuse(ownLocale, 'conflict', `${ownLocale} is the language of the template itself: leave it out of locales.`);
  }
  if (changedLocales.size > LOCALE_LIMIT) {
    details.push({ path: 'locales', code: 'too_many', message: `A template has at most ${LOCALE_LIMIT} languages.` });
  }
  const locales = changedLocales.size === 0 ? null : JSON.stringify(Object.fromEntries(changedLocales));
  if (locales !== null && locales.length > LOCALES_LIMIT) {
    const message = `All languages together have at most ${LOCALES_LIMIT} characters.`;
    details.push({ path: 'locales', code: 'too_long', message });
  }
  return { locales, details };
}

/**
 * Chooses the language for a recipient: the tag itself, then shorter tags (de-AT, de) and its script (zh-TW, zh-Hant),
 * then the template's own content, in any language.
 */
export function chooseLocale(
  requested: string | undefined,
  ownLocale: string | null,
  has: (locale: string) => boolean,
): string | null {
  const tags = requested === undefined ? [] : fallbackTags(requested);
  return tags.find((tag) => tag === ownLocale || has(tag)) ?? ownLocale;
}
