// Texts of all scripts in QR codes: two readers decode exactly the encoded text. A code with non-ASCII text declares UTF-8.
// full-run: slow
import qrcode from 'qrcode';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isPostriderError } from '../../core/index.ts';
import { createDecoder, type Decoder } from '../../plugins/qr/decode/decoder.ts';
import { createMatrix } from '../../plugins/qr/painter/matrix.ts';
import { renderCode } from '../../plugins/qr/render.ts';
import { defaultStyle, formats, noFrame } from '../../plugins/qr/schema.ts';
import { hasZbar, readWithZbar } from '../support/qr-grid.ts';

const test = suite<{ decoder: Decoder }>('texts of all scripts in codes');
test.before((context) => {
  context.decoder = createDecoder();
});
test.after(({ decoder }) => decoder.stop());

const zbar = await hasZbar();

const texts: Readonly<Record<string, string>> = {
  accent: 'Café',
  'accent in an address': 'https://acme.example/caf\u00e9?q=cr\u00e8me',
  'decomposed accent': 'Cafe\u0301',
  'the ends of Latin-1': '\u00a0 \u00ff \u0080 x',
  turkish: 'İyi günler, ışık, Straße ß',
  kanji: '\u65e5\u672c\u8a9e\u306e\u6587\u5b57',
  'half-width katakana': '\uff76\uff80\uff76\uff85',
  'characters whose Shift JIS bytes contain a backslash': '\u8868\u793a\u80fd\u529b ~ \\ \u00a5',
  arabic: '\u0645\u0631\u062d\u0628\u0627 \u0628\u0627\u0644\u0639\u0627\u0644\u0645',
  emoji: '\u{1f44d}\u{1f3fd} \u{1f469}\u200d\u{1f469}\u200d\u{1f467}',
  'emoji beside digits': '0123456789012345678901234567890123 \u{1f600} ABCDEFGHIJKLMNOP',
  'a mixture': 'BEGIN:VCARD\nN:M\u00fcller;\u5c71\u7530;\u0418\u0432\u0430\u043d\nTEL:+491234567890\nEND:VCARD',
  'text that looks like UTF-8 read as Latin-1': 'Caf\u00c3\u00a9',
  'replacement character': 'a\ufffdb',
};

for (const [kind, text] of Object.entries(texts))
  test(`${kind}: both readers decode the text from each format`, async ({ decoder }) => {
    for (const errorCorrection of ['L', 'H'] as const)
      for (const format of formats) {
        const style = { ...defaultStyle, errorCorrection };
        // renderCode also decodes its result with ZXing.
        const { bytes } = await renderCode({ text, style, frame: noFrame, logo: undefined }, format, decoder);
        if (zbar && (format === 'png' || format === 'png-print')) {
          const [decoded] = await readWithZbar([bytes], 'png');
          assert.is(decoded?.replace(/\n$/, ''), text, `${format} ${errorCorrection}`);
        }
      }
  });

test('an ASCII-only code declares no encoding', async () => {
  for (const text of ['https://acme.example/', '0123456789', 'HELLO WORLD', 'a'.repeat(2_331), '~\u007f'])
    for (const level of text.length > 2_000 ? (['M'] as const) : (['L', 'M', 'Q', 'H'] as const)) {
      const { modules } = qrcode.create(text, { errorCorrectionLevel: level });
      const matrix = await createMatrix(text, level);
      assert.is(matrix.size, modules.size);
      for (let row = 0; row < matrix.size; row += 1)
        for (let column = 0; column < matrix.size; column += 1)
          assert.is(matrix.isDark(row, column), modules.data[row * matrix.size + column] === 1);
    }
});

test('a text of the maximum size is drawn, and a text with one more byte is refused: too_long', async ({ decoder }) => {
  const most = { L: 2_953, M: 2_331, Q: 1_663, H: 1_273 } as const;
  for (const [level, bytes] of Object.entries(most)) {
    const style = { ...defaultStyle, errorCorrection: level as 'L' };
    const render = (text: string) => renderCode({ text, style, frame: noFrame, logo: undefined }, 'svg', decoder);
    // Declaring the encoding takes two bytes.
    for (const [kind, largest] of [
      ['a', 'a'.repeat(bytes)],
      ['\u00e9', `\u00e9${'a'.repeat(bytes - 4)}`],
    ] as const) {
      const drawn = await render(largest).then(String, (error: unknown) => error);
      if (isPostriderError(drawn)) assert.is(drawn.details?.[0]?.code, 'style', `${level} ${kind}`);
      const longer = await render(`${largest}a`).then(String, (error: unknown) => error);
      assert.ok(isPostriderError(longer, 'qr_unreadable'), `${level} ${kind}`);
      assert.is(longer.details?.[0]?.code, 'too_long', `${level} ${kind}`);
    }
  }
});

test.run();
