// A send through each interface to the mail server: the answer, the transmitted bytes, and the timeline.
import { createHash, randomUUID } from 'node:crypto';
import type { Email } from 'postal-mime';
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

const image = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
const report = Buffer.from('a report, with a line\r\nand an ö', 'utf8');

const template = {
  subject: 'Receipt for {{name}}',
  previewText: 'Thank you, {{name}}',
  body: '<html><body><p>Dear {{name}}, you paid {{ total }}.</p><img src="cid:logo.png" alt="logo"></body></html>',
};

const message = {
  to: 'Ada@Example.org',
  variables: { name: 'Ada & Söhne', total: '12 €' },
  from: { email: 'billing@example.com', name: 'Bílling' },
  replyTo: { email: 'help@example.com' },
  headers: { 'X-Entity-Ref': 'A-1042', 'Auto-Submitted': 'auto-generated' },
  metadata: { order: 'A-1042', lines: [1, 2] },
  tags: ['receipt', 'eu'],
  attachments: [
    { filename: 'logo.png', content_type: 'image/png', data_base64: image.toString('base64'), inline: true },
    { filename: 'Überblick.txt', content_type: 'text/plain', data_base64: report.toString('base64') },
  ],
};

const idForm = (prefix: string) => new RegExp(`^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`);
const bytes = (content: unknown) => Buffer.from(content as ArrayBuffer);

const shape = ({ headers, attachments, ...email }: Email) => ({
  from: email.from,
  to: email.to,
  replyTo: email.replyTo,
  subject: email.subject,
  html: createHash('sha256')
    .update(email.html ?? '')
    .digest('hex'),
  text: email.text,
  extra: headers.filter(({ key }) => key.startsWith('x-') || key.startsWith('auto')),
  attachments: attachments.map(({ filename, mimeType, disposition, contentId, content }) => ({
    filename,
    mimeType,
    disposition,
    contentId,
    content: bytes(content).toString('hex'),
  })),
});

const interfaces = {
  REST: async (bench: MailBench) => (await bench.send('receipt', message)).body,
  'the tool': async (bench: MailBench) =>
    (await bench.tool('send_transactional', { template: 'receipt', ...message, idempotency_key: randomUUID() })).body,
  'a call in process': async (bench: MailBench) =>
    bench.service.as(bench.workspaceId, { actor: 'shop' }).email.send({ template: 'receipt', ...message }),
};

