// Segments: names, versions, limits, segments in segments, lists in use, previews, pages, explanations and scopes.
import * as assert from 'uvu/assert';
import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import { addEvent } from '../../plugins/contacts/store.ts';
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
    const again = await calls().segments.read({ segmentId: created.segmentId });
    assert.equal([again.contactCount, again.countedAt], [1, created.countedAt]);
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

  test('spaces around a name do not make it another name, and a name of spaces is none', async () => {
    await calls().segments.create({ name: 'Pro', filter: isPro });
    assert.is((await post({ name: ' Pro\u3000', filter: {} })).body.error.code, 'key_taken');
    assert.is((await post({ name: ' \t', filter: {} })).status, 422);
  });

  test('a filter cannot ask whether a contact did an event of the service', async () => {
    const filter = { not: { any: [{ did: 'order.placed' }, { did: 'send.opened', since: 'P30D' }] } };
    for (const refused of [
      await post({ filter }, '/v1/segments/preview'),
      await post({ name: 'Silent', filter }),
      await kit.request(`/v1/contacts?filter=${encodeURIComponent(JSON.stringify(filter))}`),
    ]) {
      assert.is(refused.status, 422);
      assert.match(
        refused.body.error.message,
        /send\.opened is an event of the service\. Ask what happened to mail with send/,
      );
    }
    // The name is free, although its family is the service's.
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
    const named = async (name: string, filter: object): Promise<string> =>
      (await post({ name, filter })).body.segmentId;
    const first = await named('First', isPro);
    const second = await named('Second', { segment: first });
    const third = await named('Third', { all: [{ segment: second }] });
    const fourth = await named('Fourth', { not: { segment: third } });
    const tooDeep = await post({ name: 'Fifth', filter: { segment: fourth } });
    assert.match(tooDeep.body.error.message, /3 levels/);
    const cycle = await kit.request(`/v1/segments/${first}`, { method: 'PATCH', body: { filter: { segment: third } } });
    assert.equal([cycle.status, cycle.body.error.details[0].code], [422, 'segment_nesting']);
    assert.match(cycle.body.error.message, /name itself/);
    const id = await contact('ada', { plan: 'pro' });
    assert.equal(
      (await calls().segments.contacts({ segmentId: third })).data.map(({ contactId }) => contactId),
      [id],
    );
    assert.equal((await calls().segments.contacts({ segmentId: fourth })).data, []);
    const deleted = await kit.request(`/v1/segments/${first}`, { method: 'DELETE' });
    assert.equal([deleted.status, deleted.body.error.code], [409, 'segment_in_use']);
    assert.match(deleted.body.error.message, /the segment Second/);
    assert.equal(await calls().segments.delete({ segmentId: fourth }), { segmentId: fourth, deleted: true });
  });

  test('a list that a segment names cannot be deleted', async () => {
    const { listId } = await calls().lists.create({ name: 'News' });
    const filter = { path: `list.${listId}`, op: 'exists', value: true };
    const { segmentId } = (await post({ name: 'Readers', filter })).body;
    const refused = await kit.request(`/v1/lists/${listId}`, { method: 'DELETE' });
    assert.equal([refused.status, refused.body.error.code], [409, 'list_in_use']);
    await calls().segments.delete({ segmentId });
    assert.is((await kit.request(`/v1/lists/${listId}`, { method: 'DELETE' })).status, 200);
    assert.is((await post({ name: 'Again', filter })).body.error.code, 'list_not_found');
  });

  test('filters that would differ between databases are refused', async () => {
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

  test('a filter with many empty parts is refused, even if the parts are in segments that it refers to', async () => {
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

  test('a preview counts, shows the newest contacts to those who may see them, and warns', async () => {
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
    // A long condition is cut in the warning, and not inside an emoji.
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

  test('an explanation is a readable sentence', async () => {
    const id = await contact('ada', { plan: 'pro', last_login: new Date(kit.now() - 41 * 86_400_000).toISOString() });
    for (let times = 0; times < 2; times += 1)
      await calls().events.emit({ type: 'order.placed', contact: { id }, metadata: { total: 30 + times } });
    const filter = {
      all: [
        isPro,
        { path: 'contact.attributes.last_login', op: 'within_days' as const, value: 30 },
        { did: 'order.placed', atLeast: 2, since: 'P30D' },
        { did: 'order.placed', where: { path: 'event.metadata.total', op: 'gt' as const, value: 30 } },
        { not: { send: { templateKey: 'welcome' }, was: 'opened' as const, since: 'P30D' } },
        { path: 'contact.attributes.seats', op: 'gte' as const, value: 3 },
        { not: { send: { broadcastId: 'brc_01K0000000000000000000000A' }, was: 'sent' as const } },
      ],
    };
    const { segmentId } = await calls().segments.create({ name: 'Active', filter });
    const { inSegment, sentence, explanation } = await calls().segments.explain({ segmentId, contactId: id });
    assert.is(inSegment, false);
    assert.equal(sentence.split(', '), [
      "plan is 'pro' ✓",
      'last_login was 41 days ago ✗ (within 30 days)',
      "did 'order.placed' 2 times",
      'last 0 minutes ago ✓ (at least 2 times',
      'within 30 days)',
      "did 'order.placed' once",
      'last 0 minutes ago ✓ (with the wanted metadata)',
      "(not (never opened 'welcome' ✗ (within 30 days)) ✓)",
      'seats is missing ✗ (at least 3)',
      '(not (never sent in the broadcast brc_01K0000000000000000000000A ✗) ✓)',
    ]);
    assert.equal(explanation.parts?.map(({ kind, isTrue, value }) => [kind, isTrue, value ?? null]).slice(0, 1), [
      ['condition', true, 'pro'],
    ]);
  });

  test('an explanation counts the events that the condition counts, and no others', async () => {
    const id = await contact('ada');
    const emit = (total: number) =>
      calls().events.emit({ type: 'order.placed', contact: { id }, metadata: { total, note: 'x'.repeat(200) } });
    await emit(30);
    await kit.advanceClock(3 * 86_400_000);
    await emit(1);
    const sentenceOf = async (name: string, filter: SegmentFilter): Promise<string> => {
      const { segmentId } = await calls().segments.create({ name, filter });
      return (await calls().segments.explain({ segmentId, contactId: id })).sentence;
    };
    const where = (value: number) => ({ path: 'event.metadata.total', op: 'gte' as const, value });
    assert.is(
      await sentenceOf('Huge', { did: 'order.placed', where: where(100) }),
      "did 'order.placed' never ✗ (with the wanted metadata)",
    );
    assert.is(
      await sentenceOf('Large', { did: 'order.placed', where: where(30) }),
      "did 'order.placed' once, last 3 days ago ✓ (with the wanted metadata)",
    );
    assert.is(
      await sentenceOf('Often', { did: 'order.placed', atLeast: 2, since: 'P1D' }),
      "did 'order.placed' once, last 0 minutes ago ✗ (at least 2 times, within 1 day)",
    );
  });

  test('an explanation finds one event among very many, as the statement does', async () => {
    const id = await contact('robot');
    const workspace = await readWorkspace(kit.service.core, kit.workspaceId);
    const at = kit.now() - 86_400_000;
    for (let from = 0; from < 12_000; from += 1_000)
      await inWorkspace(kit.service.core, workspace, async ({ trx, newId }) => {
        for (let index = from; index < from + 1_000; index += 1)
          addEvent(trx, {
            id: newId('evt'),
            contact_id: id,
            type: 'api.called',
            // Many events have the same time.
            ts: at + Math.floor(index / 700),
            metadata: { first: index === 0 },
          });
      });
    const filter = { did: 'api.called', where: { path: 'event.metadata.first', op: 'eq' as const, value: true } };
    const { segmentId } = await calls().segments.create({ name: 'Robots', filter });
    assert.is((await calls().segments.preview({ filter })).contactCount, 1);
    const { inSegment, sentence } = await calls().segments.explain({ segmentId, contactId: id });
    assert.is(inSegment, true, sentence);
    const all = { any: [{ not: { did: 'api.called', since: 'P30D', atLeast: 12_000 } }, filter] };
    const { segmentId: both } = await calls().segments.create({ name: 'Both', filter: all });
    const { explanation } = await calls().segments.explain({ segmentId: both, contactId: id });
    assert.equal(
      explanation.parts?.map(({ isTrue }) => isTrue),
      [false, true],
    );
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
    const left = await inWorkspace(kit.service.core, workspace, ({ trx }) =>
      trx.db.selectFrom('contact_activity').select('type').execute(),
    );
    assert.equal(left, []);
  });
});
