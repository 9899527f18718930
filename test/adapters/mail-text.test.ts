// The bytes of a mail: bodies whose fixed texts are encoded once, and headers, checked by reading with postal-mime and nodemailer.
import MailComposer from 'nodemailer/lib/mail-composer';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { encodeText as encodeChunks } from '../../adapters/kit/mail-text.ts';
import { mimeChunks } from '../../adapters/kit/mime-bytes.ts';
import type { FixedText } from '../../plugins/email/port/index.ts';
import { sampleMail } from '../../plugins/email/testing/mail-suite.ts';
import { parseTemplate } from '../../plugins/templates/language/liquid.ts';
import { composedMail } from '../support/composed-mail.ts';
import { parseRaw } from '../support/received-mail.ts';

const test = suite('the bytes of a mail');

async function encodeText(text: string, fixed?: readonly FixedText[]): Promise<{ encoding: string; bytes: Buffer }> {
  const { encoding, chunks } = await encodeChunks(text, fixed);
  return { encoding, bytes: Buffer.concat(chunks) };
}

/** Decodes quoted-printable (RFC 2045, section 6.7). */
const decodeQuotedPrintable = (bytes: Buffer): string =>
  Buffer.from(
    bytes
      .toString('latin1')
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  ).toString();

const words = ['a', 'b c', ' ', '\t', '\n', '.', '\n.', '=', 'é', '漢', '😀', '\u0001', 'x'.repeat(70), 'é'.repeat(30)];

/** Pseudo-random numbers. The same seed gives the same sequence. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

test('a text encoded in pieces decodes to the same text, in lines that mail servers accept', async () => {
  const pick = numbers(12);
  for (let round = 0; round < 3_000; round += 1) {
    const text = Array.from({ length: 1 + pick(40) }, () => words[pick(words.length)]).join('');
    const fixedTexts: FixedText[] = [];
    for (let at = pick(5); at < text.length; at += 1 + pick(60)) {
      const part = text.slice(at, at + 1 + pick(50));
      // Some fixed texts get a wrong position, as if they had moved or disappeared.
      if (/^[\ud800-\udbff]?[^\ud800-\udfff]*$/.test(part)) fixedTexts.push({ at: at + pick(2) * 7, text: part });
    }
    const { encoding, bytes } = await encodeText(text, fixedTexts);
    if (encoding !== 'quoted-printable') continue;
    assert.is(decodeQuotedPrintable(bytes).replaceAll('\r\n', '\n'), text);
    for (const line of bytes.toString('latin1').split('\r\n')) {
      assert.ok(line.length <= 76, line);
      assert.not.match(line, /[ \t]$/);
      assert.not.match(line, /^\./);
    }
  }
});

test('the encoding is chosen for the whole text', async () => {
  const ascii = 'Plain words in short lines.\n'.repeat(6);
  assert.is((await encodeText(ascii, [{ at: 0, text: ascii.slice(0, 60) }])).encoding, '7bit');
  const long = `${'word '.repeat(12)}${'word '.repeat(12)}`;
  assert.is((await encodeText(long, [{ at: 0, text: long.slice(0, 60) }])).encoding, 'quoted-printable');
  const script = '漢字'.repeat(60);
  assert.is((await encodeText(script, [{ at: 0, text: script.slice(0, 60) }])).encoding, 'base64');
  const breaks = `${'é'.repeat(60)}\r\n${'é'.repeat(60)}`;
  assert.equal(
    (await encodeText(`Latin letters only: ${breaks}`.repeat(3), [{ at: 80, text: '\r' }])).bytes.includes('\r\r'),
    false,
  );
});

test('a template’s static texts are at the positions that the rendering states', () => {
  const block = '<p>Each of these paragraphs is longer than what is worth remembering.</p>';
  const source = `${block}{{name}}${block}{% for item in items %}<i>{{item}}</i>${block}{% endfor %}{% capture kept %}${block}{% endcapture %}<a href="{{url}}?${'x'.repeat(60)}">${block}</a>{{ kept | raw }}`;
  const { text, fixed } = parseTemplate(source, 'html').renderParts({
    name: 'Ada',
    items: ['one', 'two'],
    url: 'https://a.example/',
  });
  assert.ok(fixed.length >= 5, `${fixed.length}`);
  for (const { at, text: part } of fixed) assert.is(text.slice(at, at + part.length), part);
});

test('the headers equal the headers that nodemailer writes', async () => {
  const mails = [
    sampleMail({ attachments: [], headers: {} }),
    sampleMail({
      attachments: [],
      subject: 'Ünïcode “quoted” and a long subject that goes over more than one line of a header, certainly',
      from: { email: 'shop@example.com', name: 'O’Brien, "Sons" & Co' },
      to: { email: 'ada@müller.example', name: 'Ada (Countess) Lovelace' },
      replyTo: { email: 'reply@example.com' },
      headers: {
        'X-Trace': 'a b c',
        'List-Unsubscribe': `<https://x.example/u/${'a'.repeat(90)}>`,
        'X-Empty': ' ',
        References: '<a@b> <c@d>',
      },
    }),
  ];
  for (const mail of mails) {
    const bytes = Buffer.concat(await mimeChunks(mail, [{ key: 'X-Id', value: 'msg_1' }]));
    const reference = await new MailComposer({ ...composedMail(mail), newline: 'windows' }).compile().build();
    const headersOf = (raw: Buffer): string[] => {
      const head = raw.toString().split('\r\n\r\n')[0] ?? '';
      return head
        .replace(/\r\n[ \t]/g, '\r\n|')
        .split(/\r\n(?!\|)/)
        .filter((line) => !/^(x-id|content-type)/i.test(line));
    };
    assert.equal(headersOf(bytes), headersOf(reference));
    const parsedMail = await parseRaw(bytes);
    assert.is(parsedMail.html?.trim(), mail.html.replaceAll('\r\n', '\n').trim());
  }
});

test.run();
