import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { smtpMail } from '../../adapters/mail/smtp.ts';
import { mailAdapterSuite, sampleMail, sampleSendOptions } from '../../plugins/email/testing/mail-suite.ts';
import { parseRaw, parseSunkMail } from '../support/received-mail.ts';
import { mailErrorOf, trusting, withSink } from '../support/smtp-mail-sink.ts';
import { ScriptedSmtpServer } from '../support/smtp-server.ts';
import { SmtpSink } from '../support/smtp-sink.ts';

const test = suite('smtp mail');

mailAdapterSuite(
  'smtpMail',
  async () => {
    const sink = await SmtpSink.start();
    return {
      adapter: smtpMail({ host: sink.host, port: sink.port, tls: trusting }),
      received: () => Promise.all(sink.messages.map(parseSunkMail)),
      dispose: () => sink.stop(),
    };
  },
  (name, run) => test(name, run),
);

const numbered = (count: number) => sampleMail({ messageId: `<m${count}@example.com>`, attachments: [] });

test('the adapter opens no connection before the first send', async () => {
  await withSink(async (sink, adapter) => {
    await new Promise((resolve) => setImmediate(resolve));
    assert.is(sink.connections, 0);
    await adapter.send(numbered(1), sampleSendOptions());
    assert.is(sink.connections, 1);
  });
});

test('the adapter returns the server’s last line and its queue id', async () => {
  await withSink(async (_sink, adapter) => {
    const receipt = await adapter.send(numbered(1), sampleSendOptions());
    assert.equal(receipt, { response: '250 2.0.0 Ok: queued as SINK1', providerMessageId: 'SINK1' });
  });
});

test('the adapter nests text and HTML, related images and attachments as in RFC 2046', async () => {
  await withSink(async (sink, adapter) => {
    await adapter.send(sampleMail(), sampleSendOptions());
    const raw = sink.messages[0]?.raw.toString('latin1') ?? '';
    const types = [...raw.matchAll(/^Content-Type: ([a-z]+\/[a-z]+)/gm)].map((match) => match[1]);
    assert.equal(types, [
      'multipart/mixed',
      'multipart/alternative',
      'text/plain',
      'multipart/related',
      'text/html',
      'image/png',
      'text/plain',
    ]);
    assert.match(raw, /^Content-ID: <logo@example\.com>\r$/im);
    assert.match(raw, /^Date: Sun, 01 Mar 2026 10:20:30 \+0000\r$/m);
    assert.match(raw, /^Message-ID: <snd_01h000000000000000000000@example\.com>\r$/m);
  });
});

test('the adapter sends one part if there is no HTML or no text', async () => {
  await withSink(async (sink, adapter) => {
    await adapter.send(sampleMail({ html: '', attachments: [] }), sampleSendOptions());
    await adapter.send(sampleMail({ text: '', attachments: [] }), sampleSendOptions());
    const [plain, html] = sink.messages.map((message) => message.raw.toString('latin1'));
    assert.match(plain ?? '', /^Content-Type: text\/plain/m);
    assert.match(html ?? '', /^Content-Type: text\/html/m);
    assert.not.match(`${plain}${html}`, /multipart/);
  });
});

test('the adapter keeps lines of only a dot, lines of thousands of characters and every line break', async () => {
  const text = ['.', '..', '.x', '', 'a'.repeat(5_000), 'ü'.repeat(3_000), '.\t', '-- ', 'end'].join('\n');
  await withSink(async (sink, adapter) => {
    const html = `<p>${'x'.repeat(4_000)}</p>\n.\n<p>.</p>`;
    await adapter.send(sampleMail({ text, html, attachments: [] }), sampleSendOptions());
    const [message] = sink.messages;
    assert.ok(message);
    const email = await parseRaw(message.raw);
    assert.is(email.text?.replaceAll('\r\n', '\n').trimEnd(), text);
    assert.is(email.html?.replaceAll('\r\n', '\n').trimEnd(), html);
    const longest = Math.max(
      ...message.raw
        .toString('latin1')
        .split('\r\n')
        .map((line) => line.length),
    );
    assert.ok(longest <= 998, `longest line: ${longest}`);
    assert.not.match(message.raw.toString('latin1'), /[^\r]\n|\r[^\n]/);
  });
});

