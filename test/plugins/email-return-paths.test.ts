// Signed return paths: which mail has one, and that a report is matched only to the message of its return path.
import { randomBytes } from 'node:crypto';
import * as assert from 'uvu/assert';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { mailboxReports } from '../../adapters/mail/mailbox.ts';
import { smtpMail } from '../../adapters/mail/smtp.ts';
import { emailPlugin } from '../../plugins/email/index.ts';
import { createReturnPaths } from '../../plugins/email/reports/return-paths.ts';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { SmtpSink } from '../support/smtp-sink.ts';
import { visit } from '../support/tracked-mail.ts';

const secret = 'a secret of the bounce mailbox';
const variables = { name: 'Ada' };
const domain = 'bounces.example.com';

/** A report with a text for people and a part for programs, to one address, about one message. */
const notice = (to: string, original: string, words = '550 5.1.1 No such user here') =>
  [
    `Return-Path: <>\r\nDelivered-To: ${to}\r\nFrom: MAILER-DAEMON@mx.example.org\r\nTo: ${to}\r\nSubject: Undelivered Mail\r\n`,
    'MIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n',
    '--b\r\nContent-Type: text/plain\r\n\r\nYour message could not be delivered.\r\n',
    '--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.org\r\n\r\n',
    `Final-Recipient: rfc822; someone@example.org\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; ${words}\r\n\r\n`,
    `--b\r\nContent-Type: text/rfc822-headers\r\n\r\n${original}Subject: Hello\r\n\r\n--b--\r\n`,
  ].join('');

