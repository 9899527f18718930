// A program's Kysely transaction on MariaDB that the server itself has ended: a later call writes nothing, because its write would be
// committed separately.
import { strict as assert } from 'node:assert';
import { CompiledQuery, Kysely, MysqlDialect, type Transaction } from 'kysely';
import { createPool, type Pool } from 'mysql2';
import { suite } from 'uvu';
import { kyselyStorage } from '../../adapters/storage/kysely.ts';
import { mysqlStorage } from '../../adapters/storage/mysql.ts';
import type { SqlConnection, StorageDriver } from '../../core/contract/ports/storage.ts';
import { inSavepoint, joinTransaction } from '../../core/storage/joined-transaction.ts';
import {
  createMysqlDatabase,
  dropMysqlDatabase,
  hasMysql,
  mysqlUrlOf,
  queryOnOtherMysqlConnection,
} from '../support/mysql-server.ts';

const test = suite('a joined Kysely transaction that the server has ended');

const update = (id: number) => ({ sql: 'update notes set text = ? where id = ?', parameters: ['mine', id] });
const write = { sql: 'insert into notes values (?, ?)', parameters: [77, 'must not stay'] };

interface Program {
  readonly db: Kysely<unknown>;
  readonly pool: Pool;
  readonly database: string;
}

async function withProgram(work: (program: Program) => Promise<void>): Promise<void> {
  const database = await createMysqlDatabase('utf8mb4');
  const pool = createPool({ uri: mysqlUrlOf(database), connectionLimit: 3 });
  const db = new Kysely<unknown>({ dialect: new MysqlDialect({ pool }) });
  try {
    await queryOnOtherMysqlConnection(
      `create table ${database}.notes (id int primary key, text varchar(200)) engine = InnoDB`,
    );
    await queryOnOtherMysqlConnection(`insert into ${database}.notes values (1, ''), (2, '')`);
    await work({ db, pool, database });
  } finally {
    await db.destroy();
    await dropMysqlDatabase(database);
  }
}

/**
 * Makes the transaction lose a deadlock. `ask` must update row 2. The other transaction has locked row 2 and has written more, so the
 * server rolls back the program's transaction, which has locked row 1.
 */
async function loseDeadlock({ pool, database }: Program, ask: () => Promise<unknown>): Promise<void> {
  const otherConnection = await pool.promise().getConnection();
  try {
    await otherConnection.query('begin');
    for (let id = 1000; id < 1050; id += 1) await otherConnection.query("insert into notes values (?, '')", [id]);
    await otherConnection.query("update notes set text = 'other' where id = 2");
    const waiting = otherConnection.query("update notes set text = 'other' where id = 1");
    const lookup =
      'select 1 from information_schema.processlist where db = ? and info like ? and id <> connection_id()';
    while ((await queryOnOtherMysqlConnection(lookup, [database, 'update notes%id = 1'])).length === 0);
    await ask();
    await waiting;
    await otherConnection.query('rollback');
  } finally {
    otherConnection.release();
  }
}

const isDeadlock = { fault: 'deadlock' };
const endedFault = { fault: 'other', message: /no open transaction any more/ };

function register(kind: string, open: (program: Program) => Promise<StorageDriver>): void {
  const inTransaction = async (work: (program: Program, trx: Transaction<unknown>, call: Call) => Promise<void>) =>
    withProgram(async (program) => {
      const storage = await open(program);
      const trx = await program.db.startTransaction().execute();
      const call: Call = (run) => inSavepoint(joinTransaction(storage, trx, new Set(), 'mysql'), run);
      await work(program, trx, call);
      await trx.rollback().execute();
      const rows = await queryOnOtherMysqlConnection(`select id from ${program.database}.notes where id = 77`);
      assert.deepEqual(rows, []);
      await storage.close();
    });

  test(`${kind}: a call after a deadlock is refused`, () =>
    inTransaction(async (program, _trx, call) => {
      await call((connection) => connection.query(update(1)));
      await loseDeadlock(program, () =>
        assert.rejects(
          call((connection) => connection.query(update(2))),
          isDeadlock,
        ),
      );
      await assert.rejects(
        call((connection) => connection.query(write)),
        endedFault,
      );
    }));

  test(`${kind}: a call that continues after its deadlock writes nothing more`, () =>
    inTransaction(async (program, _trx, call) => {
      await call((connection) => connection.query(update(1)));
      await loseDeadlock(program, async () => {
        const goingOn = call(async (connection) => {
          await connection.query(update(2)).catch(() => undefined);
          await connection.query(write);
        });
        await assert.rejects(goingOn, isDeadlock);
      });
    }));

  test(`${kind}: a call is refused after the program ran a statement with an implicit commit`, () =>
    inTransaction(async (_program, trx, call) => {
      await trx.executeQuery(CompiledQuery.raw('create table others (id int primary key)'));
      await assert.rejects(
        call((connection) => connection.query(write)),
        endedFault,
      );
    }));
}

type Call = (run: (connection: SqlConnection) => Promise<unknown>) => Promise<unknown>;

async function registerAll(): Promise<void> {
  if (await hasMysql()) {
    register('kyselyStorage', ({ db }) => kyselyStorage(db).open());
    register('mysqlStorage', ({ pool }) => mysqlStorage({ pool }).open());
  }
  test.run();
}

await registerAll();
