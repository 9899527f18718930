import assert from 'node:assert/strict';
import test from 'node:test';
import { asked, openFor } from './support.js';

test('a survey is created, answered once and listed over REST', async (t) => {
  const { kit } = await openFor(t);
  const created = await kit.request('/v1/surveys', { body: asked });
  assert.equal(created.status, 201);

  const path = `/v1/surveys/${created.body.id}/answer`;
  const answered = await kit.request(path, { body: { score: 10, comment: 'Quick.' } });
  assert.equal(answered.status, 200);
  const again = await kit.request(path, { body: { score: 10 } });
  assert.equal(again.status, 409);
  assert.equal(again.body.error.code, 'survey_answered');

  const listed = await kit.request('/v1/surveys?status=answered&limit=1');
  assert.deepEqual(listed.body, { data: [answered.body], next_cursor: null });
  assert.deepEqual((await kit.request('/v1/surveys?status=open')).body.data, []);
});

test('a key that may write may also read; a key that may read may not write', async (t) => {
  const { kit } = await openFor(t);
  const writer = await kit.keyWith(['surveys:write']);
  const reader = await kit.keyWith(['surveys:read']);

  assert.equal((await kit.request('/v1/surveys', { key: writer, body: asked })).status, 201);
  assert.equal((await kit.request('/v1/surveys', { key: writer })).body.data.length, 1);
  assert.equal((await kit.request('/v1/surveys', { key: reader })).body.data.length, 1);
  const refused = await kit.request('/v1/surveys', { key: reader, body: asked });
  assert.equal(refused.status, 403);
  assert.equal(refused.body.error.code, 'insufficient_scope');
});

test('an unknown id gets an error that says what to do', async (t) => {
  const { kit } = await openFor(t);
  const answer = await kit.request('/v1/surveys/srv_missing/answer', { body: { score: 1 } });
  assert.equal(answer.status, 404);
  assert.equal(answer.body.error.code, 'survey_not_found');
  assert.match(answer.body.error.message, /srv_missing.*GET \/v1\/surveys/);
});
