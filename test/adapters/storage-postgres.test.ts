// Postgres storage against the shared suite: with a pool of its own, with the program's pool, prepared and not.
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { storageAdapterSuite } from '../../core/testing/storage-suite.ts';
import type { HostTransaction, StorageSubject } from '../../core/testing/storage-suite-subject.ts';
import { asOutsider, dropSchema, hasPostgres, newSchema, postgresUrl } from '../support/postgres-server.ts';

const test = suite('postgres storage');
const adapter = postgresStorage({ connectionString: postgresUrl });

async function hostTransaction(client: pg.ClientBase): Promise<HostTransaction> {
  await client.query('BEGIN');
  const finish = (text: string) => async (): Promise<void> => {
    await client.query(text);
  };
  return { handle: client, commit: finish('COMMIT'), rollback: finish('ROLLBACK') };
}

async function ownPoolSubject(preparedStatements: boolean): Promise<StorageSubject> {
  const schema = newSchema();
  const clients: pg.Client[] = [];
  return {
    createAdapter: () =>
      postgresStorage({ connectionString: postgresUrl, schema, maxConnections: 4 }, { preparedStatements }),
    async beginHostTransaction() {
      const client = new pg.Client({ connectionString: postgresUrl, options: `-c search_path=${schema}` });
      clients.push(client);
      await client.connect();
      return hostTransaction(client);
    },
    async remove() {
      for (const client of clients) await client.end();
      await dropSchema(schema);
    },
  };
}

async function hostPoolSubject(): Promise<StorageSubject> {
  const schema = newSchema();
  await asOutsider(`create schema ${schema}`);
  const pool = new pg.Pool({ connectionString: postgresUrl, options: `-c search_path=${schema}`, max: 6 });
  const clients: pg.PoolClient[] = [];
  return {
    createAdapter: () => postgresStorage({ pool }),
    async beginHostTransaction() {
      const client = await pool.connect();
      clients.push(client);
      return hostTransaction(client);
    },
    async remove() {
      assert.is(pool.ended, false, 'the pool of the program was closed');
      for (const client of clients) client.release();
      await pool.end();
      await dropSchema(schema);
    },
  };
}

async function register(): Promise<void> {
  if (await hasPostgres()) {
    const forms = [
      { name: 'an own pool', createSubject: () => ownPoolSubject(true) },
      { name: 'an own pool without prepared statements', createSubject: () => ownPoolSubject(false) },
      { name: "the program's pool", createSubject: hostPoolSubject },
    ];
    for (const form of forms) storageAdapterSuite({ ...form, adapter, hostTransactions: true }, test);
  }
  test('refuses settings that cannot be meant', () => {
    for (const schema of ['Upper', 'a-b', 'a; drop', '', '1a', 'x'.repeat(64)]) {
      assert.throws(() => postgresStorage({ schema }), /cannot be the schema/);
    }
    const connectionString = 'postgres://localhost/x?options=-c%20geqo=off';
    assert.throws(() => postgresStorage({ connectionString, schema: 'a' }), /options/);
    assert.throws(() => postgresStorage({}, { waitMs: 1.5 }), /whole milliseconds/);
    assert.throws(() => postgresStorage({}, { statementTimeoutMs: -1 }), /whole milliseconds/);
  });
  test.run();
}

void register();
