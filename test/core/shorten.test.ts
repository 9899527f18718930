// Texts for people are cut between words or letters, in every script, and never inside a letter.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { beginning, displayWidth, lettersOf, shortened, wordCount } from '../../core/contract/values/shorten.ts';

const japanese = 'これは日本語の文章で、単語の間に空白がありません。とても長いので短くする必要があります。';
const thai = 'สวัสดีชาวโลกภาษาไทยไม่มีช่องว่างระหว่างคำ';
const arabic = 'مرحبا بالعالم هذا نص عربي طويل جدا للاختبار';
const family = '👨‍👩‍👧‍👦';

/** Texts in many scripts, each longer than any limit below */
const texts: Readonly<Record<string, string>> = {
  japanese: japanese.repeat(20),
  chinese: '我们的课程教你在家烤面包从零开始不需要任何经验。'.repeat(40),
  thai: thai.repeat(20),
  arabic: `${arabic} `.repeat(20),
  turkish: 'İyi günler, ılık ışık; İstanbul’da kış. '.repeat(20),
  german: 'Größe, Straße, Fußgängerübergang: Maß für Maß. '.repeat(20),
  emoji: '😀🙏🏽🇩🇪'.repeat(100),
  families: family.repeat(50),
  marks: `a${'\u0301'.repeat(2_000)}`,
  replacement: '\ufffd'.repeat(600),
  'lone surrogates': '\ud83d'.repeat(600),
  controls: 'a\u0000b\u0007 '.repeat(200),
  word: 'Donaudampfschifffahrtsgesellschaft'.repeat(30),
  spaces: ' '.repeat(600),
};

/** True if the text contains no lone surrogate */
const isWell = (text: string): boolean => !/\p{Surrogate}/u.test(text);

test('no cut text is longer than requested or ends inside a letter', () => {
  for (const [name, text] of Object.entries(texts))
    for (const max of [1, 2, 3, 8, 20, 59, 60, 160, 500])
      for (const at of ['word', 'letter'] as const) {
        const cut = shortened(text, max, { at });
        const label = `${name}, ${max}, ${at}: ${JSON.stringify(cut)}`;
        assert.ok(cut.length <= max, label);
        assert.ok(cut.endsWith('…'), label);
        const keptText = cut.slice(0, -1);
        assert.ok(text.startsWith(keptText), label);
        if (isWell(text)) assert.ok(isWell(cut), label);
        const first = beginning(text, max);
        assert.ok(first.length <= max && text.startsWith(first), label);
        if (isWell(text)) assert.ok(isWell(first), label);
      }
  assert.is(beginning(`a${family}`, 6), 'a');
  assert.is(shortened(family.repeat(3), 24), `${family}${family}…`);
});

test('a text in a script without spaces is cut at a word near the limit', () => {
  for (const name of ['japanese', 'chinese', 'thai'] as const) {
    const cut = shortened(texts[name] ?? '', 160);
    assert.ok(cut.length > 140, `${name}: ${cut.length}`);
  }
  assert.is(shortened(japanese, 12), 'これは日本語の文章で…');
  assert.is(shortened(thai, 14), 'สวัสดีชาวโลก…');
});

test('a text with spaces is cut at a space, without trailing punctuation', () => {
  assert.is(shortened('The quick brown fox, who jumps', 22), 'The quick brown fox…');
  assert.is(shortened('The quick brown fox', 19), 'The quick brown fox');
  assert.is(shortened('See (the quick brown fox)', 7), 'See…');
  assert.is(shortened('Donaudampfschifffahrtsgesellschaft', 12), 'Donaudampfs…');
  assert.is(shortened('a b', 1), '…');
  assert.is(shortened('abc', 0), '');
  assert.is(shortened('', 5), '');
  assert.is(shortened('The quick brown fox', 12, { sign: '' }), 'The quick');
});

test('the width counts columns: two for Japanese and emoji, zero for combining marks', () => {
  assert.is(displayWidth('abc'), 3);
  assert.is(displayWidth('日本語'), 6);
  assert.is(displayWidth(family), 2);
  assert.is(displayWidth('e\u0301'), 1);
  assert.is(displayWidth('مرحبا'), 5);
  for (const [name, text] of Object.entries(texts))
    for (const max of [1, 2, 5, 20, 60])
      assert.ok(displayWidth(shortened(text, max, { by: 'width' })) <= max, `${name}, ${max}`);
  assert.is(shortened('日本語の文章', 7, { by: 'width', at: 'letter' }), '日本語…');
  assert.is(shortened('日本語', 6, { by: 'width' }), '日本語');
});

test('words are counted in every script', () => {
  assert.is(wordCount(''), 0);
  assert.is(wordCount(' – \n'), 0);
  assert.is(wordCount('Two words, – and “three” more'), 5);
  assert.is(wordCount(arabic), 8);
  const count = wordCount(japanese);
  assert.ok(count > 20 && count < 30, String(count));
  assert.ok(wordCount(thai) >= 9, String(wordCount(thai)));
  assert.is(wordCount('日本語 and English'), 3);
});

test('long text is segmented in pieces without losing or splitting a letter', () => {
  for (const [name, text] of Object.entries(texts)) {
    const long = text.repeat(5);
    assert.is(lettersOf(long).join(''), long, name);
  }
  assert.is(lettersOf(family.repeat(1_000)).length, 1_000);
  assert.is(lettersOf('🙏🏽'.repeat(1_000)).length, 1_000);
});

test.run();
