// Extra headers of a send: headers that harm or impersonate are stripped and named, and no value can start another header line.
// full-run: slow
import * as assert from 'uvu/assert';
import { captureMail } from '../../adapters/mail/capture.ts';
import { createTestService } from '../../hosts/testing/index.ts';
import type { MailAdapter } from '../../plugins/email/port/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

/** Every denied name, and at least one member of each denied family. */
const deniedNames = [
  ...['Bcc', 'Cc', 'To', 'From', 'Sender', 'Reply-To', 'Subject', 'Date', 'Message-ID', 'Return-Path', 'Received'],
  ...['Resent-To', 'Resent-Bcc', 'Resent-Message-ID', 'DKIM-Signature', 'DKIM-Anything', 'ARC-Seal'],
  ...['ARC-Authentication-Results', 'Authentication-Results', 'MIME-Version', 'Content-Type'],
  ...['Content-Transfer-Encoding', 'Content-Disposition', 'List-Unsubscribe', 'List-Unsubscribe-Post', 'List-Id'],
  ...['Feedback-ID', 'X-SES-CONFIGURATION-SET', 'X-SG-EID', 'X-PM-Message-Stream', 'X-Mailgun-Variables'],
  ...['Disposition-Notification-To', 'X-Confirm-Reading-To', 'Return-Receipt-To'],
  // Commands to providers
  ...['X-SMTPAPI', 'X-MC-BccAddress', 'X-MSYS-API', 'X-MJ-CustomID', 'X-Mailjet-Campaign', 'X-Smtp2go-Track'],
  ...['Resend-Idempotency-Key', 'X-Mailin-Tag', 'X-MailerSend-Tags'],
  // Headers that only relaying servers may set
  ...['Delivered-To', 'X-Original-To', 'Errors-To', 'Envelope-To', 'Apparently-To', 'Received-SPF', 'X-Spam-Status'],
  ...['X-MS-Exchange-Organization-SCL', 'X-Forefront-Antispam-Report', 'DomainKey-Signature'],
];

const allowedHeaders = {
  'X-Entity-Ref': 'A-1042',
  'Auto-Submitted': 'auto-generated',
  'In-Reply-To': '<a@example.org>',
};
const variables = { name: 'Ada' };

