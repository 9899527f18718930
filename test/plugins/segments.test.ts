// Segments: names, versions, limits, segments in segments, lists in use, previews, pages and scopes.
import * as assert from 'uvu/assert';
import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import type { SegmentFilter } from '../../plugins/segments/filter-schema.ts';
import { segmentRows } from '../../plugins/segments/segments.ts';
import { twoDatabases } from '../support/databases.ts';
import { openTestService } from '../support/generated.ts';

const isPro = { path: 'contact.attributes.plan', op: 'eq' as const, value: 'pro' };

await twoDatabases('segments', (test, database) => {
  let kit: Awaited<ReturnType<typeof openTestService>>;
  test.before.each(async () => {
    kit = await openTestService(database);
  });
  test.after.each(() => kit.close());
  const calls = () => kit.service.as(kit.workspaceId);
  const post = (body: object, path = '/v1/segments') => kit.request(path, { method: 'POST', body });
  const contact = async (external_id: string, attributes: Record<string, string | number> = {}) =>
    (await calls().contacts.upsert({ external_id, email: `${external_id}@example.com`, attributes })).id;
  const keyWith = async (scopes: string[]) => {
    const { secret } = await kit.service.keys.create({
      workspaceId: kit.workspaceId,
      name: scopes.join(),
      mode: 'live',
      scopes,
    });
    return { authorization: `Bearer ${secret}` };
  };

  test('a segment counts the contacts for which its filter is true, and caches the count for five minutes', async () => {
    await contact('ada', { plan: 'pro' });
    await contact('bob', { plan: 'free' });
    const created = await calls().segments.create({ name: 'Pro', filter: isPro });
    assert.equal([created.contactCount, created.version], [1, 1]);
    await contact('cem', { plan: 'pro' });
    const secondRead = await calls().segments.read({ segmentId: created.segmentId });
    assert.equal([secondRead.contactCount, secondRead.countedAt], [1, created.countedAt]);
    kit.advanceClock(301_000);
    assert.is((await calls().segments.read({ segmentId: created.segmentId })).contactCount, 2);
    const sandbox = await kit.service
      .as(kit.workspaceId, { sandbox: true })
      .segments.read({ segmentId: created.segmentId });
    assert.is(sandbox.contactCount, 0);
  });

  test('a name is unique, and an outdated version is refused', async () => {
    const { segmentId } = await calls().segments.create({ name: 'Pro', filter: isPro });
    assert.is((await post({ name: 'Pro', filter: {} })).body.error.code, 'key_taken');
    const update = (body: object) => kit.request(`/v1/segments/${segmentId}`, { method: 'PATCH', body });
    assert.is((await update({ description: 'Who pays.', expectedVersion: 1 })).body.version, 2);
    assert.equal((await update({ name: 'Paying', expectedVersion: 1 })).body.error.code, 'version_conflict');
  });

  test('spaces around a name do not make it a different name, and a name of only spaces is refused', async () => {
    await calls().segments.create({ name: 'Pro', filter: isPro });
    assert.is((await post({ name: ' Pro\u3000', filter: {} })).body.error.code, 'key_taken');
    assert.is((await post({ name: ' \t', filter: {} })).status, 422);
  });

  test('a filter cannot ask whether a contact did an event that the service emits', async () => {
    const filter = { not: { any: [{ did: 'order.placed' }, { did: 'send.opened', since: 'P30D' }] } };
    for (const refusals of [
      await post({ filter }, '/v1/segments/preview'),
      await post({ name: 'Silent', filter }),
      await kit.request(`/v1/contacts?filter=${encodeURIComponent(JSON.stringify(filter))}`),
    ]) {
      assert.is(refusals.status, 422);
      assert.match(
        refusals.body.error.message,
        /send\.opened is an event of the service\. Ask what happened to mail with send/,
      );
    }
    // This event name is free, although its family belongs to the service.
    assert.is((await post({ filter: { did: 'page.viewed' } }, '/v1/segments/preview')).status, 200);
  });

  test('a workspace has at most 500 segments', async () => {
    const { segmentId } = await calls().segments.create({ name: 'First', filter: {} });
    const workspace = await readWorkspace(kit.service.core, kit.workspaceId);
    await inWorkspace(kit.service.core, workspace, async ({ trx, newId }) => {
      const row = await segmentRows.find(trx, segmentId);
      assert.ok(row);
      for (let more = 1; more < 500; more += 1)
        segmentRows.deferInsert(trx, { ...row, id: newId('sgm'), name: `Segment ${more}` });
    });
    assert.is((await post({ name: 'Too many', filter: {} })).body.error.code, 'limit_reached');
  });

  test('a segment may name other segments three levels deep, but neither itself nor a missing segment', async () => {
    const createNamed = async (name: string, filter: object): Promise<string> =>
      (await post({ name, filter })).body.segmentId;
    const first = await createNamed('First', isPro);
    const second = await createNamed('Second', { segment: first });
    const third = await createNamed('Third', { all: [{ segment: second }] });
    const fourth = await createNamed('Fourth', { not: { segment: third } });
    const tooDeep = await post({ name: 'Fifth', filter: { segment: fourth } });
    assert.match(tooDeep.body.error.message, /3 levels/);
    const cycle = await kit.request(`/v1/segments/${first}`, { method: 'PATCH', body: { filter: { segment: third } } });
    assert.equal([cycle.status, cycle.body.error.details[0].code], [422, 'segment_nesting']);
    assert.match(cycle.body.error.message, /refer to itself/);
    const id = await contact('ada', { plan: 'pro' });
    assert.equal(
      (await calls().segments.contacts({ segmentId: third })).data.map(({ contactId }) => contactId),
      [id],
    );
    assert.equal((await calls().segments.contacts({ segmentId: fourth })).data, []);
    const deletion = await kit.request(`/v1/segments/${first}`, { method: 'DELETE' });
    assert.equal([deletion.status, deletion.body.error.code], [409, 'segment_in_use']);
    assert.match(deletion.body.error.message, /the segment Second/);
    assert.equal(await calls().segments.delete({ segmentId: fourth }), { segmentId: fourth, deleted: true });
  });

  test('a list that a segment names cannot be deleted', async () => {
    const { listId } = await calls().lists.create({ name: 'News' });
    const filter = { path: `list.${listId}`, op: 'exists', value: true };
    const { segmentId } = (await post({ name: 'Readers', filter })).body;
    const refusal = await kit.request(`/v1/lists/${listId}`, { method: 'DELETE' });
    assert.equal([refusal.status, refusal.body.error.code], [409, 'list_in_use']);
    await calls().segments.delete({ segmentId });
    assert.is((await kit.request(`/v1/lists/${listId}`, { method: 'DELETE' })).status, 200);
    assert.is((await post({ name: 'Again', filter })).body.error.code, 'list_not_found');
  });

  test('filters that would have different results on different databases are refused', async () => {
    for (const filter of [
      { path: 'variables.x', op: 'eq', value: 1 },
      { path: 'event.metadata.x', op: 'eq', value: 1 },
      { path: 'contact.created_at', op: 'gt', value: '2026-05-01' },
      { path: 'contact.created_at', op: 'contains', value: '2026' },
      { did: 'order.placed', since: 'run' },
      { did: 'order.placed', since: 'P401D', atLeast: 2 },
      { did: 'order.placed', since: 'P2Y', where: isPro },
      { send: {}, was: 'opened', since: 'P2Y' },
      { send: {}, was: 'read' },
      { segment: 'sgm_1', also: 1 },
    ]) {
      const { status, body } = await post({ filter }, '/v1/segments/preview');
      assert.is(status, 422, JSON.stringify([filter, body]));
    }
    assert.is((await post({ filter: { did: 'order.placed', since: 'P2Y' } }, '/v1/segments/preview')).status, 200);
  });

  test('a filter with many empty parts is refused, even if the parts are in other segments', async () => {
    const preview = async (filter: object) => (await post({ filter }, '/v1/segments/preview')).status;
    const many = <T>(part: T, count = 15): T[] => Array.from({ length: count }, () => part);
    assert.is(await preview({ any: many({ any: many({ any: many({}) }) }) }), 422);
    const empty = { any: many({ all: many({}) }) };
    const { segmentId } = (await post({ name: 'Empty', filter: empty })).body;
    assert.is(await preview({ all: [{ segment: segmentId }, { not: { segment: segmentId } }] }), 200);
    assert.is(await preview({ any: many({ segment: segmentId }, 5) }), 422);
  });

  test('a filter whose statement would bind too many values is refused', async () => {
    const path = `event.metadata.${Array.from({ length: 10 }, (_, index) => `p${index}`).join('.')}`;
    const condition = { path, op: 'in', value: Array.from({ length: 100 }, (_, index) => `v${index}`) };
    const did = (count: number) => ({
      all: Array.from({ length: count }, () => ({ did: 'order.placed', where: condition })),
    });
    assert.is((await post({ filter: did(2) }, '/v1/segments/preview')).status, 200);
    const { status, body } = await post({ filter: did(50) }, '/v1/segments/preview');
    assert.is(status, 422);
    assert.match(body.error.message, /at most 30000 names and values/);
  });

  test('a preview counts contacts, shows the newest contacts to callers who may see them, and gives warnings', async () => {
    for (let index = 0; index < 22; index += 1) await contact(`p${index}`, { plan: 'pro' });
    const filter = {
      any: [
        isPro,
        { path: 'contact.attributes.Plan', op: 'exists' as const, value: true },
        { did: 'order.plced' },
        { any: [] },
      ],
    };
    const { contactCount, sample, warnings } = await calls().segments.preview({ filter });
    assert.equal([contactCount, sample?.length, sample?.[0]?.external_id], [22, 20, 'p21']);
    assert.equal(warnings, [
      'No contact has the attribute "Plan".',
      'No contact ever did "order.plced".',
      '{"any":[]} is never true.',
    ]);
    // A long condition is cut in the warning, but not in the middle of an emoji.
    for (const spaces of ['', ' ']) {
      const long = { path: 'contact.subscribed', op: 'in' as const, value: [`${spaces}${'\u{1f600}'.repeat(200)}`] };
      const [warning = ''] = (await calls().segments.preview({ filter: long })).warnings;
      assert.match(warning, /^\{"path":"contact\.subscribed".*… is never true\.$/u);
      assert.not.match(warning, /\p{Cs}/u);
    }
    const headers = await keyWith(['lists:read']);
    const { status, body } = await kit.request('/v1/segments/preview', { method: 'POST', body: { filter }, headers });
    assert.equal([status, Object.keys(body)], [200, ['contactCount', 'warnings']]);
  });

  test('a preview warns about an address that is not in its stored form, and about lists and topics that do not exist', async () => {
    await calls().contacts.upsert({ email: 'Ada.Lovelace@Gmail.com' });
    const warnings = async (filter: SegmentFilter) => (await calls().segments.preview({ filter })).warnings;
    const email = (op: 'eq' | 'ne' | 'in' | 'gt' | 'contains' | 'starts_with', value: string | string[]) =>
      ({ path: 'contact.email', op, value }) as const;
    for (const [filter, word] of [
      [email('eq', 'Ada.Lovelace@Gmail.com'), 'never'],
      [email('eq', 'ada.lovelace@gmail.com'), 'never'],
      [email('in', ['ADA@example.com', 'Bob@example.com']), 'never'],
      [email('ne', 'ADA@example.com'), 'always'],
      [email('contains', 'Lovelace'), 'never'],
      [email('starts_with', 'Ada'), 'never'],
    ] as const)
      assert.equal(await warnings(filter), [`${JSON.stringify(filter)} is ${word} true.`]);
    for (const filter of [
      email('eq', 'adalovelace@gmail.com'),
      email('in', ['ADA@example.com', 'bob@example.com']),
      email('contains', '@gmail.'),
      email('gt', 'M'),
      { path: 'contact.external_id', op: 'eq', value: 'ADA' } as const,
    ])
      assert.equal(await warnings(filter), []);
    const filter = {
      any: ['list.lst_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'topic.nowhere'].map(
        (path) => ({ path, op: 'exists', value: true }) as const,
      ),
    };
    assert.equal(await warnings(filter), [
      'There is no list lst_01ARZ3NDEKTSV4RRFFQ69G5FAV.',
      'There is no topic nowhere.',
    ]);
  });

  test('the contacts of a segment come in pages, and need contacts:read and lists:read', async () => {
    for (let index = 0; index < 5; index += 1) await contact(`p${index}`, { plan: 'pro' });
    await contact('other', { plan: 'free' });
    const { segmentId } = await calls().segments.create({ name: 'Pro', filter: isPro });
    const seen: (string | null)[] = [];
    let cursor: string | undefined;
    do {
      const page = await calls().segments.contacts({
        segmentId,
        limit: 2,
        ...(cursor === undefined ? {} : { cursor }),
      });
      seen.push(...page.data.map(({ external_id }) => external_id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    assert.equal(seen, ['p4', 'p3', 'p2', 'p1', 'p0']);
    const id = await contact('p0');
    for (const path of ['contacts', `contacts/${id}`])
      for (const scopes of [['lists:read'], ['contacts:read']]) {
        const { status, body } = await kit.request(`/v1/segments/${segmentId}/${path}`, {
          headers: await keyWith(scopes),
        });
        assert.equal([status, body.error.code], [403, 'insufficient_scope']);
      }
  });

  test('activity is kept longer than its events, deleted with the contact, and exported', async () => {
    const id = await contact('ada');
    for (const type of ['signed.up', 'signed.in']) await calls().events.emit({ type, contact: { id } });
    const { segmentId } = await calls().segments.create({
      name: 'Signed up',
      filter: { any: [{ did: 'signed.up' }, { did: 'signed.in' }] },
    });
    kit.advanceClock(500 * 86_400_000);
    await kit.drain();
    assert.is((await calls().segments.read({ segmentId })).contactCount, 1);
    const exported = await kit.service.personalData.export(kit.workspaceId, { externalId: 'ada' });
    assert.match(JSON.stringify(exported), /"activity":\[\{"type":"signed\.(in|up)".*"count":1\}\]/);
    await calls().contacts.delete({ contactId: id });
    await kit.drain();
    kit.advanceClock(400_000);
    assert.is((await calls().segments.read({ segmentId })).contactCount, 0);
    const workspace = await readWorkspace(kit.service.core, kit.workspaceId);
    const remaining = await inWorkspace(kit.service.core, workspace, ({ trx }) =>
      trx.db.selectFrom('contact_activity').select('type').execute(),
    );
    assert.equal(remaining, []);
  });
});
