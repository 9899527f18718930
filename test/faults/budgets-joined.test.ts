// A budget on MariaDB, counted in transactions of the program that use every connection of their pool. No lease is available, so each
// call counts with a row lock. The count stays exact, and it ends no transaction of the program.
// full-run: slow
import type { Pool, PoolConnection, RowDataPacket } from 'mysql2/promise';
import mysql from 'mysql2/promise';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { mysqlStorage } from '../../adapters/storage/mysql.ts';
import { createService } from '../../core/kernel/compose.ts';
import { createTestService, type TestService } from '../../hosts/testing/test-service.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { createMysqlDatabase, dropMysqlDatabase, hasMysql, mysqlUrlOf } from '../support/mysql-server.ts';

const test = suite("a budget in the program's transactions, on MariaDB");
const connections = 4;
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const keyring = localKeyring({ keys: [{ id: 'test', secret: 'a secret for tests only, 32 bytes' }] });
const options = { plugins: standardPlugins, logger: quiet, keyring };

type SendResult = 'sent' | 'send_budget_exhausted' | 'service_unavailable';

interface Scene {
  /** Every connection of the pool. */
  readonly held: readonly PoolConnection[];
  send(trx: PoolConnection): Promise<SendResult>;
  /** Passes `work` a function that sends from another process, with its own connections. */
  sendInOtherProcess(work: (send: () => Promise<SendResult>) => Promise<void>): Promise<void>;
  /** The sends that the workspace has used, and the orders that the program has stored. Releases the connections first. */
  counts(): Promise<{ readonly used: number; readonly orders: number }>;
}

const outcomeOf = (sending: Promise<unknown>): Promise<SendResult> =>
  sending.then(
    () => 'sent',
    (error: { code: SendResult }) => error.code,
  );

let database = '';
let pool: Pool;
let bench: TestService<(typeof standardPlugins)[number]['id']>;
test.before(async () => {
  database = await createMysqlDatabase();
  pool = mysql.createPool({ uri: mysqlUrlOf(database), charset: 'utf8mb4', connectionLimit: connections });
  bench = await createTestService({ ...options, storage: mysqlStorage({ pool }) });
  await pool.query('create table orders (id varchar(40) primary key)');
});
test.after(async () => {
  await bench.close();
  await pool.end();
  await dropMysqlDatabase(database);
});

/** A workspace with this budget, whose program uses all connections of its pool. */
async function withScene(limit: number, use: (scene: Scene) => Promise<void>): Promise<void> {
  const { id } = await bench.service.workspaces.create({
    name: 'Orders',
    defaultFrom: { email: 'hello@example.com', name: 'Orders' },
    figures: { monthlySendBudget: limit },
  });
  const calls = bench.service.as(id);
  const body = { template: 'hello', to: 'ada@example.org', variables: {} };
  await calls.templates.create({ key: 'hello', mode: 'html', subject: 'Hi', body: '<p>Hi</p>' });
  await calls.templates.publish({ key: 'hello' });
  await pool.query('delete from orders');
  const poolConnections: PoolConnection[] = [];
  const release = (): void => {
    for (const connection of poolConnections.splice(0)) connection.release();
  };
  try {
    for (let count = 0; count < connections; count += 1) poolConnections.push(await pool.getConnection());
    await use({
      held: poolConnections,
      send: (trx) => outcomeOf(calls.email.send(body, { trx })),
      async sendInOtherProcess(work) {
        const storage = mysqlStorage({ uri: mysqlUrlOf(database) });
        const otherService = createService({ ...options, storage, mail: bench.mail, clock: { now: bench.now } });
        try {
          await work(() => outcomeOf(otherService.as(id).email.send(body)));
        } finally {
          await otherService.stop();
        }
      },
      async counts() {
        release();
        const [rows] = await pool.query<RowDataPacket[]>('select count(*) as orders from orders');
        return { used: (await calls.workspace.read()).usage.sends_this_month, orders: Number(rows[0]?.orders) };
      },
    });
  } finally {
    for (const connection of poolConnections) await connection.query('rollback');
    release();
  }
}

const begin = async (trx: PoolConnection, order: string): Promise<void> => {
  await trx.query('start transaction');
  await trx.query('insert into orders values (?)', [order]);
};

test('while one open transaction has counted, the others are refused in time, and all can still commit', () =>
  withScene(2, async ({ held, send, counts }) => {
    for (const [index, trx] of held.entries()) await begin(trx, `o${index}`);
    const results = await Promise.all(held.map(send));
    assert.equal([...results].sort(), ['sent', ...Array(connections - 1).fill('service_unavailable')].sort());
    for (const trx of held) await trx.commit();
    assert.equal(await counts(), { used: 1, orders: connections });
  }));

test('transactions that end and begin again use up exactly the limit', () =>
  withScene(6, async ({ held, send, counts }) => {
    const program = async (trx: PoolConnection, name: number): Promise<number> => {
      let sent = 0;
      for (let turn = 0; ; turn += 1) {
        await begin(trx, `o${name}-${turn}`);
        const result = await send(trx);
        await trx.commit();
        if (result === 'send_budget_exhausted') return sent;
        if (result === 'sent') sent += 1;
      }
    };
    const sent = await Promise.all(held.map(program));
    assert.is(
      sent.reduce((sum, count) => sum + count),
      6,
    );
    assert.is((await counts()).used, 6);
  }));

for (const isStrict of [false, true])
  test(`a transaction with an old ${isStrict ? 'strict ' : ''}snapshot stays within the limit, and is not ended`, () =>
    withScene(2, async ({ held: [early, late], send, counts }) => {
      if (early === undefined || late === undefined) throw new Error('There are too few connections.');
      await early.query('set session transaction isolation level repeatable read');
      if (isStrict) await early.query('set session innodb_snapshot_isolation = on');
      await begin(early, 'early');
      await early.query('select * from orders');
      await begin(late, 'late');
      assert.equal([await send(late), await send(late)], ['sent', 'sent']);
      await late.commit();
      assert.is(await send(early), 'service_unavailable');
      await early.commit();
      await begin(early, 'again');
      assert.is(await send(early), isStrict ? 'service_unavailable' : 'send_budget_exhausted');
      await early.commit();
      await early.query('set session innodb_snapshot_isolation = off');
      assert.equal(await counts(), { used: 2, orders: 3 });
    }));

test('a call in another process cannot use a count that an open transaction has made', () =>
  withScene(1, async ({ held: [trx], send, sendInOtherProcess: beside, counts }) => {
    if (trx === undefined) throw new Error('There is no connection.');
    await begin(trx, 'o');
    assert.is(await send(trx), 'sent');
    await beside(async (sendBeside) => {
      assert.is(await sendBeside(), 'service_unavailable');
      await trx.rollback();
      assert.is(await sendBeside(), 'sent');
    });
    assert.equal(await counts(), { used: 1, orders: 0 });
  }));

if (await hasMysql()) test.run();
