import assert from 'node:assert/strict';
import test from 'node:test';
import { asked, hour, openFor } from './support.js';

test("a customer's answers are exported, and removed when the customer is erased", async (t) => {
  const { kit, surveys } = await openFor(t);
  const { id } = await surveys.create({ ...asked, email: 'Ada@Example.com' });
  const answered = await surveys.answer({ id, score: 9, comment: 'Quick.' });
  const person = { email: asked.email };
  assert.deepEqual((await kit.service.personalData.export(kit.workspaceId, person)).surveys, { surveys: [answered] });

  await kit.service.personalData.erase(kit.workspaceId, person);
  const left = await surveys.read({ id });
  assert.deepEqual([left.score, left.comment], [9, null]);
  assert.notEqual(left.email, asked.email);
});

test('a survey is deleted a year after its answer', async (t) => {
  const { kit, surveys } = await openFor(t);
  const { id } = await surveys.create(asked);
  await surveys.create(asked);
  await surveys.answer({ id, score: 9 });
  kit.advanceClock(365 * 24 * hour);
  await kit.drain();
  assert.equal((await surveys.list()).data.length, 2);
  kit.advanceClock(2 * hour);
  await kit.drain();
  assert.deepEqual(
    (await surveys.list()).data.map(({ status }) => status),
    ['open'],
  );
});

test('other plugins can read the latest score of a customer', async (t) => {
  const { kit, surveys } = await openFor(t);
  for (const score of [2, 7]) {
    const { id } = await surveys.create(asked);
    await surveys.answer({ id, score });
    kit.advanceClock(1000);
  }
  const { core } = kit.service;
  const database = await core.database();
  const scoreOf = (email: string) =>
    database.read(kit.workspaceId, (handle) => core.services.surveys.latestScore(handle, email));
  assert.equal(await scoreOf(asked.email), 7);
  assert.equal(await scoreOf('grace@example.com'), undefined);
});
