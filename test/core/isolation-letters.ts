// Two workspaces with letters on both sides, and helpers for the isolation tests.
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import type { WorkspaceHandle } from '../../core/contract/context/handle.ts';
import { type HandleScope, oneSide, unscoped } from '../../core/storage/scope.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { eachDatabase, type TestDatabase } from '../support/databases.ts';
import { isolationPlugin } from './isolation-plugin.ts';

/** The timestamp of every row. */
export const at = 1_700_000_000_000;

/** Sorts the ids and joins them to one text. */
export const ids = (rows: readonly { readonly id: string }[]): string =>
  rows
    .map(({ id }) => id)
    .sort()
    .join();

/** Opens the service. `fill` recreates the rows. */
async function openLetters(database: TestDatabase) {
  const testService = await createTestService({
    plugins: [isolationPlugin()],
    storage: database.createStorage(),
    tablePrefix: database.newPrefix(),
  });
  const { workspaceId: ownWorkspace, foreignWorkspaceId: otherWorkspace } = testService;
  const openedDatabase = await testService.service.core.database();
  const runIn = <T>(scope: HandleScope, work: (handle: WorkspaceHandle) => Promise<T>): Promise<T> =>
    openedDatabase.transact(async (transaction) => {
      const result = await work(transaction.handle(scope));
      await transaction.flush();
      return result;
    });
  const live = <T>(work: (handle: WorkspaceHandle) => Promise<T>) => runIn(oneSide(ownWorkspace, false), work);
  const all = () =>
    runIn(unscoped('the test looks at every row'), ({ db }) =>
      db.selectFrom('crates').select(['id', 'workspace_id', 'sandbox', 'pages']).orderBy('id').execute(),
    );
  return {
    mine: ownWorkspace,
    theirs: otherWorkspace,
    prefix: openedDatabase.prefix,
    run: runIn,
    live,
    all,
    /** Reads outside any transaction. */
    read: openedDatabase.read,
    close: () => testService.close(),
    /** Asserts that the work fails for this reason and changes nothing. */
    async refused(work: (handle: WorkspaceHandle) => Promise<unknown>, reason: RegExp): Promise<void> {
      const before = await all();
      let message = 'the statement was not refused';
      await live(work).catch((error: unknown) => {
        message = String(error);
      });
      assert.match(message, reason);
      assert.equal(await all(), before, 'a refused statement changed rows');
    },
    fill: () =>
      runIn(unscoped('the test begins with known rows'), async ({ db }) => {
        await db.deleteFrom('crates').execute();
        await db.deleteFrom('stamps').execute();
        const row = (id: string, workspace_id: string, sandbox: number) => ({
          id,
          workspace_id,
          sandbox,
          topic: `about-${id}`,
          pages: 1,
          created_at: at,
          updated_at: at,
        });
        await db
          .insertInto('crates')
          .values([
            row('a1', ownWorkspace, 0),
            row('a2', ownWorkspace, 0),
            row('s1', ownWorkspace, 1),
            row('b1', otherWorkspace, 0),
            row('b2', otherWorkspace, 1),
          ])
          .execute();
        await db
          .insertInto('stamps')
          .values([
            { id: 'sa', workspace_id: ownWorkspace, crate_id: 'a1', price: 1 },
            { id: 'sb', workspace_id: otherWorkspace, crate_id: 'a1', price: 2 },
            { id: 'sc', workspace_id: otherWorkspace, crate_id: 'b1', price: 3 },
          ])
          .execute();
      }),
  };
}

type Letters = Awaited<ReturnType<typeof openLetters>>;

/**
 * Runs a suite on every database and recreates the same rows before each test. `letters` is set before the first test.
 */
export const eachLetters = (
  name: string,
  register: (test: Test, letters: Letters, database: TestDatabase) => void,
): Promise<void> =>
  eachDatabase(name, (test, database) => {
    const letters = {} as Letters;
    test.before(async () => {
      Object.assign(letters, await openLetters(database));
    });
    test.before.each(() => letters.fill());
    test.after(() => letters.close());
    register(test, letters, database);
  });
