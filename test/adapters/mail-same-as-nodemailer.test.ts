// Mails that we write as bytes, over a grid of fields and bodies, compared with the same mails from nodemailer's composer.
// full-run: slow
import MailComposer from 'nodemailer/lib/mail-composer';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkMail } from '../../adapters/kit/mail-fields.ts';
import { mimeChunks } from '../../adapters/kit/mime-bytes.ts';
import type { OutgoingMail } from '../../plugins/email/port/index.ts';
import { sampleMail } from '../../plugins/email/testing/mail-suite.ts';
import { composedMail } from '../support/composed-mail.ts';
import { parseRaw } from '../support/received-mail.ts';

const test = suite('mails as bytes and as nodemailer composes them');

const names = [
  '',
  'Ada',
  'Ada Lovelace',
  'O’Brien',
  'Smith, John',
  '"quoted"',
  'a  b',
  'x_y 9',
  '(comment)',
  'n'.repeat(70),
];
const addresses = [
  'ada@example.com',
  'ada.b+c@sub.example.com',
  'UPPER@Example.COM',
  'a..b@example.com',
  '"odd one"@example.com',
  'ada@müller.example',
  'ada@xn--mller-kva.example',
  'a@[127.0.0.1]',
  "o'brien@example.com",
  `${'l'.repeat(60)}@${'d'.repeat(60)}.example.com`,
];
const subjects = [
  'Your order',
  '',
  ' spaces around ',
  'Grüße №7 🎉',
  'a = ? sign',
  `${'word '.repeat(30)}end`,
  'x'.repeat(67),
  'x'.repeat(68),
  'x'.repeat(300),
  'tab\there',
];
const headers: readonly Record<string, string>[] = [
  {},
  { 'X-Order': '4711', 'x-lower': 'kept as it is', 'X-Empty': ' ' },
  { 'In-Reply-To': 'a@b.example', References: '<a@b> c@d', 'OTP-Token': 'a; b="c"' },
  { 'List-Unsubscribe': `<https://example.com/u/${'t'.repeat(200)}>`, 'X-Long': 'word '.repeat(40).trim() },
  { 'X-Umlaut': 'Größe', '.dot': 'a name that begins with a dot' },
];
const messageIds = ['<snd_01h000000000000000000000@example.com>', `<${'i'.repeat(100)}@example.com>`];
const bodies = [
  'short',
  '.\r\n..dots\n.\n',
  'a line of words '.repeat(40),
  'Grüße, Ada. '.repeat(50),
  '漢字かな交じり文\n'.repeat(30),
  `trailing space \nand tab\t\n${'x'.repeat(2_000)}\n=3D=\n`,
  '\u0000\u0001 control \u007f',
  'breaks\rof\r\nall\nkinds\r\n\r\n',
  '😀'.repeat(200),
  // Longer than the slices in which a text is encoded, so that slices end in the middle of characters.
  `a${'😀é漢 text.\n'.repeat(12_000)}`,
  `${'word '.repeat(30_000)}`,
];

/** Deterministic: cycles through the values of every list, in changing combinations. */
function mailOf(index: number): OutgoingMail {
  const pick = <T>(list: readonly T[], stride: number): T => list[(index * stride + (index >> 4)) % list.length] as T;
  const name = pick(names, 3);
  return sampleMail({
    messageId: pick(messageIds, 1),
    from: { email: pick(addresses, 1), name: pick(names, 1) },
    to: name === '' ? { email: pick(addresses, 3) } : { email: pick(addresses, 3), name },
    ...(index % 3 === 0 ? {} : { replyTo: { email: pick(addresses, 7) } }),
    subject: pick(subjects, 1),
    headers: pick(headers, 1),
    text: pick(bodies, 1),
    html: `<p>${pick(bodies, 5)}</p>`,
    attachments: [],
  });
}

/**
 * The lines of the header section, each with its folds, without the boundary, which is random. Names are in lower case, because
 * nodemailer changes the case of the caller's names, which has no meaning.
 */
const headOf = (raw: Buffer): readonly string[] => {
  const head = raw.toString().split('\r\n\r\n', 1)[0] as string;
  return head
    .split(/\r\n(?![ \t])/)
    .filter((line) => !/^content-type:/i.test(line))
    .map((line) => line.replace(/^[^:]*:/, (name) => name.toLowerCase()));
};

const bodyOf = (text: string | undefined): string => (text ?? '').replaceAll(/\r\n?/g, '\n').trimEnd();

test("our mails have the same headers and content as nodemailer's, within the limits of the standards", async () => {
  for (let index = 0; index < 330; index += 1) {
    const mail = mailOf(index);
    checkMail(mail);
    const ownBytes = Buffer.concat(await mimeChunks(mail));
    const reference = await new MailComposer({ ...composedMail(mail), newline: 'windows' }).compile().build();
    assert.equal(headOf(ownBytes), headOf(reference), `mail ${index}`);
    const raw = ownBytes.toString('latin1');
    assert.not.match(raw, /[^\r]\n|\r[^\n]/);
    for (const line of raw.split('\r\n')) assert.ok(line.length <= 998, `mail ${index}: a line of ${line.length}`);
    const content = raw.slice(raw.indexOf('\r\n\r\n'));
    for (const line of content.split('\r\n')) assert.ok(line.length <= 76, `mail ${index}: ${line}`);
    const [ownMail, nodemailerMail] = [await parseRaw(ownBytes), await parseRaw(reference)];
    assert.is(bodyOf(ownMail.html), bodyOf(nodemailerMail.html), `mail ${index}`);
    assert.is(bodyOf(ownMail.text), bodyOf(nodemailerMail.text), `mail ${index}`);
    assert.is(bodyOf(ownMail.html), bodyOf(mail.html), `mail ${index}`);
    assert.equal(
      [ownMail.subject, ownMail.from, ownMail.to],
      [nodemailerMail.subject, nodemailerMail.from, nodemailerMail.to],
      `mail ${index}`,
    );
  }
});

test('the event loop keeps running while a long body is encoded', async () => {
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const long = 'Grüße an alle, die lange Mails lesen.\n'.repeat(26_000);
  await mimeChunks(sampleMail({ attachments: [], html: long, text: long }));
  isDone = true;
  assert.ok(turns >= 20, `${turns}`);
});

test.run();
