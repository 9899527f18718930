// time-limit: 300
// Attacks across workspaces: ids, cursors, keys and filters of another workspace. Over REST and with a tool, a foreign row gets exactly
// the same response as a missing row.
// full-run: slow
import * as assert from 'uvu/assert';
import { type Fixture, foreignIds } from '../../core/contract/declaration/fixture.ts';
import type { Operation } from '../../core/contract/declaration/operation.ts';
import { createFixtureKit } from '../../hosts/testing/fixture-kit.ts';
import { twoDatabases } from '../support/databases.ts';
import { type AttackBench, openBench } from './attack-bench.ts';
import { askRest, foreignIdLeaks, missingOf, withoutIds } from './attack-interfaces.ts';
import { changesOf, rowsOf } from './table-rows.ts';

await twoDatabases('another workspace', (test, database) => {
  let bench: AttackBench;
  let foreignKey: string;
  const operations = () => [...bench.test.service.core.registry.operations.values()];
  // Lists below one row are skipped, because the first test attacks them through the id of the row. Members are skipped because they are
  // not rows: they come from the program's own directory, which is empty here.
  const lists = () =>
    operations().filter(
      ({ id, path, input }) =>
        !path.includes('{') && input.query !== undefined && 'cursor' in input.query.shape && id !== 'workspace.members',
    );
  /** A row as text, without its time of last use, which changes a moment later */
  const textOf = (item: object): string => JSON.stringify({ ...item, last_used_at: undefined });
  const textsOfList = async (path: string): Promise<Set<string>> => {
    const items = new Set<string>();
    let next = '';
    do {
      const { json } = await bench.get(`${path}?limit=100${next}`);
      for (const item of json.data) items.add(textOf(item));
      next = json.next_cursor === null ? '' : `&cursor=${json.next_cursor}`;
    } while (next !== '');
    return items;
  };

  test.before(async () => {
    bench = await openBench(database);
    const { keys } = bench.test.service;
    foreignKey = (await keys.create({ workspaceId: bench.test.foreignWorkspaceId, name: 'theirs', preset: 'full' }))
      .secret;
  });
  test.after(() => bench.close());

  test('an id of another workspace gets the same response as an unknown id', async () => {
    const attackedIds: [Operation, Fixture][] = [];
    for (const operation of operations()) {
      const fixture = await operation.fixture(bench.kit);
      const refuses = operation.errors.some((code) => code.endsWith('_not_found'));
      if (refuses && foreignIds(fixture)?.params !== undefined) attackedIds.push([operation, fixture]);
    }
    const before = await rowsOf(bench.test);
    for (const [operation, fixture] of attackedIds)
      assert.equal(await foreignIdLeaks(bench, operation, fixture), [], operation.id);
    assert.equal(changesOf(before, await rowsOf(bench.test)), [], 'a refused call changed something');
    for (const [operation] of attackedIds) {
      const fixture = await operation.fixture(bench.kit);
      const control = await askRest(bench, operation, fixture, { key: bench.test.liveKey });
      assert.is(control.status, operation.status, `the control of ${operation.id}: ${control.text}`);
    }
    assert.ok(attackedIds.length >= 5, `only ${attackedIds.length} operations were attacked`);
  });

  test('a suppression of another workspace cannot be seen or deleted', async () => {
    await bench.post('/v1/suppressions', { email: 'theirs@example.org' }, { key: foreignKey });
    const remove = (email: string, key: string) =>
      bench.ask({ method: 'DELETE', url: `/v1/suppressions/${email}`, key });
    const foreignResponse = await remove('theirs@example.org', bench.test.liveKey);
    const missingResponse = await remove('nobody@example.org', bench.test.liveKey);
    assert.is(withoutIds(foreignResponse, ['theirs']), withoutIds(missingResponse, ['nobody']));
    assert.is((await remove('theirs@example.org', foreignKey)).json.deleted, true, 'the suppression is missing');
  });

  test('a foreign id in a body or filter gets the same result as an unknown id', async () => {
    const theirKey = (await bench.get('/v1/keys', { key: foreignKey })).json.data[0].id;
    const theirTheme = 'thm_01JD3Q5S8ZK2M4N6P8R0T2V4W6';
    const [filters, missing] = [`?apiKeyId=${theirKey}`, `?apiKeyId=${missingOf({ a: theirKey }).a}`];
    assert.is(withoutIds(await bench.get(`/v1/sends${filters}`)), withoutIds(await bench.get(`/v1/sends${missing}`)));
    const [actor, nobody] = [`/v1/audit?actor=${theirKey}`, `/v1/audit?actor=${missingOf({ a: theirKey }).a}`];
    assert.is(withoutIds(await bench.get(actor)), withoutIds(await bench.get(nobody)));
    for (const themeId of [theirTheme, missingOf({ a: theirTheme }).a])
      assert.is((await bench.post('/v1/templates', { key: 'themed', themeId })).json.error?.code, 'theme_not_found');
  });

  test('a list never shows rows of another workspace, with any cursor', async () => {
    const { workspaceId, foreignWorkspaceId } = bench.test;
    const theirKit = createFixtureKit({
      ...bench.test,
      workspaceId: foreignWorkspaceId,
      foreignWorkspaceId: workspaceId,
    });
    for (const operation of operations()) {
      for (const kit of [bench.kit, theirKit, theirKit]) {
        const fixture = await operation.fixture(kit);
        const key = kit === bench.kit ? bench.test.liveKey : foreignKey;
        await askRest(bench, operation, fixture, { key });
      }
    }
    // Rows that no operation creates are created by the program.
    for (const { exampleRow } of lists())
      for (const [kit, id] of [
        [bench.kit, workspaceId],
        [theirKit, foreignWorkspaceId],
        [theirKit, foreignWorkspaceId],
      ] as const)
        if (typeof exampleRow === 'function') await exampleRow(kit, id, {});
    for (const { id, path } of lists()) {
      const ownList = await textsOfList(path);
      const foreignResponse = (await bench.get(`${path}?limit=1`, { key: foreignKey })).json;
      assert.ok(typeof foreignResponse.next_cursor === 'string', `${id} of the other workspace has only one page`);
      const [list] = JSON.parse(Buffer.from(foreignResponse.next_cursor, 'base64url').toString()) as [string];
      const positions = [
        [8e15, '~'],
        [0, ''],
        [-8e15, ''],
        [bench.test.now(), "' OR 1=1 --"],
        [bench.test.now() + 1, '%'],
      ];
      const forgedCursors = positions.map((position) =>
        Buffer.from(JSON.stringify([list, ...position])).toString('base64url'),
      );
      for (const cursor of [foreignResponse.next_cursor, ...forgedCursors]) {
        const { status, json } = await bench.get(`${path}?limit=100&cursor=${cursor}`);
        assert.is(status, 200, id);
        for (const item of json.data) assert.ok(ownList.has(textOf(item)), `${id} showed ${textOf(item)}`);
      }
    }
  });

  test('the cursor of one list is refused by every other list', async () => {
    const cursors = new Map<string, string>();
    for (const { path } of lists())
      cursors.set(path, (await bench.get(`${path}?limit=1`, { key: foreignKey })).json.next_cursor);
    assert.ok(cursors.size >= 5);
    for (const [path, cursor] of cursors)
      for (const { path: other } of lists()) {
        const { status, json } = await bench.get(`${other}?cursor=${cursor}`, { key: foreignKey });
        assert.is(status, path === other ? 200 : 400);
        if (path !== other) assert.is(json.error.code, 'cursor_invalid');
      }
  });

  test('patterns and quotes in a filter match only as literal text', async () => {
    const words = [
      '%',
      '_',
      '%%',
      'a%',
      "' OR '1'='1",
      "'; DELETE FROM t1_sends; --",
      '\\',
      '"',
      '*',
      '?',
      '$1',
      '[a-z]*',
      '.*',
      '\\%',
    ];
    const before = await rowsOf(bench.test);
    for (const word of words.map(encodeURIComponent)) {
      for (const filter of ['templateKey', 'to', 'apiKeyId'])
        assert.equal((await bench.get(`/v1/sends?${filter}=${word}`)).json.data, [], word);
      for (const filter of ['actor', 'action'])
        assert.equal((await bench.get(`/v1/audit?${filter}=${word}`)).json.data, [], word);
      for (const action of ['%.*', '_.*', '.*', "'.*", 't_mplate.*', 'TEMPLATE.*', 'templat.*'])
        assert.equal((await bench.get(`/v1/audit?action=${encodeURIComponent(action)}`)).json.data, [], action);
      assert.is((await bench.get(`/v1/templates/${word}`)).status, 404);
    }
    assert.is(await rowsOf(bench.test), before);
    assert.ok((await bench.get('/v1/audit?action=template.*')).json.data.length > 0, 'the control found nothing');
  });

  test('an Idempotency-Key that was used in another workspace replays nothing', async () => {
    const send = async (key: string, name: string) => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': 'shared' };
      return bench.ask({
        method: 'POST',
        url: '/v1/suppressions',
        key,
        headers,
        body: JSON.stringify({ email: 'a@example.org', note: name }),
      });
    };
    assert.is((await send(foreignKey, 'theirs')).json.note, 'theirs');
    const ownList = await send(bench.test.liveKey, 'ours');
    assert.is(ownList.json.note, 'ours');
    assert.is(ownList.headers['Idempotent-Replay'], undefined);
    assert.is((await send(foreignKey, 'theirs')).headers['Idempotent-Replay'], 'true', 'the control was not replayed');
  });
});
