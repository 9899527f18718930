// Which language a page visitor and a mail recipient get: language tags may be shortened, but never changed to another
// script.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { chooseTexts, pageTexts } from '../../core/pages/page-texts.ts';
import { chooseLocale } from '../../plugins/templates/authoring/locales.ts';

const test = suite('texts in the language of a visitor');

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
  test(`${accepted} among ${languages.join(' and ')} is ${chosen}`, () => {
    const texts = pageTexts({}, Object.fromEntries(languages.map((tag) => [tag, {}])));
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

test('the longest header is processed quickly', () => {
  const texts = pageTexts({}, { de: {} });
  for (const header of ['a,'.repeat(5_000), 'zh-tw,'.repeat(5_000), `de-${'abcde-'.repeat(2_000)}`]) {
    const before = performance.now();
    chooseTexts(texts, header);
    assert.ok(performance.now() - before < 50);
  }
});

test.run();
