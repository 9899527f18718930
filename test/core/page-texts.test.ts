// The language that a page visitor and a mail recipient get: language tags may be shortened, but never changed to another script.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  chooseTexts,
  directionOf,
  pageLanguages,
  pageTexts,
  type TextsInOneLanguage,
} from '../../core/pages/page-texts.ts';
import { refusalTexts } from '../../core/pages/refusal-texts.ts';
import { chooseLocale } from '../../plugins/templates/authoring/locales.ts';

const test = suite('texts in the language of a visitor');

/** Empty texts in these languages. */
const textsIn = (tags: readonly string[]) =>
  new Map(tags.map((tag): [string, TextsInOneLanguage] => [tag.toLowerCase(), {}]));

// [languages, Accept-Language, chosen]
const cases: readonly [readonly string[], string | undefined, string][] = [
  [['de'], 'de-AT,de;q=0.9,en;q=0.8', 'de'],
  [['de', 'de-AT'], 'de-at', 'de-at'],
  [['de'], 'fr, de;q=0.5', 'de'],
  [['zh-Hant', 'zh-Hans'], 'zh-TW,zh;q=0.8', 'zh-hant'],
  [['zh-Hant', 'zh-Hans'], 'zh-HK', 'zh-hant'],
  [['zh-Hant', 'zh-Hans'], 'zh-CN,zh;q=0.8,zh-TW;q=0.6', 'zh-hans'],
  [['zh-Hant', 'zh-Hans'], 'zh', 'zh-hans'],
  [['zh-Hant'], 'zh-Hant-TW', 'zh-hant'],
  [['zh'], 'zh-Hans-SG', 'zh'],
  [['zh'], 'zh-TW,ja;q=0.5', 'en'],
  [['zh', 'ja'], 'zh-TW,ja;q=0.5', 'ja'],
  [['zh', 'zh-Hans'], 'zh', 'zh'],
  [['sr-Latn', 'sr'], 'sr-Latn-RS', 'sr-latn'],
  [['sr'], 'sr-Latn-RS', 'en'],
  [['pt-BR'], 'pt-BR-x-private', 'pt-br'],
  [['de'], '*', 'en'],
  [['de'], undefined, 'en'],
  [['de'], ' , ;q=1,-,de-,x,İ,👩‍👩‍👧,\ud800', 'de'],
  [['de'], '日本語', 'en'],
];
for (const [languages, accepted, chosen] of cases)
  test(`a visitor who accepts ${accepted} gets ${chosen} if there are texts in ${languages.join(' and ')}`, () => {
    const texts = textsIn(['en', ...languages]);
    assert.is(chooseTexts(texts, accepted).language, chosen);
  });

// [variants, asked, chosen]; the template's own content is English.
const variants: readonly [readonly string[], string | undefined, string][] = [
  [['de'], 'de-AT', 'de'],
  [['zh-Hant', 'zh-Hans'], 'zh-TW', 'zh-Hant'],
  [['zh-Hans'], 'zh-TW', 'en'],
  [['zh'], 'zh-HK', 'en'],
  [['zh'], 'zh-CN', 'zh'],
  [['sr', 'sr-Latn'], 'sr-Latn-ME', 'sr-Latn'],
  [['de'], undefined, 'en'],
];
for (const [names, asked, chosen] of variants)
  test(`a template in ${names.join(' and ')} is sent in ${chosen} to ${asked}`, () => {
    assert.is(
      chooseLocale(asked, 'en', (name) => names.includes(name)),
      chosen,
    );
  });

test("the page's language has priority over the person's language, and that over the browser's language, if there are texts in it", () => {
  const texts = textsIn(['en', 'de', 'fr']);
  const chosen = (...preferred: (string | null | undefined)[]) => chooseTexts(texts, ...preferred).language;
  assert.is(chosen('fr', 'de', 'en'), 'fr');
  assert.is(chosen(null, 'de', 'fr'), 'de');
  assert.is(chosen('he', undefined, 'de;q=0.5'), 'de');
  assert.is(chosen('he', 'ko', undefined), 'en');
});

test('built-in texts exist in ten languages, and a program replaces one of them or adds another', () => {
  assert.is(pageLanguages.length, 10);
  for (const language of pageLanguages) {
    const { texts } = chooseTexts(refusalTexts, language);
    assert.ok(
      Object.values(texts).every((text) => text.trim() !== ''),
      language,
    );
  }
  assert.is(new Set(pageLanguages.map((tag) => chooseTexts(refusalTexts, tag).texts.missing)).size, 10);
  const builtIn = Object.fromEntries(pageLanguages.map((tag) => [tag, { word: tag }])) as Record<
    (typeof pageLanguages)[number],
    TextsInOneLanguage & { word: string }
  >;
  const texts = pageTexts(builtIn, { de: { word: 'own' }, 'pt-BR': { word: 'brazil' } });
  const wordIn = (tag: string) => chooseTexts(texts, tag).texts.word;
  assert.equal(['de-AT', 'pt-BR', 'pt', 'fr', 'tr'].map(wordIn), ['own', 'brazil', 'pt', 'fr', 'en']);
  assert.equal([directionOf('ar'), directionOf('he-IL'), directionOf('ja')], ['rtl', 'rtl', 'ltr']);
});

test('the longest header is processed quickly', () => {
  const texts = textsIn(['en', 'de']);
  for (const header of ['a,'.repeat(5_000), 'zh-tw,'.repeat(5_000), `de-${'abcde-'.repeat(2_000)}`]) {
    const before = performance.now();
    chooseTexts(texts, header);
    assert.ok(performance.now() - before < 50);
  }
});

test.run();
