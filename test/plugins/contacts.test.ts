// Contacts: finding the contact of a reference, contacts that share an identifier, attributes, lists, and simultaneous calls.
// full-run: slow
import * as assert from 'uvu/assert';
import type { TestResponse } from '../../hosts/testing/test-service.ts';
import { eachDatabase } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

type Body = TestResponse['body'];

await eachDatabase('contacts', (test, database) => {
  let bench: MailBench;
  let calls = 0;
  test.before(async () => {
    bench = await openMailBench(database);
    await bench.publish('receipt');
  });
  test.after(() => bench.close());

  const name = (prefix: string): string => {
    calls += 1;
    return `${prefix}-${calls}`;
  };
  const post = (body: unknown, key = name('upsert')) =>
    bench.request('/v1/contacts', { body, headers: { 'idempotency-key': key } });
  const upsert = async (body: unknown): Promise<Body> => {
    const answer = await post(body);
    assert.is(answer.status, 201, JSON.stringify(answer.body));
    return answer.body;
  };
  const read = async (id: string): Promise<Body> => (await bench.request(`/v1/contacts/${id}`)).body;
  const list = async (query: string): Promise<Body[]> => (await bench.request(`/v1/contacts?${query}`)).body.data;
  const lastAudit = async (): Promise<Body> =>
    (await bench.request('/v1/audit?action=contact.upsert&limit=1')).body.data[0];

  test('a contact has exactly its fields with a normalised address, and mail goes to the address in its original form', async () => {
    const created = await upsert({
      external_id: 'u1',
      email: ' Ada.Love@GMail.com ',
      attributes: { plan: 'pro', n: 1 },
    });
    const now = new Date(bench.now()).toISOString();
    assert.match(created.id, /^con_/);
    assert.equal(created, {
      id: created.id,
      external_id: 'u1',
      email: 'adalove@gmail.com',
      attributes: { plan: 'pro', n: 1 },
      subscribed: true,
      created_at: now,
      updated_at: now,
    });
    assert.equal(await read(created.id), { ...created, timeline: [] });
    assert.equal((await bench.events('contact.created')).at(-1), created);
    const stored = await bench.service.core
      .database()
      .then((db) =>
        db.read(bench.workspaceId, (handle) =>
          handle.db
            .selectFrom('contacts')
            .select('address_as_given')
            .where('workspace_id', '=', bench.workspaceId)
            .where('id', '=', created.id)
            .executeTakeFirstOrThrow(),
        ),
      );
    assert.is(stored.address_as_given, 'Ada.Love@GMail.com');
  });

  test('attributes are merged: null removes an attribute, and omitted attributes do not change', async () => {
    const email = `${name('merge')}@example.org`;
    const created = await upsert({ email, attributes: { a: 1, b: ['x', 2, true], c: 'gone' } });
    bench.advanceClock(5);
    const next = await upsert({ email, attributes: { c: null, d: false } });
    assert.equal(next.attributes, { a: 1, b: ['x', 2, true], d: false });
    assert.is(next.id, created.id);
    assert.not.equal(next.updated_at, created.updated_at);
    assert.equal((await bench.events('contact.updated')).at(-1), next);
    const before = (await bench.events('contact.updated')).length;
    bench.advanceClock(5);
    assert.equal(await upsert({ email, attributes: { d: false } }), next, 'an upsert without changes changes nothing');
    assert.is((await bench.events('contact.updated')).length, before);
  });

  test('too many, too large or too deep attributes are refused, and the error names the field', async () => {
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`a${index}`, 1]));
    const large = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`a${index}`, 'x'.repeat(2_000)]));
    for (const attributes of [many, large, { a: { b: 1 } }, { '': 1 }, { 'a\u0007': 1 }, { a: 'x'.repeat(2_001) }]) {
      const { status, body } = await post({ external_id: 'limits', attributes });
      assert.equal([status, body.error.code], [422, 'validation_failed']);
      assert.match(body.error.details[0].path, /^attributes/);
    }
    for (const wrong of [{ email: 'nobody' }, { external_id: 'a\nb' }, { external_id: ' a' }, { external_id: '' }])
      assert.is((await post(wrong)).body.error.code, 'validation_failed', JSON.stringify(wrong));
  });

  test('a reference without an identifier answers contact_required, and an unknown id alone answers contact_not_found', async () => {
    assert.equal([(await post({})).status, (await post({})).body.error.code], [422, 'contact_required']);
    const unknown = await post({ id: 'con_01JD3Q5S8ZK2M4N6P8R0T2V4W6' });
    assert.equal([unknown.status, unknown.body.error.code], [404, 'contact_not_found']);
    const { id: foreign } = await bench.service.as(bench.foreignWorkspaceId).contacts.upsert({ external_id: 'theirs' });
    assert.is((await post({ id: foreign })).body.error.code, 'contact_not_found');
    assert.is((await bench.request(`/v1/contacts/${foreign}`)).status, 404);
    const created = await upsert({ id: foreign, email: `${name('mine')}@example.org` });
    assert.is.not(created.id, foreign);
  });

  test('an id is enough to find a contact, and the call can change it', async () => {
    const { id } = await upsert({ email: `${name('by-id')}@example.org` });
    const external_id = name('later');
    const next = await upsert({ id, external_id, attributes: { plan: 'free' } });
    assert.equal([next.id, next.external_id, next.attributes], [id, external_id, { plan: 'free' }]);
    const moved = await upsert({ id, email: `${name('new-address')}@example.org` });
    assert.is(moved.id, id);
  });

  test('a new email on a known external_id overwrites the old one', async () => {
    const external_id = name('overwrites');
    const old = `${name('old')}@example.org`;
    const { id } = await upsert({ external_id, email: old });
    const next = await upsert({ external_id, email: `${name('new')}@example.org` });
    assert.is(next.id, id);
    assert.equal(await list(`email=${old}`), []);
  });

  test('a contact that has the email and no external_id gets the new external_id', async () => {
    const email = `${name('taken-over')}@example.org`;
    const { id } = await upsert({ email });
    const external_id = name('owner');
    const next = await upsert({ external_id, email: email.toUpperCase() });
    assert.equal([next.id, next.external_id, next.email], [id, external_id, email]);
    assert.equal((await lastAudit()).metadata, {});
  });

  test('a new external_id with the email of another external_id creates a new contact, and the email moves to it', async () => {
    const email = `${name('shared')}@example.org`;
    const first = await upsert({ external_id: name('first'), email });
    const second = await upsert({ external_id: name('second'), email });
    assert.is.not(second.id, first.id);
    assert.is(second.email, email);
    assert.is((await read(first.id)).email, null);
    const audit = await lastAudit();
    assert.equal(audit.target, { kind: 'contact', id: second.id });
    assert.equal(audit.metadata, { created: true, email_moved_from: first.id, email_moved_to: second.id });
    assert.equal((await bench.events('contact.updated')).at(-1)?.id, first.id);
  });

  test('if external_id and email belong to two contacts, external_id wins, the email moves to its contact, and the audit names both', async () => {
    const email = `${name('moves')}@example.org`;
    const owner = await upsert({ external_id: name('wins') });
    const loser = await upsert({ email, attributes: { kept: true } });
    const next = await upsert({ external_id: owner.external_id, email, id: loser.id });
    assert.equal([next.id, next.email], [owner.id, email]);
    const loserAfter = await read(loser.id);
    assert.equal([loserAfter.email, loserAfter.external_id, loserAfter.attributes], [null, null, { kept: true }]);
    assert.equal((await lastAudit()).metadata, { email_moved_from: loser.id, email_moved_to: owner.id });
  });

  test('the email wins over the id: the id of another contact is ignored', async () => {
    const email = `${name('before-id')}@example.org`;
    const one = await upsert({ email });
    const otherContact = await upsert({ external_id: name('other') });
    assert.is((await upsert({ email, id: otherContact.id })).id, one.id);
    assert.is((await read(otherContact.id)).email, null);
  });

  test('the list is newest first, in pages, and filtered by each identifier', async () => {
    const foreign = bench.service.as(bench.foreignWorkspaceId).contacts;
    for (const index of [1, 2, 3]) {
      bench.advanceClock(10);
      await foreign.upsert({ external_id: `page-${index}`, email: `page-${index}@example.org` });
    }
    const first = await foreign.list({ limit: 2 });
    assert.equal(
      first.data.map(({ external_id }) => external_id),
      ['page-3', 'page-2'],
    );
    const rest = await foreign.list({ limit: 2, cursor: String(first.next_cursor) });
    assert.is(rest.data[0]?.external_id, 'page-1');
    const { data } = await foreign.list({ email: 'PAGE-2@example.org' });
    assert.equal(
      data.map(({ external_id }) => external_id),
      ['page-2'],
    );
    assert.is((await foreign.list({ external_id: 'page-3' })).data.length, 1);
    assert.is((await foreign.list({ external_id: 'page-3', email: 'page-2@example.org' })).data.length, 0);
    const keysOf = async (search: string) => (await foreign.list({ search })).data.map(({ external_id: key }) => key);
    assert.equal(await keysOf('AGE-2@exam'), ['page-2'], 'a part of the address finds the contact in any case');
    assert.equal(await keysOf('Page-'), ['page-3', 'page-2', 'page-1']);
    assert.equal(await keysOf('page_'), [], 'wildcards are taken literally');
    const begin = async (beginning: string, more: { limit?: number; cursor?: string } = {}) => {
      const page = await foreign.list({ beginning, ...more });
      return { keys: page.data.map(({ external_id: key }) => key), cursor: page.next_cursor };
    };
    assert.equal(
      (await begin('PAGE-2@exam')).keys,
      ['page-2'],
      'the beginning of the address finds the contact in any case',
    );
    const two = await begin('page-', { limit: 2 });
    assert.equal(two.keys, ['page-3', 'page-2']);
    assert.equal((await begin('page-', { limit: 2, cursor: String(two.cursor) })).keys, ['page-1']);
    assert.equal(
      (await begin('age-2@exam')).keys,
      ['page-2'],
      'among few contacts, any part of the address finds the contact',
    );
    assert.equal((await begin('page_')).keys, [], 'wildcards are taken literally');
    assert.equal(await list('beginning=page'), [], '`beginning` finds no contact of another workspace');
    assert.is((await bench.request('/v1/contacts?beginning=p&search=p')).body.error.code, 'validation_failed');
    assert.is((await bench.request('/v1/contacts?cursor=bm90aGluZw')).body.error.code, 'cursor_invalid');
    assert.equal(await list('external_id=page-3'), []);
    assert.equal(await list('search=page'), [], 'contacts of another workspace are not found');
  });

  test('a contact is unsubscribed while marketing mail or all mail to its address is suppressed', async () => {
    const email = `${name('subscribed')}@example.org`;
    const { id } = await upsert({ email });
    const { suppressions } = bench.service.as(bench.workspaceId);
    await suppressions.create({ email, scope: 'marketing' });
    assert.is((await read(id)).subscribed, false);
    await suppressions.create({ email, scope: 'all', reason: 'complaint' });
    assert.is((await read(id)).subscribed, false);
    assert.is((await list(`email=${email}`))[0].subscribed, false);
    await suppressions.delete({ email });
    assert.is((await read(id)).subscribed, true);
  });

  test('the timeline of a contact shows the newest 50 sends to its address', async () => {
    const email = `${name('timeline')}@example.org`;
    const { id } = await upsert({ email });
    const sent = await bench.send('receipt', { to: email, variables: { name: 'Ada' } });
    const { timeline } = await read(id);
    assert.equal(timeline, [
      {
        kind: 'send',
        id: sent.body.id,
        ts: sent.body.createdAt,
        status: 'sent',
        template_key: 'receipt',
        subject: 'Hello Ada',
      },
    ]);
  });

  test('deleting a contact erases it; deleting it again returns deleted: false', async () => {
    const { id } = await upsert({ email: `${name('deleted')}@example.org` });
    const first = await bench.request(`/v1/contacts/${id}`, { method: 'DELETE' });
    assert.equal([first.status, first.body], [200, { id, deleted: true }]);
    assert.is((await bench.request(`/v1/contacts/${id}`)).status, 404);
    const second = await bench.request(`/v1/contacts/${id}`, { method: 'DELETE' });
    assert.equal([second.status, second.body], [200, { id, deleted: false }]);
    const foreignContact = await bench.service
      .as(bench.foreignWorkspaceId)
      .contacts.upsert({ external_id: name('stays') });
    assert.is((await bench.request(`/v1/contacts/${foreignContact.id}`, { method: 'DELETE' })).body.deleted, false);
    assert.is(
      (await bench.service.as(bench.foreignWorkspaceId).contacts.read({ contactId: foreignContact.id })).id,
      foreignContact.id,
    );
  });

  test('an address instead of an id is refused, and the message explains how to find the id', async () => {
    const email = `${name('forgotten')}@example.org`;
    const { id } = await upsert({ email });
    const refusal = await bench.request(`/v1/contacts/${email}`, { method: 'DELETE' });
    assert.is(refusal.status, 422);
    assert.match(
      refusal.body.error.message,
      'contactId: Give the id of a contact, con_…: GET /v1/contacts finds it by its email',
    );
    const read = await bench.request(`/v1/contacts/${email}`);
    assert.is(read.status, 404);
    assert.match(read.body.error.message, 'GET /v1/contacts finds a contact by its email.');
    assert.is((await bench.request(`/v1/contacts/${id}`)).status, 200);
  });

  test('an address without a contact can be erased if a contact is created for it first', async () => {
    const to = `${name('stranger')}@example.org`;
    await bench.send('receipt', { to, variables: { name: 'Ada' } });
    const { id } = await upsert({ email: to });
    assert.is((await bench.request(`/v1/contacts/${id}`, { method: 'DELETE' })).body.deleted, true);
    assert.equal((await bench.request(`/v1/sends?to=${to}`)).body.data, []);
  });

  test('simultaneous calls make one contact for a new identifier', async () => {
    for (let round = 0; round < 8; round += 1) {
      const external_id = name('race');
      const email = `${external_id}@example.org`;
      const references = [{ external_id }, { email }, { external_id, email }];
      for (const reference of references.map((one) => ({ ...one, attributes: { round } }))) {
        const answers = await Promise.all(Array.from({ length: 6 }, () => post(reference)));
        assert.equal(
          answers.map(({ status }) => status),
          Array.from({ length: 6 }, () => 201),
          JSON.stringify(answers.map(({ body }) => body)),
        );
        assert.is(new Set(answers.map(({ body }) => body.id)).size, 1);
      }
      assert.is((await list(`email=${email}`)).length, 1);
    }
  });

  test('simultaneous calls that set different attributes keep all of them', async () => {
    const external_id = name('attributes');
    const names = Array.from({ length: 8 }, (_, index) => `said_${index}`);
    const answers = await Promise.all(
      names.map((attribute) => post({ external_id, attributes: { [attribute]: true } })),
    );
    assert.ok(answers.every(({ status }) => status === 201));
    const [contact] = await list(`external_id=${external_id}`);
    assert.equal(Object.keys(contact.attributes).sort(), names);
  });

  test('simultaneous calls for the same address with different identifiers all succeed', async () => {
    for (let round = 0; round < 10; round += 1) {
      const external_id = name('sign-up');
      const email = `${external_id}@example.org`;
      await upsert({ external_id });
      const key = `sign-up-${round}`;
      const named = () =>
        bench.request('/v1/contacts', { body: { external_id, email }, headers: { 'idempotency-key': key } });
      const answers = await Promise.all([
        named(),
        bench.request('/v1/events', { body: { type: 'signed_up', contact: { email } } }),
        bench.request('/v1/events', { body: { type: 'visited', contact: { email } } }),
      ]);
      assert.equal(
        answers.map(({ status }) => status),
        [201, 201, 201],
        JSON.stringify(answers.map(({ body }) => body)),
      );
      assert.equal((await named()).body, answers[0]?.body, 'a retried call is stored once and replayed');
      const holders = await list(`email=${email}`);
      assert.equal(
        holders.map((contact: Body) => contact.external_id),
        [external_id],
      );
    }
  });

  test('if simultaneous calls exchange addresses, each address belongs to at most one contact afterwards', async () => {
    for (let round = 0; round < 4; round += 1) {
      const ids = ['p', 'q', 'r'].map(name);
      const address = (id: string | undefined) => `${id}@example.org`;
      for (const external_id of ids) await upsert({ external_id, email: address(external_id) });
      const exchanges = [0, 1, 2].map((at) => post({ external_id: ids[at], email: address(ids[(at + 1) % 3]) }));
      const answers = await Promise.all(exchanges);
      assert.equal(
        answers.map(({ status }) => status),
        [201, 201, 201],
        JSON.stringify(answers.map(({ body }) => body)),
      );
      for (const id of ids) assert.ok((await list(`email=${address(id)}`)).length <= 1);
    }
  });
});
