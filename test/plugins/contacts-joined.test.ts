// Contacts in a transaction of the program on MySQL. The transaction sees all data as of its first read, but a call in it neither
// overwrites nor misses changes that other transactions have committed since then. Skipped if the server is not available.
import { createPool } from 'mysql2/promise';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mysqlStorage } from '../../adapters/storage/mysql.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { createMysqlDatabase, dropMysqlDatabase, hasMysql, mysqlUrlOf } from '../support/mysql-server.ts';

const open = async () => {
  const database = await createMysqlDatabase();
  const uri = mysqlUrlOf(database);
  const pool = createPool({ uri, connectionLimit: 2 });
  const bench = await createTestService({
    plugins: standardPlugins,
    storage: mysqlStorage({ uri, maxConnections: 4 }),
  });
  return {
    ...bench.service.as(bench.workspaceId),
    pool,
    async close() {
      await pool.end();
      await bench.close();
      await dropMysqlDatabase(database);
    },
  };
};

const test = suite('contacts in the transaction of a program on mariadb');

if (await hasMysql()) {
  let bench: Awaited<ReturnType<typeof open>>;
  test.before(async () => {
    bench = await open();
  });
  test.after(() => bench.close());

  /** Runs `work` in a transaction that read the contacts before `others` changed them. */
  const withStaleSnapshot = async <T>(
    others: () => Promise<unknown>,
    work: (options: { readonly trx: object }) => Promise<T>,
  ): Promise<T> => {
    const trx = await bench.pool.getConnection();
    try {
      await trx.query('set session transaction isolation level repeatable read');
      await trx.beginTransaction();
      await bench.contacts.list({}, { trx });
      await others();
      const answer = await work({ trx });
      await trx.commit();
      return answer;
    } catch (error) {
      await trx.rollback();
      throw error;
    } finally {
      trx.release();
    }
  };
  const only = async (external_id: string) => {
    const { data } = await bench.contacts.list({ external_id });
    assert.is(data.length, 1);
    return data[0];
  };

  test('attributes that another transaction committed meanwhile are kept', async () => {
    const { contacts } = bench;
    await contacts.upsert({ external_id: 'kept', attributes: { before: 1 } });
    await withStaleSnapshot(
      () => contacts.upsert({ external_id: 'kept', attributes: { theirs: 2 } }),
      (options) => contacts.upsert({ external_id: 'kept', attributes: { mine: 3 } }, options),
    );
    assert.equal((await only('kept'))?.attributes, { before: 1, theirs: 2, mine: 3 });
  });

  test('an event finds a contact that another transaction created meanwhile, by each of its identifiers', async () => {
    const { contacts, events } = bench;
    for (const reference of [{ external_id: 'new' }, { email: 'new@example.com' }]) {
      await contacts.list({ external_id: 'new' });
      const result = await withStaleSnapshot(
        () => contacts.upsert({ ...reference, attributes: { theirs: true } }),
        (options) => events.emit({ type: 'order.placed', contact: reference }, options),
      );
      assert.equal((await contacts.read({ contactId: result.contact.id })).attributes, { theirs: true });
    }
  });

  test('an address that another transaction moved meanwhile is found at its new contact', async () => {
    const { contacts, events } = bench;
    await contacts.upsert({ external_id: 'had', email: 'moves@example.com' });
    const result = await withStaleSnapshot(
      () => contacts.upsert({ external_id: 'has', email: 'moves@example.com' }),
      (options) => contacts.upsert({ email: 'moves@example.com', attributes: { plan: 'pro' } }, options),
    );
    assert.is(result.external_id, 'has');
    assert.equal((await only('had'))?.attributes, {});
    const event = await events.emit({ type: 'order.placed', contact: { email: 'moves@example.com' } });
    assert.is(event.contact.id, result.id);
  });
}

test.run();
