// Purges by workspace with a nullable column, such as the end time of rows that have not ended.
import * as assert from 'uvu/assert';
import { eachDatabase } from '../support/databases.ts';
import { createJobBench } from '../support/job-bench.ts';

const minute = 60_000;

await eachDatabase('purges by time', (test, database) => {
  test("a workspace's old rows are deleted, even if other rows of the workspace have no time", async () => {
    const bench = await createJobBench(database);
    await bench.addWorkspace('ws_1');
    const deletedCounts: number[] = [];
    const benchProcess = bench.process({
      schedules: [
        {
          id: 'bench.minute',
          description: 'Runs every minute.',
          everyMs: minute,
          run: async (context) =>
            void deletedCounts.push(await context.purgeByWorkspace('api_keys', 'expires_at', 1_000)),
        },
      ],
    });
    const key = (id: string, expires_at: number | null) => ({
      id,
      workspace_id: 'ws_1',
      name: 'x',
      mode: 'live' as const,
      sandbox: 0,
      prefix: id,
      secret_hash: id,
      scopes: '[]',
      preset: null,
      created_by: null,
      created_at: 1,
      last_used_at: null,
      expires_at,
      revoked_at: null,
    });
    await bench.database.transact((scope) =>
      scope
        .handle('ws_1')
        .db.insertInto('api_keys')
        .values([key('key_lasting', null), key('key_old', 999)])
        .execute(),
    );
    await benchProcess.runner.runSchedules();
    bench.clock.advance(minute);
    await benchProcess.runner.runSchedules();
    assert.equal(deletedCounts, [1]);
    await bench.close();
  });
});
