// The languages of the starters: the languages that a new workspace gets, and a starter in further languages for an existing workspace.
import { canonicalLocale } from '../../../core/index.ts';
import { themed } from '../composing/style.ts';
import { starterLayouts } from './catalogue.ts';
import { compiledStarters } from './compiled.gen.ts';
import { type AuthoredMail, fillMarks, type LanguageTexts, type NestedTexts, slotsOf } from './marks.ts';
import { type CompiledStarter, starterIn } from './starter.ts';
import { starterTexts } from './texts/index.ts';
import type { StarterTexts } from './texts.ts';

/** Texts of the starters by BCP 47 tag: further languages, or a program's own words in place of a built-in language. */
export type StarterTextsByLanguage = Readonly<Record<string, StarterTexts>>;

/** The languages of the starters in a new workspace. */
export interface StarterLanguages {
  /**
   * BCP 47 tags. The first one is the language of the template itself: recipients get it if their language is not in this list. Each
   * language adds about 400 kB to the rows of a workspace. (Default: English only)
   */
  readonly languages?: readonly string[];
  /** (Default: the built-in texts in en, de, fr, es, it, pt, nl, pl, ja and ar) */
  readonly texts?: StarterTextsByLanguage;
}

let compiledByKey: Readonly<Record<string, CompiledStarter>> | undefined;

export function compiledStarter(key: string): CompiledStarter {
  compiledByKey ??= compiledStarters();
  const compiled = compiledByKey[key];
  if (compiled === undefined) throw new Error(`${key} is not compiled: run test/support/compile-starters.ts.`);
  return compiled;
}

/** The HTML that publishing a starter in this language would freeze. */
export const compiledHtml = (key: string, language: LanguageTexts): string =>
  fillMarks(compiledStarter(key).html, language, 'html');

/** The fault of texts, which must have the same names and slots as the English texts; undefined if they have no fault. */
function faultOf(texts: unknown, english: NestedTexts | string, path: string): string | undefined {
  if (typeof english === 'string') {
    if (typeof texts !== 'string' || texts.trim() === '') return `“${path}” is missing`;
    const [given, expected] = [slotsOf(texts), slotsOf(english)].map((slots) => [...new Set(slots)].sort().join(', '));
    return given === expected
      ? undefined
      : `“${path}” needs these slots: ${expected || 'none'}; it has: ${given || 'none'}`;
  }
  for (const [name, child] of Object.entries(english)) {
    const given = typeof texts === 'object' && texts !== null ? Object.entries(texts) : [];
    const found: unknown = given.find(([each]) => each === name)?.[1];
    const fault = faultOf(found, child, path === '' ? name : `${path}.${name}`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Finds the texts of the languages. @throws Error if a language has no texts, or incomplete texts */
export function languagesOf({
  languages = ['en'],
  texts = {},
}: StarterLanguages): readonly [LanguageTexts, ...LanguageTexts[]] {
  const known = new Map<string, StarterTexts>(Object.entries(starterTexts));
  for (const [tag, given] of Object.entries(texts)) {
    const language = canonicalLocale(tag);
    if (language === undefined) throw new Error(`The texts of the starters: “${tag}” is not a language tag (BCP 47).`);
    const fault = faultOf(given, starterTexts.en, '');
    if (fault !== undefined) throw new Error(`The texts of the starters in “${tag}”: ${fault}.`);
    known.set(language, given);
  }
  const chosen = languages.map((tag): LanguageTexts => {
    const language = canonicalLocale(tag) ?? tag;
    const found = known.get(language);
    if (found !== undefined) return { language, texts: found };
    throw new Error(
      `The starters have no texts in “${tag}”. Built in: ${Object.keys(starterTexts).join(', ')}. Give others as texts.`,
    );
  });
  const [first, ...others] = chosen;
  if (first === undefined) throw new Error('The starters need at least one language.');
  const twice = chosen.find(({ language }, index) => chosen.findIndex((each) => each.language === language) !== index);
  if (twice !== undefined) throw new Error(`The starters have “${twice.language}” twice among their languages.`);
  return [first, ...others];
}

/**
 * One starter in these languages, for `locales` of templates.update: in this way an existing workspace gets further languages.
 * Recipients get them after the next publish.
 * @param texts as in the option `starters` of templatesPlugin
 * @throws Error if there is no such starter, or if a language has no texts
 */
export function starterLocales(
  key: string,
  languages: readonly string[],
  texts: StarterTextsByLanguage = {},
): Record<string, AuthoredMail> {
  const layout = starterLayouts.find((each) => each.key === key);
  if (layout === undefined)
    throw new Error(`There is no starter “${key}”. There are: ${starterLayouts.map((each) => each.key).join(', ')}.`);
  return Object.fromEntries(
    languagesOf({ languages, texts }).map((language) => {
      const { subject, previewText, body, text } = starterIn(layout, language);
      return [language.language, { subject, previewText, body: themed(body), text }];
    }),
  );
}
