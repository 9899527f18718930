// Topics: their fields and order, versions, the limit, the templates that name them, deletion, and the two sides that share them.
import * as assert from 'uvu/assert';
import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import { topicRows } from '../../plugins/topics/tables.ts';
import { twoDatabases } from '../support/databases.ts';
import { openTestService } from '../support/generated.ts';

await twoDatabases('topics', (test, database) => {
  let kit: Awaited<ReturnType<typeof openTestService>>;
  test.before.each(async () => {
    kit = await openTestService(database);
  });
  test.after.each(() => kit.close());
  const calls = () => kit.service.as(kit.workspaceId);
  const create = (key: string, fields: object = {}) =>
    calls().topics.create({ key, name: `About ${key}`, default: 'subscribed', ...fields });
  const keys = async () => (await calls().topics.list()).data.map(({ key }) => key);
  const post = (path: string, body: object, method = 'POST') => kit.request(path, { method, body });

  test('topics are listed by their positions, and a new topic is the last', async () => {
    const first = await create('news', { description: 'Neuigkeiten · 新着情報' });
    assert.equal(
      [first.position, first.version, first.default, first.visibility, first.description],
      [0, 1, 'subscribed', 'public', 'Neuigkeiten · 新着情報'],
    );
    await create('offers', { position: 40 });
    assert.is((await create('events')).position, 41);
    await create('security', { position: 3, default: 'unsubscribed', visibility: 'private' });
    assert.equal(await keys(), ['news', 'security', 'offers', 'events']);
    await calls().topics.update({ key: 'events', position: 1 });
    assert.equal(await keys(), ['news', 'events', 'security', 'offers']);
    const page = (await kit.request('/v1/topics?limit=3')).body;
    const secondPage = (await kit.request(`/v1/topics?limit=3&cursor=${page.next_cursor}`)).body;
    assert.equal([page.data.length, secondPage.data.length, secondPage.next_cursor], [3, 1, null]);
  });

  test('an outdated version is refused, and key and default cannot be changed', async () => {
    await create('news');
    const patch = (body: object, headers = {}) => kit.request('/v1/topics/news', { method: 'PATCH', body, headers });
    const change = await patch({ name: 'Product news', expectedVersion: 1 });
    assert.equal([change.body.version, change.headers['ETag']], [2, '"2"']);
    assert.is((await patch({ name: 'Late', expectedVersion: 1 })).status, 412);
    assert.is((await patch({ name: 'Late' }, { 'if-match': '"1"' })).body.error.code, 'version_conflict');
    const defaultChange = await patch({ default: 'unsubscribed' });
    assert.is(defaultChange.status, 422);
    assert.match(defaultChange.body.error.message, 'cannot change');
    assert.is((await patch({ key: 'other' })).status, 422);
  });

  test('a key is unique in a workspace, and a key in another format is refused', async () => {
    await create('news');
    assert.is((await post('/v1/topics', { key: 'news', name: 'Again', default: 'subscribed' })).status, 409);
    for (const key of ['News', 'a b', 'ü', '', 'x'.repeat(81), '__proto__'])
      assert.is((await post('/v1/topics', { key, name: 'Odd', default: 'subscribed' })).status, 422, key);
    assert.is((await post('/v1/topics', { key: 'late', name: 'No default' })).status, 422);
    assert.is((await kit.request(`/v1/topics/${'x'.repeat(150)}`)).body.error.code, 'topic_not_found');
  });

  test('a workspace has at most 100 topics', async () => {
    await create('first');
    const workspace = await readWorkspace(kit.service.core, kit.workspaceId);
    await inWorkspace(kit.service.core, workspace, async ({ trx }) => {
      const row = await topicRows.find(trx, 'first');
      assert.ok(row);
      for (let more = 1; more < 100; more += 1)
        topicRows.deferInsert(trx, { ...row, key: `topic-${more}`, position: more });
    });
    const refusal = await post('/v1/topics', { key: 'last', name: 'Too many', default: 'subscribed' });
    assert.is(refusal.body.error.code, 'limit_reached');
    assert.is((await keys()).length, 25);
  });

  test('only a marketing template can name a topic, and the topic must exist', async () => {
    await create('news');
    const template = (body: object) => post('/v1/templates', body);
    const codes = (answer: Awaited<ReturnType<typeof template>>) => [
      answer.status,
      ...(answer.body.error?.details ?? []).map(({ path, code }: { path: string; code: string }) => `${path} ${code}`),
    ];
    assert.equal(codes(await template({ category: 'marketing', topicKey: 'nowhere' })), [422, 'topicKey unknown']);
    for (const category of ['transactional', 'system'])
      assert.equal(codes(await template({ category, topicKey: 'news' })), [422, 'topicKey not_marketing']);
    assert.equal(codes(await template({ kind: 'layout', category: 'marketing', topicKey: 'news' })), [
      422,
      'topicKey not_for_layouts',
    ]);
    const created = await template({ key: 'letter', category: 'marketing', topicKey: 'news' });
    assert.equal([created.status, created.body.data.topicKey], [201, 'news']);
    const patch = (body: object) => kit.request('/v1/templates/letter', { method: 'PATCH', body });
    assert.equal(codes(await patch({ category: 'transactional' })), [422, 'topicKey not_marketing']);
    const both = await patch({ category: 'transactional', topicKey: null });
    assert.equal([both.status, both.body.topicKey, both.body.category], [200, null, 'transactional']);
    assert.equal(codes(await patch({ topicKey: 'news' })), [422, 'topicKey not_marketing']);
  });

  test('a topic cannot be deleted while a template names it, except an archived template', async () => {
    await create('news');
    await calls().templates.create({ key: 'letter', category: 'marketing', topicKey: 'news' });
    const remove = () => kit.request('/v1/topics/news', { method: 'DELETE' });
    const refusal = await remove();
    assert.equal([refusal.status, refusal.body.error.code], [409, 'topic_in_use']);
    assert.match(refusal.body.error.message, 'the template letter');
    await calls().templates.archive({ key: 'letter' });
    assert.equal((await remove()).body, { key: 'news', deleted: true });
    assert.is((await remove()).status, 404);
  });

  test('both sides share topics: a sandbox key can read them, but cannot change them', async () => {
    await create('news');
    const sandbox = { key: kit.testKey };
    assert.is((await kit.request('/v1/topics/news', sandbox)).status, 200);
    const body = { key: 'mine', name: 'Mine', default: 'subscribed' };
    for (const request of [
      kit.request('/v1/topics', { ...sandbox, body }),
      kit.request('/v1/topics/news', { ...sandbox, method: 'PATCH', body: { name: 'Mine' } }),
      kit.request('/v1/topics/news', { ...sandbox, method: 'DELETE' }),
    ])
      assert.is((await request).body.error.code, 'live_key_required');
  });
});
