// Failover between mail servers: servers that refuse the connection, the login or the account, or that do not answer.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { failoverMail } from '../../adapters/mail/failover.ts';
import { smtpMail } from '../../adapters/mail/smtp.ts';
import { isMailError, isNotTaken } from '../../plugins/email/port/index.ts';
import { sampleMail, sampleSendOptions } from '../../plugins/email/testing/mail-suite.ts';
import { mailErrorOf, trusting } from '../support/smtp-mail-sink.ts';
import { deadPort, ScriptedSmtpServer, type SmtpScript } from '../support/smtp-server.ts';
import { SmtpSink } from '../support/smtp-sink.ts';

const test = suite('failover between mail servers');
const host = '127.0.0.1';
const timeouts = { connection: 400, greeting: 400, socket: 400 };
const auth = { user: 'shop', pass: 'wrong' };
const withAuth = '250-scripted.example\r\n250-AUTH PLAIN LOGIN\r\n250 8BITMIME';

/** A scripted server first, then a server that takes everything. */
async function withTwoServers(script: SmtpScript) {
  const first = await ScriptedSmtpServer.start(script);
  const sink = await SmtpSink.start();
  const one = smtpMail({ host, port: first.port, timeouts, auth, tls: { required: false } });
  const secondServer = smtpMail({ host, port: sink.port, tls: trusting });
  const adapter = failoverMail([one, secondServer], { failures: 2 });
  const send = async (): Promise<string> => {
    try {
      const mail = sampleMail({ attachments: [] });
      return (await adapter.send(mail, sampleSendOptions())).provider ?? '';
    } catch (error) {
      return isMailError(error) ? error.fault : String(error);
    }
  };
  const end = async () => {
    await adapter.close();
    await Promise.all([first.stop(), sink.stop()]);
  };
  return { first, sink, send, end };
}

const refusals: readonly [says: string, script: SmtpScript][] = [
  ['535 at login', { ehlo: withAuth, auth: '535 5.7.8 Authentication credentials invalid' }],
  ['535 at login without an enhanced code', { ehlo: withAuth, auth: '535 Incorrect authentication data' }],
  ['530 at login', { ehlo: withAuth, auth: '530 5.7.0 Must issue a STARTTLS command first' }],
  ['534 at login', { ehlo: withAuth, auth: '534-5.7.9 Application-specific password required\r\n534 5.7.9 See help' }],
  ['525 at login', { ehlo: withAuth, auth: '525 5.7.13 User account disabled' }],
  ['550 at login', { ehlo: withAuth, auth: '550 Access denied' }],
  ['454 at login', { ehlo: withAuth, auth: '454 4.7.0 Temporary authentication failure' }],
  ['554 in the greeting', { greeting: '554 5.7.1 No SMTP service here' }],
  ['550 in the greeting', { greeting: '550 Your IP is listed' }],
  ['421 in the greeting', { greeting: '421 4.3.2 Too many connections' }],
  ['another protocol', { greeting: 'SSH-2.0-OpenSSH_9.7' }],
  ['550 at EHLO', { ehlo: '550 Go away' }],
  ['530 at MAIL', { mail: '530 5.7.0 Authentication required' }],
  ['535 at MAIL', { mail: '535 5.7.8 Log in first' }],
  ['550 account suspended at MAIL', { mail: '550 5.7.1 Account suspended' }],
  ['550 in other words', { mail: '550 Your account has been disabled by the administrator' }],
  ['550 sender account', { mail: '550 Sender account is locked, contact support' }],
  ['554 a limit', { mail: '554 5.7.0 Daily limit of messages exceeded' }],
  ['550 a plan', { mail: '550 5.4.5 Your plan has no credits left' }],
  ['554 a block', { mail: '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked' }],
  ['550 relaying', { mail: '550 5.7.1 Relaying denied' }],
  ['421 at MAIL', { mail: '421 4.7.0 Try again later' }],
  ['a hang in the greeting', { greeting: 'hang' }],
  ['a hang at MAIL', { mail: 'hang' }],
  ['a drop at EHLO', { ehlo: 'drop' }],
  ['a drop at login', { ehlo: withAuth, auth: 'drop' }],
  ['a drop at MAIL', { mail: 'drop' }],
];

