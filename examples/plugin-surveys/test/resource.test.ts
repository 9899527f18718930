import assert from 'node:assert/strict';
import test from 'node:test';
import { asked, hour, openFor } from './support.js';

test('a survey can be created, read, changed and deleted', async (t) => {
  const { kit, surveys, inOneHour } = await openFor(t);
  const created = await surveys.create({ ...asked, tags: ['delivery'], expires_at: inOneHour });
  assert.deepEqual(await surveys.read({ id: created.id }), created);
  assert.deepEqual([created.tags, created.expires_at, created.score], [['delivery'], inOneHour, null]);

  kit.advanceClock(1000);
  const changed = await surveys.update({ id: created.id, tags: [] });
  assert.deepEqual(changed, { ...created, tags: [], updated_at: new Date(kit.now()).toISOString() });
  assert.deepEqual(await surveys.read({ id: created.id }), changed);

  assert.deepEqual(await surveys.delete({ id: created.id }), { id: created.id, deleted: true });
  await assert.rejects(surveys.read({ id: created.id }), { code: 'survey_not_found', status: 404 });
  await assert.rejects(surveys.delete({ id: created.id }), { code: 'survey_not_found', status: 404 });
  kit.advanceClock(hour);
  await kit.drain();
  assert.deepEqual(await kit.events('survey.expired'), []);
});

test('surveys of sandbox keys are separate', async (t) => {
  const { kit, surveys } = await openFor(t);
  const created = await kit.request('/v1/surveys', { key: kit.testKey, body: asked });
  assert.equal(created.status, 201);
  await assert.rejects(surveys.read({ id: created.body.id }), { code: 'survey_not_found' });
  assert.deepEqual((await surveys.list()).data, []);
  assert.equal((await kit.request('/v1/surveys', { key: kit.testKey })).body.data.length, 1);
});

test('every change is in the audit', async (t) => {
  const { kit, surveys } = await openFor(t);
  const { id } = await surveys.create(asked);
  await surveys.update({ id, tags: ['vip'] });
  await surveys.answer({ id, score: 3 });
  await surveys.delete({ id });
  const { body } = await kit.request('/v1/audit');
  const actions = body.data.map(({ action }: { action: string }) => action);
  for (const name of ['create', 'update', 'answer', 'delete']) assert.ok(actions.includes(`survey.${name}`), name);
});