await twoDatabases('return paths', (test, database) => {
  let bench: MailBench;
  test.before(async () => {
    const email = emailPlugin({ reports: [mailboxReports({ secret })], bounces: { domain } });
    const plugins = bareStandardPlugins.map((plugin) => (plugin.id === 'email' ? email : plugin));
    bench = await openMailBench(database, { plugins });
    await bench.publish('receipt');
  });
  test.after(() => bench.close());

  let recipients = 0;
  const deliver = async () => {
    recipients += 1;
    const to = `person-${recipients}@example.org`;
    const { body } = await bench.send('receipt', { to, variables });
    await bench.drain();
    const mail = bench.sink.messages.find((one) => one.recipients.includes(to));
    assert.ok(mail);
    return {
      id: body.id as string,
      messageId: body.messageId as string,
      to,
      path: mail.from,
      raw: mail.raw.toString(),
    };
  };
  const post = async (body: string) => {
    const headers = { authorization: `Bearer ${secret}` };
    const { status } = await visit(bench, '/inbound/mail/mailbox', {
      method: 'POST',
      headers,
      body: Buffer.from(body),
      userAgent: '',
    });
    assert.is(status, 200);
  };
  const statusOf = async (id: string): Promise<string> => (await bench.readSend(id)).status;
  const suppressions = async (): Promise<string[]> => {
    const { body } = await bench.request('/v1/suppressions?limit=100');
    return body.data.map(({ email }: { email: string }) => email);
  };

  test('each mail has its own return path, which contains no address and has at most 64 characters', async () => {
    const { path, raw, to } = await deliver();
    assert.match(path, /^bounce\+[0-9a-z]{52}@bounces\.example\.com$/);
    assert.ok(path.indexOf('@') <= 64);
    assert.not.match(path, to.split('@')[0] ?? '');
    assert.match(raw, /^From: .*@/m);
    assert.not.match(raw, 'bounce+');
    assert.is.not((await deliver()).path, path);
  });

  test('a report is matched by the return path that it was sent to, before any Message-ID in it', async () => {
    const [first, other] = [await deliver(), await deliver()];
    await post(notice(first.path, `Message-ID: <${other.messageId}@example.com>\r\n`));
    assert.equal([await statusOf(first.id), await statusOf(other.id)], ['bounced', 'sent']);
    assert.equal(
      (await suppressions()).filter((email) => [first.to, other.to].includes(email)),
      [first.to],
    );
  });

  test('a server may change the case of the return path, and a report may mention it only in its text', async () => {
    const [upper, quoted] = [await deliver(), await deliver()];
    await post(notice(upper.path.toUpperCase(), ''));
    await post(notice('postmaster@example.com', `Return-Path: <${quoted.path}>\r\n`));
    assert.equal([await statusOf(upper.id), await statusOf(quoted.id)], ['bounced', 'bounced']);
  });

  test('without a return path, a report is matched by the Message-ID, and then by the message that it quotes', async () => {
    const [named, quoted] = [await deliver(), await deliver()];
    await post(notice('bounces@example.com', `Message-ID: <${named.messageId}@example.com>\r\n`));
    await post(notice('bounces@example.com', `X-Reference: ${quoted.messageId.toLowerCase()}\r\n`));
    assert.equal([await statusOf(named.id), await statusOf(quoted.id)], ['bounced', 'bounced']);
  });

  test('a forged report suppresses nobody: its return path must be signed, or it must name a message', async () => {
    const { id, path, to } = await deliver();
    const forgedReports = [
      notice('bounces@example.com', `To: ${to}\r\nMessage-ID: <someone@elsewhere.example>\r\n`),
      notice(path.replace(/.{26}@/, `${'0'.repeat(26)}@`), ''),
      notice(path.replace(/\+.{26}/, `+${'0'.repeat(26)}`), ''),
      notice(`bounce+${id.slice(4).toLowerCase()}@${domain}`, ''),
    ];
    for (const mail of forgedReports) await post(mail);
    assert.is(await statusOf(id), 'sent');
    assert.not.ok((await suppressions()).includes(to));
  });

  test('a block suppresses nobody, even if the status code says that the address is unknown', async () => {
    const { id, path, to } = await deliver();
    await post(notice(path, '', '550 5.7.1 IP address blacklisted'));
    const lastEvent = (await bench.readSend(id)).events.at(-1);
    assert.equal([lastEvent.bounce.class, lastEvent.bounce.subType], ['undetermined', 'policy']);
    assert.not.ok((await suppressions()).includes(to));
  });

  test('a report about the mail of one workspace is never recorded in another workspace', async () => {
    const { path, to, id } = await deliver();
    const { service } = bench;
    const otherWorkspace = await service.workspaces.create({
      name: 'Other',
      defaultFrom: { email: 'hi@other.example', name: 'Other' },
    });
    await post(notice(path, ''));
    assert.is(await statusOf(id), 'bounced');
    const otherSuppressions = await service.as(otherWorkspace.id).suppressions.list({});
    assert.equal(otherSuppressions.data.map(({ email }) => email).includes(to), false);
  });

  test('if a server accepts only its own senders, it gets the address of the sender', async () => {
    const sink = await SmtpSink.start();
    const mail = smtpMail({ host: sink.host, port: sink.port, returnPaths: false, tls: { rejectUnauthorized: false } });
    const email = emailPlugin({ bounces: { domain } });
    const plugins = bareStandardPlugins.map((plugin) => (plugin.id === 'email' ? email : plugin));
    const ownBench = await openMailBench(database, { plugins, mail });
    await ownBench.publish('receipt');
    await ownBench.send('receipt', { to: 'ada@example.org', variables });
    await ownBench.drain();
    assert.not.match(sink.messages[0]?.from ?? 'bounce', 'bounce');
    await ownBench.close();
    await sink.stop();
  });

  test('a token stays valid after a rotation of the keys, and any change of its text makes it invalid', async () => {
    const old = { id: 'old', secret: randomBytes(32).toString('base64') };
    const now = { id: 'now', secret: randomBytes(32).toString('base64') };
    const before = await localKeyring({ keys: [old] }).open('production');
    const after = await localKeyring({ keys: [now, old] }).open('production');
    const sendId = 'snd_01JD3Q5S8ZK2M4N6P8R0T2V4W6';
    const path = createReturnPaths(before, { domain }).of(sendId) ?? '';
    const paths = createReturnPaths(after, undefined);
    assert.is(paths.read(path), sendId);
    assert.is(paths.of(sendId), undefined);
    const letters = '0123456789abcdefghjkmnpqrstvwxyz';
    const otherPaths = [...letters].map((letter) => path.replace(/.@/, `${letter}@`)).filter((one) => one !== path);
    assert.equal(
      otherPaths.filter((one) => paths.read(one) !== undefined),
      [],
    );
    for (const wrong of ['', 'a b', '@x.example', 'x.example/y'])
      assert.throws(() => createReturnPaths(after, { domain: wrong }), /bounces.domain/);
  });
});
