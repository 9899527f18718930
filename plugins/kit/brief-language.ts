// Recognises the language of a brief, for the embedded writers. Pure.

/** The languages in which the embedded writers write. */
export const briefLanguages = ['en', 'de', 'fr', 'es', 'ja', 'ar'] as const;
export type BriefLanguage = (typeof briefLanguages)[number];

/**
 * Frequent words of languages in Latin script. The writers do not write the last three languages, but distinguish them from Spanish and
 * German.
 */
const frequent: Readonly<Record<'en' | 'de' | 'fr' | 'es' | 'it' | 'pt' | 'nl', string>> = {
  en: 'the and of to for our we with is are that this it on at from your you should write page about who will an',
  de: 'der die das und ist für mit wir unser unsere unseren ein eine einen auf von zu den im am nicht soll sich seite über aus bei kostet',
  fr: 'le la les des et est pour avec nous notre nos un une du dans sur qui que aux au en doit page ne pas à ce cette',
  es: 'el la los las y es para con nuestro nuestra nuestros un una del de en que por se al su sobre página debe',
  it: 'il lo gli di e è per con nostro nostra un una della del che sul alla nel dei sono questo',
  pt: 'o os as e é para com nosso nossa um uma do da em que no na ao por não são você',
  nl: 'de het een en is voor met wij onze van op aan dat niet zijn naar bij over',
};

const wordSets = Object.entries(frequent).map(([language, words]) => [language, new Set(words.split(' '))] as const);
const isWritten = (language: string): language is BriefLanguage =>
  (briefLanguages as readonly string[]).includes(language);

/** If at least this share of the letters is in a script, the text counts as written in it. */
const minShare = 0.3;
const minKanaShare = 0.05;

/** The language of a brief; undefined if it is another language, or not clear. */
export function languageOf(brief: string): BriefLanguage | undefined {
  const letters = brief.match(/\p{L}/gu)?.length ?? 0;
  if (letters === 0) return undefined;
  const share = (script: RegExp): number => (brief.match(script)?.length ?? 0) / letters;
  if (share(/\p{Script=Arabic}/gu) >= minShare) return 'ar';
  if (share(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu) >= minKanaShare) return 'ja';
  const words = brief.toLowerCase().match(/\p{L}+/gu) ?? [];
  const scores = wordSets
    .map(([language, set]) => ({ language, score: words.filter((word) => set.has(word)).length }))
    .sort((a, b) => b.score - a.score);
  const [best, second] = scores;
  if (best === undefined || best.score === 0 || best.score === second?.score) return undefined;
  return isWritten(best.language) ? best.language : undefined;
}
