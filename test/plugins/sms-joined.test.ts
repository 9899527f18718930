// An SMS in a transaction of the program: it is sent if the program commits, and leaves no trace if it rolls back.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { dropSchema, hasPostgres, newSchema, postgresUrl } from '../support/postgres-server.ts';

const test = suite('SMS in a transaction of the program');
const login = { templateKey: 'auth_login_code', to: '+14155550123', variables: { code: '482913' } } as const;

test("on SQLite an SMS is committed and rolled back with the program's transaction", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-sms-'));
  const filename = join(folder, 'app.sqlite');
  const bench = await createTestService({ plugins: bareStandardPlugins, storage: sqliteStorage({ filename }) });
  const database = new Database(filename);
  const { sms } = bench.service.as(bench.workspaceId);
  for (const [end, count] of [
    ['rollback', 0],
    ['commit', 1],
  ] as const) {
    database.exec('begin immediate');
    assert.is((await sms.send(login, { trx: database })).status, 'queued');
    assert.is(bench.sms.messages().length, 0, 'no message leaves before the commit');
    database.exec(end);
    await bench.drain();
    assert.equal([bench.sms.messages().length, (await sms.deliveries()).data.length], [count, count], end);
  }
  database.close();
  await bench.close();
  await rm(folder, { recursive: true });
});

if (await hasPostgres()) {
  test("on PostgreSQL an SMS is committed and rolled back with the program's transaction", async () => {
    const schema = newSchema();
    const storage = postgresStorage({ connectionString: postgresUrl, schema });
    const bench = await createTestService({ plugins: bareStandardPlugins, storage });
    const pool = new pg.Pool({ connectionString: postgresUrl, max: 1, options: `-c search_path=${schema}` });
    const { sms } = bench.service.as(bench.workspaceId);
    const trx = await pool.connect();
    for (const [end, count] of [
      ['rollback', 0],
      ['commit', 1],
    ] as const) {
      await trx.query('begin');
      await sms.send(login, { trx });
      await trx.query(end);
      await bench.drain();
      assert.equal([bench.sms.messages().length, (await sms.deliveries()).data.length], [count, count], end);
    }
    trx.release();
    await pool.end();
    await bench.close();
    await dropSchema(schema);
  });
}

test.run();
