// Contact lists: names, limits and opt-in, thousands of members with exact counts and events, reasons to refuse a deletion,
// sides, and the export and erasure of a person's data.
// full-run: slow
import * as assert from 'uvu/assert';
import { definePlugin, type ReferenceSource } from '../../core/index.ts';
import { unscoped } from '../../core/storage/scope.ts';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

const day = 86_400_000;

/** The list that `testReferences` reports as used. A test sets its id. */
const used = { listId: '' };
const testReferences: ReferenceSource = {
  referencesTo: async (_, listId) => (listId === used.listId ? [{ kind: 'sequence', name: 'welcome' }] : []),
};
const userPlugin = definePlugin({ id: 'list-users', contributes: { 'lists.references': () => testReferences } });

await twoDatabases('lists', (test, database) => {
  let bench: MailBench;
  let calls = 0;
  test.before.each(async () => {
    used.listId = '';
    bench = await openMailBench(database, {
      plugins: [...bareStandardPlugins, userPlugin] as unknown as typeof bareStandardPlugins,
      publicUrl: 'https://mail.example.com/hub',
    });
  });
  test.after.each(() => bench.close());

  const call = (path: string, method: string, body: object | undefined, key = bench.liveKey) => {
    calls += 1;
    return bench.request(path, { method, body, key, headers: { 'idempotency-key': `lists-${calls}` } });
  };
  const create = async (body: object): Promise<string> => (await call('/v1/lists', 'POST', body)).body.listId;
  const readList = async (id: string, key?: string) =>
    (await bench.request(`/v1/lists/${id}`, key ? { key } : {})).body;
  const add = (id: string, body: object, key?: string) => call(`/v1/lists/${id}/members`, 'POST', body, key);
  const remove = (id: string, contactIds: readonly string[]) =>
    call(`/v1/lists/${id}/members/remove`, 'POST', { contactIds });
  const countsOf = async (id: string, key?: string) => {
    const { contactCount, unconfirmedCount } = await readList(id, key);
    return [contactCount, unconfirmedCount];
  };
  const contact = async (name: string, key?: string): Promise<string> =>
    (await call('/v1/contacts', 'POST', { email: `${name}@example.org`, external_id: name }, key)).body.id;

  /** Creates many contacts, directly in the table. */
  const contacts = async (count: number): Promise<string[]> => {
    const ids: string[] = [];
    const { core } = bench.service;
    const rows = Array.from({ length: count }, (_, index) => {
      const id = core.ports.ids.create('con');
      ids.push(id);
      const times = { created_at: 1, updated_at: 1, workspace_id: bench.workspaceId, sandbox: 0 };
      return {
        id,
        external_id: `u${index}`,
        email: `u${index}@example.org`,
        address_as_given: null,
        attributes: '{}',
        ...times,
      };
    });
    await (await core.database()).transact(async (scope) => {
      const { db } = scope.handle(unscoped('the test fills the table'));
      for (let from = 0; from < rows.length; from += 500)
        await db
          .insertInto('contacts')
          .values(rows.slice(from, from + 500))
          .execute();
    });
    return ids;
  };

  test('a list has a unique name, neutral defaults, and an address only while it is public', async () => {
    const { status, body } = await call('/v1/lists', 'POST', { name: 'News' });
    assert.is(status, 201);
    const { listId, createdAt, ...rest } = body;
    assert.match(listId, /^lst_/);
    assert.equal(rest, {
      name: 'News',
      description: '',
      optin: 'single',
      visibility: 'private',
      subscribeUrl: null,
      contactCount: 0,
      unconfirmedCount: 0,
      updatedAt: createdAt,
    });
    const conflict = await call('/v1/lists', 'POST', { name: 'News' });
    assert.equal([conflict.status, conflict.body.error.code], [409, 'list_name_taken']);
    assert.ok(conflict.body.error.message.includes(listId), 'the message names the list that already has the name');
    const update = await call(`/v1/lists/${listId}`, 'PATCH', { visibility: 'public', name: 'News' });
    assert.is(update.body.subscribeUrl, `https://mail.example.com/hub/p/${bench.workspaceId}/lists/${listId}`);
    await bench.service.workspaces.update(bench.workspaceId, { contentHost: 'News.Example.com' });
    assert.is((await readList(listId)).subscribeUrl, `https://news.example.com/lists/${listId}`);
  });

  test('blanks around a name do not count, and a name of blanks only is refused', async () => {
    const listId = await create({ name: ' News\u00a0' });
    assert.is((await readList(listId)).name, 'News');
    assert.is((await call('/v1/lists', 'POST', { name: 'News ' })).body.error.code, 'list_name_taken');
    assert.is((await call('/v1/lists', 'POST', { name: ' \t ' })).status, 422);
  });

  test('simultaneous calls cannot give two lists one name, and the 1,001st list is refused', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => call('/v1/lists', 'POST', { name: 'Same' })));
    assert.equal(answers.map(({ status }) => status).sort(), [201, 409, 409]);
    const ids = await Promise.all([create({ name: 'One' }), create({ name: 'Two' })]);
    const renames = await Promise.all(ids.map((id) => call(`/v1/lists/${id}`, 'PATCH', { name: 'Both' })));
    const refusals = renames.flatMap(({ body }) => (body.error === undefined ? [] : [body.error.code]));
    assert.equal(refusals, ['list_name_taken']);
    await bench.service.core.database().then((open) =>
      open.transact(async (scope) => {
        const handle = scope.handle(unscoped('the test fills the table'));
        const row = { description: '', optin: 'single', visibility: 'private', created_at: 1, updated_at: 1 } as const;
        const rows = Array.from({ length: 997 }, (_, index) => ({
          ...row,
          id: `lst_${String(index).padStart(26, '0')}`,
          name: `List ${index}`,
          workspace_id: bench.workspaceId,
        }));
        for (let from = 0; from < rows.length; from += 350)
          await handle.db
            .insertInto('lists')
            .values(rows.slice(from, from + 350))
            .execute();
      }),
    );
    const refusal = await call('/v1/lists', 'POST', { name: 'One more' });
    assert.equal([refusal.status, refusal.body.error.code], [409, 'limit_reached']);
  });

  test('adding counts new members, existing members and unknown ids once each, and a second call changes nothing', async () => {
    const listId = await create({ name: 'News' });
    const [ada, bob] = [await contact('ada'), await contact('bob')];
    const unknown = 'con_01JD3Q5S8ZK2M4N6P8R0T2V4W6';
    const absent = 'con_01JD3Q5S8ZK2M4N6P8R0T2V4W7';
    assert.equal((await add(listId, { contactIds: [ada] })).body, { added: 1, alreadyMembers: 0, notFound: 0 });
    const both = { contactIds: [ada, bob, bob, unknown, absent] };
    const address = await add(listId, { contactIds: [bob, 'ada@example.com'] });
    assert.equal([address.status, address.body.error.details[0].path], [422, 'contactIds.1']);
    assert.match(address.body.error.details[0].message, /id of a contact/);
    assert.equal((await add(listId, both)).body, { added: 1, alreadyMembers: 1, notFound: 2 });
    assert.equal((await add(listId, both)).body, { added: 0, alreadyMembers: 2, notFound: 2 });
    assert.equal(await countsOf(listId), [2, 0]);
    assert.equal((await remove(listId, [ada, unknown])).body, { removed: 1, notMembers: 1 });
    assert.equal(await countsOf(listId), [1, 0]);
    const { data } = (await bench.request(`/v1/lists/${listId}/members`)).body;
    assert.equal(
      data.map((member: object) => ({ ...member, addedAt: '', confirmedAt: '' })),
      [
        {
          contactId: bob,
          email: 'bob@example.org',
          external_id: 'bob',
          status: 'confirmed',
          source: 'api',
          addedAt: '',
          confirmedAt: '',
        },
      ],
    );
    assert.equal(
      (await bench.events('list_member.added')).map(({ contact: { external_id }, status, source }) => [
        external_id,
        status,
        source,
      ]),
      [
        ['ada', 'confirmed', 'api'],
        ['bob', 'confirmed', 'api'],
      ],
    );
    assert.equal(
      (await bench.events('list_member.removed')).map(({ contact: { email }, listId: of }) => [email, of]),
      [['ada@example.org', listId]],
    );
  });

  test('10,000 contacts are added and removed in one call each, with exact counts, pages and events', async () => {
    const listId = await create({ name: 'Everyone' });
    const ids = await contacts(10_000);
    assert.equal((await add(listId, { contactIds: ids.slice(0, 700) })).body.added, 700);
    assert.equal((await add(listId, { contactIds: ids })).body, { added: 9_300, alreadyMembers: 700, notFound: 0 });
    assert.equal(await countsOf(listId), [10_000, 0]);
    assert.is(new Set((await bench.events('list_member.added')).map(({ contact }) => contact.id)).size, 10_000);
    const seen = new Set<string>();
    for (let cursor = '', pages = 0; pages < 3; pages += 1) {
      const page = (await bench.request(`/v1/lists/${listId}/members?limit=100${cursor}`)).body;
      for (const { contactId } of page.data) seen.add(contactId);
      cursor = `&cursor=${page.next_cursor}`;
    }
    assert.is(seen.size, 300);
    assert.equal((await remove(listId, ids.slice(0, 9_999))).body, { removed: 9_999, notMembers: 0 });
    assert.equal(await countsOf(listId), [1, 0]);
    const tooMany = await add(listId, { contactIds: [...ids, 'con_1'] });
    assert.is(tooMany.status, 422);
  });

  test('simultaneous calls add every contact once', async () => {
    const listId = await create({ name: 'Crowd' });
    const ids = await contacts(40);
    const answers = await Promise.all(
      [0, 10, 20].map((from) => add(listId, { contactIds: ids.slice(from, from + 20) })),
    );
    assert.equal(
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
    assert.is(
      answers.reduce((sum, { body }) => sum + body.added, 0),
      40,
    );
    assert.equal(await countsOf(listId), [40, 0]);
  });

  test('confirmed: true needs a note, confirms pending members, and sends no mail', async () => {
    const listId = await create({ name: 'Double', optin: 'double' });
    const ada = await contact('ada');
    await add(listId, { contactIds: [ada] });
    assert.equal(await countsOf(listId), [0, 1]);
    const without = await add(listId, { contactIds: [ada], confirmed: true });
    assert.equal([without.status, without.body.error.details[0].path], [422, 'consentNote']);
    const bob = await contact('bob');
    const consentNote = 'Signed at the fair on 3 May.';
    const confirmation = await add(listId, { contactIds: [ada, bob], confirmed: true, consentNote });
    assert.equal(confirmation.body, { added: 1, alreadyMembers: 1, notFound: 0 });
    assert.equal(await countsOf(listId), [2, 0]);
    assert.equal(
      (await bench.events('list_member.confirmed')).map(({ contact: { id } }) => id),
      [ada],
    );
    await bench.drain();
    assert.equal(await bench.received(), []);
    const members = (await bench.request(`/v1/lists/${listId}/members?status=unconfirmed`)).body;
    assert.equal(members, { data: [], next_cursor: null });
  });

  test('optin cannot be changed while the list has members on either side', async () => {
    const listId = await create({ name: 'News' });
    const guest = await contact('guest', bench.testKey);
    await add(listId, { contactIds: [guest] }, bench.testKey);
    const refusal = await call(`/v1/lists/${listId}`, 'PATCH', { optin: 'double' });
    assert.equal([refusal.status, refusal.body.error.code], [409, 'state_conflict']);
    assert.is((await call(`/v1/lists/${listId}`, 'PATCH', { optin: 'single', name: 'Old news' })).status, 200);
    await call(`/v1/lists/${listId}/members/remove`, 'POST', { contactIds: [guest] }, bench.testKey);
    assert.is((await call(`/v1/lists/${listId}`, 'PATCH', { optin: 'double' })).body.optin, 'double');
  });

  test('both sides share a list but have their own members', async () => {
    const listId = await create({ name: 'News' });
    const [live, sandbox] = [await contact('ada'), await contact('ada', bench.testKey)];
    await add(listId, { contactIds: [live] });
    assert.equal((await add(listId, { contactIds: [live, sandbox] }, bench.testKey)).body, {
      added: 1,
      alreadyMembers: 0,
      notFound: 1,
    });
    assert.equal(
      [await countsOf(listId), await countsOf(listId, bench.testKey)],
      [
        [1, 0],
        [1, 0],
      ],
    );
    const { data } = (await bench.request(`/v1/lists/${listId}/members`, { key: bench.testKey })).body;
    assert.equal(
      data.map(({ contactId }: { contactId: string }) => contactId),
      [sandbox],
    );
  });

  test('a list in use cannot be deleted; deleting a list removes its memberships on both sides', async () => {
    const listId = await create({ name: 'News' });
    const [live, sandbox] = [await contact('ada'), await contact('ada', bench.testKey)];
    await add(listId, { contactIds: [live] });
    await add(listId, { contactIds: [sandbox] }, bench.testKey);
    used.listId = listId;
    const refusal = await call(`/v1/lists/${listId}`, 'DELETE', undefined);
    assert.equal([refusal.status, refusal.body.error.code], [409, 'list_in_use']);
    assert.match(refusal.body.error.message, 'sequence welcome');
    used.listId = '';
    assert.equal((await call(`/v1/lists/${listId}`, 'DELETE', undefined)).body, { listId, deleted: true });
    const secondDeletion = await call(`/v1/lists/${listId}`, 'DELETE', undefined);
    assert.equal([secondDeletion.status, secondDeletion.body.error.code], [404, 'list_not_found']);
    await bench.drain();
    const remaining = await bench.service.core
      .database()
      .then((open) =>
        open.read(bench.workspaceId, async ({ db }) => [
          ...(await db.selectFrom('list_members').selectAll().execute()),
          ...(await db.selectFrom('list_counts').selectAll().execute()),
        ]),
      );
    assert.equal(remaining, []);
    assert.is((await bench.request(`/v1/contacts/${live}`)).status, 200);
  });

  test('memberships are exported with their note and erased with their contact, and then the counts are correct', async () => {
    const listId = await create({ name: 'News', optin: 'double' });
    const ada = await contact('ada');
    const consentNote = 'Asked on the phone.';
    await add(listId, { contactIds: [ada, await contact('bob')], confirmed: true, consentNote });
    const exported = await bench.service.personalData.export(bench.workspaceId, { personId: ada });
    const exportText = JSON.stringify(exported);
    assert.match(exportText, consentNote);
    assert.match(exportText, listId);
    await call(`/v1/contacts/${ada}`, 'DELETE', undefined);
    await bench.drain();
    assert.equal(await countsOf(listId), [1, 0]);
    const after = await bench.service.personalData.export(bench.workspaceId, { personId: ada });
    assert.not.match(JSON.stringify(after), consentNote);
  });

  test('a dry run returns its counts and changes nothing', async () => {
    const listId = await create({ name: 'News', optin: 'double' });
    const ada = await contact('ada');
    const { lists } = bench.service.as(bench.workspaceId);
    const plan = await lists.membersAdd(
      { listId, contactIds: [ada, 'con_01JD3Q5S8ZK2M4N6P8R0T2V4W6'] },
      { dryRun: true },
    );
    assert.match(JSON.stringify(plan), '"added":1');
    assert.equal(await countsOf(listId), [0, 0]);
    await bench.drain();
    assert.equal(await bench.received(), []);
  });

  test('a member who does not confirm within 30 days is removed', async () => {
    const listId = await create({ name: 'News', optin: 'double' });
    await add(listId, { contactIds: [await contact('ada')] });
    await bench.drain();
    bench.advanceClock(29 * day);
    await bench.drain();
    assert.equal(await countsOf(listId), [0, 1]);
    bench.advanceClock(2 * day);
    await bench.drain();
    assert.equal(await countsOf(listId), [0, 0]);
    assert.equal(
      (await bench.events('list_member.removed')).map(({ status }) => status),
      ['unconfirmed'],
    );
  });
});
