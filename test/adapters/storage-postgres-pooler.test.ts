// Postgres behind the pgbouncer of Debian 12 (1.18), which supports prepared statements and LISTEN in session
// mode only.
// full-run: slow
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type PostgresOptions, postgresStorage } from '../../adapters/storage/postgres.ts';
import type { PostgresPoolClient } from '../../adapters/storage/postgres-connection.ts';
import { PostgresDriver } from '../../adapters/storage/postgres-driver.ts';
import { detectPooler, noticeOf } from '../../adapters/storage/postgres-pooler.ts';
import { isStorageError, type StorageDriver } from '../../core/contract/ports/storage.ts';
import { createService } from '../../core/index.ts';
import { ownPooler, type Pooling } from '../support/own-server.ts';
import { hasPostgres, newSchema, postgresUrl, queryOnOwnConnection } from '../support/postgres-server.ts';

const test = suite('postgres storage behind pgbouncer');
const creation = { sql: 'create table items (n bigint not null)', parameters: [] };
const count = { sql: 'select count(*) as n from items where n > $1', parameters: [0], hot: true };
const insert = { sql: 'insert into items (n) values ($1)', parameters: [1], hot: true };

/** A pgbouncer in front of an empty database with the table `items`. */
async function withPgbouncer(pooling: Pooling, work: (connectionString: string) => Promise<void>): Promise<void> {
  const database = newSchema();
  await queryOnOwnConnection(`create database ${database}`);
  const target = new URL(postgresUrl);
  target.pathname = `/${database}`;
  const pooler = await ownPooler(target.href, pooling);
  try {
    if (pooler !== undefined) await work(pooler.url);
  } finally {
    await pooler?.remove();
    await queryOnOwnConnection(`drop database ${database} with (force)`);
  }
}

async function withStorage(
  connectionString: string,
  work: (storage: StorageDriver) => Promise<void>,
  options: PostgresOptions = {},
): Promise<void> {
  const storage = await postgresStorage({ connectionString, maxConnections: 5 }, options).open();
  try {
    await work(storage);
  } finally {
    await storage.close();
  }
}

/** Forty transactions on five connections: if possible, each session of Postgres serves several clients. */
async function assertWrites(storage: StorageDriver): Promise<void> {
  await storage.transact((connection) => connection.query(creation));
  await Promise.all(
    Array.from({ length: 40 }, () => storage.transact(async (connection) => void (await connection.query(insert)))),
  );
  assert.is((await storage.read((connection) => connection.query(count))).rows[0]?.['n'], 40);
}

async function faultOf(promise: Promise<unknown>): Promise<{ fault: string; message: string }> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isStorageError(error)) throw new Error(`It was expected to fail with a StorageError: ${String(error)}`);
  return { fault: error.fault, message: error.message };
}

