import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { smtpMail } from '../../adapters/mail/smtp.ts';
import { isMailError, type MailAttachment, type OutgoingMail } from '../../plugins/email/port/index.ts';
import { sampleMail, sampleSendOptions } from '../../plugins/email/testing/mail-suite.ts';
import { parseRaw } from '../support/received-mail.ts';
import { SmtpSink, type SunkMail } from '../support/smtp-sink.ts';

const test = suite('smtp mail: hostile fields');

const CASES = 4_000;
const BATCH = 50;

const BREAKS = ['\r', '\n', '\r\n', '\0', '\r\n\r\n', '\n.\n', '\r\n.\r\nMAIL FROM:<evil@example.org>\r\n'];
const PIECES = [
  ...['\t', '\v', '\f', ' ', '\u0085', '\u2028', '\u2029', '\u00a0', '\ud800', '\u007f', '\u001b'],
  ...['<', '>', '@', '"', "'", '\\', '(', ')', ':', ';', ',', '=', '[', ']', '*', '%0d%0a', '&#13;&#10;', '\\r\\n'],
  ...['Bcc: evil@example.org', 'evil@example.org', '<evil@example.org>', ' SIZE=1', 'RCPT TO:<evil@example.org>'],
  ...['=?utf-8?Q?=0D=0ABcc:_evil@example.org?=', '=?utf-8?B?DQpCY2M6IGV2aWxAZXhhbXBsZS5vcmc=?='],
  ...[
    'a',
    'é',
    '漢字',
    '🎉',
    ' '.repeat(200),
    ' '.repeat(35),
    '\t'.repeat(30),
    'x'.repeat(120),
    'x'.repeat(66),
    'name=',
    'prepared',
    '__proto__',
    'constructor',
  ],
];

const pieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((parts) => parts.join(''));
const withBreak = fc.tuple(pieces, fc.constantFrom(...BREAKS), pieces).map((parts) => parts.join(''));
const hostile = fc.oneof({ weight: 7, arbitrary: pieces }, { weight: 1, arbitrary: withBreak });
/** One field in three is hostile, so that most messages have one or two hostile fields. */
const field = (plain: string) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(plain) }, { weight: 1, arbitrary: hostile });
const email = (plain: string) =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constant(plain) },
    { weight: 1, arbitrary: hostile },
    { weight: 1, arbitrary: hostile.map((text) => `${text}@example.net`) },
    { weight: 1, arbitrary: hostile.map((text) => `ada@example.net${text}`) },
    { weight: 1, arbitrary: hostile.map((text) => `"${text}"@example.net`) },
  );
const headerName = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('X-Order', 'List-Id', 'References', 'In-Reply-To', 'key', 'value', 'X-a') },
  { weight: 1, arbitrary: hostile },
);
const attachment: fc.Arbitrary<MailAttachment> = fc.record({
  filename: field('a.txt'),
  contentType: fc.oneof({ weight: 5, arbitrary: fc.constant('text/plain') }, { weight: 1, arbitrary: hostile }),
  content: fc.constant(Buffer.from('attached')),
  inline: fc.boolean(),
  contentId: fc.oneof({ weight: 5, arbitrary: fc.constant('a@b') }, { weight: 1, arbitrary: hostile }),
});

const mails: fc.Arbitrary<OutgoingMail> = fc
  .record({
    from: fc.record({ email: email('shop@example.com'), name: field('Shop') }),
    to: fc.record({ email: email('ada@example.net'), name: field('Ada') }),
    replyTo: fc.record({ email: email('help@example.com'), name: field('Help') }),
    subject: field('Hello'),
    messageId: fc.oneof({ weight: 12, arbitrary: fc.constant('<a@b>') }, { weight: 1, arbitrary: hostile }),
    headers: fc.dictionary(headerName, field('4711'), { maxKeys: 2 }),
    attachments: fc.array(attachment, { maxLength: 1 }),
  })
  .map((fields) => sampleMail({ ...fields, text: 'text', html: '<p>html</p>' }));

/** The header names that the message may have. Headers with an empty value may be missing. */
function allowedHeaders(mail: OutgoingMail): string[] {
  const ownHeaders = ['from', 'to', 'reply-to', 'subject', 'message-id', 'date', 'mime-version', 'content-type'];
  return [...ownHeaders, ...Object.keys(mail.headers).map((name) => name.toLowerCase())];
}

/** The parts of the server's data that the message did not contain: recipients, headers, or header lines in a part. */
async function extrasOf(sunk: SunkMail, mail: OutgoingMail): Promise<string[]> {
  const parsedMail = await parseRaw(sunk.raw);
  const remainingHeaders = allowedHeaders(mail);
  const extraHeaders = parsedMail.headers
    .map((header) => header.key)
    .filter((key) => {
      const at = remainingHeaders.indexOf(key);
      if (at >= 0) remainingHeaders.splice(at, 1);
      return at < 0;
    });
  const lines = sunk.raw.toString('latin1').match(/^(?:bcc|cc|rcpt to|mail from):.*/gim) ?? [];
  const header = sunk.raw.toString('latin1').split('\r\n\r\n', 1)[0] ?? '';
  const wide = sunk.smtpUtf8 ? [] : (header.match(/^.*[^\0-\x7f].*$/gm) ?? []);
  // RFC 5322 3.2.2: no folded line may consist of white space alone; some readers end the header there.
  const blank = header.match(/^[ \t]+\r?$/gm) ?? [];
  const mailboxes = [...(parsedMail.to ?? []), ...(parsedMail.cc ?? []), ...(parsedMail.bcc ?? [])].slice(1);
  return [
    ...sunk.recipients.slice(1),
    ...extraHeaders,
    ...lines,
    ...wide,
    ...blank,
    ...mailboxes.map((mailbox) => mailbox.name),
  ];
}

