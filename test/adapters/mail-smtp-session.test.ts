import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { smtpMail } from '../../adapters/mail/smtp.ts';
import { sampleMail, sampleSendOptions } from '../../plugins/email/testing/mail-suite.ts';
import { mailErrorOf, withSink } from '../support/smtp-mail-sink.ts';
import { ScriptedSmtpServer } from '../support/smtp-server.ts';

const test = suite('smtp mail: TLS, login, verify');

const numbered = (count: number) => sampleMail({ messageId: `<m${count}@example.com>`, attachments: [] });

test('the adapter upgrades with STARTTLS, and refuses a self-signed certificate unless configured to accept it', async () => {
  await withSink(async (sink, adapter) => {
    await adapter.send(numbered(1), sampleSendOptions());
    assert.is(sink.messages[0]?.secure, true);
  });
  await withSink(
    async (sink, adapter) => {
      const error = await mailErrorOf(adapter.send(numbered(1), sampleSendOptions()));
      assert.is(error.fault, 'transient');
      assert.match(error.message, /certificate/i);
      assert.is(sink.messages.length, 0);
    },
    { adapter: { tls: {} } },
  );
});

test('with secure, the adapter uses TLS from the first byte', async () => {
  await withSink(
    async (sink, adapter) => {
      await adapter.send(numbered(1), sampleSendOptions());
      assert.is(sink.messages[0]?.secure, true);
    },
    { sink: { secure: true }, adapter: { secure: true } },
  );
});

test('the adapter sends nothing unencrypted if TLS is required and the server does not offer TLS', async () => {
  await withSink(
    async (sink, adapter) => {
      await mailErrorOf(adapter.send(numbered(1), sampleSendOptions()));
      assert.is(sink.messages.length, 0);
    },
    { sink: { disabledCommands: ['STARTTLS'] }, adapter: { tls: { required: true } } },
  );
});

test('the adapter logs in, and verify reports whether the login worked', async () => {
  const credentials = { user: 'shop', pass: 'a secret' };
  await withSink(
    async (sink, adapter) => {
      await adapter.verify?.(new AbortController().signal, sampleSendOptions());
      await adapter.send(numbered(1), sampleSendOptions());
      assert.is(sink.messages.length, 1);
    },
    { sink: { credentials }, adapter: { auth: credentials } },
  );
  await withSink(
    async (sink, adapter) => {
      const verifyError = await mailErrorOf(
        adapter.verify?.(new AbortController().signal, sampleSendOptions()) ?? Promise.resolve(),
      );
      assert.is(verifyError.smtpCode, 535);
      const sendError = await mailErrorOf(adapter.send(numbered(1), sampleSendOptions()));
      assert.is(sendError.smtpCode, 535);
      assert.not.match(`${sendError.message}${verifyError.message}`, /wrong secret/);
      assert.is(sink.messages.length, 0);
    },
    { sink: { credentials }, adapter: { auth: { user: 'shop', pass: 'wrong secret' } } },
  );
});

test('if TLS is required, the adapter sends its password to no server without TLS', async () => {
  const ehlo = '250-scripted.example\r\n250 AUTH PLAIN LOGIN';
  const server = await ScriptedSmtpServer.start({ ehlo });
  const auth = { user: 'shop', pass: 'a secret' };
  const adapter = smtpMail({ host: server.host, port: server.port, auth, tls: { required: true } });
  await mailErrorOf(adapter.send(numbered(1), sampleSendOptions()));
  await mailErrorOf(adapter.verify?.(new AbortController().signal, sampleSendOptions()) ?? Promise.resolve());
  assert.equal(new Set(server.commands.map((line) => line.slice(0, 8))), new Set(['EHLO [12', 'STARTTLS']));
  await adapter.close();
  await server.stop();
});

test('verify ends when its signal is aborted, before and within the session', async () => {
  const server = await ScriptedSmtpServer.start({ ehlo: 'hang' });
  const adapter = smtpMail({ host: server.host, port: server.port });
  const earlyError = await mailErrorOf(adapter.verify?.(AbortSignal.abort(), sampleSendOptions()) ?? Promise.resolve());
  assert.is(earlyError.fault, 'transient');
  assert.is(server.connections, 0);
  const controller = new AbortController();
  const verifying = mailErrorOf(adapter.verify?.(controller.signal, sampleSendOptions()) ?? Promise.resolve());
  await server.until(({ hanging }) => hanging > 0);
  controller.abort();
  assert.is((await verifying).fault, 'transient');
  await adapter.close();
  await server.stop();
});

test.run();