await twoDatabases('a send through each interface', (test, database) => {
  let bench: MailBench;
  test.before(async () => {
    bench = await openMailBench(database);
    await bench.publish('receipt', template);
  });
  test.before.each(() => {
    bench.sink.messages.length = 0;
  });
  test.after(() => bench.close());

  for (const [interfaceName, send] of Object.entries(interfaces)) {
    test(`a send over ${interfaceName} reaches the mail server as one valid message with all of its parts`, async () => {
      const answer = await send(bench);
      assert.is(answer.status, 'sent', JSON.stringify(answer));
      await bench.drain();
      const [email, ...others] = await bench.received();
      assert.ok(email);
      assert.is(others.length, 0);
      assert.equal(bench.sink.messages[0]?.recipients, ['Ada@Example.org']);
      assert.is(bench.sink.messages[0]?.from, 'billing@example.com');
      assert.is(email.messageId, `<${answer.messageId}@example.com>`);
      assert.equal(email.from, { address: 'billing@example.com', name: 'Bílling' });
      assert.equal(email.replyTo, [{ address: 'help@example.com', name: '' }]);
      assert.is(email.subject, 'Receipt for Ada & Söhne');
      assert.match(email.html ?? '', 'Dear Ada &amp; Söhne, you paid 12 €.');
      assert.match(email.html ?? '', 'Thank you, Ada &amp; Söhne');
      assert.match(email.text ?? '', 'Dear Ada & Söhne, you paid 12 €.');
      assert.is(new Date(email.date ?? '').getTime(), Date.parse(answer.createdAt));
      const header = (name: string) => email.headers.find(({ key }) => key === name)?.value;
      assert.is(header('x-entity-ref'), 'A-1042');
      assert.is(header('auto-submitted'), 'auto-generated');
      const [logo, overview] = email.attachments;
      assert.is(logo?.disposition, 'inline');
      assert.is(logo?.contentId, '<logo.png>');
      assert.match(email.html ?? '', 'cid:logo.png');
      assert.equal(bytes(logo?.content), image);
      assert.is(overview?.filename, 'Überblick.txt');
      assert.is(overview?.disposition, 'attachment');
      assert.equal(bytes(overview?.content), report);
    });
  }

  test('a send produces the same message through every interface', async () => {
    for (const send of Object.values(interfaces)) await send(bench);
    await bench.drain();
    const [first, ...rest] = (await bench.received()).map(shape);
    assert.is(rest.length, 2);
    for (const other of rest) assert.equal(other, first);
  });

  test('a send returns 202 with exactly its fields', async () => {
    const { status, body } = await bench.send('receipt', message);
    assert.is(status, 202);
    const { id, messageId, apiKeyId, events, ...rest } = body;
    assert.match(id, idForm('snd'));
    assert.match(messageId, idForm('msg'));
    assert.match(apiKeyId, idForm('key'));
    const at = new Date(bench.now()).toISOString();
    assert.match(events[0].id, idForm('evt'));
    assert.equal(events, [{ id: events[0].id, type: 'send.queued', ts: at }]);
    assert.equal(rest, {
      status: 'sent',
      templateKey: 'receipt',
      templateVersion: 1,
      to: 'Ada@Example.org',
      from: { email: 'billing@example.com', name: 'Bílling' },
      subject: 'Receipt for Ada & Söhne',
      connectorProvider: 'smtp',
      sandbox: false,
      tags: ['receipt', 'eu'],
      metadata: { order: 'A-1042', lines: [1, 2] },
      createdAt: at,
      opens: 0,
      clicks: 0,
    });
  });

  test('the timeline of a send contains the hand-over, and reads and lists contain its metadata and tags', async () => {
    const { body: accepted } = await bench.send('receipt', message);
    bench.advanceClock(1_000);
    await bench.drain();
    const sendRecord = await bench.readSend(accepted.id);
    assert.equal(
      sendRecord.events.map(({ type }: { type: string }) => type),
      ['send.queued', 'send.sent'],
    );
    assert.is(sendRecord.events[1].ts, new Date(bench.now()).toISOString());
    assert.is(sendRecord.status, 'sent');
    assert.equal(sendRecord.metadata, message.metadata);
    const list = await bench.request(`/v1/sends?to=${encodeURIComponent('ada@EXAMPLE.org')}&limit=1`);
    assert.equal(list.body.data, [sendRecord]);
    const byTool = await bench.tool('read_send', { id: accepted.id });
    assert.equal(byTool.body, sendRecord);
  });

  test("a send uses the workspace's default sender, and the audit names the caller", async () => {
    await bench.send('receipt', { to: 'a@example.org', variables: { name: 'Ada', total: '1' } });
    await interfaces['the tool'](bench);
    await interfaces['a call in process'](bench);
    await bench.drain();
    // The three are delivered in parallel, so any of them may arrive first.
    const processMail = (await bench.received()).find(({ to }) =>
      to?.some(({ address }) => address === 'a@example.org'),
    );
    assert.equal(processMail?.from, { address: 'hello@example.com', name: 'Example' });
    const { body } = await bench.request('/v1/audit?action=transactional.send&limit=100');
    const kinds = new Set(body.data.map((entry: { actor: { kind: string } }) => entry.actor.kind));
    assert.equal([...kinds].sort(), ['api', 'mcp', 'service']);
    const [service] = body.data.filter((entry: { actor: { kind: string } }) => entry.actor.kind === 'service');
    assert.is(service.actor.client, 'shop');
    assert.is(service.target.kind, 'message');
    assert.match(service.target.id, idForm('msg'));
    assert.equal(service.metadata, { template: 'receipt', to_domain: 'example.org' });
  });
});
