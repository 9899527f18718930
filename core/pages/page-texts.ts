// Texts of public pages in the languages that a program gives, and which of them a visitor reads. Called by plugins whose pages
// recipients see.

/** The texts of a page in one language. */
export interface TextsInOneLanguage {
  /** (Default: ltr) */
  readonly direction?: 'ltr' | 'rtl';
}

/** Texts by lower-case BCP 47 tag. English is among them. */
export type PageTexts<Texts> = ReadonlyMap<string, Texts>;

/** Chosen texts and the tag that they stand under. */
export interface ChosenTexts<Texts> {
  readonly language: string;
  readonly texts: Texts;
}

/** `given` by BCP 47 tag; `en` replaces the embedded English. */
export const pageTexts = <Texts extends TextsInOneLanguage>(
  english: Texts,
  given: Readonly<Record<string, Texts>> = {},
): PageTexts<Texts> =>
  new Map([['en', english], ...Object.entries(given).map(([tag, texts]) => [tag.toLowerCase(), texts] as const)]);

/**
 * The first language that there are texts for, by its whole tag or its language alone; else English.
 * @param accepted an Accept-Language header (RFC 9110, section 12.5.4) in the order of its languages, or one tag
 */
export function chooseTexts<Texts extends TextsInOneLanguage>(
  texts: PageTexts<Texts>,
  accepted = '',
): ChosenTexts<Texts> {
  for (const range of accepted.slice(0, 500).toLowerCase().split(',')) {
    const tag = range.split(';', 1)[0]?.trim() ?? '';
    for (const language of [tag, tag.split('-', 1)[0] ?? '']) {
      const found = texts.get(language);
      if (found !== undefined) return { language, texts: found };
    }
  }
  const english = texts.get('en');
  if (english === undefined) throw new Error('The texts of a page have no English.');
  return { language: 'en', texts: english };
}

/** What a page in the chosen language adds to its answer. */
export const inLanguage = ({ language, texts }: ChosenTexts<TextsInOneLanguage>) => ({
  language,
  direction: texts.direction ?? 'ltr',
  headers: { Vary: 'Accept-Language' },
});
