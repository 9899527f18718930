// A page deep in a list on MariaDB: the server goes directly to the start of the page and does not scan the rows before it.
import { DummyDriver } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mysqlStorage } from '../../adapters/storage/mysql.ts';
import type { WorkspaceHandle } from '../../core/contract/context/handle.ts';
import { olderThan } from '../../core/storage/cursor.ts';
import { type Database, openDatabase } from '../../core/storage/database.ts';
import { bothSides } from '../../core/storage/scope.ts';
import { createMysqlDatabase, dropMysqlDatabase, hasMysql, mysqlUrlOf } from '../support/mysql-server.ts';

const test = suite('pages on MariaDB');
const rows = 8_000;

const isThere = await hasMysql();
const onMariadb = (name: string, work: () => Promise<void>): void => {
  if (isThere) test(name, work);
};

async function withAudit(work: (database: Database) => Promise<void>): Promise<void> {
  const name = await createMysqlDatabase('utf8mb4');
  const storage = mysqlStorage({ uri: mysqlUrlOf(name) });
  const database = await openDatabase(storage, {
    prefix: '',
    tables: new Map([['audit', { tenant: true }]]),
    migrations: [],
    queryPlugins: [],
  });
  try {
    await database.driver.transact(async (connection) => {
      const plain = (sql: string, ...parameters: unknown[]) => ({ sql, parameters });
      await connection.query(
        plain(
          'create table audit (id varchar(40) primary key, workspace_id varchar(40) not null, ts bigint not null, action varchar(40) not null)',
        ),
      );
      await connection.query(plain('create index audit_ts on audit (workspace_id, ts, id)'));
      await connection.batch(
        Array.from({ length: rows }, (_, index) =>
          plain("insert into audit values (?, ?, ?, 'made')", `a${String(index).padStart(6, '0')}`, 'ws_a', index >> 1),
        ),
      );
      await connection.query(plain('analyze table audit'));
    });
    await work(database);
  } finally {
    await database.driver.close();
    await dropMysqlDatabase(name);
  }
}

const page = (handle: Pick<WorkspaceHandle, 'db' | 'workspaceId'>, position: { createdAt: number; id: string }) =>
  handle.db
    .selectFrom('audit')
    .select(['id', 'ts', 'action'])
    .where('workspace_id', '=', handle.workspaceId)
    .where(olderThan('ts', 'id', position))
    .orderBy('ts', 'desc')
    .orderBy('id', 'desc')
    .limit(5);

onMariadb('a page is read from its first row, in the order of the list', () =>
  withAudit(async (database) => {
    await database.driver.read(async (connection) => {
      /** The number of rows that this session has read, or has skipped inside an index */
      const scannedRows = async (): Promise<number> => {
        const names = "('Handler_read_prev', 'Handler_read_next', 'Handler_icp_attempts')";
        const sql = `show session status where variable_name in ${names}`;
        const { rows: status } = await connection.query({ sql, parameters: [] });
        return status.reduce((sum, { Value }) => sum + Number(Value), 0);
      };
      const handle = {
        workspaceId: 'ws_a',
        db: database.compiler.kysely(new DummyDriver(), bothSides('ws_a', 'the table has no sides')),
      };
      const { sql, parameters } = page(handle, { createdAt: 3_000, id: 'a006001' }).compile();
      let before = await scannedRows();
      const result = await connection.query({ sql, parameters });
      assert.equal(
        result.rows.map(({ id }) => id),
        ['a006000', 'a005999', 'a005998', 'a005997', 'a005996'],
      );
      assert.ok((await scannedRows()) - before < 20, `${(await scannedRows()) - before} rows were scanned`);
      // Control: with an equality condition, the server scans the newer rows.
      before = await scannedRows();
      const equal = sql.replace('`workspace_id` >= ? and `workspace_id` <= ?', '`workspace_id` = ?');
      const control = await connection.query({
        sql: equal.replace('`workspace_id` desc, ', ''),
        parameters: parameters.filter((_, index) => index !== 1),
      });
      assert.equal(control.rows, result.rows);
      assert.ok((await scannedRows()) - before > 1_500, 'the control scanned no more rows');
    });
  }),
);

onMariadb('a page of a workspace contains no row of another workspace', () =>
  withAudit(async (database) => {
    await database.driver.transact((connection) =>
      connection.batch(
        ['ws_', 'ws_A', 'ws_a ', 'ws_aa', 'ws_b'].map((workspace, index) => ({
          sql: "insert into audit values (?, ?, ?, 'made')",
          parameters: [`b${index}`, workspace, 10],
        })),
      ),
    );
    const ids = await database.read('ws_b', async (handle) =>
      (await page(handle, { createdAt: 1_000, id: 'z' }).execute()).map(({ id }) => id),
    );
    assert.equal(ids, ['b4']);
  }),
);

test.run();
