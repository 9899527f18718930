// The live and the sandbox side of a workspace: each has its own contacts. A live key and the program erase a person from both
// sides, a sandbox key only from the sandbox.
// time-limit: 240
// full-run: slow
import * as assert from 'uvu/assert';
import type { TestResponse } from '../../hosts/testing/test-service.ts';
import { eachDatabase } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

type Body = TestResponse['body'];

const unknown = 'con_01JD3Q5S8ZK2M4N6P8R0T2V4W6';

await eachDatabase('contacts on both sides', (test, database) => {
  let bench: MailBench;
  test.before.each(async () => {
    bench = await openMailBench(database);
  });
  test.after.each(() => bench.close());

  const live = () => bench.service.as(bench.workspaceId);
  const sandbox = () => bench.service.as(bench.workspaceId, { sandbox: true });
  const emails = async (side: ReturnType<typeof live>) =>
    (await side.contacts.list({})).data.map(({ email }: Body) => email).sort();
  const call = (path: string, key: string, request: object = {}) => bench.request(path, { key, ...request });

  test('one person can be on both sides, and a change to one contact leaves the other unchanged', async () => {
    const person = { external_id: 'ada', email: 'ada@example.com' };
    const one = await live().contacts.upsert({ ...person, attributes: { plan: 'pro' } });
    const other = await sandbox().contacts.upsert({ ...person, attributes: { plan: 'trial' } });
    assert.is.not(one.id, other.id);
    await sandbox().contacts.upsert({ external_id: 'ada', email: 'changed@example.com', attributes: { plan: null } });
    const { timeline: _, ...kept } = await live().contacts.read({ contactId: one.id });
    assert.equal(kept, one);
    assert.equal(await emails(live()), ['ada@example.com']);
    assert.equal(await emails(sandbox()), ['changed@example.com']);
    // On the sandbox side no contact has the address now, although a live contact has it.
    const { id } = await sandbox().contacts.upsert({ email: 'ada@example.com' });
    assert.ok(id !== one.id && id !== other.id);
  });

  test('a contact of the other side cannot be found by any of its names', async () => {
    const { id } = await live().contacts.upsert({ external_id: 'ada', email: 'ada@example.com' });
    assert.equal([(await call(`/v1/contacts/${id}`, bench.liveKey)).status], [200]);
    const missing = async (contactId: string) => {
      const { status, body } = await call(`/v1/contacts/${contactId}`, bench.testKey);
      return { status, message: body.error.message.replace(contactId, '') };
    };
    assert.equal(await missing(id), await missing(unknown), 'the answer equals the answer for an unknown contact');
    assert.equal((await call('/v1/contacts?external_id=ada', bench.testKey)).body.data, []);
    assert.equal((await call('/v1/contacts?email=ada@example.com', bench.testKey)).body.data, []);
    const event = { type: 'order.placed', contact: { id } };
    const refusal = await call('/v1/events', bench.testKey, { body: event });
    assert.equal([refusal.status, refusal.body.error.code], [404, 'contact_not_found']);
    const deletion = await call(`/v1/contacts/${id}`, bench.testKey, { method: 'DELETE' });
    assert.equal(deletion.body, { id, deleted: false });
    assert.is((await call(`/v1/contacts/${id}`, bench.liveKey)).status, 200);
  });

  test('an event of a sandbox key finds or creates a sandbox contact', async () => {
    const contact = { external_id: 'ada', email: 'ada@example.com' };
    const { id } = await live().contacts.upsert(contact);
    const emitted = await sandbox().events.emit({ type: 'order.placed', contact });
    assert.is.not(emitted.contact.id, id);
    const secondEvent = await sandbox().events.emit({ type: 'order.paid', contact });
    assert.is(secondEvent.contact.id, emitted.contact.id);
    assert.equal((await live().contacts.read({ contactId: id })).timeline, []);
    const { timeline } = await sandbox().contacts.read({ contactId: secondEvent.contact.id });
    assert.equal(
      timeline.map(({ type, synthetic }: Body) => [type, synthetic]),
      [
        ['order.paid', true],
        ['order.placed', true],
      ],
    );
  });

  test('simultaneous calls for the same person create one contact on each side', async () => {
    const person = { external_id: 'rush', email: 'rush@example.com' };
    const sides = [live(), sandbox()];
    const contacts = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        sides[at % 2]?.contacts.upsert({ ...person, attributes: { [`a${at}`]: at } }),
      ),
    );
    assert.is(new Set(contacts.map((one) => one?.id)).size, 2);
    for (const [at, side] of sides.entries()) {
      const [one, ...others] = (await side.contacts.list({ external_id: 'rush' })).data;
      assert.equal(others, []);
      const attributes = [0, 2, 4, 6].map((n) => [`a${n + at}`, n + at]);
      assert.equal(Object.entries(one?.attributes ?? {}).sort(), attributes);
    }
  });

  /** Creates Ada and Bo with an event on both sides. In the sandbox, the address of Ada then moves to another contact. */
  async function plant() {
    const planted: Record<string, string> = {};
    for (const [name, side] of Object.entries({ live: live(), sandbox: sandbox() })) {
      const people = {
        ada: { external_id: 'ada', email: 'ada@example.com' },
        bo: { external_id: 'bo', email: 'bo@example.com' },
      };
      for (const [person, contact] of Object.entries(people))
        planted[`${name} ${person}`] = (await side.events.emit({ type: 'order.placed', contact })).contact.id;
    }
    await sandbox().contacts.upsert({ external_id: 'ada', email: 'ada-tries@example.com' });
    const byAddress = await sandbox().contacts.upsert({ external_id: 'tester', email: 'ada@example.com' });
    await bench.drain();
    return { ...planted, 'sandbox by address': byAddress.id } as Record<string, string>;
  }
  const existing = async (ids: Readonly<Record<string, string>>) => {
    const contacts: string[] = [];
    for (const [name, contactId] of Object.entries(ids)) {
      const side = name.startsWith('live') ? live() : sandbox();
      const read = await side.contacts.read({ contactId }).catch(() => undefined);
      if (read !== undefined) contacts.push(`${name} ${read.timeline.length}`);
    }
    return contacts;
  };
  const others = ['live bo 1', 'sandbox bo 1'];

  test('a live key erases the person on both sides, found by external id and by address', async () => {
    const ids = await plant();
    assert.is((await existing(ids)).length, 5);
    const erased = await call(`/v1/contacts/${ids['live ada']}`, bench.liveKey, { method: 'DELETE' });
    assert.is(erased.body.deleted, true);
    await bench.drain();
    assert.equal(await existing(ids), others);
    assert.equal(await bench.service.jobs.list(), [], 'a job failed');
  });

  test('a sandbox key erases the person on the sandbox side and leaves every live row unchanged', async () => {
    const ids = await plant();
    const options = {
      headers: { 'idempotency-key': 'kept' },
      body: { email: 'ada@example.com', attributes: { n: 1 } },
    };
    const [kept, lost] = [
      await call('/v1/contacts', bench.liveKey, options),
      { headers: { 'idempotency-key': 'lost' } },
    ];
    await call('/v1/contacts', bench.testKey, { ...options, ...lost });
    const before = await bench.service.personalData.export(bench.workspaceId, { personId: String(ids['live ada']) });
    const liveOnes = (records: readonly unknown[] = []) => records.filter((one) => (one as Body).sandbox !== true);
    const erased = await call(`/v1/contacts/${ids['sandbox by address']}`, bench.testKey, { method: 'DELETE' });
    assert.is(erased.body.deleted, true);
    await bench.drain();
    assert.equal(await existing(ids), ['live ada 1', 'live bo 1', 'sandbox ada 1', 'sandbox bo 1']);
    const after = await bench.service.personalData.export(bench.workspaceId, { personId: String(ids['live ada']) });
    assert.equal(liveOnes(after['contacts']?.['contacts']), liveOnes(before['contacts']?.['contacts']));
    assert.equal(liveOnes(after['core']?.['events']), liveOnes(before['core']?.['events']));
    assert.ok(liveOnes(before['core']?.['events']).length > 0);
    // Stored answers for retries: the live answer is unchanged, and the sandbox answer does not name the person any more.
    assert.equal((await call('/v1/contacts', bench.liveKey, options)).body, kept.body);
    const replay = await call('/v1/contacts', bench.testKey, { ...options, ...lost });
    assert.is(replay.headers['Idempotent-Replay'], 'true');
    assert.match(replay.body.email, /^erased:/);
    assert.equal(replay.body.attributes, {});
  });

  test('the program exports and erases both sides, and accepts any identifier of the person', async () => {
    const { personalData } = bench.service;
    const ids = await plant();
    const all = await personalData.export(bench.workspaceId, { externalId: 'ada' });
    const contacts = (all['contacts']?.['contacts'] ?? []) as Body[];
    assert.equal(
      contacts.map(({ id, sandbox: marked }) => [id, marked]).sort(),
      [
        [ids['live ada'], undefined],
        [ids['sandbox ada'], true],
        [ids['sandbox by address'], true],
      ].sort(),
    );
    assert.equal(await personalData.export(bench.workspaceId, { personId: String(ids['live ada']) }), all);
    await personalData.erase(bench.workspaceId, { externalId: 'ada' });
    await bench.drain();
    assert.equal(await existing(ids), others);
    const afterErasure = await personalData.export(bench.workspaceId, { email: 'ada@example.com' });
    assert.equal(afterErasure['contacts'], { contacts: [], events: [], activity: [] });
    assert.equal(afterErasure['core'], { events: [] });
  });

  test('erasing a sandbox contact affects a live contact with its current identifiers, but no live contact with its earlier identifiers', async () => {
    const { personalData } = bench.service;
    const bo = await live().contacts.upsert({ external_id: 'bo', email: 'bo@example.com' });
    const tester = await sandbox().contacts.upsert({ external_id: 'tester', email: 'bo@example.com' });
    await sandbox().contacts.upsert({ external_id: 'tester', email: 'tester@example.com' });
    await personalData.erase(bench.workspaceId, { personId: tester.id });
    await bench.drain();
    assert.equal(await emails(sandbox()), []);
    assert.is((await live().contacts.read({ contactId: bo.id })).email, 'bo@example.com');
  });
});
