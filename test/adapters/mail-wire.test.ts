// Hostile texts in transmission: two programs that share no code with the writer, postal-mime and Python's email package, read the
// mail that a real server received, and must return the original text.
// full-run: slow
import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { OutgoingMail } from '../../plugins/email/port/index.ts';
import { sampleMail, sampleSendOptions } from '../../plugins/email/testing/mail-suite.ts';
import { parseRaw } from '../support/received-mail.ts';
import { mayUse } from '../support/services.ts';
import { mailErrorOf, withSink } from '../support/smtp-mail-sink.ts';
import type { SunkMail } from '../support/smtp-sink.ts';

const test = suite('hostile texts on the wire');

const script = fileURLToPath(new URL('../support/python-mail.py', import.meta.url));

interface Read {
  readonly subject: string;
  readonly from: { name: string; email: string };
  readonly to: { name: string; email: string };
  readonly replyTo: { name: string; email: string } | null;
  readonly messageId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly files: readonly { name: string; type: string; method: string | null; charset: string | null }[];
}

const foundPython = spawnSync('python3', ['--version']).status === 0;
const hasPython = mayUse('Python as the second reader of mails', foundPython, 'python3 is not installed');

/** One Python process, which reads all mails of this file. */
const python = hasPython ? spawn('python3', [script], { stdio: ['pipe', 'pipe', 'inherit'] }) : undefined;
const answers = python && createInterface({ input: python.stdout })[Symbol.asyncIterator]();
test.after(() => void python?.stdin.end());

async function readByPython(raw: Buffer): Promise<Read | undefined> {
  python?.stdin.write(`${raw.length}\n`);
  python?.stdin.write(raw);
  const answer = await answers?.next();
  return answer && (JSON.parse(answer.value) as Read);
}

/** Checks that each header line has at most 998 octets, ends with CRLF, and contains no control character. */
function assertLines({ raw }: SunkMail): void {
  const text = raw.toString('latin1');
  assert.not.match(text, /[^\r]\n|\r[^\n]/);
  const head = text.slice(0, text.indexOf('\r\n\r\n'));
  for (const line of head.split('\r\n')) {
    assert.ok(line.length <= 998, `a line of ${line.length}`);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the check is for control characters
    assert.not.match(line, /[\u0000-\u0008\u000a-\u001f\u007f]/);
    assert.ok(line.trim() !== '', 'a line of white space ends the head for some readers');
  }
}

const texts: readonly string[] = [
  '=?UTF-8?Q?Your_account_is_closed?=',
  '=?utf-8?B?SGk=?= and more',
  'before =?ISO-8859-1?q?=E9?= after',
  '=?UTF-8?Q?not closed',
  '=?UTF-8?Q?a ä?= b',
  'ä =?UTF-8?Q?x?=',
  '=?x?b?=?= =?UTF-8?Q?two?= =?UTF-8?Q?three?=',
  '=?utf-8*en?Q?language?=',
  'a=?b',
  '"=?UTF-8?Q?in_quotes?="',
  '(=?UTF-8?Q?in_a_comment?=)',
  'İyi günler, ışık',
  'Straße ﬁn ẞ',
  '👩‍👩‍👧‍👦 🏳️‍🌈 𝒳 beyond',
  '日本語だけの長い件名でありスペースはひとつもありません'.repeat(3),
  'مرحبا بالعالم',
  'user \u202egnp.exe\u202c end',
  '\ufffd replacement',
  'comma, semicolon; <angle@example.org> "quote" \\ backslash',
  'Group: a@b.example, c@d.example;',
  `${'word '.repeat(60)}end`,
  'ä'.repeat(700),
  'x'.repeat(899),
  `${'x'.repeat(70)} ${'y'.repeat(800)}`,
];

const named = (text: string, more: Partial<OutgoingMail> = {}): OutgoingMail =>
  sampleMail({
    subject: text,
    from: { email: 'shop@example.com', name: text },
    to: { email: 'ada@example.net', name: text },
    replyTo: { email: 'help@example.com', name: text },
    headers: { 'X-Text': text },
    attachments: [],
    ...more,
  });

const attachedFiles = [{ filename: 'a.txt', contentType: 'text/plain', content: Buffer.from('a'), inline: false }];

