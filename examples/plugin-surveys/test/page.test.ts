import assert from 'node:assert/strict';
import test from 'node:test';
import { asked, hour, openFor } from './support.js';

test('a customer answers on the page, once', async (t) => {
  const { kit, surveys } = await openFor(t);
  const { id } = await surveys.create({ ...asked, question: 'How was <it>?' });
  const url = `http://localhost/surveys/${kit.workspaceId}/${id}`;
  const send = (score: string) =>
    kit.service.fetch(new Request(url, { method: 'POST', body: new URLSearchParams({ score }) }));

  const page = await kit.service.fetch(new Request(url));
  assert.equal(page.status, 200);
  assert.match(await page.text(), /How was &lt;it>\?.*<form method="post">/s);
  assert.equal((await send('11')).status, 422);
  assert.equal((await send('')).status, 422);
  assert.equal((await send('8')).status, 200);
  assert.equal((await surveys.read({ id })).score, 8);
  assert.equal((await send('1')).status, 404);
  assert.equal((await kit.service.fetch(new Request(url))).status, 404);
});

test('an expired survey, and surveys of the sandbox or of another workspace, have no page', async (t) => {
  const { kit, surveys, foreignSurveys, inOneHour } = await openFor(t);
  const show = async (id: string, workspace = kit.workspaceId) =>
    (await kit.service.fetch(new Request(`http://localhost/surveys/${workspace}/${id}`))).status;
  const foreign = await foreignSurveys.create(asked);
  const sandbox = await kit.request('/v1/surveys', { key: kit.testKey, body: asked });
  const { id } = await surveys.create({ ...asked, expires_at: inOneHour });

  assert.deepEqual([await show(foreign.id), await show(foreign.id, kit.foreignWorkspaceId)], [404, 200]);
  assert.deepEqual([await show(sandbox.body.id), await show('srv_missing', 'ws_missing')], [404, 404]);
  assert.equal(await show(id), 200);
  kit.advanceClock(hour);
  assert.equal(await show(id), 404);
});