await twoDatabases('headers of a send', (test, database) => {
  let bench: MailBench;
  let count = 0;
  test.before(async () => {
    bench = await openMailBench(database);
    await bench.publish('receipt');
  });
  test.after(() => bench.close());

  const send = (headers: Readonly<Record<string, string>>) => {
    count += 1;
    return bench.send('receipt', { to: `reader-${count}@example.org`, variables, headers });
  };
  /** The raw header of the message that the mail server received for the last send. */
  const rawHeader = async (): Promise<string> => {
    await bench.drain();
    const sunk = bench.sink.messages.find(({ recipients: [to] }) => to === `reader-${count}@example.org`);
    assert.ok(sunk);
    const text = sunk.raw.toString('latin1');
    return text.slice(0, text.indexOf('\r\n\r\n'));
  };

  const spellings: Record<string, (name: string) => string> = {
    'as listed': (name) => name,
    'in lower case': (name) => name.toLowerCase(),
    'in upper case': (name) => name.toUpperCase(),
  };
  for (const [how, spell] of Object.entries(spellings)) {
    test(`every denied header, ${how}, is stripped and named in the answer and on reads`, async () => {
      // A send accepts at most 50 headers.
      for (const half of [deniedNames.slice(0, 40), deniedNames.slice(40)]) {
        const names = half.map(spell);
        const { status, body } = await send({
          ...Object.fromEntries(names.map((name) => [name, 'planted-value'])),
          ...allowedHeaders,
        });
        assert.is(status, 202, JSON.stringify(body));
        assert.equal([...body.strippedHeaders].sort(), [...names].sort());
        const header = await rawHeader();
        assert.is(header.includes('planted-value'), false, header);
        for (const [name, value] of Object.entries(allowedHeaders)) assert.match(header, `${name}: ${value}`);
        assert.equal((await bench.readSend(body.id)).strippedHeaders, body.strippedHeaders);
        assert.is(bench.sink.messages.at(-1)?.recipients.length, 1);
      }
    });
  }

  for (const [how, chosen] of [
    ['one adapter', (adapter: MailAdapter) => adapter],
    ['an adapter by workspace', (adapter: MailAdapter) => () => adapter],
  ] as const)
    test(`headers that the adapter reserves never reach it: ${how}`, async () => {
      const mail = captureMail();
      const adapter: MailAdapter = { ...mail, reservedHeaders: ['X-Acme-*', 'x-tenant'] };
      const options = { plugins: bareStandardPlugins, storage: database.createStorage() };
      const ownService = await createTestService({
        ...options,
        tablePrefix: database.newPrefix(),
        mail: chosen(adapter),
      });
      try {
        const { templates, email } = ownService.service.as(ownService.workspaceId);
        await templates.create({ key: 'plain', mode: 'html', subject: 'Hello', body: '<p>Hello</p>' });
        await templates.publish({ key: 'plain' });
        const headers = { 'X-ACME-Bcc': 'eve@example.org', 'X-Tenant': '7', 'X-Tenant-Note': 'stays' };
        const message = { template: 'plain', to: 'ada@example.org', headers };
        const first = await email.send(message);
        await ownService.drain();
        const second = await email.send(message);
        await ownService.drain();
        for (const sent of mail.messages()) assert.equal(sent.headers, { 'X-Tenant-Note': 'stays' });
        assert.is(mail.messages().length, 2);
        assert.equal(second.strippedHeaders, ['X-ACME-Bcc', 'X-Tenant']);
        if (how === 'one adapter') assert.equal(first.strippedHeaders, second.strippedHeaders);
      } finally {
        await ownService.close();
      }
    });

  test('without stripped headers, the answer has no strippedHeaders', async () => {
    assert.is((await send(allowedHeaders)).body.strippedHeaders, undefined);
  });

  test('names that only resemble denied names are kept', async () => {
    const names = { 'X-Subject': '1', Topic: '2', 'X-Content-Kind': '3', 'List-Help': '<mailto:a@example.org>' };
    assert.is((await send(names)).body.strippedHeaders, undefined);
    const header = await rawHeader();
    for (const [name, value] of Object.entries(names)) assert.match(header, `${name}: ${value}`);
  });

  const lineBreaks = ['\r\n', '\n', '\r', '\u0085', '\u2028', '\u2029', '\v', '\f', '\u0001', '\u007f'];
  test('a value that could end its line is refused, and the error names the header', async () => {
    for (const lineBreak of lineBreaks) {
      const { status, body } = await send({ 'X-Ref': `a${lineBreak}Bcc: eve@example.org` });
      assert.equal(
        [status, body.error.code, body.error.details[0].path],
        [422, 'header_invalid', 'headers.X-Ref'],
        JSON.stringify(lineBreak),
      );
    }
  });

  test('a name that is not a token is refused', async () => {
    const names = [
      '',
      ' ',
      'X Ref',
      'X:Ref',
      'X-Ref:',
      'X\r\nBcc',
      'X\nBcc',
      'Bcc\t',
      'X-Réf',
      'X-"',
      'X(',
      'x'.repeat(77),
    ];
    for (const name of names) {
      const { status, body } = await send({ [name]: 'value' });
      assert.equal([status, body.error.code], [422, 'header_invalid'], JSON.stringify(name));
    }
  });

  test('a value is refused at acceptance if no mail server can fold it, or if it must be ASCII and is not', async () => {
    const values: readonly [string, string][] = [
      ['X-Ref', 'x'.repeat(900)],
      ['X-Ref', `a${' '.repeat(80)}b`],
      ['X-Ref', 'ab '.repeat(400)],
      ['In-Reply-To', '<ä@example.org>'],
      ['References', '<ö@example.org>'],
      ['OTP-Token', 'é'],
    ];
    for (const [name, value] of values)
      assert.is((await send({ [name]: value })).body.error?.code, 'header_invalid', name);
    const long = 'word '.repeat(190).trim();
    assert.is((await send({ 'X-Ref': long, 'X-Name': 'Zoë ☕' })).status, 202);
    await bench.drain();
    const [email] = (await bench.received()).slice(-1);
    const value = (key: string) => email?.headers.find((header) => header.key === key)?.value;
    assert.is(value('x-ref'), long);
    assert.is(value('x-name'), `=?UTF-8?B?${Buffer.from('Zoë ☕').toString('base64')}?=`);
  });

  test('at most 50 headers are accepted, each a text', async () => {
    const many = (length: number) => Object.fromEntries(Array.from({ length }, (_, index) => [`X-${index}`, 'v']));
    assert.is((await send(many(50))).status, 202);
    assert.is((await send(many(51))).body.error.details[0].path, 'headers');
    assert.is((await send({ 'X-A': 7 as never })).body.error.details[0].path, 'headers.X-A');
    assert.is((await send({ 'X-A': ['a', 'b'] as never })).status, 422);
  });

  test('the mail server accepted all headers that were accepted here, and each message had one recipient', async () => {
    await bench.drain();
    assert.equal((await bench.request('/v1/sends?status=failed')).body.data, []);
    for (const { recipients, raw } of bench.sink.messages) {
      assert.is(recipients.length, 1);
      assert.is(/^(bcc|cc|resent-[a-z]+):/im.test(raw.toString('latin1').split('\r\n\r\n')[0] ?? ''), false);
    }
  });
});
