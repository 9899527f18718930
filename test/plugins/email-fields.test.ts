// The accepted fields of a send: sender, reply address, recipient, metadata, tags, time. Each refusal names its field.
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

const variables = { name: 'Ada' };
const to = 'ada@example.org';
const day = 86_400_000;

await twoDatabases('the fields of a send', (test, database) => {
  let bench: MailBench;
  test.before(async () => {
    bench = await openMailBench(database);
    await bench.publish('receipt');
  });
  test.after(() => bench.close());

  const send = (body: object, key?: string) =>
    bench.send('receipt', { to, variables, ...body }, key === undefined ? {} : { key });
  const refusal = async (body: object) => {
    const { status, body: answer } = await send(body);
    assert.ok(status >= 400 && status < 500, `${status} ${JSON.stringify(answer)}`);
    return { status, code: answer.error.code, path: answer.error.details?.[0]?.path };
  };
  const unacceptable = (path: string) => ({ status: 422, code: 'validation_failed', path });

  test('the sender must be on a sending domain of the workspace', async () => {
    for (const email of ['x@example.com', 'X@EXAMPLE.COM']) assert.is((await send({ from: { email } })).status, 202);
    for (const email of ['x@evil.example', 'x@sub.example.com', 'x@example.com.evil.example']) {
      assert.equal(await refusal({ from: { email } }), { status: 422, code: 'from_not_allowed', path: undefined });
    }
    await bench.service.workspaces.update(bench.workspaceId, {
      sendingDomains: ['Müller.example', ' sub.example.com '],
    });
    for (const email of ['x@müller.example', 'x@xn--mller-kva.example', 'x@sub.example.com', 'x@example.com']) {
      assert.is((await send({ from: { email } })).status, 202, email);
    }
  });

  test('a default sender on an international domain may send', async () => {
    const { id } = await bench.service.workspaces.create({
      name: 'International',
      defaultFrom: { email: 'hallo@müller.example', name: 'Müller' },
    });
    const calls = bench.service.as(id);
    await calls.templates.create({ key: 'receipt', mode: 'html', subject: 'Hi', body: '<p>{{name}}</p>' });
    await calls.templates.publish({ key: 'receipt' });
    assert.is((await calls.email.send({ template: 'receipt', to, variables })).status, 'sent');
  });

  test('a sender name must be one line that a mail server can fold', async () => {
    for (const name of ['a\r\nBcc: x@evil.example', 'a\u0007', `a${' '.repeat(80)}b`, 'a\u2028b']) {
      assert.equal(await refusal({ from: { email: 'x@example.com', name } }), unacceptable('from.name'));
    }
  });

  test('replyTo and reply_to mean the same; each can be given alone, or both if they agree', async () => {
    for (const body of [
      { replyTo: { email: 'help@example.com' } },
      { reply_to: 'help@example.com' },
      { replyTo: { email: 'help@example.com' }, reply_to: 'help@example.com' },
    ]) {
      await bench.drain();
      bench.sink.messages.length = 0;
      await send(body);
      await bench.drain();
      assert.is((await bench.received())[0]?.replyTo?.[0]?.address, 'help@example.com');
    }
    const both = { replyTo: { email: 'help@example.com' }, reply_to: 'other@example.com' };
    assert.equal(await refusal(both), unacceptable('reply_to'));
  });

  test('the body may repeat the template of the path, but not name another one', async () => {
    assert.is((await send({ template: 'receipt' })).status, 202);
    assert.equal(await refusal({ template: 'other' }), unacceptable('template'));
  });

  test('a recipient is one address, with or without a name', async () => {
    const addresses = [
      ...['', 'ada', '@example.org', 'ada@', 'ada@localhost', 'a b@example.org', 'ada@exa mple.org', '"a"@example.org'],
      ...[
        'ada@example.org, eve@example.org',
        'Ada <ada@example.org>, eve@example.org',
        'ada@example.org\r\nBcc: eve@example.org',
      ],
      ...['ada@1.2.3.44', 'ada@1.2.3.0x7f', 'ada@exa\u00admple.org', 'ada@example.org\u200b', '.ada@example.org'],
      ...[' ada@example.org', 'ada@example.org ', `${'a'.repeat(65)}@example.org`, `ada@${'a'.repeat(250)}.org`],
    ];
    for (const address of addresses) assert.equal(await refusal({ to: address }), unacceptable('to'), address);
    for (const address of [
      "o'neil+tag@example.org",
      'ADA@EXAMPLE.ORG',
      'ada@müller.example',
      'Ada <ada@example.org>',
      `${'a'.repeat(64)}@b.co`,
    ]) {
      assert.is((await send({ to: address })).status, 202, address);
    }
    await bench.drain();
    const { body } = await bench.request('/v1/sends?status=failed');
    assert.equal(body.data, [], 'the hand-over refused an accepted mail');
  });

  test('any spelling of the address finds the recipient', async () => {
    const { body } = await send({ to: 'John.Q.Public@GMAIL.com' });
    assert.is(body.to, 'John.Q.Public@GMAIL.com');
    const list = await bench.request('/v1/sends?to=johnqpublic%40gmail.com');
    assert.equal([list.body.data.length, list.body.data[0].id], [1, body.id]);
  });

  test('variables are checked against the contract, with one detail for each fault', async () => {
    const { status, body } = await bench.send('receipt', { to, variables: { nam: 'Ada', other: 1 } });
    assert.is(status, 422);
    assert.is(body.error.code, 'variables_invalid');
    const paths = body.error.details.map(({ path }: { path: string }) => path).sort();
    assert.equal(paths, ['variables.nam', 'variables.name', 'variables.other']);
    assert.match(
      body.error.message,
      /^The variables do not fit the contract of receipt in 3 places\. The first: variables\./,
    );
    const missing = await bench.send('receipt', { to });
    assert.match(missing.body.error.message, /^The variables do not fit the contract of receipt: variables\.name/);
    assert.equal(
      missing.body.error.details.map(({ path }: { path: string }) => path),
      ['variables.name'],
    );
  });

  test('a subject that no header line can contain is refused when the send is accepted', async () => {
    for (const name of ['a\nBcc: x@evil.example', 'a\rb', `a${' '.repeat(80)}b`, 'x'.repeat(950)]) {
      const { status, body } = await bench.send('receipt', { to, variables: { name } });
      assert.is(status, 422, JSON.stringify(name.slice(0, 20)));
      assert.is(body.error.code, 'variables_invalid');
      assert.is(body.error.details[0].path, 'subject');
    }
  });

  test('metadata is returned in the answer, reads and events, up to 4,096 bytes of JSON', async () => {
    const metadata = { order: 'A-1', nested: { list: [1, true, null, 'ö'] }, constructor: 'plain', toString: 'text' };
    const { body } = await send({ metadata });
    assert.equal(JSON.parse(JSON.stringify(body.metadata)), metadata);
    assert.equal((await bench.readSend(body.id)).metadata, metadata);
    const full = { a: 'x'.repeat(4_096 - 8) };
    assert.is(JSON.stringify(full).length, 4_096);
    assert.is((await send({ metadata: full })).status, 202);
    assert.equal(await refusal({ metadata: { a: `${full.a}x` } }), unacceptable('metadata'));
    assert.equal(await refusal({ metadata: ['a'] }), unacceptable('metadata'));
    assert.is((await send({})).body.metadata, undefined);
  });

  test('at most ten tags of 1 to 100 characters are accepted', async () => {
    const tags = Array.from({ length: 10 }, (_, index) => `tag ${index}`);
    assert.equal((await send({ tags })).body.tags, tags);
    assert.equal(await refusal({ tags: [...tags, 'one more'] }), unacceptable('tags'));
    assert.equal(await refusal({ tags: [''] }), unacceptable('tags.0'));
    assert.equal(await refusal({ tags: ['x'.repeat(101)] }), unacceptable('tags.0'));
  });

  test('send_at must be between now and 30 days ahead, and the mail is sent and dated at that time', async () => {
    const at = (offset: number) => new Date(bench.now() + offset).toISOString();
    for (const send_at of [at(-3_600_000), at(30 * day + 1)]) {
      assert.equal(await refusal({ send_at }), { status: 422, code: 'send_at_invalid', path: undefined });
    }
    for (const send_at of ['tomorrow', '2026-01-02', 1_767_312_000]) {
      assert.equal(await refusal({ send_at }), unacceptable('send_at'));
    }
    assert.is((await send({ send_at: at(0) })).body.status, 'sent');
    await bench.drain();
    bench.sink.messages.length = 0;
    const { body } = await send({ send_at: at(30 * day) });
    assert.is(body.status, 'scheduled');
    assert.is(body.scheduledAt, at(30 * day));
    assert.is(body.events[0].type, 'send.scheduled');
    bench.advanceClock(30 * day - 1);
    await bench.drain();
    assert.is(bench.sink.messages.length, 0);
    bench.advanceClock(1);
    await bench.drain();
    const [email] = await bench.received();
    assert.is(Date.parse(email?.date ?? ''), Date.parse(body.scheduledAt), 'the date of the message is weeks ago');
    const read = await bench.readSend(body.id);
    assert.is(read.status, 'sent');
    assert.equal(
      read.events.map(({ type }: { type: string }) => type),
      ['send.scheduled', 'send.sent'],
    );
  });

  test('fields that callers may not set, and misspelt fields, are refused by name, at every depth', async () => {
    const content = { filename: 'a.txt', content_type: 'text/plain', data_base64: 'aGk=' };
    const fields: readonly [string, object][] = [
      ...[
        'id',
        'workspace_id',
        'workspaceId',
        'status',
        'sandbox',
        'messageId',
        'message_id',
        'version',
        'created_at',
      ].map((name): [string, object] => [name, { [name]: 'mine' }]),
      ...['constructor', 'prototype', 'toString', 'createdAt', 'templateVersion', 'apiKeyId', 'subject', 'html'].map(
        (name): [string, object] => [name, { [name]: 'mine' }],
      ),
      ['from.sender', { from: { email: 'x@example.com', sender: 'x' } }],
      ['replyTo.name', { replyTo: { email: 'x@example.com', name: 'x' } }],
      ['attachments.0.inLine', { attachments: [{ ...content, inLine: true }] }],
    ];
    for (const [path, body] of fields) assert.equal(await refusal(body), unacceptable(path), path);
  });

  test('__proto__ is refused at every place, and changes nothing', async () => {
    const bodies: readonly [string, string][] = [
      ['__proto__', '{"__proto__":{"to":"x"}}'],
      ['variables.__proto__', '{"variables":{"name":"Ada","__proto__":{"polluted":true}}}'],
      ['metadata.__proto__', '{"metadata":{"__proto__":{"polluted":true}}}'],
      ['metadata.deep.__proto__', '{"metadata":{"deep":{"__proto__":1}}}'],
      ['headers.__proto__', '{"headers":{"__proto__":"x"}}'],
      ['from.__proto__', '{"from":{"email":"x@example.com","__proto__":1}}'],
    ];
    for (const [path, json] of bodies) {
      const { status, body } = await bench.send('receipt', json.replace('{', `{"to":"${to}",`));
      assert.equal([status, body.error?.code, body.error?.details[0].path], [422, 'validation_failed', path]);
    }
    assert.is(({} as { polluted?: boolean }).polluted, undefined);
  });

  test('text with NUL is refused at every place', async () => {
    for (const [path, body] of Object.entries({
      'metadata.a': { metadata: { a: 'x\u0000' } },
      'tags.0': { tags: ['\u0000'] },
      'variables.name': { variables: { name: '\u0000' } },
      'headers.X-A': { headers: { 'X-A': 'a\u0000b' } },
    })) {
      assert.equal(await refusal(body), unacceptable(path));
    }
    for (const path of ['/v1/sends/%00', '/v1/templates/%00', '/v1/sends?templateKey=%00', '/v1/keys/a%00b']) {
      assert.is((await bench.request(path)).status, 422, path);
    }
  });
});
