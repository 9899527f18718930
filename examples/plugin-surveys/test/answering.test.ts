import assert from 'node:assert/strict';
import test from 'node:test';
import { asked, openFor } from './support.js';

test('an answer is stored with its time, and the event has the score but not the comment', async (t) => {
  const { kit, surveys } = await openFor(t);
  const { id } = await surveys.create(asked);
  kit.advanceClock(1000);
  const answered = await surveys.answer({ id, score: 0, comment: 'Never came.' });

  assert.equal(answered.status, 'answered');
  assert.equal(answered.score, 0);
  assert.equal(answered.comment, 'Never came.');
  assert.equal(answered.answered_at, new Date(kit.now()).toISOString());
  assert.deepEqual((await surveys.list()).data, [answered]);
  assert.deepEqual(await kit.events('survey.answered'), [{ id, score: 0 }]);
});

test('a second answer is refused, and the first one is kept', async (t) => {
  const { kit, surveys } = await openFor(t);
  const { id } = await surveys.create(asked);
  const first = await surveys.answer({ id, score: 9 });

  await assert.rejects(surveys.answer({ id, score: 1 }), { code: 'survey_answered', status: 409 });
  assert.deepEqual((await surveys.list()).data, [first]);
  assert.deepEqual(await kit.events('survey.answered'), [{ id, score: 9 }]);
});

test('of two simultaneous answers, one is accepted', async (t) => {
  const { kit, surveys } = await openFor(t);
  const { id } = await surveys.create(asked);
  const outcomes = await Promise.allSettled([surveys.answer({ id, score: 3 }), surveys.answer({ id, score: 4 })]);

  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  assert.equal((await kit.events('survey.answered')).length, 1);
});

test('an answer that is repeated with its Idempotency-Key is replayed', async (t) => {
  const { kit, surveys } = await openFor(t);
  const { id } = await surveys.create(asked);
  const first = await surveys.answer({ id, score: 8 }, { idempotencyKey: 'form-1' });

  assert.deepEqual(await surveys.answer({ id, score: 8 }, { idempotencyKey: 'form-1' }), first);
  assert.equal((await kit.events('survey.answered')).length, 1);
});

for (const score of [-1, 7.5, 11]) {
  test(`a score of ${score} is refused`, async (t) => {
    const { surveys } = await openFor(t);
    const { id } = await surveys.create(asked);
    await assert.rejects(surveys.answer({ id, score }), { code: 'validation_failed', status: 422 });
  });
}

test("another workspace's survey cannot be answered or seen", async (t) => {
  const { surveys, foreignSurveys } = await openFor(t);
  const { id } = await foreignSurveys.create(asked);

  await assert.rejects(surveys.answer({ id, score: 10 }), { code: 'survey_not_found', status: 404 });
  assert.deepEqual((await surveys.list()).data, []);
  assert.equal((await foreignSurveys.list()).data[0]?.status, 'open');
});
