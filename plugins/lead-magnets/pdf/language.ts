// Finds the language of a text by its script. Chinese characters belong to several languages, whose fonts differ. Pure.

const han = /\p{Script=Han}/u;

const countOf = (text: string, letters: RegExp): number => [...text].filter((one) => letters.test(one)).length;

/** The Chinese characters of an encoding whose lead and trail bytes are in these ranges. */
function charactersOf(encoding: string, leads: readonly [number, number], trails: readonly [number, number]) {
  const decoder = new TextDecoder(encoding);
  const characters = new Set<string>();
  for (let lead = leads[0]; lead <= leads[1]; lead += 1)
    for (let trail = trails[0]; trail <= trails[1]; trail += 1) {
      const text = decoder.decode(new Uint8Array([lead, trail]));
      if (han.test(text)) characters.add(text);
    }
  return characters;
}

let nationalSets: { readonly mainland: ReadonlySet<string>; readonly taiwan: ReadonlySet<string> } | undefined;

/** Whether a Chinese text uses traditional characters: more of its characters are in Big5 (Taiwan) than in GB 2312 (mainland China). */
function isTraditional(text: string): boolean {
  nationalSets ??= {
    mainland: charactersOf('gbk', [0xb0, 0xf7], [0xa1, 0xfe]),
    taiwan: charactersOf('big5', [0xa4, 0xf9], [0x40, 0xfe]),
  };
  const { mainland, taiwan } = nationalSets;
  let score = 0;
  for (const character of text) score += Number(taiwan.has(character)) - Number(mainland.has(character));
  return score > 0;
}

export type EastAsianLanguage = 'ja' | 'ko' | 'zh-Hans' | 'zh-Hant';

/** The language whose form of Chinese characters to use: that of the tag or, if it has none, that of the text. */
export function eastAsianLanguageOf(tag: string, text: string): EastAsianLanguage {
  const { language, script } = new Intl.Locale(tag).maximize();
  if (language === 'ja' || language === 'ko') return language;
  if (language === 'zh' || language === 'yue') return script === 'Hant' ? 'zh-Hant' : 'zh-Hans';
  const characters = countOf(text, han);
  if (countOf(text, /[\p{Script=Hiragana}\p{Script=Katakana}]/u) * 10 > characters) return 'ja';
  if (countOf(text, /\p{Script=Hangul}/u) > characters) return 'ko';
  return isTraditional(text) ? 'zh-Hant' : 'zh-Hans';
}

/** Scripts that show the language of a text. */
const languages: readonly (readonly [language: string, letters: RegExp])[] = [
  ['ar', /\p{Script=Arabic}/u],
  ['he', /\p{Script=Hebrew}/u],
  ['th', /\p{Script=Thai}/u],
  ['zh', /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u],
];

/**
 * The language of a text by the script of most of its letters; undefined if the script does not show a language. Of the languages that
 * share a script, the most common one is returned.
 */
export function languageOf(text: string): string | undefined {
  const letters = countOf(text, /\p{L}/u);
  const [language] = languages.find(([, script]) => countOf(text, script) * 2 > letters) ?? [];
  return language === 'zh' ? eastAsianLanguageOf('und', text) : language;
}
