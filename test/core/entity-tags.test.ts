// Versions of responses: ETag and If-None-Match on reads, If-Match and expectedVersion on changes (RFC 9110, section 13).
import * as assert from 'uvu/assert';
import { eachDatabase } from '../support/databases.ts';
import { openPress, type PressService } from './press-service.ts';

await eachDatabase('entity tags', (test, database) => {
  let press: PressService;
  let id: string;
  test.before(async () => {
    press = await openPress(database);
  });
  test.before.each(async () => {
    ({ id } = await press.service.as(press.workspaceId).posters.create({ title: 'Open day' }));
  });
  test.after(() => press.close());

  const readPoster = (headers: Record<string, string> = {}, method = 'GET') =>
    press.send(`/v1/posters/${id}`, { method, headers });
  const change = (headers: Record<string, string> = {}, body: object = { title: 'Open week' }) =>
    press.request(`/v1/posters/${id}`, { method: 'PATCH', body, headers });
  const refusal = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
    `${status} ${body.error?.code}`;

  test('a response has its version as a strong tag, and a change returns the new version', async () => {
    assert.is((await readPoster()).headers.ETag, '"1"');
    const changeAnswer = await change();
    assert.equal([changeAnswer.status, changeAnswer.headers.ETag, changeAnswer.body.version], [200, '"2"', 2]);
    const created = await press.request('/v1/posters', { body: { title: 'x' } });
    assert.equal([created.status, created.headers.ETag], [201, '"1"']);
  });

  test('a read with a current tag gets 304 without a body, and each representation has its own tag', async () => {
    for (const tags of ['"1"', 'W/"1"', '"0", "1"', '*']) {
      const { status, headers, body } = await readPoster({ 'if-none-match': tags });
      assert.equal([status, headers.ETag, headers['Content-Type'], body], [304, '"1"', undefined, ''], tags);
      assert.match(headers['X-Request-Id'] ?? '', /^req_/);
    }
    assert.is((await readPoster({ 'if-none-match': '"1"' }, 'HEAD')).status, 304);
    assert.is((await readPoster({ 'if-none-match': '"2"' })).status, 200);
    const svg = await readPoster({ accept: 'image/svg+xml', 'if-none-match': '"1"' });
    assert.equal([svg.status, svg.headers.ETag], [200, '"1-image/svg+xml"']);
    assert.is((await readPoster({ accept: 'image/svg+xml', 'if-none-match': '"1-image/svg+xml"' })).status, 304);
  });

  test('a change with If-Match applies only to this version', async () => {
    assert.is((await change({ 'if-match': '"1"' })).status, 200);
    const conflict = await change({ 'if-match': '"1"' });
    assert.is(refusal(conflict), '412 version_conflict');
    assert.match(conflict.body.error.message, /version is now 2/);
    assert.is((await change({ 'if-match': '"9", "2"' })).status, 200);
    assert.is((await change({ 'if-match': '*' })).status, 200);
    assert.is(refusal(await change({ 'if-match': 'W/"4"' })), '412 version_conflict', 'a weak tag matches nothing');
    assert.equal(JSON.parse(String((await readPoster()).body)).version, 4);
  });

  test('the tag of any representation names exactly one version', async () => {
    const { ETag: tag = '' } = (await readPoster({ accept: 'image/svg+xml' })).headers;
    assert.is(tag, '"1-image/svg+xml"');
    assert.is((await change({ 'if-match': tag })).status, 200);
    for (const otherTag of [tag, '"2-x"', '"2-image/svg+xml-x/y z"', '"2-"', '"22"', '"22-image/svg+xml"'])
      assert.match(refusal(await change({ 'if-match': otherTag })), /version_conflict|validation_failed/, otherTag);
  });

  test('an If-Match that is not a list of tags is refused, not ignored', async () => {
    for (const header of ['1', '"1', '', '"1" "2"', '1, "1"'])
      assert.is(refusal(await change({ 'if-match': header })), '422 validation_failed', header);
  });

  test('an operation without versions refuses If-Match, unless it is * or the operation is a read', async () => {
    const make = (headers: Record<string, string>) =>
      press.request('/v1/posters', { method: 'POST', body: { title: 'x' }, headers });
    const answer = await make({ 'if-match': '"1"' });
    assert.is(refusal(answer), '422 validation_failed');
    assert.is(answer.body.error.details[0].path, 'If-Match');
    assert.is((await make({ 'if-match': '*' })).status, 201);
    assert.is((await readPoster({ 'if-match': '"9"' })).status, 200);
  });

  test('a retry with the same key and If-Match is replayed, but with another If-Match it is a different request', async () => {
    const headers = { 'if-match': '"1"', 'idempotency-key': `change ${id}` };
    const first = await change(headers);
    const replay = await change(headers);
    assert.equal([first.status, replay.status, replay.body], [200, 200, first.body]);
    assert.equal([replay.headers['Idempotent-Replay'], replay.headers.ETag], ['true', '"2"']);
    assert.is(refusal(await change({ ...headers, 'if-match': '"2"' })), '409 idempotency_key_mismatch');
    const { 'if-match': _, ...bare } = headers;
    assert.is(refusal(await change(bare)), '409 idempotency_key_mismatch');
  });

  test('expectedVersion works like If-Match: in the body, in a tool call and in process', async () => {
    assert.is(refusal(await change({}, { title: 'x', expectedVersion: 7 })), '412 version_conflict');
    assert.is(refusal(await change({ 'if-match': '"1"' }, { title: 'x', expectedVersion: 7 })), '412 version_conflict');
    assert.is((await change({}, { title: 'x', expectedVersion: 1 })).status, 200);
    const tool = await press.tool('update_poster', { id, title: 'y', expectedVersion: 1 });
    assert.is(tool.structuredContent.error?.code, 'version_conflict');
    const { posters } = press.service.as(press.workspaceId);
    const code = await posters.update({ id, title: 'y', expectedVersion: 1 }).catch((error) => error.code);
    assert.is(code, 'version_conflict');
    assert.is((await posters.update({ id, title: 'y', expectedVersion: 2 })).version, 3);
  });

  test('a patch format is accepted only if the operation declares it', async () => {
    assert.is((await change({ 'content-type': 'application/merge-patch+json' })).status, 200);
    assert.is((await change({ 'content-type': 'Application/Merge-Patch+JSON; charset=utf-8' })).status, 200);
    const jsonPatch = await change({ 'content-type': 'application/json-patch+json' });
    assert.is(refusal(jsonPatch), '415 media_type_unsupported');
    assert.match(jsonPatch.body.error.message, /Send application\/json or application\/merge-patch\+json\./);
    const created = await press.request('/v1/posters', {
      body: { title: 'x' },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    assert.is(refusal(created), '415 media_type_unsupported');
  });
});
