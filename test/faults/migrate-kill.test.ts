// Processes are killed in the middle of a migration, and two processes migrate at the same time. SQLite and Postgres keep
// nothing of an interrupted migration. MariaDB keeps the finished statements, and the next process continues from
// there.
// full-run: kill
import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import type { ServiceOf } from '../../core/index.ts';
import { compiledSources } from '../support/compiled.ts';
import {
  createMysqlDatabase,
  dropMysqlDatabase,
  hasMysql,
  mysqlUrlOf,
  queryOnOtherMysqlConnection,
} from '../support/mysql-server.ts';
import { dropSchema, hasPostgres, newSchema } from '../support/postgres-server.ts';
import { createMigratingService, type DatabaseName, type MigratingPlan, storageAt } from './migrating-service.ts';

const script = join(await compiledSources(), 'test/faults/migrating-process.js');

/** Migrates in a separate process. Returns the signal that ended it. */
const migrateAndDie = (plan: MigratingPlan): Promise<NodeJS.Signals | null> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, JSON.stringify(plan)], { stdio: ['ignore', 'ignore', 'inherit'] });
    child.once('error', reject);
    child.once('close', (_code, signal) => resolve(signal));
  });

interface Subject {
  readonly address: string;
  remove(): Promise<void>;
}

function registerOn(name: DatabaseName, createSubject: () => Promise<Subject>): void {
  const test = suite(`an interrupted migration on ${name}`);

  const withSubject = async (
    work: (address: string, open: () => ServiceOf<string>) => Promise<void>,
  ): Promise<void> => {
    const { address, remove } = await createSubject();
    const services: ServiceOf<string>[] = [];
    try {
      await work(address, () => {
        const service = createMigratingService(storageAt(name, address));
        services.push(service);
        return service;
      });
    } finally {
      for (const service of services) await service.stop();
      await remove();
    }
  };

  test('the next process finishes an interrupted migration', () =>
    withSubject(async (address, open) => {
      const fresh = await open().pendingMigrations();
      const statements = fresh.flatMap(({ sql }) => sql);
      // Dies in the middle of the first migration and, if statements are kept, in the middle of a later one.
      for (const changeCount of name === 'mysql' ? [5, 17] : [9]) {
        assert.equal(await migrateAndDie({ name, address, statements: changeCount }), 'SIGKILL');
        const remainingStatements = (await open().pendingMigrations()).flatMap(({ sql }) => sql);
        if (name === 'mysql')
          assert.ok(
            remainingStatements.length < statements.length,
            `${remainingStatements.length} of ${statements.length}`,
          );
        else assert.deepEqual(remainingStatements, statements);
        await assert.rejects(() => open().start());
      }
      const service = open();
      await service.migrate();
      await service.start();
      const { id } = await service.workspaces.create({ name: 'A', defaultFrom: { email: 'a@example.com', name: 'A' } });
      assert.equal((await service.as(id).workspace.read()).id, id);
      if (name === 'mysql') await assertSameSchema(address);
    }));

  test('if two processes migrate at the same time, one applies the migrations, and the other finds nothing to do', () =>
    withSubject(async (_address, open) => {
      const answers = await Promise.all([open().migrate(), open().migrate(), open().migrate()]);
      const counts = answers.map((applied) => applied.length).sort((a, b) => a - b);
      assert.deepEqual([counts[0], counts[1], (counts[2] ?? 0) > 3], [0, 0, true]);
      await open().start();
    }));

  test.run();
}

/** Compares with a database that was migrated without interruption: tables, columns and indexes must be equal. */
async function assertSameSchema(address: string): Promise<void> {
  const uninterruptedDatabase = await createMysqlDatabase();
  const service = createMigratingService(storageAt('mysql', mysqlUrlOf(uninterruptedDatabase)));
  try {
    await service.migrate();
    const describe = async (database: string) => [
      await queryOnOtherMysqlConnection(
        'select table_name, column_name, column_type, is_nullable, collation_name from information_schema.columns where table_schema = ? order by 1, ordinal_position',
        [database],
      ),
      await queryOnOtherMysqlConnection(
        'select table_name, index_name, seq_in_index, column_name, non_unique from information_schema.statistics where table_schema = ? order by 1, 2, 3',
        [database],
      ),
    ];
    const [resumedSchema, uninterruptedSchema] = [
      await describe(new URL(address).pathname.slice(1)),
      await describe(uninterruptedDatabase),
    ];
    assert.ok((uninterruptedSchema[1]?.length ?? 0) > 20);
    assert.deepEqual(resumedSchema, uninterruptedSchema);
  } finally {
    await service.stop();
    await dropMysqlDatabase(uninterruptedDatabase);
  }
}

async function register(): Promise<void> {
  const [postgres, mysql] = [await hasPostgres(), await hasMysql()];
  registerOn('sqlite', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'postrider-migrate-'));
    return {
      address: join(folder, 'app.sqlite'),
      remove: async () => rmSync(folder, { recursive: true, force: true }),
    };
  });
  if (postgres) {
    registerOn('postgres', async () => {
      const schema = newSchema();
      return { address: schema, remove: () => dropSchema(schema) };
    });
  }
  if (mysql) {
    registerOn('mysql', async () => {
      const database = await createMysqlDatabase();
      return { address: mysqlUrlOf(database), remove: () => dropMysqlDatabase(database) };
    });
  }
}

await register();
