// Finds the safe facts of a brief: names, dates, prices, addresses, links and quoted texts. Everything else in a
// brief may be an instruction for the writer, so it is not copied. Called by the embedded writers of plugins. Pure.
import { linksIn } from '../../core/unstable.ts';
import { type BriefLanguage, languageOf } from './brief-language.ts';
import { plainSentences } from './brief-sentences.ts';

/** The facts of a brief, as it writes them, each once and in order. */
export interface BriefFacts {
  /** The language of the brief; undefined if the embedded writers do not support it. */
  readonly language: BriefLanguage | undefined;
  /** The name of the subject: a short quoted text, or the text after a word such as `called`. */
  readonly name: string | undefined;
  /** The other quoted texts. */
  readonly quotes: readonly string[];
  readonly dates: readonly string[];
  readonly prices: readonly string[];
  /** Postal addresses. */
  readonly places: readonly string[];
  /** Mail addresses and telephone numbers. */
  readonly contacts: readonly string[];
  /** https addresses. */
  readonly links: readonly string[];
}

const months = [
  'January|February|March|April|May|June|July|August|September|October|November|December',
  'Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember',
  'janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre',
  'enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre',
  'يناير|فبراير|مارس|أبريل|إبريل|مايو|يونيو|يوليو|أغسطس|سبتمبر|أكتوبر|نوفمبر|ديسمبر',
].join('|');
const hour = '(?:\\d{1,2}[:.]\\d{2}|\\d{1,2})';
/** A time that belongs to the date before it. */
const timeOfDay = [
  `(?:,? (?:at )?\\d{1,2}(?:[:.]\\d{2})? ?(?:[ap]\\.?m\\b\\.?))`,
  `(?:,? at \\d{1,2}:\\d{2})`,
  `(?:,? (?:um )?${hour} Uhr)`,
  `(?:,? à \\d{1,2} ?h(?:\\d{2})?\\b)`,
  `(?:,? a las? \\d{1,2}[:.]\\d{2}(?: ?h\\b)?)`,
  `(?:の?\\d{1,2}時(?:\\d{1,2}分|半)?)`,
].join('|');

const dates = new RegExp(
  [
    '(?<![\\p{L}\\p{N}])\\d{4}-\\d{2}-\\d{2}(?![\\p{L}\\p{N}])',
    '(?<![\\p{L}\\p{N}./])\\d{1,2}[./]\\d{1,2}[./]\\d{4}(?![\\p{L}\\p{N}])',
    `(?<![\\p{L}\\p{N}])[\\p{Nd}]{1,2}(?:st|nd|rd|th|er|\\.)? (?:of |de )?(?:${months})(?![\\p{L}])(?:,? (?:del? )?\\p{Nd}{4}(?!\\p{Nd}))?`,
    `(?<![\\p{L}\\p{N}])(?:${months}) \\d{1,2}(?:st|nd|rd|th)?(?![\\p{L}\\p{N}])(?:,? \\d{4}(?!\\d))?`,
    '(?:\\d{4}年)?\\d{1,2}月\\d{1,2}日(?:[（(][日月火水木金土][)）])?',
  ]
    .map((date) => `(?:${date})`)
    .join('|'),
  'giu',
);
const datesWithTime = new RegExp(`(?:${dates.source})(?:${timeOfDay})?`, 'giu');

const amount = "\\p{Nd}+(?:[.,٫٬\u00a0\u202f’' ]\\p{Nd}{3})*(?:[.,٫]\\p{Nd}{1,2}|,-|,–)?(?!\\p{Nd})";
const currency =
  '€|\\$|£|¥|EUR|USD|GBP|CHF|JPY|AED|SAR|EGP|[Ee]uros?|dollars?|pounds?|dólares|円|ユーロ|دولار(?:اً|ًا)?|يورو|درهم(?:اً|ًا)?|ريال(?:اً|ًا)?|جنيه(?:اً|ًا)?|دينار(?:اً|ًا)?';