for (const [says, script] of refusals)
  test(`${says}: the next server takes the message, and after two failures the first is skipped`, async () => {
    const { first, sink, send, end } = await withTwoServers(script);
    try {
      assert.equal([await send(), await send()], ['smtp-2', 'smtp-2']);
      const { connections, commands } = first;
      assert.ok(connections > 0);
      assert.is(await send(), 'smtp-2');
      assert.equal(
        [first.connections, first.commands.length],
        [connections, commands.length],
        'the first server is skipped',
      );
      assert.equal([sink.messages.length, first.contents.length], [3, 0]);
    } finally {
      await end();
    }
  });

test('if only the sender is refused, the next server is used, and the first is not skipped', async () => {
  for (const mail of ['553 5.7.1 Sender address rejected: not owned by user', '550 5.1.8 Unknown sender']) {
    const { first, send, end } = await withTwoServers({ mail });
    assert.equal([await send(), await send(), await send()], ['smtp-2', 'smtp-2', 'smtp-2']);
    assert.is(first.commands.filter((line) => line.startsWith('MAIL')).length, 3);
    await end();
  }
});

test('if the recipient or the message is refused, or the content breaks off, no other server is tried', async () => {
  const scripts: readonly [SmtpScript, string][] = [
    [{ rcpt: '550 5.1.1 No such user' }, 'bounced'],
    [{ mail: '552 5.3.4 Message too large' }, 'rejected'],
    [{ content: '554 5.6.0 Account of spam' }, 'rejected'],
    [{ body: 'drop' }, 'transient'],
    [{ content: 'hang' }, 'transient'],
  ];
  for (const [script, expected] of scripts) {
    const { sink, send, end } = await withTwoServers(script);
    assert.equal([await send(), sink.messages.length], [expected, 0], JSON.stringify(script));
    await end();
  }
});

test('with a wrong password at a real server, nothing is taken, and the other server takes the message', async () => {
  const strict = await SmtpSink.start({ credentials: { user: 'shop', pass: 'right' } });
  const sink = await SmtpSink.start();
  const one = smtpMail({ host, port: strict.port, tls: trusting, auth });
  const error = await mailErrorOf(one.send(sampleMail(), sampleSendOptions()));
  assert.equal([error.fault, error.unavailable, error.credentialsRefused], ['transient', true, true]);
  assert.equal([error.smtpCode, isNotTaken(error)], [535, true]);
  assert.not.match(error.message, /wrong$/);
  const adapter = failoverMail([one, smtpMail({ id: 'backup', host, port: sink.port, tls: trusting })]);
  assert.is((await adapter.send(sampleMail(), sampleSendOptions())).provider, 'backup');
  const { signal, outgoing } = sampleSendOptions();
  const fault = await mailErrorOf(adapter.verify?.(signal, { outgoing }) ?? Promise.resolve());
  assert.match(fault.message, /^smtp: 535 /);
  await adapter.close();
  await Promise.all([strict.stop(), sink.stop()]);
});

test('servers without ids are distinguished, and ids may be given', async () => {
  const [dead, sink] = [await deadPort(), await SmtpSink.start()];
  const unavailable = () => smtpMail({ host, port: dead, timeouts });
  const last = smtpMail({ host, port: sink.port, tls: trusting });
  const namedServer = smtpMail({ id: 'smtp-2', host, port: dead });
  const adapter = failoverMail([unavailable(), namedServer, unavailable(), last]);
  assert.is((await adapter.send(sampleMail(), sampleSendOptions())).provider, 'smtp-4');
  await adapter.close();
  await sink.stop();
  assert.throws(() => smtpMail({ id: 'A b', host }), /`id` must have/);
});

test.run();
