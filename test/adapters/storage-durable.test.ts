// Transactions whose commit need not wait for the disk, on the databases that can choose it for one transaction.
import { randomBytes } from 'node:crypto';
import * as assert from 'uvu/assert';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import type { SqlConnection } from '../../core/contract/ports/storage.ts';
import { eachDatabase } from '../support/databases.ts';
import { postgresUrl } from '../support/postgres-server.ts';

await eachDatabase('commits that need not wait for the disk', (test, database) => {
  const settings = {
    sqlite: { sql: 'PRAGMA synchronous', column: 'synchronous', waits: 2, hasty: 1 },
    postgres: { sql: 'SHOW synchronous_commit', column: 'synchronous_commit', waits: 'on', hasty: 'off' },
    mariadb: { sql: 'SELECT 1 AS same', column: 'same', waits: 1, hasty: 1 },
  }[database.name];
  // A server for tests may have turned off this wait for all sessions.
  const waiting = new URL(postgresUrl);
  waiting.searchParams.set('options', '-c synchronous_commit=on');
  const createStorage = () =>
    database.name === 'postgres' ? postgresStorage({ connectionString: waiting.href }) : database.createStorage();
  const readSetting = async (connection: SqlConnection): Promise<unknown> =>
    (await connection.query({ sql: settings.sql, parameters: [] })).rows[0]?.[settings.column];

  test('the setting applies to one transaction only, and its rows are stored', async () => {
    const driver = await createStorage().open();
    const table = `hasty_${randomBytes(6).toString('hex')}`;
    try {
      await driver.transact((connection) =>
        connection.query({ sql: `create table ${table} (n integer)`, parameters: [] }),
      );
      for (const durable of [true, false, undefined, false, true]) {
        const seenSettings = await driver.transact(
          async (connection) => {
            await connection.query({ sql: `insert into ${table} values (1)`, parameters: [] });
            return readSetting(connection);
          },
          durable === undefined ? {} : { durable },
        );
        assert.is(seenSettings, durable === false ? settings.hasty : settings.waits);
      }
      const otherDriver = await createStorage().open();
      const rows = await otherDriver.read((connection) =>
        connection.query({ sql: `select count(*) as n from ${table}`, parameters: [] }),
      );
      await otherDriver.close();
      assert.is(Number(rows.rows[0]?.n), 5);
    } finally {
      await driver.transact((connection) => connection.query({ sql: `drop table ${table}`, parameters: [] }));
      await driver.close();
    }
  });

  test('a durable transaction that shares a commit makes it wait for the disk', async () => {
    const driver = await createStorage().open();
    try {
      const seenSettings = await Promise.all([
        driver.transact(readSetting, { durable: false }),
        driver.transact(readSetting),
        driver.transact(readSetting, { durable: false }),
      ]);
      assert.is(seenSettings[1], settings.waits);
      // SQLite runs all three in one commit.
      if (database.name === 'sqlite') assert.equal(seenSettings, [2, 2, 2]);
      else assert.equal([seenSettings[0], seenSettings[2]], [settings.hasty, settings.hasty]);
    } finally {
      await driver.close();
    }
  });
});