for (const text of texts)
  test(`the text arrives unchanged in the subject, the names and a header: ${JSON.stringify(text.slice(0, 40))}`, async () => {
    await withSink(async (sink, adapter) => {
      await adapter.send(named(text), sampleSendOptions());
      await adapter.send(named(text, { attachments: attachedFiles }), sampleSendOptions());
      assert.is(sink.messages.length, 2);
      for (const sunk of sink.messages) {
        assertLines(sunk);
        const email = await parseRaw(sunk.raw);
        const header = email.headers.find(({ key }) => key === 'x-text')?.value;
        const people = [email.from, email.to?.[0], email.replyTo?.[0]];
        // A line is folded before a long word. The space of the fold is not part of the text.
        assert.is(email.subject?.trim(), text, 'subject');
        assert.equal(
          people.map((one) => [one?.name.trim(), one?.address]),
          ['shop@example.com', 'ada@example.net', 'help@example.com'].map((address) => [text, address]),
        );
        const second = await readByPython(sunk.raw);
        if (second === undefined) continue;
        assert.equal(
          [second.subject.trim(), second.headers['x-text']?.trim()],
          [text, text],
          'Python reads the original text',
        );
        assert.equal(
          [second.from, second.to, second.replyTo],
          [
            { name: text, email: 'shop@example.com' },
            { name: text, email: 'ada@example.net' },
            { name: text, email: 'help@example.com' },
          ],
        );
        if (!/[^ -~]|=\?/.test(text)) assert.is(header?.trim(), text);
      }
    });
  });

test('half a surrogate pair becomes a replacement character, and a control character arrives encoded', async () => {
  await withSink(async (sink, adapter) => {
    for (const [sentText, expectedText] of [
      ['a \ud83d b', 'a \ufffd b'],
      ['\udc00', '\ufffd'],
      ['bell \u0007 and \u007f', 'bell \u0007 and \u007f'],
      ['=?UTF-8?Q?\u0001?=', '=?UTF-8?Q?\u0001?='],
    ] as const) {
      await adapter.send(named(sentText), sampleSendOptions());
      const sunk = sink.messages.at(-1);
      assert.ok(sunk);
      assertLines(sunk);
      const email = await parseRaw(sunk.raw);
      assert.equal([email.subject, email.from?.name], [expectedText, expectedText], JSON.stringify(sentText));
    }
  });
});

test('a line break, NUL, or a gap or word too long for a line is refused, and nothing is sent', async () => {
  await withSink(async (sink, adapter) => {
    const hostile = ['a\r\nBcc: evil@example.org', 'a\nb', 'a\rb', 'a\0b', `a${' '.repeat(80)}b`, 'x'.repeat(998)];
    for (const text of hostile)
      assert.is((await mailErrorOf(adapter.send(named(text), sampleSendOptions()))).fault, 'rejected');
    assert.is(sink.messages.length, 0);
  });
});

test('file names in every script, and parameters of their types, are read unchanged', async () => {
  const names = [
    'İstanbul ışık.pdf',
    '報告書.pdf',
    'family-👨‍👩‍👧.png',
    "it's 100% (final); a=b, c.pdf",
    'ä'.repeat(120),
    `${'n'.repeat(190)}.pdf`,
    'تقرير.pdf',
  ];
  const calendar = 'text/calendar; charset="utf-8"; method=REQUEST';
  await withSink(async (sink, adapter) => {
    const attachments = names.map((filename) => ({
      filename,
      contentType: calendar,
      content: Buffer.from('x'),
      inline: false,
    }));
    await adapter.send(sampleMail({ attachments }), sampleSendOptions());
    const [sunk] = sink.messages;
    assert.ok(sunk);
    assertLines(sunk);
    const email = await parseRaw(sunk.raw);
    assert.equal(
      email.attachments.map(({ filename }) => filename),
      names,
    );
    assert.equal(
      email.attachments.map(({ mimeType, method }) => [mimeType, method]),
      names.map(() => ['text/calendar', 'REQUEST']),
    );
    const { files } = (await readByPython(sunk.raw)) ?? { files: [] };
    if (!hasPython) return;
    assert.equal(
      files.map(({ name }) => name),
      names,
    );
    for (const { type, method, charset } of files)
      assert.equal([type, method, charset], ['text/calendar', 'REQUEST', 'utf-8']);
  });
});

test('addresses beyond ASCII and long ids arrive complete', async () => {
  const messageId = `<${'i'.repeat(190)}@${'d'.repeat(40)}.example>`;
  const to = { email: 'дмитрий@bücher.example', name: '=?UTF-8?Q?Дмитрий?=' };
  await withSink(async (sink, adapter) => {
    await adapter.send(sampleMail({ messageId, to, attachments: [] }), sampleSendOptions());
    await adapter.send(sampleMail({ messageId, to: { email: 'ada@bücher.example' } }), sampleSendOptions());
    const [wide, plain] = sink.messages;
    assert.ok(wide && plain);
    assert.equal([wide.recipients, plain.recipients], [['дмитрий@bücher.example'], ['ada@bücher.example']]);
    assert.equal([wide.messageId, plain.messageId], [messageId, messageId]);
    const email = await parseRaw(wide.raw);
    assert.equal([email.to?.[0]?.name, email.to?.[0]?.address], [to.name, 'дмитрий@xn--bcher-kva.example']);
    assert.is((await readByPython(plain.raw))?.messageId ?? messageId, messageId);
  });
});

test.run();