if (await hasPostgres()) {
  test('the storage in transaction mode works without statement names and LISTEN, and reports that once', () =>
    withPgbouncer({ mode: 'transaction', size: 3 }, async (connectionString) => {
      await withStorage(connectionString, async (storage) => {
        assert.match(storage.notice ?? '', /prepared statements do not get through.*LISTEN does not get through/);
        assert.is((await storage.describe())['prepared_statements'], 0);
        await assertWrites(storage);
        assert.is(await storage.listen?.('items', () => undefined), undefined);
      });
      const notices: string[] = [];
      const warnings: string[] = [];
      const info = (_fields: Record<string, unknown>, message: string): void =>
        void (message.startsWith('There is a pooler') && notices.push(message));
      const warn = (_fields: Record<string, unknown>, message: string): void => void warnings.push(message);
      const logger = { debug: () => undefined, info, warn, error: warn };
      const service = createService({ plugins: [], storage: postgresStorage({ connectionString }), logger });
      await service.migrate();
      await service.start();
      await service.stop();
      assert.equal(warnings, []);
      assert.is(notices.length, 1, notices.join('\n'));
      assert.match(notices[0] ?? '', /You need not do anything\.$/);
    }));

  test("in transaction mode a short wait ends while another transaction has the pooler's last connection", () =>
    withPgbouncer({ mode: 'transaction', size: 1 }, (connectionString) =>
      withStorage(
        connectionString,
        async (storage) => {
          await assertWrites(storage);
          await storage.transact(async (outer) => {
            await outer.query(insert);
            // Without its own limit, the call would wait for this transaction, and this transaction for the call.
            const inner = storage.transact((connection) => connection.query(insert), { waitMs: 100 });
            assert.is((await faultOf(inner)).fault, 'unavailable');
          });
          assert.is((await storage.read((connection) => connection.query(count))).rows[0]?.['n'], 41);
        },
        { statementTimeoutMs: 0 },
      ),
    ));

  test('in transaction mode the storage refuses prepared statements if they are requested', () =>
    withPgbouncer({ mode: 'transaction', size: 3 }, async (connectionString) => {
      const opening = postgresStorage({ connectionString }, { preparedStatements: true }).open();
      const { fault, message } = await faultOf(opening);
      assert.is(fault, 'other');
      assert.match(message, /leave preparedStatements out/);
    }));

  test('the storage keeps its tables in the configured schema, although pgbouncer refuses the parameter for a search_path', () =>
    withPgbouncer({ mode: 'transaction', size: 3 }, async (connectionString) => {
      const storage = postgresStorage({ connectionString, schema: 'apart' });
      const service = createService({ plugins: [], storage });
      await service.migrate();
      await service.stop();
      const client = new pg.Client({ connectionString });
      await client.connect();
      const { rows } = await client.query(
        "select distinct table_schema as name from information_schema.tables where table_name like 'postrider%'",
      );
      await client.end();
      assert.equal(rows, [{ name: 'apart' }]);
    }));

  /** A driver that uses statement names, as if the pooler had seemed to keep sessions when it was checked. */
  async function withNames(connectionString: string, work: (storage: PostgresDriver) => Promise<void>): Promise<void> {
    const pool = new pg.Pool({ connectionString, max: 2 });
    const storage = new PostgresDriver({
      pool,
      limits: { waitMs: 10_000, statementTimeoutMs: 5_000, lockTimeoutMs: 5_000, idleInTransactionTimeoutMs: 5_000 },
      preparedStatements: true,
      pipelined: false,
      pooled: true,
      notice: undefined,
      schema: undefined,
      info: {},
      close: () => pool.end(),
    });
    try {
      await storage.transact((connection) => connection.query(creation));
      await work(storage);
    } finally {
      await storage.close();
    }
  }

  test('in transaction mode, names that are lost later are no longer used, and a retried transaction succeeds', () =>
    withPgbouncer({ mode: 'transaction', size: 1 }, (connectionString) =>
      withNames(connectionString, async (storage) => {
        const countAll = () => storage.transact((connection) => connection.query(count));
        await storage.read(async (connection) => {
          await connection.query(count);
          const { fault, message } = await faultOf(countAll());
          assert.is(fault, 'deadlock');
          assert.match(message, /sent without names from now on/);
          assert.is((await countAll()).rows[0]?.['n'], 0);
        });
        await Promise.all(Array.from({ length: 10 }, () => storage.transact((connection) => connection.query(insert))));
        assert.is((await countAll()).rows[0]?.['n'], 10);
      }),
    ));

  test('in transaction mode a read whose name is lost is repeated', () =>
    withPgbouncer({ mode: 'transaction', size: 1 }, (connectionString) =>
      withNames(connectionString, async (storage) => {
        await storage.read(async (connection) => {
          await connection.query(count);
          assert.is((await storage.read((other) => other.query(count))).rows[0]?.['n'], 0);
        });
      }),
    ));

  test('in transaction mode, statement names that happen to work once do not count as supported', () =>
    withPgbouncer({ mode: 'transaction', size: 2 }, async (connectionString) => {
      const pool = new pg.Pool({ connectionString, max: 2 });
      const holder = new pg.Client({ connectionString });
      await holder.connect();
      let names = 0;
      /** While the second named statement runs, a transaction has the backend of the first. */
      const disturbed = async (): Promise<PostgresPoolClient> => {
        const client = (await pool.connect()) as unknown as PostgresPoolClient;
        const query = client.query.bind(client);
        client.query = async (statement) => {
          if (statement.name !== undefined) names += 1;
          const isHeld = statement.name !== undefined && names === 2;
          if (isHeld) await holder.query('begin; select 1');
          try {
            return await query(statement);
          } finally {
            if (isHeld) await holder.query('commit');
          }
        };
        return client;
      };
      try {
        const features = await detectPooler({ ask: disturbed, connections: 2, waitMs: 5_000, check: () => undefined });
        assert.equal(features, { hasPooler: true, keepsSessions: false, keepsStatementNames: false });
        assert.ok(names > 2, 'the transaction was in between');
      } finally {
        await holder.end();
        await pool.end();
      }
    }));

  test('in session mode everything works if the pool is large enough', () =>
    withPgbouncer({ mode: 'session', size: 6 }, (connectionString) =>
      withStorage(connectionString, async (storage) => {
        assert.is(storage.notice, undefined);
        assert.is((await storage.describe())['prepared_statements'], 1);
        await assertWrites(storage);
        let notified: (payload: string) => void = () => undefined;
        const payload = new Promise<string>((resolve) => {
          notified = resolve;
        });
        await storage.listen?.('items', notified);
        await storage.transact(async (connection) => storage.notify?.(connection, 'items', 'one'));
        assert.is(await payload, 'one');
      }),
    ));

  test('in session mode a call waits at most waitMs for a pool that is too small', () =>
    withPgbouncer({ mode: 'session', size: 2 }, (connectionString) =>
      withStorage(
        connectionString,
        async (storage) => {
          let endTransaction: () => void = () => undefined;
          const heldTransaction = new Promise<void>((resolve) => {
            endTransaction = resolve;
          });
          const holding = [1, 2].map(() =>
            storage.transact(async (connection) => {
              await connection.query({ sql: 'select 1', parameters: [] });
              await heldTransaction;
            }),
          );
          try {
            const { fault, message } = await faultOf(
              storage.read((connection) => connection.query({ sql: 'select 1', parameters: [] })),
            );
            assert.is(fault, 'unavailable');
            assert.match(message, /processes × \(maxConnections \+ 1\)/);
          } finally {
            endTransaction();
            await Promise.all(holding);
          }
        },
        { waitMs: 500 },
      ),
    ));
}

test('the notice names only features that are used and do not work', () => {
  const limits = { hasPooler: true, keepsSessions: false, keepsStatementNames: false };
  assert.match(noticeOf(limits, { names: true, listens: false }) ?? '', /prepared statements do not get through/);
  assert.not.match(noticeOf(limits, { names: true, listens: false }) ?? '', /LISTEN/);
  assert.is(noticeOf(limits, { names: false, listens: false }), undefined);
  assert.is(
    noticeOf({ hasPooler: true, keepsSessions: true, keepsStatementNames: true }, { names: true, listens: true }),
    undefined,
  );
});

test.run();