test('no field adds a header, a recipient or a message at a real server', async () => {
  const sink = await SmtpSink.start({ disabledCommands: ['STARTTLS'] });
  const adapter = smtpMail({ host: sink.host, port: sink.port });
  const seed = Date.now() % 2 ** 31;
  const cases = fc
    .sample(mails, { numRuns: CASES, seed })
    .map((mail, index) => ({ ...mail, headers: { ...mail.headers, 'X-Case': String(index) } }));
  const acceptedMails: OutgoingMail[] = [];
  const wrongErrors: string[] = [];
  for (let start = 0; start < cases.length; start += BATCH) {
    const sendings = cases.slice(start, start + BATCH).map(async (mail) => {
      try {
        await adapter.send(mail, sampleSendOptions());
        acceptedMails.push(mail);
      } catch (error) {
        // Refused before sending, or parsed by the server as an unusual but single address.
        const fine = isMailError(error) && (error.fault === 'rejected' || error.smtpCode !== undefined);
        if (!fine) wrongErrors.push(`${error}: ${JSON.stringify(mail)}`);
      }
    });
    await Promise.all(sendings);
  }
  await adapter.close();
  await sink.stop();

  assert.equal(wrongErrors.slice(0, 3), [], `seed ${seed}: ${wrongErrors.length} errors that are not refusals`);
  assert.is(sink.messages.length, acceptedMails.length, `seed ${seed}: one message at the server for each accepted`);
  assert.ok(
    acceptedMails.length > CASES / 10 && acceptedMails.length < CASES * 0.9,
    `accepted ${acceptedMails.length} of ${CASES}`,
  );
  const caseOf = (message: SunkMail) => /^X-Case: (\d+)\r$/m.exec(message.raw.toString('latin1'))?.[1];
  const byCase = new Map(sink.messages.map((message) => [caseOf(message), message]));
  for (const mail of acceptedMails) {
    const sunk = byCase.get(mail.headers['X-Case']);
    assert.ok(sunk, `seed ${seed}: at the server: ${JSON.stringify(mail)}`);
    assert.equal(await extrasOf(sunk, mail), [], `seed ${seed}: ${JSON.stringify(mail)}\n${sunk.raw}`);
  }
});

test('the adapter refuses a field that nodemailer would fold into a line that is not a continuation', async () => {
  const adapter = smtpMail({ host: '127.0.0.1', port: 9 });
  const wideGap = `a${' '.repeat(200)}Bcc: evil@example.org`;
  const long = 'x'.repeat(70);
  const foldedMails = [
    sampleMail({ headers: { 'In-Reply-To': wideGap } }),
    sampleMail({ subject: wideGap }),
    sampleMail({ headers: { References: `<${long}> \u2028Bcc: evil@example.org` } }),
    sampleMail({ headers: { 'In-Reply-To': `<${long}>\u00a0Bcc: evil@example.org` } }),
    sampleMail({ headers: { 'X-Order': 'x'.repeat(1_000) } }),
  ];
  for (const mail of foldedMails) {
    const error = await adapter.send(mail, sampleSendOptions()).catch((thrown: unknown) => thrown);
    assert.ok(isMailError(error) && error.fault === 'rejected', String(error));
  }
  await adapter.close();
});

test('the check itself detects a planted header, recipient and part header', async () => {
  const mail = sampleMail({ headers: {} });
  const sunkMessage = (raw: string, recipients = ['ada@example.net']): SunkMail => {
    const otherFields = { from: '', messageId: '', secure: false, smtpUtf8: false, connection: '' };
    return { ...otherFields, recipients, raw: Buffer.from(raw) };
  };
  const clean = 'From: a@example.com\r\nTo: ada@example.net\r\n\r\nbody\r\n';
  assert.equal(await extrasOf(sunkMessage(clean), mail), []);
  assert.ok((await extrasOf(sunkMessage(`X-Evil: 1\r\n${clean}`), mail)).includes('x-evil'));
  assert.ok((await extrasOf(sunkMessage(`Subject: a\r\nSubject: b\r\n${clean}`), mail)).includes('subject'));
  assert.is((await extrasOf(sunkMessage(clean.replace('To:', 'To: é,')), mail)).length, 2);
  assert.is((await extrasOf(sunkMessage(clean.replace('To:', ' \t\r\nTo:')), mail)).length, 1);
  assert.ok((await extrasOf(sunkMessage(clean, ['ada@example.net', 'e@example.org']), mail)).includes('e@example.org'));
  assert.ok((await extrasOf(sunkMessage(`${clean}Bcc: e@example.org\r\n`), mail)).includes('Bcc: e@example.org'));
  assert.is((await extrasOf(sunkMessage(clean.replace('net', 'net, e@example.org')), mail)).length, 1);
});

test.run();
