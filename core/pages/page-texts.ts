// Texts of public pages in the languages that a program provides, and the choice of the language for a visitor. Called
// by plugins whose pages recipients see.
import { fallbackTags } from '../contract/values/fallback-tags.ts';

/** The texts of a page in one language. */
export interface TextsInOneLanguage {
  /** (Default: ltr) */
  readonly direction?: 'ltr' | 'rtl';
}

/** Texts by lower-case BCP 47 tag. English is always included. */
export type PageTexts<Texts> = ReadonlyMap<string, Texts>;

/** Chosen texts and their tag. */
export interface ChosenTexts<Texts> {
  readonly language: string;
  readonly texts: Texts;
}

/** The texts in `given`, by lower-case BCP 47 tag; `en` replaces the built-in English. */
export const pageTexts = <Texts extends TextsInOneLanguage>(
  english: Texts,
  given: Readonly<Record<string, Texts>> = {},
): PageTexts<Texts> =>
  new Map([['en', english], ...Object.entries(given).map(([tag, texts]) => [tag.toLowerCase(), texts] as const)]);

/**
 * The first language that has texts: by its whole tag, else by a shorter tag in the same script; else English.
 * @param accepted an Accept-Language header (RFC 9110, section 12.5.4) in the order of its languages, or one tag
 */
export function chooseTexts<Texts extends TextsInOneLanguage>(
  texts: PageTexts<Texts>,
  accepted = '',
): ChosenTexts<Texts> {
  for (const range of accepted.slice(0, 500).toLowerCase().split(',')) {
    const tag = range.split(';', 1)[0]?.trim() ?? '';
    for (const language of fallbackTags(tag).map((one) => one.toLowerCase())) {
      const found = texts.get(language);
      if (found !== undefined) return { language, texts: found };
    }
  }
  const english = texts.get('en');
  if (english === undefined) throw new Error('The texts of a page must include English.');
  return { language: 'en', texts: english };
}

/** Scripts that are written from right to left (ISO 15924). */
const rightToLeft: ReadonlySet<string> = new Set([
  ...['Adlm', 'Arab', 'Aran', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa', 'Yezi'],
]);

/** The direction in which a language is written. @param tag a BCP 47 tag */
export const directionOf = (tag: string): 'ltr' | 'rtl' =>
  rightToLeft.has(new Intl.Locale(tag).maximize().script ?? '') ? 'rtl' : 'ltr';

/** The texts of a document, with its direction. */
export interface LocalizedTexts<Texts> extends ChosenTexts<Texts> {
  readonly direction: 'ltr' | 'rtl';
  /** Whether another visitor may get another language. */
  readonly byVisitor: boolean;
}

/**
 * The texts of a document: in the language of its content, whatever the visitor's language is. If the content has no
 * language, in the visitor's language.
 * @param own the BCP 47 tag of the content
 * @param accepted the visitor's Accept-Language
 */
export function localizeTexts<Texts extends TextsInOneLanguage>(
  texts: PageTexts<Texts>,
  own: string | null | undefined,
  accepted: string | undefined,
): LocalizedTexts<Texts> {
  const chosen = chooseTexts(texts, own ?? accepted);
  if (own == null) return { ...chosen, direction: chosen.texts.direction ?? 'ltr', byVisitor: true };
  return { texts: chosen.texts, language: own, direction: directionOf(own), byVisitor: false };
}

/** The fields that a page in the chosen language adds to its answer. */
export const languageFields = ({ language, texts }: ChosenTexts<TextsInOneLanguage>) => ({
  language,
  direction: texts.direction ?? 'ltr',
  headers: { Vary: 'Accept-Language' },
});
