// The DKIM keys that the SMTP adapter accepts when it is created, and the check of its signatures by an independent receiver.
import { generateKeyPairSync } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readDkimKey } from '../../adapters/kit/dkim-key.ts';
import { smtpMail } from '../../adapters/mail/smtp.ts';
import type { OutgoingMail } from '../../plugins/email/port/index.ts';
import { sampleMail, sampleSendOptions } from '../../plugins/email/testing/mail-suite.ts';
import { dkimResults, isSigned, signatureOf } from '../support/dkim.ts';
import { mailErrorOf, withSink } from '../support/smtp-mail-sink.ts';

const test = suite('DKIM over SMTP');

const pem = { type: 'pkcs8', format: 'pem' } as const;
const rsa = (bits: number) => {
  const pair = generateKeyPairSync('rsa', { modulusLength: bits });
  const p = pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  return { ...pair, pkcs8: String(pair.privateKey.export(pem)), record: `v=DKIM1; k=rsa; p=${p}` };
};
const { privateKey, publicKey, pkcs8, record } = rsa(2_048);
const pkcs1 = String(privateKey.export({ type: 'pkcs1', format: 'pem' }));
const dkimWith = (key: string) => ({ domain: 'example.com', selector: 'mail', privateKey: key });
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const longest = (pkcs8.match(/[A-Za-z0-9+/]{40,}/g) ?? [])[1] ?? '';

const signing: Readonly<Record<string, string>> = {
  'PKCS 8': pkcs8,
  'PKCS 1': pkcs1,
  'Windows line breaks': pkcs8.replaceAll('\n', '\r\n'),
  'a byte order mark and blank lines around': `\ufeff\n\n${pkcs8}\n\n`,
  'indented lines': pkcs8.replaceAll('\n', '\n    '),
  'line breaks written as \\n': pkcs8.replaceAll('\n', '\\n'),
  'line breaks written as \\r\\n': pkcs8.replaceAll('\n', '\\r\\n'),
  'one line with spaces': pkcs8.replaceAll('\n', ' '),
  'the PEM in base64': base64(pkcs8),
  'the PEM in base64, in lines': (base64(pkcs1).match(/.{1,76}/g) ?? []).join('\n'),
  'the PEM in base64, with line breaks written as \\n': base64(pkcs8.replaceAll('\n', '\\n')),
  'a PEM that also contains a certificate': `-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n${pkcs8}`,
  'a key of 1,024 bits': rsa(1_024).pkcs8,
};

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const cipher = { cipher: 'aes-256-cbc', passphrase: 'secret words' };
const refusedKeys: readonly [name: string, given: unknown, says: RegExp][] = [
  ['in quotes', JSON.stringify(pkcs8), /in quotes/],
  ['in single quotes', `'${pkcs8.trim()}'`, /in quotes/],
  ['a path', '/etc/mail/dkim.pem', /path of a file.*readFileSync/],
  ['a path of this folder', 'dkim.key', /path of a file/],
  ['a path of Windows', 'C:\\keys\\dkim.pem', /path of a file/],
  ['a public key', String(publicKey.export({ type: 'spki', format: 'pem' })), /public key, not the private/],
  ['a certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', /certificate, not the private/],
  ['the DNS record', record, /DNS record/],
  ['encrypted', String(privateKey.export({ ...pem, ...cipher })), /encrypted with a passphrase/],
  ['encrypted as PKCS 1', String(privateKey.export({ type: 'pkcs1', format: 'pem', ...cipher })), /encrypted with/],
  ['Ed25519', String(generateKeyPairSync('ed25519').privateKey.export(pem)), /Ed25519.*RSA key of 2,048/],
  ['elliptic', String(ec.export(pem)), /elliptic curve.*RSA key of 2,048/],
  ['elliptic as SEC 1', String(ec.export({ type: 'sec1', format: 'pem' })), /elliptic curve/],
  ['X25519', String(generateKeyPairSync('x25519').privateKey.export(pem)), /type x25519/],
  ['RSA-PSS', String(generateKeyPairSync('rsa-pss', { modulusLength: 2_048 }).privateKey.export(pem)), /RSA-PSS/],
  ['too short', rsa(768).pkcs8, /768 bits.*below 1024/],
  ['of OpenSSH', pkcs8.replaceAll('PRIVATE', 'OPENSSH PRIVATE'), /OpenSSH.*ssh-keygen/],
  ['cut off', pkcs8.slice(0, 900), /not the whole PEM block/],
  ['without its first line', pkcs8.slice(pkcs8.indexOf('\n') + 1), /not the whole PEM block/],
  ['with a lost line', pkcs8.replace(longest, ''), /cut off or changed/],
  [
    'without its lines of PEM',
    privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    /without the lines/,
  ],
  ['of two', `${pkcs8}${pkcs1}`, /2 private keys/],
  ['white space', ' \n ', /is empty/],
  ['words', 'changeme', /not a PEM block/],
  ['bytes', Buffer.from(pkcs8), /bytes, not a text/],
  ['a number', 7, /type number/],
];

