// The encoding of texts and their segments: the boundaries of both encodings, and the cases of Twilio's public segment calculator.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { measureSms } from '../../plugins/sms/encoding/segments.ts';

const test = suite('SMS segments');

const a = (count: number): string => 'a'.repeat(count);
const emoji = '😜';
const rows: readonly [string, string, 'GSM-7' | 'UCS-2', number, number][] = [
  ['nothing', '', 'GSM-7', 0, 0],
  ['160 septets', a(160), 'GSM-7', 160, 1],
  ['161 septets', a(161), 'GSM-7', 161, 2],
  ['two full parts of 153', a(306), 'GSM-7', 306, 2],
  ['one character more than two full parts', a(307), 'GSM-7', 307, 3],
  // github.com/TwilioDevEd/message-segment-calculator, tests/index.test.js
  ["Twilio's escape character in one segment", `{${a(158)}`, 'GSM-7', 159, 1],
  ["Twilio's escape character in two segments", `{${a(159)}`, 'GSM-7', 160, 2],
  ["Twilio's emoji in one segment", emoji + a(68), 'UCS-2', 69, 1],
  ["Twilio's emoji in two segments", emoji + a(69), 'UCS-2', 70, 2],
  ['an escape pair at the end of the first part', `${a(152)}€${a(152)}`, 'GSM-7', 305, 3],
  ['an escape pair that fits the first part', `${a(151)}€${a(153)}`, 'GSM-7', 305, 2],
  ['70 units of UCS-2', `—${a(69)}`, 'UCS-2', 70, 1],
  ['71 units of UCS-2', `—${a(70)}`, 'UCS-2', 71, 2],
  ['two full parts of 67', `—${a(133)}`, 'UCS-2', 134, 2],
  ['one character more than two full parts of 67', `—${a(134)}`, 'UCS-2', 135, 3],
  ['a surrogate pair at the end of the first part', `${a(66)}${emoji}${a(66)}`, 'UCS-2', 133, 3],
  ['the whole extension table', '^{}\\[~]|€\f', 'GSM-7', 10, 1],
  ['national letters of the alphabet', 'ÄÖÜäöüßÉéèàùòñØøÅåÆæ¿¡§', 'GSM-7', 23, 1],
];

for (const [title, text, encoding, characters, segments] of rows)
  test(title, () => {
    const measure = measureSms(text);
    assert.equal([measure.encoding, measure.characters, measure.segments], [encoding, characters, segments]);
  });

test('characters outside GSM-7 are reported with replacements', () => {
  const { offenders } = measureSms('“Ça va” – 100 ₹ ł🙂');
  assert.equal(
    offenders.map(({ codePoint, count, standIn }) => [codePoint, count, standIn]),
    [
      ['U+201C', 1, '"'],
      ['U+201D', 1, '"'],
      ['U+2013', 1, '-'],
      ['U+20B9', 1, null],
      ['U+0142', 1, null],
      ['U+1F642', 1, null],
    ],
  );
  assert.is(measureSms('ê').offenders[0]?.standIn, 'e');
});

test.run();
