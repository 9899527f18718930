// The SMTP connector with hosts that tenants name: only public addresses are allowed, the connection goes to the checked address, and
// TLS is checked against the name.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { smtpConnector } from '../../adapters/mail/smtp-connector.ts';
import { createOutgoing } from '../../core/outgoing/index.ts';
import type { MailAdapter } from '../../plugins/email/port/index.ts';
import { sampleMail, sampleSendOptions } from '../../plugins/email/testing/mail-suite.ts';
import { createCertificate } from '../core/outgoing-certificate.ts';
import { mailErrorOf, trusting } from '../support/smtp-mail-sink.ts';
import { SmtpSink } from '../support/smtp-sink.ts';

const test = suite('the SMTP connector');
const credentials = { user: 'post', pass: 'right' };

interface Given {
  readonly host: string;
  readonly names?: Readonly<Record<string, readonly string[]>>;
  readonly connector?: Parameters<typeof smtpConnector>[0];
  readonly environment?: 'development' | 'production';
  readonly lookedUpNames?: string[];
}

/** The adapter of a connector whose host is on the sink's port. */
function adapterOf(
  sink: SmtpSink,
  { host, names = {}, connector, environment = 'production', lookedUpNames: looked = [] }: Given,
) {
  const outgoing = createOutgoing({
    environment,
    resolve: async (name) => {
      looked.push(name);
      return names[name] ?? [];
    },
  });
  const provider = smtpConnector({ tls: trusting, timeouts: { connection: 1_000 }, ...connector });
  return provider.connect({ credentials, options: { host, port: sink.port } }, { outgoing });
}
const send = (adapter: MailAdapter) => adapter.send(sampleMail({ attachments: [] }), sampleSendOptions());
const verify = (adapter: MailAdapter) => adapter.verify?.(AbortSignal.timeout(5_000), sampleSendOptions());

async function withSink(run: (sink: SmtpSink) => Promise<void>, options: object = {}): Promise<void> {
  const sink = await SmtpSink.start({ credentials, ...options });
  try {
    await run(sink);
  } finally {
    await sink.stop();
  }
}

test('private, loopback and link-local addresses are never connected to, however they are written or named', async () => {
  await withSink(async (sink) => {
    const names = {
      'rebound.example': ['127.0.0.1'],
      'mixed.example': ['192.0.43.8', '10.0.0.1'],
      'six.example': ['::ffff:127.0.0.1'],
    };
    const hosts = ['127.0.0.1', '10.1.2.3', '169.254.169.254', '192.168.0.1', '::1', 'fe80::1', 'localhost'];
    for (const host of [...hosts, ...Object.keys(names)]) {
      const adapter = adapterOf(sink, { host, names });
      for (const work of [send, verify]) {
        const error = await mailErrorOf(Promise.resolve(work(adapter)));
        assert.equal([error.fault, error.unavailable], ['transient', true], host);
        assert.match(error.message, /not public/, host);
      }
      await adapter.close();
    }
    assert.is(sink.connections, 0);
  });
});

test('a host that the program allows is connected to at the checked address, with TLS checked against the name', async () => {
  const { cert, key } = createCertificate(['mail.example'], []);
  await withSink(
    async (sink) => {
      const lookUps: string[] = [];
      const names = { 'mail.example': ['127.0.0.1'], 'other.example': ['127.0.0.1'] };
      const connector = { allow: ['127.0.0.0/8'], tls: { ca: cert } };
      const adapter = adapterOf(sink, { host: 'mail.example', names, connector, lookedUpNames: lookUps });
      await send(adapter);
      await verify(adapter);
      assert.equal([sink.messages.length, sink.messages[0]?.secure], [1, true]);
      assert.equal(lookUps, ['mail.example', 'mail.example'], 'there is one look-up for each connection, and no other');
      await adapter.close();
      const otherAdapter = adapterOf(sink, { host: 'other.example', names, connector });
      assert.match((await mailErrorOf(send(otherAdapter))).message, /altnames|certificate/i);
      await otherAdapter.close();
      assert.is(sink.messages.length, 1);
    },
    { cert, key },
  );
});

test('in development a local server may be named, but a foreign name with a local address may not', async () => {
  await withSink(async (sink) => {
    const local = adapterOf(sink, { host: '127.0.0.1', environment: 'development' });
    await send(local);
    await local.close();
    assert.is(sink.messages.length, 1);
    const foreign = adapterOf(sink, {
      host: 'rebound.example',
      names: { 'rebound.example': ['127.0.0.1'] },
      environment: 'development',
    });
    assert.match((await mailErrorOf(send(foreign))).message, /not public/);
    await foreign.close();
  });
});

test.run();
