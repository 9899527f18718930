// Finds the scripts of a book, and the packages whose fonts have their letters. A package is read only if a text has
// letters that no other font has.
import type { FaceName } from './fonts.ts';
import { type EastAsianLanguage, eastAsianLanguageOf } from './language.ts';
import type { ScriptPackages } from './script-packages.ts';

/** A font family that a package provides. */
export interface ScriptFont {
  /** The language or the scripts, for the message if the package is missing. */
  readonly scripts: string;
  readonly package: string;
  /** The beginning of its file names. */
  readonly family: string;
  /** Whether it also replaces the standard fonts, so that one text does not mix two similar fonts. */
  readonly isLatin: boolean;
}

const font = (scripts: string, name: string, isLatin = false): ScriptFont => ({
  scripts,
  package: `@expo-google-fonts/noto-sans${name === '' ? '' : `-${name.toLowerCase()}`}`,
  family: `NotoSans${name}`,
  isLatin,
});

const latin = font('Latin, Greek or Cyrillic', '', true);
const arabic = font('Arabic', 'Arabic');
const hebrew = font('Hebrew', 'Hebrew');
const thai = font('Thai', 'Thai');
const korean = font('Korean', 'KR');

/** The fonts that are chosen by script alone, each with a pattern of its letters. For Chinese characters, the language also matters. */
const byLetters: readonly (readonly [ScriptFont, RegExp])[] = [
  [latin, /(?![\uff00-\uffef])[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u],
  [arabic, /[\p{Script_Extensions=Arabic}\ufb50-\ufdff\ufe70-\ufefc]/u],
  [hebrew, /\p{Script=Hebrew}/u],
  [thai, /[\p{Script=Thai}\u0e3f]/u],
  [korean, /\p{Script=Hangul}/u],
];
/** Punctuation and wide forms that Chinese, Japanese and Korean fonts have. */
const eastAsian =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u3000-\u303f\u3200-\u33ff\uff00-\uffef]/u;

const byLanguage: Readonly<Record<EastAsianLanguage, ScriptFont>> = {
  ja: font('Japanese', 'JP'),
  'zh-Hans': font('Chinese (simplified)', 'SC'),
  'zh-Hant': font('Chinese (traditional)', 'TC'),
  ko: korean,
};

/**
 * The fonts for these characters, in the order in which to use them.
 * @param missing the characters that no other font has
 * @param text the whole text, which shows the language of Chinese characters
 */
export function scriptFontsFor(missing: ReadonlySet<string>, language: string, text: string): readonly ScriptFont[] {
  const all = [...missing];
  const fonts = byLetters.filter(([, letters]) => all.some((one) => letters.test(one))).map(([one]) => one);
  if (!all.some((one) => eastAsian.test(one))) return fonts;
  const chosen = byLanguage[eastAsianLanguageOf(language, text)];
  return [chosen, ...fonts.filter((one) => one !== chosen)];
}

/** The files of a family. Undefined if the package is not installed. */
export async function readScriptFont(
  { package: name, family }: ScriptFont,
  { readFile }: ScriptPackages,
): Promise<Readonly<Record<FaceName, Uint8Array>> | undefined> {
  const regular = await readFile(`${name}/400Regular/${family}_400Regular.ttf`);
  const bold = await readFile(`${name}/700Bold/${family}_700Bold.ttf`);
  return regular === undefined || bold === undefined ? undefined : { regular, bold, italic: regular, boldItalic: bold };
}