test('the adapter attaches a message as a message if it is valid for transmission, and as bytes otherwise', async () => {
  const inner = Buffer.from('From: a@example.com\r\nSubject: inner\r\n\r\n.\r\nbody\r\n');
  const wide = Buffer.from(`Subject: breit\r\n\r\n${'ü'.repeat(600)}\r\n`);
  await withSink(async (sink, adapter) => {
    const attachments = [
      { filename: 'a.eml', contentType: 'message/rfc822', content: inner, inline: false },
      { filename: 'b.eml', contentType: 'message/rfc822', content: wide, inline: false },
    ];
    await adapter.send(sampleMail({ attachments }), sampleSendOptions());
    const [message] = sink.messages;
    assert.ok(message);
    const parsedMail = await parseSunkMail(message);
    assert.equal(
      parsedMail.attachments.map((attachment) => attachment.contentType),
      ['message/rfc822', 'application/octet-stream'],
    );
    // For a 7bit part, the parser returns bare LF and one line break at the end.
    const first = Buffer.from(parsedMail.attachments[0]?.content ?? []).toString();
    assert.is(first.trimEnd(), inner.toString().replaceAll('\r\n', '\n').trimEnd());
    assert.is(Buffer.from(parsedMail.attachments[1]?.content ?? []).toString(), wide.toString());
  });
});

test('the adapter does not use a header called key as the name of another header', async () => {
  await withSink(async (sink, adapter) => {
    await adapter.send(sampleMail({ headers: { key: 'Bcc', value: 'evil@example.org' } }), sampleSendOptions());
    const [message] = sink.messages;
    assert.ok(message);
    const email = await parseRaw(message.raw);
    assert.equal(message.recipients, ['ada@example.net']);
    assert.is(email.bcc, undefined);
    assert.is(email.headers.find((header) => header.key === 'key')?.value, 'Bcc');
    assert.is(email.headers.find((header) => header.key === 'value')?.value, 'evil@example.org');
  });
});

test('the adapter sends an internationalized domain in punycode', async () => {
  const server = await ScriptedSmtpServer.start({});
  const adapter = smtpMail({ host: server.host, port: server.port });
  const to = { email: 'ada@bücher.example', name: 'Ada' };
  await adapter.send(sampleMail({ to, from: { email: 'shop@Grüße.example' } }), sampleSendOptions());
  const [, from, recipient] = server.commands;
  assert.match(from ?? '', /^MAIL FROM:<shop@xn--gre-6ka8l\.example>/);
  assert.is(recipient, 'RCPT TO:<ada@xn--bcher-kva.example>');
  assert.match(server.contents[0] ?? '', /^To: Ada <ada@xn--bcher-kva\.example>\r$/m);
  await adapter.close();
  await server.stop();
});

test('the adapter sends a local part outside ASCII only to a server that offers SMTPUTF8', async () => {
  const mail = sampleMail({ to: { email: 'дмитрий@example.net', name: 'Дмитрий' } });
  await withSink(async (sink, adapter) => {
    await adapter.send(mail, sampleSendOptions());
    assert.is(sink.messages[0]?.smtpUtf8, true);
    assert.equal(sink.messages[0]?.recipients, ['дмитрий@example.net']);
    const [message] = await Promise.all(sink.messages.map(parseSunkMail));
    assert.is(message?.to.email, 'дмитрий@example.net');
  });
  await withSink(
    async (sink, adapter) => {
      const error = await mailErrorOf(adapter.send(mail, sampleSendOptions()));
      assert.is(error.fault, 'rejected');
      assert.match(error.message, /SMTPUTF8/);
      assert.is(sink.messages.length, 0);
    },
    { sink: { hideSMTPUTF8: true } },
  );
});

test('the adapter repeats the message id in a header for its provider, which callers still cannot set', async () => {
  await withSink(
    async (sink, adapter) => {
      await adapter.send(sampleMail({ messageId: '<msg_1@example.com>' }), sampleSendOptions());
      assert.match(sink.messages[0]?.raw.toString('latin1') ?? '', /^X-PM-Metadata-message-id: msg_1\r$/im);
      const forgedMail = sampleMail({ headers: { 'X-PM-Metadata-message-id': 'msg_2' } });
      assert.is((await mailErrorOf(adapter.send(forgedMail, sampleSendOptions()))).fault, 'rejected');
    },
    { adapter: { messageIdHeader: 'X-PM-Metadata-message-id' } },
  );
  assert.throws(() => smtpMail({ host: 'localhost', messageIdHeader: 'a: b' }), /name of a header/);
});

test('the adapter reuses its connections and opens no more than the pool holds', async () => {
  await withSink(
    async (sink, adapter) => {
      await Promise.all(Array.from({ length: 60 }, (_, index) => adapter.send(numbered(index), sampleSendOptions())));
      assert.is(sink.messages.length, 60);
      assert.is(sink.connections, 3);
      assert.is(new Set(sink.messages.map((message) => message.connection)).size, 3);
      assert.equal(new Set(sink.countByMessageId().values()), new Set([1]));
    },
    { adapter: { poolSize: 3 } },
  );
});