const listHeaders = {
  'List-Unsubscribe': '<https://a.example/u>',
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
};
const texts = ['İyi günler', '.\n..\n\n \t \n', '=?UTF-8?Q?x?=', '👩‍👩‍👧 お知らせ', 'x'.repeat(3_000)];
const mails: readonly OutgoingMail[] = [
  sampleMail({ headers: listHeaders }),
  sampleMail({ headers: { 'X-A': 'ä'.repeat(300), 'x-b': ` ${'y '.repeat(200)}` }, attachments: [] }),
  ...texts.map((text) =>
    sampleMail({ subject: text.replaceAll('\n', ' ').slice(0, 800), text, html: text, attachments: [] }),
  ),
  sampleMail({ html: '', attachments: [] }),
  sampleMail({ text: '' }),
  sampleMail({ to: { email: 'дмитрий@example.net', name: 'Дмитрий' }, attachments: [] }),
];

test('every kind of signed message passes at a receiver, and a changed message does not', async () => {
  const adapter = { dkim: dkimWith(pkcs8) };
  await withSink(
    async (sink, smtp) => {
      for (const mail of mails) await smtp.send(mail, sampleSendOptions());
      for (const { raw } of sink.messages) {
        assert.ok(await isSigned(raw, record), raw.toString('latin1', 0, 3_000));
        const changedMail = raw.toString('latin1').replace(/^Subject:/m, 'Subject: No');
        assert.not.ok(await isSigned(Buffer.from(changedMail, 'latin1'), record));
      }
      const tags = signatureOf(sink.messages[0]?.raw ?? Buffer.alloc(0));
      assert.equal([tags?.get('a'), tags?.get('d'), tags?.get('s')], ['rsa-sha256', 'example.com', 'mail']);
      // RFC 8058, section 4: both must be signed.
      assert.match(tags?.get('h') ?? '', /^from:.*:subject:.*:list-unsubscribe:list-unsubscribe-post(:|$)/i);
      assert.is(sink.messages.length, mails.length);
    },
    { adapter },
  );
});

for (const [name, key] of Object.entries(signing))
  test(`the adapter signs with a key: ${name}`, async () => {
    await withSink(
      async (sink, adapter) => {
        await adapter.send(sampleMail(), sampleSendOptions());
        await adapter.send(sampleMail({ attachments: [] }), sampleSendOptions());
        assert.is(sink.messages.length, 2);
        if (name !== 'a key of 1,024 bits') for (const { raw } of sink.messages) assert.ok(await isSigned(raw, record));
        assert.ok(sink.messages.every(({ raw }) => signatureOf(raw)?.get('a') === 'rsa-sha256'));
      },
      { adapter: { dkim: dkimWith(key) } },
    );
  });

for (const [name, keyInput, says] of refusedKeys)
  test(`the new adapter refuses a key, and the error describes the key: ${name}`, () => {
    const createAdapter = () => smtpMail({ host: 'localhost', dkim: dkimWith(keyInput as string) });
    assert.throws(createAdapter, (error: unknown) => {
      if (!(error instanceof TypeError)) return false;
      assert.match(error.message, says);
      assert.match(error.message, /^smtpMail: dkim: `privateKey` cannot sign\. /);
      // The error must not contain ten consecutive characters of the key.
      const text = String(keyInput).replace(/-----[^-]*-----/g, '');
      for (let at = 0; at + 10 < text.length; at += 1) {
        const piece = text.slice(at, at + 10);
        if (/^[A-Za-z0-9+/]{10}$/.test(piece) && text.length > 300) assert.not.ok(error.message.includes(piece));
      }
      return true;
    });
  });

test('the adapter refuses a domain and a selector that are invalid in a signature', () => {
  const good = dkimWith(pkcs8);
  for (const domain of ['', ' example.com', 'exa mple.com', 'a;d=b.example', 'https://example.com', 'a@b.example'])
    assert.throws(() => smtpMail({ host: 'localhost', dkim: { ...good, domain } }), /domain/);
  for (const selector of ['', 'a b', 'x;d=y', 'mail._domainkey.example.com ', 'ü', 'a..b'])
    assert.throws(() => smtpMail({ host: 'localhost', dkim: { ...good, selector } }), /selector/);
  smtpMail({ host: 'localhost', dkim: { ...good, domain: 'bücher.example', selector: '2026.post' } });
});

test('a message with its own key is signed with that key; if that key cannot sign, the message waits', async () => {
  const otherKey = rsa(2_048);
  await withSink(
    async (sink, adapter) => {
      const dkim = { domain: 'other.example', selector: 'post', privateKey: otherKey.pkcs8 };
      await adapter.send(sampleMail(), { ...sampleSendOptions(), dkim });
      assert.equal(await dkimResults(sink.messages[0]?.raw ?? Buffer.alloc(0), otherKey.record), ['pass']);
      const brokenKey = { ...dkim, privateKey: otherKey.pkcs8.slice(0, 700) };
      const error = await mailErrorOf(adapter.send(sampleMail(), { ...sampleSendOptions(), dkim: brokenKey }));
      assert.equal([error.fault, error.unavailable], ['transient', true]);
      assert.match(error.message, /DKIM key of the message.*not the whole PEM block/);
      assert.is(sink.messages.length, 1, 'no mail leaves unsigned');
    },
    { adapter: { dkim: dkimWith(pkcs8) } },
  );
});

test('the adapter reads a key of any size and form in a moment', () => {
  for (const text of [
    '-----BEGIN A-----'.repeat(1_900),
    'A'.repeat(32_768),
    ' '.repeat(32_768),
    '\\n'.repeat(16_000),
  ]) {
    const start = performance.now();
    assert.ok('fault' in readDkimKey(text));
    assert.ok(performance.now() - start < 500);
  }
});

test.run();
