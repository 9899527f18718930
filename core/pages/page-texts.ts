// Texts of public pages in the languages that a program provides, and the choice of the language for a visitor. Called
// by plugins whose pages recipients see.
import { fallbackTags } from '../contract/values/fallback-tags.ts';

/** The texts of a page in one language. */
export interface TextsInOneLanguage {
  /** (Default: the direction of the language) */
  readonly direction?: 'ltr' | 'rtl';
}

/** The languages in which every fixed text of pages and mails for visitors exists. */
export const pageLanguages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'ja', 'ar'] as const;
export type PageLanguage = (typeof pageLanguages)[number];

type Complete<Texts> = Texts extends string
  ? string
  : { readonly [Name in Exclude<keyof Texts, 'direction'>]-?: Complete<Exclude<Texts[Name], undefined>> };

/** Texts with all their optional parts, except that the direction follows from the language. */
export type CompleteTexts<Texts> = TextsInOneLanguage & Complete<Texts>;

/** The built-in texts. If a language lacks a text, they do not compile. */
export type BuiltInTexts<Texts> = Readonly<Record<PageLanguage, CompleteTexts<Texts>>>;

/** Texts by lower-case BCP 47 tag. English is always included. */
export type PageTexts<Texts> = ReadonlyMap<string, Texts>;

/** Chosen texts and their tag. */
export interface ChosenTexts<Texts> {
  readonly language: string;
  readonly texts: Texts;
}

/** The built-in texts and `programTexts`, which add languages or replace a built-in language. */
export const pageTexts = <Texts extends TextsInOneLanguage>(
  builtIn: Readonly<Record<PageLanguage, Texts>>,
  programTexts: Readonly<Record<string, Texts>> = {},
): PageTexts<Texts> =>
  new Map([
    ...Object.entries(builtIn),
    ...Object.entries(programTexts).map(([tag, texts]) => [tag.toLowerCase(), texts] as const),
  ]);

/**
 * The first preferred language that has texts: by its whole tag, else by a shorter tag in the same script; else English.
 * @param preferred tags or Accept-Language headers (RFC 9110, section 12.5.4), the most preferred first. A header is read
 * in the order of its languages. Missing values are skipped.
 */
export function chooseTexts<Texts extends TextsInOneLanguage>(
  texts: PageTexts<Texts>,
  ...preferred: readonly (string | null | undefined)[]
): ChosenTexts<Texts> {
  for (const range of preferred.flatMap((tagOrHeader) => (tagOrHeader ?? '').slice(0, 500).toLowerCase().split(','))) {
    const tag = range.split(';', 1)[0]?.trim() ?? '';
    for (const language of fallbackTags(tag).map((candidate) => candidate.toLowerCase())) {
      const textsOfLanguage = texts.get(language);
      if (textsOfLanguage !== undefined) return { language, texts: textsOfLanguage };
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

/** The language of a person whose attributes name one as `locale`: a text that may be a BCP 47 tag. */
export function languageOfPerson(attributes: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const { locale } = attributes ?? {};
  return typeof locale === 'string' && locale.length <= 35 ? locale : undefined;
}

/** The direction of chosen texts: the direction that the texts declare, else the direction of their language. */
const directionIn = ({ language, texts }: ChosenTexts<TextsInOneLanguage>): 'ltr' | 'rtl' =>
  texts.direction ?? directionOf(language);

/** The texts of a document, with its direction. */
export interface LocalizedTexts<Texts> extends ChosenTexts<Texts> {
  readonly direction: 'ltr' | 'rtl';
  /** Whether another visitor may get another language. */
  readonly byVisitor: boolean;
}

/**
 * The texts of a document: in the language of its content, whatever the visitor's language is. If the content has no
 * language, in the visitor's language.
 * @param contentLanguage the BCP 47 tag of the content
 * @param accepted the visitor's Accept-Language
 */
export function localizeTexts<Texts extends TextsInOneLanguage>(
  texts: PageTexts<Texts>,
  contentLanguage: string | null | undefined,
  accepted: string | undefined,
): LocalizedTexts<Texts> {
  const chosen = chooseTexts(texts, contentLanguage ?? accepted);
  if (contentLanguage == null) return { ...chosen, direction: directionIn(chosen), byVisitor: true };
  return { texts: chosen.texts, language: contentLanguage, direction: directionOf(contentLanguage), byVisitor: false };
}

/** The fields that a page in the chosen language adds to its answer. */
export const languageFields = ({ language, texts }: ChosenTexts<TextsInOneLanguage>) => ({
  language,
  direction: directionIn({ language, texts }),
  headers: { Vary: 'Accept-Language' },
});
