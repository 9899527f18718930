// The schemas on which a process works: complete schemas and schemas that a later release has expanded, but no schema from which
// something was removed. Two releases are two compositions on one database.
import { strict as assert } from 'node:assert';
import type { Kysely } from 'kysely';
import { defineMigration } from '../../core/contract/declaration/migration.ts';
import { definePlugin } from '../../core/contract/declaration/plugin.ts';
import { isStorageError } from '../../core/contract/ports/storage.ts';
import { createService } from '../../core/kernel/compose.ts';
import { incompatibility } from '../../core/storage/compatibility.ts';
import { unscoped } from '../../core/storage/scope.ts';
import { eachDatabase, type TestDatabase } from '../support/databases.ts';

const create = defineMigration({
  id: '0001-toys',
  changes: [
    { create: 'toys', columns: { id: 'id', name: 'text', colour: 'text' }, primaryKey: ['id'] },
    { create: 'boxes', columns: { id: 'id' }, primaryKey: ['id'] },
    { index: 'toys_id', on: 'toys', columns: ['id'] },
  ],
});
const expand = defineMigration({
  id: '0002-size',
  changes: [{ alter: 'toys', add: { size: 'integer?', age: 'integer?' } }],
});
const contract = defineMigration({
  id: '0003-less',
  compatibility: 'contract',
  changes: [{ dropIndex: 'toys_id', on: 'toys' }, { alter: 'toys', remove: ['colour', 'age'] }, { drop: 'boxes' }],
});

const releases = [[create], [create, expand], [create, expand, contract]] as const;

