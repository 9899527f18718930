// Custom events: their contacts, their valid fields, the places that show them, and effects that they never have.
import * as assert from 'uvu/assert';
import { type EventEnvelope, isPostriderError } from '../../core/index.ts';
import type { TestResponse } from '../../hosts/testing/test-service.ts';
import { eachDatabase } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

type Body = TestResponse['body'];

await eachDatabase('custom events', (test, database) => {
  let bench: MailBench;
  const received: EventEnvelope[] = [];
  let calls = 0;
  test.before(async () => {
    bench = await openMailBench(database);
    bench.service.on('*', (event) => received.push(event));
  });
  test.after(() => bench.close());

  const name = (prefix: string): string => {
    calls += 1;
    return `${prefix}-${calls}`;
  };
  const post = (body: unknown, { key = bench.liveKey, repeat = name('event') } = {}) =>
    bench.request('/v1/events', { body, key, headers: { 'idempotency-key': repeat } });
  const emit = async (body: unknown): Promise<Body> => {
    const answer = await post(body);
    assert.is(answer.status, 201, JSON.stringify(answer.body));
    return answer.body;
  };
  const timelineOf = async (id: string, key = bench.liveKey): Promise<Body> =>
    (await bench.request(`/v1/contacts/${id}`, { key })).body.timeline;
  const auditOf = async (): Promise<Body> => (await bench.request('/v1/audit?action=event.emit&limit=1')).body.data[0];

  test('emitting an event returns exactly its fields, and creates the contact', async () => {
    const external_id = name('user');
    const metadata = { order_id: 'A-1042', total: 42.5, items: ['mug', 7, true], shipping: { express: true } };
    const event = await emit({ type: 'order.placed', contact: { external_id, email: 'Ada@Example.org' }, metadata });
    assert.match(event.id, /^evt_/);
    assert.match(event.contact.id, /^con_/);
    assert.equal(event, {
      id: event.id,
      type: 'order.placed',
      contact: { id: event.contact.id, external_id, email: 'ada@example.org' },
      metadata,
      received_at: new Date(bench.now()).toISOString(),
      fan_out: { sequences_woken: 0, webhooks_dispatched: 0 },
    });
    assert.is((await bench.events('contact.created')).at(-1)?.id, event.contact.id);
  });

  test('an event is on the timeline, and in the audit with its metadata flattened by dots', async () => {
    const metadata = { plan: { tier: 2, name: 'pro' }, tags: ['a', 'b'], note: 'x' };
    const { contact, id } = await emit({ type: 'Plan upgraded!', contact: { external_id: name('user') }, metadata });
    assert.equal(await timelineOf(contact.id), [
      { kind: 'event', id, type: 'Plan upgraded!', ts: new Date(bench.now()).toISOString(), metadata },
    ]);
    const audit = await auditOf();
    assert.equal(audit.target, { kind: 'contact', id: contact.id });
    assert.equal(audit.metadata, {
      created: true,
      type: 'Plan upgraded!',
      'metadata.plan.tier': 2,
      'metadata.plan.name': 'pro',
      'metadata.tags.0': 'a',
      'metadata.tags.1': 'b',
      'metadata.note': 'x',
    });
  });

  test('an event reaches subscribers under its own name, as custom, with contact and metadata', async () => {
    const { id, contact } = await emit({
      type: 'cart.left',
      contact: { external_id: name('user') },
      metadata: { n: 1 },
    });
    await bench.drain();
    const event = received.find((one) => one.id === id);
    assert.equal(event, {
      id,
      type: 'cart.left',
      timestamp: new Date(bench.now()).toISOString(),
      workspace_id: bench.workspaceId,
      source: 'custom',
      data: { contact, metadata: { n: 1 } },
    });
  });

  test('an event of a sandbox key is synthetic wherever it is shown', async () => {
    const body = { type: 'sandboxed', contact: { external_id: name('user') } };
    const answer = await post(body, { key: bench.testKey });
    assert.is(answer.status, 201);
    await bench.drain();
    assert.is(received.find(({ id }) => id === answer.body.id)?.synthetic, true);
    assert.is((await timelineOf(answer.body.contact.id, bench.testKey))[0].synthetic, true);
  });

  test('a reference without an identifier answers contact_required, and an unknown id alone answers contact_not_found', async () => {
    for (const body of [{ type: 'x' }, { type: 'x', contact: {} }]) {
      const { status, body: refused } = await post(body);
      assert.equal([status, refused.error.code, refused.error.type], [422, 'contact_required', 'validation_error']);
    }
    const { id } = await bench.service.as(bench.foreignWorkspaceId).contacts.upsert({ external_id: 'theirs' });
    for (const unknown of [id, 'con_01JD3Q5S8ZK2M4N6P8R0T2V4W6', 'nobody'])
      assert.is((await post({ type: 'x', contact: { id: unknown } })).body.error.code, 'contact_not_found');
    const answer = await emit({
      type: 'x',
      contact: { id: (await emit({ type: 'x', contact: { email: 'i@example.org' } })).contact.id },
    });
    assert.is(answer.contact.email, 'i@example.org');
  });

  test('a reference may use all three identifiers, and the audit names both contacts if an address moved', async () => {
    const email = `${name('moves')}@example.org`;
    const loser = (await emit({ type: 'x', contact: { email } })).contact;
    const owner = (await emit({ type: 'x', contact: { external_id: name('owner') } })).contact;
    const { contact } = await emit({ type: 'x', contact: { external_id: owner.external_id, email, id: loser.id } });
    assert.equal(contact, { id: owner.id, external_id: owner.external_id, email });
    assert.equal((await auditOf()).metadata, { email_moved_from: loser.id, email_moved_to: owner.id, type: 'x' });
  });

  test('any name of 1 to 200 characters without control characters is accepted', async () => {
    const contact = { external_id: name('user') };
    for (const type of ['a', 'Größe geändert ✓', '*', 'sent', 'x'.repeat(200)])
      assert.is((await emit({ type, contact })).type, type);
    for (const type of ['', 'x'.repeat(201), 'a\nb', 'a\u0007', 7, null]) {
      const { status, body } = await post({ type, contact });
      assert.equal([status, body.error.details[0].path], [422, 'type'], String(type));
    }
  });

  test('a name in the catalogue is reserved, even if its plugin is not composed', async () => {
    const contact = { external_id: name('user') };
    for (const type of [
      'send.delivered',
      'social.post.failed',
      'mail.received',
      'contact.updated',
      'segment.entered',
    ]) {
      const { status, body } = await post({ type, contact });
      assert.equal(
        [status, body.error.details[0].path, body.error.details[0].code],
        [422, 'type', 'reserved_name'],
        type,
      );
      assert.match(body.error.message, `such as my_${type}.`);
    }
    assert.is((await emit({ type: 'my_send.delivered', contact })).type, 'my_send.delivered');
  });

  test('any other name is accepted, and a name in a family of the service reaches only subscribers of *', async () => {
    const contact = { external_id: name('user') };
    const { webhooks } = bench.service.as(bench.workspaceId);
    const url = 'https://93.184.215.14/all';
    const all = await webhooks.create({ url, events: ['*'] });
    const family = await webhooks.create({ url, events: ['page.*', 'send.*', 'mein.*'] });
    const types = [
      'page.viewed',
      'send.nothing',
      'contact',
      'PAGE.READY',
      'send.delivered ',
      'page.İß👩‍👩‍👧',
      'mein.ereignis',
    ];
    const webhookCounts = [];
    for (const type of types) {
      const event = await emit({ type, contact });
      assert.is(event.type, type);
      webhookCounts.push(event.fan_out.webhooks_dispatched);
    }
    assert.equal(webhookCounts, [1, 1, 1, 1, 1, 1, 2]);
    for (const { id } of [all, family]) await webhooks.delete({ id });
  });

  test('one answer reports all errors of an event', async () => {
    const { status, body } = await post({ type: 'send.sent', metadata: { From: null } });
    assert.is(status, 422);
    assert.equal(
      body.error.details.map(({ path, code }: { path: string; code: string }) => [path, code]),
      [
        ['type', 'reserved_name'],
        ['metadata.From', 'custom'],
        ['metadata.From', 'custom'],
      ],
    );
    assert.match(body.error.details[1].message, 'snake_case');
    assert.match(body.error.details[2].message, 'leave out null values');
  });

  test('values that JSON cannot represent are refused from callers in the same process', async () => {
    const { events } = bench.service.as(bench.workspaceId);
    const contact = { external_id: name('in-process') };
    for (const a of [1n, new Map([['b', 1]]), new Date(0), Number.NaN, [2n], { b: 3n }]) {
      const refused = await events.emit({ type: 'x', contact, metadata: { a } }).then(
        () => undefined,
        (error: unknown) => error,
      );
      assert.ok(isPostriderError(refused), String(refused));
      assert.equal([refused.status, refused.code], [422, 'validation_failed']);
      assert.match(String(refused.details?.[0]?.path), /^metadata\.a/);
    }
    const metadata = Object.assign(Object.create(null), { a: 1 });
    assert.equal({ ...(await events.emit({ type: 'x', contact, metadata })).metadata }, { a: 1 });
  });

  test('metadata that breaks a rule is refused with its path', async () => {
    const contact = { external_id: name('user') };
    const wrong: readonly (readonly [path: string, metadata: unknown])[] = [
      ['metadata.a', { a: null }],
      ['metadata.plan.b', { plan: { b: null } }],
      ['metadata.list.1', { list: [1, null] }],
      ['metadata.list.0', { list: [{ a: 1 }] }],
      ['metadata.list.0', { list: [[1]] }],
      ['metadata.camelCase', { camelCase: 1 }],
      ['metadata.with-dash', { 'with-dash': 1 }],
      ['metadata.a.B', { a: { B: 1 } }],
      ['metadata.1a', { '1a': 1 }],
      ['metadata.a.b.c.d.e', { a: { b: { c: { d: { e: { f: 1 } } } } } }],
      ['metadata', { text: 'x'.repeat(4_090) }],
      ['metadata', 'text'],
      ['metadata', [1]],
      ['metadata', null],
    ];
    for (const [path, metadata] of wrong) {
      const { status, body } = await post({ type: 'x', contact, metadata });
      assert.equal([status, body.error.code], [422, 'validation_failed'], path);
      assert.is(body.error.details[0].path, path);
    }
    const deepest = { a: { b: { c: { d: { e: 1 } } } } };
    assert.equal((await emit({ type: 'x', contact, metadata: deepest })).metadata, deepest);
    const largest = { text: 'ü'.repeat(2_042) };
    assert.is(Buffer.byteLength(JSON.stringify(largest)) <= 4_096, true);
    assert.equal((await emit({ type: 'x', contact, metadata: largest })).metadata, largest);
  });

  test('a repeated key is one event on the timeline', async () => {
    const body = { type: 'once', contact: { external_id: name('user') } };
    const first = await post(body, { repeat: 'same' });
    const repeat = await post(body, { repeat: 'same' });
    assert.equal(repeat.body, first.body);
    assert.is((await timelineOf(first.body.contact.id)).length, 1);
  });

  test('a dry run returns its counts and stores nothing', async () => {
    const external_id = name('dry');
    const answer = await bench.request('/v1/events', {
      body: { type: 'dry', contact: { external_id } },
      headers: { 'dry-run': 'true' },
    });
    assert.equal([answer.status, answer.body.fan_out], [201, { sequences_woken: 0, webhooks_dispatched: 0 }]);
    assert.equal((await bench.request(`/v1/contacts?external_id=${external_id}`)).body.data, []);
  });

  test('the timeline shows the newest 50 events, even if many have the same time', async () => {
    const contact = { external_id: name('busy') };
    const ids: string[] = [];
    for (let index = 0; index < 53; index += 1) {
      if (index % 10 === 0) bench.advanceClock(1);
      ids.push((await emit({ type: `n${index}`, contact })).id);
    }
    const { id } = (await emit({ type: 'last', contact })).contact;
    const types = (await timelineOf(id)).map(({ type }: { type: string }) => type);
    assert.is(types.length, 50);
    assert.is(types[0], 'last');
    assert.is(types.includes('n4'), true);
    assert.is(types.includes('n3'), false);
  });

  test('simultaneous events of one new contact create one contact', async () => {
    const external_id = name('race');
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        post({ type: 'x', contact: { external_id, email: `${external_id}@example.org` } }),
      ),
    );
    assert.equal(
      new Set(answers.map(({ status }) => status)),
      new Set([201]),
      JSON.stringify(answers.map(({ body }) => body)),
    );
    assert.is(new Set(answers.map(({ body }) => body.contact.id)).size, 1);
    assert.is((await timelineOf(answers[0]?.body.contact.id)).length, 8);
  });

  test('the tool emits an event and returns the same result', async () => {
    const answer = await bench.tool('emit_event', { type: 'by.tool', contact: { external_id: name('tool') } });
    assert.is(answer.isError, false, JSON.stringify(answer.body));
    assert.is(answer.body.type, 'by.tool');
  });

  test('a key without contacts:write can create contacts and add identifiers, but cannot remove an identifier', async () => {
    const { secret: key } = await bench.service.keys.create({
      workspaceId: bench.workspaceId,
      name: 'Events',
      mode: 'live',
      scopes: ['events:write'],
    });
    const [ada, bea] = [name('user'), name('user')];
    const resultFor = async (contact: object, apiKey = key) => {
      const { status, body } = await post({ type: 'told', contact }, { key: apiKey });
      return [status, body.error?.code ?? body.contact.email];
    };
    const refusal = [403, 'insufficient_scope'];
    assert.equal(await resultFor({ external_id: ada }), [201, null], 'an unknown contact is created');
    assert.equal(await resultFor({ external_id: ada, email: `${ada}@example.org` }), [201, `${ada}@example.org`]);
    assert.equal(
      await resultFor({ external_id: ada, email: 'thief@example.net' }),
      refusal,
      'the address of the contact would be replaced',
    );
    assert.equal(
      await resultFor({ external_id: bea, email: `${ada}@example.org` }),
      refusal,
      'the address would move to another contact',
    );
    assert.equal(await resultFor({ email: `${ada}@example.org` }), [201, `${ada}@example.org`]);
    assert.equal(await resultFor({ external_id: ada, email: 'new@example.net' }, bench.liveKey), [
      201,
      'new@example.net',
    ]);
  });
});
