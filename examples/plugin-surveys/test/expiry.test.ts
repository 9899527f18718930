import assert from 'node:assert/strict';
import test from 'node:test';
import { asked, hour, openFor } from './support.js';

test('a survey expires at its time and emits its event once', async (t) => {
  const { kit, surveys, inOneHour } = await openFor(t);
  const { id } = await surveys.create({ ...asked, expires_at: inOneHour });

  kit.advanceClock(hour - 1);
  await kit.drain();
  assert.equal((await surveys.list()).data[0]?.status, 'open');
  assert.deepEqual(await kit.events('survey.expired'), []);

  kit.advanceClock(1);
  await kit.drain();
  await kit.drain();
  assert.equal((await surveys.list()).data[0]?.status, 'expired');
  assert.deepEqual(await kit.events('survey.expired'), [{ id }]);
});

test('from its expiry on, a survey refuses answers, even before the job has closed it', async (t) => {
  const { kit, surveys, inOneHour } = await openFor(t);
  const { id } = await surveys.create({ ...asked, expires_at: inOneHour });
  const late = { code: 'survey_expired', status: 409 };

  kit.advanceClock(hour);
  await assert.rejects(surveys.answer({ id, score: 5 }), late);
  await kit.drain();
  await assert.rejects(surveys.answer({ id, score: 5 }), late);
  assert.deepEqual(await kit.events('survey.answered'), []);
});

test('an answered survey does not expire', async (t) => {
  const { kit, surveys, inOneHour } = await openFor(t);
  const { id } = await surveys.create({ ...asked, expires_at: inOneHour });
  kit.advanceClock(hour - 1);
  await surveys.answer({ id, score: 10 });

  kit.advanceClock(hour);
  await kit.drain();
  assert.equal((await surveys.list()).data[0]?.status, 'answered');
  assert.deepEqual(await kit.events('survey.expired'), []);
});

test('a survey without expiry stays open', async (t) => {
  const { kit, surveys } = await openFor(t);
  const { id } = await surveys.create(asked);
  kit.advanceClock(365 * 24 * hour);
  await kit.drain();
  assert.equal((await surveys.answer({ id, score: 7 })).status, 'answered');
});

test('an expiry that has passed is refused', async (t) => {
  const { kit, surveys } = await openFor(t);
  const expires_at = new Date(kit.now()).toISOString();
  await assert.rejects(surveys.create({ ...asked, expires_at }), { code: 'survey_expiry_past', status: 422 });
});
