// The behaviour of defineResource, defineCreate, defineUpdate and `of`: names, versions, unique fields, later columns,
// computed fields, references, limits and hooks. Texts and personal data are tested in
// declared-resources-texts.test.ts.
import * as assert from 'uvu/assert';
import type { WorkspaceHandle } from '../../core/contract/context/handle.ts';
import { createTestService, type TestRequest, type TestService } from '../../hosts/testing/test-service.ts';
import { twoDatabases } from '../support/databases.ts';
import { berths, harbourPlugin, harbours, loads, maxBerths } from './harbour-plugin.ts';

await twoDatabases('declared resources', (test, database) => {
  let kit: TestService<'harbours'>;
  let inspectedLabels: string[];
  let harbour: string;
  const send = (method: string, path: string, body?: object, headers: TestRequest['headers'] = {}) =>
    kit.request(`/v1/${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
  const refusal = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
    `${status} ${body.error?.code}`;
  const berth = async (body: object = {}) => {
    const creation = await send('POST', 'berths', { harbourId: harbour, label: 'B1', ...body });
    assert.is(creation.status, 201, JSON.stringify(creation.body));
    return creation.body;
  };
  const readRows = async <T>(work: (handle: WorkspaceHandle) => Promise<T>) =>
    (await kit.service.core.database()).read(kit.workspaceId, work);

  test.before.each(async () => {
    inspectedLabels = [];
    kit = await createTestService({
      plugins: [harbourPlugin(inspectedLabels)],
      storage: database.createStorage(),
      tablePrefix: database.newPrefix(),
    });
    harbour = (await send('POST', 'harbours', { harbour_name: 'Kiel' })).body.harbour_id;
  });
  test.after.each(() => kit.close());

  test('callers see the declared names, while rows have snake_case columns and the id in the column id', async () => {
    const { berthId: id, ...visible } = await berth({ hasPower: true, equipment: ['Crane'] });
    const time = '2026-01-01T00:00:00.000Z';
    assert.equal(visible, {
      harbourId: harbour,
      label: 'B1',
      state: 'taken',
      madeOn: 'live',
      skipperEmail: null,
      ownerEmail: null,
      remarks: '',
      equipment: ['Crane'],
      depth: 5,
      hasPower: true,
      paidUntil: null,
      lightColour: null,
      version: 1,
      createdAt: time,
      updatedAt: time,
    });
    const row = await readRows((handle) => berths.rows.find(handle, id));
    assert.equal([row?.id, row?.harbour_id, row?.has_power, row?.created_at], [id, harbour, true, Date.parse(time)]);
    const { body } = await send('GET', `harbours/${harbour}`);
    assert.equal(Object.keys(body).sort(), [
      ...['berth_count', 'created_at', 'harbour_id', 'harbour_name', 'opened_at', 'updated_at', 'version'],
    ]);
    assert.is((await readRows((handle) => harbours.rows.find(handle, harbour)))?.gate_code, 'none');
  });

  test('a list filters by camelCase fields, by flags, and by an address in any spelling', async () => {
    const otherHarbour = (await send('POST', 'harbours', { harbour_name: 'Bergen' })).body.harbour_id;
    await berth({ label: 'A', skipperEmail: 'Ada@Example.com' });
    await berth({ label: 'B', harbourId: otherHarbour, hasPower: true });
    const labels = async (query: string) =>
      (await send('GET', `berths?${query}`)).body.data.map((one: { label: string }) => one.label).join();
    assert.is(await labels(`harbourId=${otherHarbour}`), 'B');
    assert.is(await labels('hasPower=false'), 'A');
    assert.is(await labels('skipperEmail=ADA%40example.com'), 'A');
    assert.is(await labels(`harbourId=${harbour}&hasPower=true`), '');
  });

  test('each change increments the version, which responses return as their ETag', async () => {
    const { berthId: id } = await berth();
    assert.is((await send('GET', `berths/${id}`)).headers.ETag, '"1"');
    kit.advanceClock(1_000);
    const answer = await send('PATCH', `berths/${id}`, { depth: 6 });
    assert.equal([answer.headers.ETag, answer.body.version, answer.body.depth], ['"2"', 2, 6]);
    assert.is(answer.body.updatedAt, '2026-01-01T00:00:01.000Z');
    assert.equal((await send('GET', `berths/${id}`)).body, answer.body);
    assert.is((await send('GET', `berths/${id}`, undefined, { 'if-none-match': '"2"' })).status, 304);
    await send('PATCH', `berths/${id}`, { depth: 999 });
    assert.is((await send('GET', `berths/${id}`)).headers.ETag, '"2"', 'a refused change does not increment it');
  });

  test('If-Match and expectedVersion refuse an outdated version over REST, as a tool and in code', async () => {
    const path = `harbours/${harbour}`;
    const change = (body: object, headers = {}) => send('PATCH', path, body, headers);
    assert.is((await change({ harbour_name: 'Kiel 2' }, { 'if-match': '"1"' })).status, 200);
    assert.is(refusal(await change({ harbour_name: 'x' }, { 'if-match': '"1"' })), '412 version_conflict');
    assert.is(refusal(await change({ harbour_name: 'x', expectedVersion: 1 })), '412 version_conflict');
    assert.is(refusal(await change({ harbour_name: 'x', expectedVersion: -1 })), '422 validation_failed');
    const calls = kit.service.as(kit.workspaceId).harbours;
    const outdated = { harbour_id: harbour, harbour_name: 'x', expectedVersion: 1 };
    assert.is(await calls.update(outdated).catch((error) => error.code), 'version_conflict');
    assert.is((await calls.read({ harbour_id: harbour })).harbour_name, 'Kiel 2');
    assert.is((await calls.update({ ...outdated, expectedVersion: 2 })).version, 3);
    const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
    const params = { name: 'update_harbour', arguments: outdated };
    const toolAnswer = await send('POST', 'mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers);
    assert.is(toolAnswer.body.result.structuredContent.error.code, 'version_conflict');
  });

  test('if several changes of one version arrive at the same time, only one succeeds', async () => {
    const { berthId: id } = await berth();
    const answers = await Promise.all(
      [1, 2, 3].map((depth) => send('PATCH', `berths/${id}`, { depth, expectedVersion: 1 })),
    );
    assert.equal(answers.map(({ status }) => status).sort(), [200, 412, 412]);
  });

  test('a unique value is unique per workspace and side, and is compared byte by byte', async () => {
    await berth({ label: 'B1' });
    const conflict = await send('POST', 'berths', { harbourId: harbour, label: 'B1' });
    assert.is(refusal(conflict), '409 key_taken');
    assert.is(conflict.body.error.message, 'The key B1 is taken by another berth. Choose another.');
    assert.equal(await kit.events('berth.made').then(({ length }) => length), 1);
    const { berthId: id } = await berth({ label: 'b1' });
    assert.is(refusal(await send('PATCH', `berths/${id}`, { label: 'B1', depth: 9 })), '409 key_taken');
    assert.equal((await send('GET', `berths/${id}`)).body.depth, 5);
    assert.is((await send('PATCH', `berths/${id}`, { label: 'b1' })).status, 200, 'a berth may keep its own label');
    const inSandbox = { key: kit.testKey, body: { harbourId: harbour, label: 'B1' } };
    const { status, body } = await kit.request('/v1/berths', inSandbox);
    assert.equal([status, body.madeOn], [201, 'sandbox']);
    const foreign = kit.service.as(kit.foreignWorkspaceId).harbours;
    assert.is((await foreign.create({ harbour_name: 'Kiel' })).version, 1);
  });

  test('a column that was added later is missing in the first migration and works like any other column', async () => {
    const [table] = berths.createTable;
    assert.ok(table !== undefined && 'create' in table && !Object.hasOwn(table.columns, 'light_colour'));
    const { berthId: id, lightColour } = await berth({ lightColour: 'green' });
    assert.is(lightColour, 'green');
    assert.is((await send('PATCH', `berths/${id}`, { lightColour: null })).body.lightColour, null);
  });

  test('every response has the computed fields, and a page needs one lookup for them', async () => {
    await send('POST', 'harbours', { harbour_name: 'Bergen' });
    await berth({ label: 'A' });
    await berth({ label: 'B' });
    assert.is((await send('GET', `harbours/${harbour}`)).body.berth_count, 2);
    assert.is((await send('PATCH', `harbours/${harbour}`, { opened_at: null })).body.berth_count, 2);
    loads.length = 0;
    const { data } = (await send('GET', 'harbours')).body;
    assert.equal(data.map((one: { berth_count: number }) => one.berth_count).sort(), [0, 2]);
    assert.equal(loads, [2]);
    assert.is(refusal(await send('POST', 'harbours', { harbour_name: 'x', berth_count: 3 })), '422 validation_failed');
  });

  test('a reference must be an id of the right kind, and its row must be in the workspace', async () => {
    const { harbour_id: foreign } = await kit.service
      .as(kit.foreignWorkspaceId)
      .harbours.create({ harbour_name: 'Oslo' });
    const { berthId } = await berth();
    for (const [harbourId, answer] of [
      [foreign, '404 harbour_not_found'],
      ['hrb_01KQ1ZJ5T8V6W3X9Y2A4B7C8D9', '404 harbour_not_found'],
      [berthId, '422 validation_failed'],
      ['', '422 validation_failed'],
    ])
      assert.is(refusal(await send('POST', 'berths', { harbourId, label: 'new' })), answer, harbourId);
    assert.is(
      refusal(await send('DELETE', `harbours/${harbour}`)),
      '409 state_conflict',
      'the before hook refuses the deletion',
    );
    assert.is((await send('DELETE', `berths/${berthId}`)).status, 200);
    assert.is((await send('DELETE', `harbours/${harbour}`)).status, 200);
  });

  test('a limit counts the rows of one side, even with simultaneous calls', async () => {
    for (let at = 2; at < maxBerths; at += 1) await berth({ label: `B${at}` });
    const make = (label: string) => send('POST', 'berths', { harbourId: harbour, label });
    const answers = await Promise.all(['x', 'y', 'z', 'w'].map(make));
    assert.equal(answers.map(refusal).sort(), [
      ...['201 undefined', '201 undefined', '409 limit_reached', '409 limit_reached'],
    ]);
    assert.is(answers.find(({ status }) => status === 409)?.body.error.message.includes(`${maxBerths} berths`), true);
    const inSandbox = { key: kit.testKey, body: { harbourId: harbour, label: 'B1' } };
    assert.is((await kit.request('/v1/berths', inSandbox)).status, 201);
  });

  test('the before hook can refuse and return more columns, and undefined counts as absent', async () => {
    assert.is((await berth({ label: 'A', depth: 13 })).depth, 14);
    const { berthId: id, state } = await berth({ label: 'B', depth: 60 });
    assert.is(state, 'free');
    assert.is(refusal(await send('PATCH', `berths/${id}`, { depth: 1, label: 'C' })), '409 state_conflict');
    const { body } = await send('PATCH', `berths/${id}`, { depth: 20, label: 'C' });
    assert.equal([body.depth, body.label, body.state], [20, 'C', 'free']);
    assert.is((await send('PATCH', `berths/${id}`, { depth: 0 })).body.state, 'taken');
  });

  test('events and jobs of the after hook are committed with the row, and discarded after a refusal', async () => {
    const { berthId: id } = await berth({ label: 'A' });
    await send('PATCH', `berths/${id}`, { label: 'B' });
    await send('PATCH', `berths/${id}`, { label: 'C', remarks: 'too late' });
    const refusedAnswer = await send('POST', 'berths', { harbourId: harbour, label: 'D', remarks: 'too late' });
    assert.is(refusal(refusedAnswer), '409 state_conflict');
    await send('PATCH', `berths/${id}`, { label: 'E' }, { 'dry-run': 'true' });
    assert.equal(await kit.events('berth.made'), [{ id, label: 'A' }]);
    assert.equal(await kit.events('berth.renamed'), [{ id, label: 'B' }]);
    await kit.drain();
    assert.equal(inspectedLabels, ['B'], 'the job of the change replaced the earlier job');
    const { data } = (await send('GET', 'berths')).body;
    assert.equal(
      data.map(({ label, version }: { label: string; version: number }) => [label, version]),
      [['B', 2]],
    );
  });

  test('a change keeps omitted fields, null clears a field, and callers cannot set internal columns', async () => {
    const { berthId: id, ...created } = await berth({ skipperEmail: 'ada@example.com', equipment: ['Crane'] });
    const change = (body: object) => send('PATCH', `berths/${id}`, body);
    const { body: paid } = await change({ paidUntil: '2027-01-01T00:00:00+01:00' });
    assert.equal(paid, { ...created, berthId: id, paidUntil: '2026-12-31T23:00:00.000Z', version: 2 });
    const { body: cleared } = await change({ paidUntil: null, skipperEmail: null, hasPower: true });
    assert.equal(cleared, { ...created, berthId: id, skipperEmail: null, hasPower: true, version: 3 });
    const validBody = { harbourId: harbour, label: 'new' };
    for (const name of ['state', 'madeOn', 'version', 'createdAt', 'updated_at', 'berthId', 'id', 'workspace_id']) {
      assert.is(refusal(await change({ [name]: 'x' })), '422 validation_failed', name);
      assert.is(refusal(await send('POST', 'berths', { ...validBody, [name]: 'x' })), '422 validation_failed', name);
    }
    assert.is(refusal(await change({ harbourId: harbour })), '422 validation_failed', 'immutable');
    assert.is(refusal(await send('POST', 'berths', { ...validBody, paidUntil: null })), '422 validation_failed');
  });
});