await eachDatabase('schemas on which a process works', (test, database: TestDatabase) => {
  /** Release number `index` of a program, on the tables with this prefix */
  const openRelease = (index: number, tablePrefix: string) =>
    createService({
      storage: database.createStorage(),
      plugins: [
        definePlugin({
          id: 'toys',
          scopes: [{ scope: 'toys:read', description: 'See toys.' }],
          tables: { toys: { tenant: false }, ...(index < 2 && { boxes: { tenant: false } }) },
          migrations: [...(releases[index] ?? [])],
        }),
      ],
      tablePrefix,
      logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    });

  const withReleases = async (work: (open: (index: number) => ReturnType<typeof openRelease>) => Promise<void>) => {
    const prefix = database.newPrefix();
    const openServices: ReturnType<typeof openRelease>[] = [];
    try {
      await work((index) => {
        const service = openRelease(index, prefix);
        openServices.push(service);
        return service;
      });
    } finally {
      for (const service of openServices) await service.stop();
    }
  };

  const newWorkspace = { name: 'Acme', defaultFrom: { email: 'a@example.com', name: 'Acme' } };

  test('a process refuses to start and to work while a migration is missing, and continues after it is applied', () =>
    withReleases(async (open) => {
      const first = open(0);
      const pending = (error: Error) =>
        isStorageError(error, 'unavailable') &&
        /pending \(core\/0001-core, .*Run: postrider migrate/.test(error.message);
      await assert.rejects(() => first.start(), pending);
      await assert.rejects(
        () => first.workspaces.create(newWorkspace),
        (error: Error) => pending(error) || pending(error.cause as Error),
      );
      await open(0).migrate();
      await first.workspaces.create(newWorkspace);
      await first.start();
    }));

  test('a process responds with 503 while a migration is missing, and continues after it is applied', () =>
    withReleases(async (open) => {
      const first = open(0);
      await first.migrate();
      const { id } = await first.workspaces.create(newWorkspace);
      const { secret } = await first.keys.create({ workspaceId: id, name: 'a', scopes: ['toys:read'] });
      const newer = open(1);
      const ask = () =>
        newer.dispatch({
          method: 'POST',
          url: '/v1/mcp',
          headers: {
            authorization: `Bearer ${secret}`,
            'content-type': 'application/json',
            accept: 'application/json',
          },
          body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
          address: '127.0.0.1',
        });
      assert.equal((await ask()).status, 503);
      await newer.migrate();
      assert.equal((await ask()).status, 200);
    }));

  test('a process runs on a schema that a later release expanded', () =>
    withReleases(async (open) => {
      await open(0).migrate();
      const running = open(0);
      await running.workspaces.create(newWorkspace);
      await open(1).migrate();
      await running.workspaces.create(newWorkspace);
      const older = open(0);
      await older.start();
      await older.workspaces.create(newWorkspace);
      const { unknown, pending, incompatible } = await older.migrationStatus();
      assert.deepEqual(
        [unknown.map(({ id, compatibility, release }) => [id, compatibility, release]), pending, incompatible],
        [[['0002-size', 'expand', '0.1.0']], [], undefined],
      );
      assert.deepEqual(await older.migrate(), []);
    }));

  test('a process refuses a schema from which a later release of a plugin has removed something, and names the release', () =>
    withReleases(async (open) => {
      const newest = open(2);
      await newest.migrate();
      await newest.start();
      const older = open(1);
      const isRefusal = (error: Error) =>
        isStorageError(error, 'unavailable') &&
        /newer than this process: a later release of the plugin toys removed .*\(toys\/0003-less\).*that release of the plugin/.test(
          error.message,
        );
      await assert.rejects(() => older.start(), isRefusal);
      await assert.rejects(() => older.migrate(), isRefusal);
      await assert.rejects(() => older.core.database(), isRefusal);
      assert.match((await older.migrationStatus()).incompatible ?? '', /restore a backup/);
    }));

  test('if a later release of Postrider has removed something, a process names both releases', () => {
    const laterMigration = { namespace: 'core', id: '0009-less', compatibility: 'contract', release: '0.9.0' } as const;
    const source = { all: [{ namespace: 'core', migrations: [] }], release: '0.1.0' };
    const reason = incompatibility(source, [{ ...laterMigration, appliedAt: 0 }]);
    assert.match(reason ?? '', /Postrider 0\.9\.0 removed .*\(core\/0009-less\).* 0\.1\.0, which runs here/);
  });

  test('a process names a failed migration and the resulting state of the schema', () =>
    withReleases(async (open) => {
      const first = open(0);
      await first.migrate();
      const storedDatabase = await first.core.database();
      const { prefix, adapter } = storedDatabase;
      await storedDatabase.transact(async (scope) => {
        const db = scope.handle(unscoped('rows of the test')).db as unknown as Kysely<{ toys: Record<string, string> }>;
        for (const id of ['1', '2']) await db.insertInto('toys').values({ id, name: 'Bear', colour: 'red' }).execute();
      });
      const failingMigration = defineMigration({
        id: '0002-twice',
        compatibility: 'contract',
        changes: [
          { create: 'blocks', columns: { id: 'id' }, primaryKey: ['id'] },
          // Two toys have this name. On MySQL and MariaDB a text column cannot be unique at all.
          { index: 'toys_name', on: 'toys', columns: ['name'], unique: true },
        ],
      });
      const failing = createService({
        storage: adapter,
        plugins: [
          definePlugin({
            id: 'toys',
            scopes: [{ scope: 'toys:read', description: 'See toys.' }],
            tables: { toys: { tenant: false }, boxes: { tenant: false }, blocks: { tenant: false } },
            migrations: [create, failingMigration],
          }),
        ],
        tablePrefix: prefix,
      });
      const expectedEnd = adapter.dialect === 'mysql' ? 'continues after them' : 'It was rolled back';
      await assert.rejects(
        () => failing.migrate(),
        (error: Error) =>
          /^The migration toys\/0002-twice failed: /.test(error.message) && error.message.includes(expectedEnd),
      );
      await failing.stop();
    }));

  test('a process ignores the history of plugins that it does not compose', () =>
    withReleases(async (open) => {
      const newest = open(2);
      await newest.migrate();
      const { adapter, prefix } = await newest.core.database();
      const withoutPlugin = createService({ storage: adapter, plugins: [], tablePrefix: prefix });
      await withoutPlugin.core.database();
      await withoutPlugin.stop();
    }));

  test('a process works with the shorter migration history of the first releases, and the first releases work with its history', () =>
    withReleases(async (open) => {
      const first = open(0);
      await first.migrate();
      const { driver, prefix } = await first.core.anyDatabase();
      const runSql = (sql: string) => driver.transact((connection) => connection.query({ sql, parameters: [] }));
      await runSql(`alter table ${prefix}migrations drop column compatibility`);
      await runSql(`alter table ${prefix}migrations drop column applied_by`);
      await open(0).start();
      const [planned] = await open(1).pendingMigrations();
      assert.match(planned?.sql[0] ?? '', /add column compatibility/);
      assert.deepEqual(
        (await open(1).migrate()).map(({ id }) => id),
        ['0002-size'],
      );
      await runSql(`insert into ${prefix}migrations (namespace, id, applied_at) values ('old', '0001', 5)`);
      const { applied } = await open(1).migrationStatus();
      assert.deepEqual(
        applied.map(({ id, compatibility, release }) => [id, compatibility, release]),
        [
          ['0001-core', 'expand', null],
          ['0001', 'expand', null],
          ['0001-toys', 'expand', null],
          ['0002-size', 'expand', '0.1.0'],
        ],
      );
      assert.ok(applied.every(({ id, appliedAt }) => id === '0001' || Math.abs(appliedAt - Date.now()) < 600_000));
    }));
});
