// A batch in a transaction of the program: it is sent if the program commits, and does not exist if the program rolls back.
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

const test = suite('batches in a transaction of the program');

test("a batch and its attachments are committed and rolled back with the program's transaction", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-batch-'));
  const filename = join(folder, 'app.sqlite');
  const bench = await createTestService({ plugins: bareStandardPlugins, storage: sqliteStorage({ filename }) });
  const database = new Database(filename);
  const { email, sends, templates } = bench.service.as(bench.workspaceId);
  await templates.create({ key: 'news', mode: 'html', subject: 'Hello {{name}}', body: '<p>Hello {{name}}</p>' });
  await templates.publish({ key: 'news' });
  const recipients = ['ada', 'grace', 'linus'].map((name) => ({ to: `${name}@example.com`, variables: { name } }));
  const attachments = [{ filename: 'a.txt', content_type: 'text/plain', data_base64: 'eHg=' }];
  const batch = { template: 'news', recipients, attachments };

  for (const end of ['rollback', 'commit']) {
    database.exec('begin immediate');
    const { data } = await email.batch(batch, { trx: database });
    assert.is(data.filter((item) => 'status' in item).length, 3);
    database.exec(end);
    await bench.drain();
    assert.is((await sends.list()).data.length, end === 'commit' ? 3 : 0, end);
  }
  assert.equal(
    bench.mail.messages().map(({ attachments: files }) => files.length),
    [1, 1, 1],
  );
  database.close();
  await bench.close();
  await rm(folder, { recursive: true });
});

if (await hasPostgres()) {
  test('batches in open transactions of the program take no in-flight slots from other callers', async () => {
    const schema = newSchema();
    const bench = await createTestService({
      plugins: bareStandardPlugins,
      storage: postgresStorage({ connectionString: postgresUrl, schema }),
    });
    const pool = new pg.Pool({ connectionString: postgresUrl, max: 4, options: `-c search_path=${schema}` });
    const { email, sends, templates } = bench.service.as(bench.workspaceId);
    await templates.create({ key: 'news', mode: 'html', subject: 'Hello', body: '<p>Hello</p>' });
    await templates.publish({ key: 'news' });
    const batch = (to: string) => ({ template: 'news', recipients: [{ to, variables: {} }] });
    const clients = await Promise.all([1, 2, 3, 4].map(() => pool.connect()));
    for (const [index, trx] of clients.entries()) {
      await trx.query('begin');
      await email.batch(batch(`joined-${index}@example.com`), { trx });
    }
    const { data } = await email.batch(batch('alone@example.com'));
    assert.ok(data.every((item) => 'status' in item));
    for (const trx of clients) {
      await trx.query('commit');
      trx.release();
    }
    assert.is((await sends.list()).data.length, 5);
    await pool.end();
    await bench.close();
    await dropSchema(schema);
  });
}

test.run();