test('the adapter keeps using a connection after a refused recipient', async () => {
  await withSink(
    async (sink, adapter) => {
      sink.answer('gone@example.net', { code: 550, text: '5.1.1 No such user' });
      const missingRecipient = sampleMail({ to: { email: 'gone@example.net' } });
      const error = await mailErrorOf(adapter.send(missingRecipient, sampleSendOptions()));
      assert.is(error.bounce?.class, 'hard');
      await adapter.send(numbered(2), sampleSendOptions());
      assert.is(sink.connections, 1);
    },
    { adapter: { poolSize: 1 } },
  );
});

test('the adapter replaces a connection after the configured number of messages', async () => {
  await withSink(
    async (sink, adapter) => {
      for (let count = 1; count <= 5; count += 1) await adapter.send(numbered(count), sampleSendOptions());
      assert.is(sink.connections, 3);
    },
    { adapter: { poolSize: 1, messagesPerConnection: 2 } },
  );
});

const slowAndNarrow = { sink: { answerMs: 40 }, adapter: { poolSize: 1 } };

test('an urgent message leaves before the messages that wait for a connection', async () => {
  await withSink(async (sink, adapter) => {
    const newsletters = [1, 2, 3, 4].map((count) => adapter.send(numbered(count), sampleSendOptions()));
    await sink.until(({ open }) => open > 0);
    const codes = [5, 6].map((count) => adapter.send(numbered(count), sampleSendOptions({ urgent: true })));
    await Promise.all([...newsletters, ...codes]);
    assert.equal(
      sink.messages.map(({ messageId }) => messageId),
      [1, 5, 6, 2, 3, 4].map((count) => `<m${count}@example.com>`),
    );
  }, slowAndNarrow);
});

test('urgent messages do not stop the others', async () => {
  await withSink(
    async (sink, adapter) => {
      const newsletters = [1, 2].map((count) => adapter.send(numbered(count), sampleSendOptions()));
      await sink.until(({ open }) => open > 0);
      const urgent = Array.from({ length: 20 }, (_, index) =>
        adapter.send(numbered(index + 3), sampleSendOptions({ urgent: true })),
      );
      await Promise.all([...newsletters, ...urgent]);
      const place = sink.messages.findIndex(({ messageId }) => messageId === '<m2@example.com>');
      assert.is(place, 16, 'every 16th turn is for others');
    },
    { sink: { answerMs: 10 }, adapter: { poolSize: 1 } },
  );
});

test('a message whose attempt ends while it waits for a connection is not sent, and the others still are', async () => {
  await withSink(async (sink, adapter) => {
    const impatient = new AbortController();
    const first = adapter.send(numbered(1), sampleSendOptions());
    const second = mailErrorOf(adapter.send(numbered(2), sampleSendOptions({ signal: impatient.signal })));
    const third = adapter.send(numbered(3), sampleSendOptions());
    await sink.until(({ open }) => open > 0);
    impatient.abort();
    const error = await second;
    assert.equal([error.fault, error.unavailable], ['transient', true]);
    await Promise.all([first, third]);
    assert.is(sink.messages.length, 2);
  }, slowAndNarrow);
});

test('the adapter closes its connections when it is closed', async () => {
  const sink = await SmtpSink.start();
  const adapter = smtpMail({ host: sink.host, port: sink.port, tls: trusting });
  await Promise.all([1, 2, 3].map((count) => adapter.send(numbered(count), sampleSendOptions())));
  assert.ok(sink.open > 0);
  await adapter.close();
  await sink.until(({ open }) => open === 0);
  await sink.stop();
});

test('the adapter closes without having opened a connection', async () => {
  await smtpMail({ host: 'mail.invalid' }).close();
});

test('the adapter refuses a message over the server’s SIZE before sending it', async () => {
  await withSink(
    async (sink, adapter) => {
      const error = await mailErrorOf(adapter.send(sampleMail({ text: 'x'.repeat(2_000) }), sampleSendOptions()));
      assert.is(error.fault, 'rejected');
      assert.is(error.bounce?.subType, 'message_too_large');
      assert.is(sink.messages.length, 0);
    },
    { sink: { size: 1_000 } },
  );
});

test('the adapter refuses invalid options', () => {
  assert.throws(() => smtpMail({ host: 'a b' }), /host/);
  assert.throws(() => smtpMail({ host: 'mail.example.com', port: 70_000 }), /port/);
  assert.throws(() => smtpMail({ host: 'mail.example.com', poolSize: 0 }), /poolSize/);
  assert.throws(() => smtpMail({ host: 'mail.example.com', name: 'a\r\nMAIL FROM:<x>' }), /name/);
  assert.throws(() => smtpMail({ host: 'mail.example.com', timeouts: { socket: -1 } }), /socket/);
});

test.run();