const prices = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(?:[€$£¥]|(?:EUR|USD|GBP|CHF|JPY|AED|SAR|EGP) ) ?${amount}|${amount}[ \u00a0\u202f]?(?:${currency})(?![\\p{L}]))`,
  'gu',
);
/** In Japanese, letters follow a price without a space. */
const yen = new RegExp(`${amount}円`, 'gu');

const places = new RegExp(
  [
    "(?:\\p{Lu}[\\p{L}.’'-]+ ){0,2}\\p{Lu}?[\\p{L}-]*(?:straße|strasse|str\\.|Straße|gasse|allee|Allee|weg|platz|Platz) \\d+ ?[a-z]?(?![\\p{L}\\p{N}])(?:, \\d{4,5} \\p{Lu}[\\p{L}-]+(?: (?:am|an der|im) \\p{Lu}[\\p{L}-]+)?)?",
    "\\d+[A-Za-z]? (?:\\p{Lu}[\\p{L}’'-]+ ){1,3}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Square|Drive|Boulevard|Way|Place)(?![\\p{L}])(?:, \\p{Lu}[\\p{L}-]+(?: \\p{Lu}[\\p{L}-]+)*)?(?:,? [A-Z]{1,2}\\d[A-Z\\d]? \\d[A-Z]{2}|,? [A-Z]{2} \\d{5})?",
    "\\d+(?: bis| ter)?,? (?:rue|avenue|boulevard|place|quai|chemin|cours|allée)(?: (?:de|du|des|la|le|les|l’|d’)| [dl]['’]| \\p{Lu}[\\p{L}'’-]*|\\p{Lu}[\\p{L}'’-]*)+(?:, \\d{5} \\p{Lu}[\\p{L}-]+)?",
    '(?:[Cc]alle|[Aa]venida|Av\\.|[Pp]laza|[Pp]aseo|[Cc]arrera)(?: (?:de|del|la|las|los|el)| \\p{Lu}[\\p{L}-]*)+,? \\d+(?:, \\d{5} \\p{Lu}[\\p{L}-]+)?',
    '(?:〒\\d{3}-\\d{4} ?)?(?:東京都|北海道|大阪府|京都府|\\p{Script=Han}{2,3}県)[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー]*\\d+(?:[-−–丁目番地号]+\\d*)*',
    'شارع (?:\\p{Script=Arabic}+ ?){1,3}(?:،? ?\\p{Nd}+)',
  ]
    .map((place) => `(?:${place})`)
    .join('|'),
  'gu',
);

const contacts = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?<![\p{L}\p{N}])\+\d[\d ()/-]{6,18}\d/gu;
const quoted =
  /“([^“”]{2,300})”|„([^„“”]{2,300})[“”]|"([^"\n]{2,300})"|«\s?([^«»]{2,300}?)\s?»|「([^「」]{2,300})」|『([^『』]{2,300})』/gu;
const called =
  /(?:\b(?:called|named|namens|heißt|s[’']appelle|nommée?|appelée?|llamad[oa]|se llama))\s+((?:\p{Lu}[\p{L}\p{N}&’'-]*)(?:\s+(?:(?:und|and|of|the|for|de|du|des|la|le|les|del|los|las|y|et|für|von|im|in|&)\s+){0,2}(?:\p{Lu}[\p{L}\p{N}&’'-]*|\p{N}+))*)/u;

/** Matches a sentence whose facts must not appear: it negates, compares or excludes them, or they are only for the writer. */
const unsafe = new RegExp(
  [
    "(?<!\\p{L})(?:not|don[’']t|doesn[’']t|isn[’']t|never|avoid|without|instead|no longer|unlike|similar|budget|revenue|turnover|discount|off|save|deadline|draft|by the end|I need|we need|need (?:it|this)|send (?:me|us)|competitors?|words?)(?!\\p{L})",
    '(?<!\\p{L})(?:nicht|kein(?:e[nmrs]?)?|nie|niemals|vermeide|vermeiden|ohne|statt(?! *(?:[.!?,]|$))|anstatt|ähnlich|Budget|Umsatz|Rabatt|sparen|Frist|Abgabe|Entwurf|brauche[n]?|Wettbewerber|Wörter[n]?|Wort)(?!\\p{L})',
    "(?<!\\p{L})(?:ne|n[’'](?=\\p{L})|pas|jamais|évite[zr]?|sans|au lieu|semblable|budget|chiffre d[’']affaires|remise|rabais|économise\\p{L}*|délai|brouillon|besoin|concurrents?|mots?)(?!\\p{L}{2})",
    '(?<!\\p{L})(?:no|nunca|evit[ae]r?|sin|en lugar|similar|presupuesto|ingresos|descuento|ahorr\\p{L}*|plazo|borrador|necesit\\p{L}*|competidor\\p{L}*|palabras?)(?!\\p{L})',
    '(?:ない|ません|避け|せず|ではなく|予算|売上|割引|締め?切|下書き|原稿|競合|言葉|単語)',
    '(?<!\\p{L})(?:لا|لم|لن|ليس|تجنب|بدون|دون|بدلاً|مثل|ميزانية|خصم|مسودة|الموعد النهائي|كلمة|كلمات)(?!\\p{L})',
  ].join('|'),
  'iu',
);
/** Matches words after which an address is only an example. */
const exampleIntroduction = /(?:like|such as|from|wie|comme|como|مثل)\s*$/i;

const trimmed = (text: string): string => text.replace(/[\s.,;:]+$/u, '').trim();
const unique = (list: readonly string[]): string[] => [...new Set(list)];
const matchesOf = (sentences: readonly string[], pattern: RegExp): string[] =>
  unique(sentences.flatMap((sentence) => Array.from(sentence.matchAll(pattern), ([matchText]) => trimmed(matchText))));

const maxName = 80;
const isNameLike = (text: string): boolean =>
  text.length <= maxName && !/[.!?。！？]$/u.test(text) && (/^[\p{Lu}\p{Lo}\p{N}]/u.test(text) || text.includes(' '));

/** The https addresses of a text that are not examples. */
const addressesIn = (text: string): string[] =>
  linksIn(text).flatMap(({ start, end, url }) =>
    url.startsWith('https://') &&
    !exampleIntroduction.test(text.slice(0, start)) &&
    !/^(?:のような|みたいな)/.test(text.slice(end))
      ? [url]
      : [],
  );

/** Finds the facts of a brief. */
export function factsOf(brief: string): BriefFacts {
  const language = languageOf(brief);
  const safe = plainSentences(brief).filter((sentence) => !unsafe.test(withoutQuotes(sentence)));
  const quotedTexts = unique(
    safe.flatMap((sentence) =>
      Array.from(sentence.matchAll(quoted), (match) =>
        (match.slice(1).find((part) => part !== undefined) ?? '').trim(),
      ),
    ),
  );
  const name =
    quotedTexts.find(isNameLike) ?? safe.map((sentence) => called.exec(sentence)?.[1]).find((calledName) => calledName);
  const links = unique(safe.flatMap(addressesIn));
  const texts = safe.map((sentence) =>
    links.reduce((remaining, link) => remaining.replace(link, ' '), withoutQuotes(sentence)),
  );
  return {
    ...{ language, name, links },
    quotes: quotedTexts.filter((text) => text !== name),
    dates: matchesOf(texts, datesWithTime),
    prices: unique([...matchesOf(texts, prices), ...matchesOf(texts, yen)]),
    places: matchesOf(texts, places),
    contacts: matchesOf(texts, contacts),
  };
}

function withoutQuotes(sentence: string): string {
  return sentence.replace(quoted, ' ');
}
