// The person to whom a job belongs, on each database: erasing the person finds their jobs, removes their addresses from payloads and
// errors, and does not change other people's jobs.
import * as assert from 'uvu/assert';
import { z } from 'zod';
import { defineJob } from '../../core/contract/declaration/jobs.ts';
import { definePlugin } from '../../core/contract/declaration/plugin.ts';
import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { eachDatabase } from '../support/databases.ts';

const personId = 'con_01JD0000000000000000000000';
const ada = 'ada@example.com';
const day = 86_400_000;

await eachDatabase('subjects of jobs', (test, database) => {
  test('an erasure finds exactly the jobs of the person', async () => {
    const note = defineJob({
      kind: 'desk.note',
      payload: z.object({ text: z.string() }),
      retryDelaysMs: [],
      async handler(_, { text }) {
        if (text.includes('fails')) throw new Error(`The server does not know ${text}.`);
      },
    });
    const bench = await createTestService({
      plugins: [definePlugin({ id: 'desk', jobs: [note] })],
      storage: database.createStorage(),
      tablePrefix: database.newPrefix(),
      logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    });
    try {
      const { core } = bench.service;
      await inWorkspace(core, await readWorkspace(core, bench.workspaceId), async ({ enqueue, now }) => {
        const job = (text: string, subject: string | undefined, runAt = now + day) =>
          enqueue({ kind: note.kind, payload: { text }, runAt, ...(subject === undefined ? {} : { subject }) });
        job(`waits for ${ada}`, ' Ada@Example.com');
        job('waits for a contact', personId);
        job(`waits for bob@example.com about ${ada}`, 'bob@example.com');
        job(`fails for ${ada}`, ada, now);
        job(`fails unsaid for ${ada}`, undefined, now);
        job(`done for ${ada}`, ada, now);
        const withKeys = { payload: { text: 'has keys' }, runAt: now + day, subject: ada };
        enqueue({ kind: note.kind, ...withKeys, key: `remind ${ada}`, concurrencyKey: ada });
        enqueue({ kind: note.kind, ...withKeys, key: 'remind', concurrencyKey: 'desk' });
      });
      await bench.drain();
      const rows = async () =>
        (await core.database()).read(bench.workspaceId, ({ db, workspaceId }) =>
          db
            .selectFrom('jobs')
            .select(['payload', 'reason', 'state', 'subject', 'waiting_key', 'concurrency_key'])
            .where('workspace_id', '=', workspaceId)
            .where('kind', '=', note.kind)
            .orderBy('id')
            .execute(),
        );
      const before = await rows();
      assert.not.ok(
        before.some(({ subject }) => subject?.includes('ada')),
        'an address is kept as a hash',
      );
      assert.is(before[0]?.subject, before[3]?.subject, 'any spelling of the address has the same hash');

      await bench.service.personalData.erase(bench.workspaceId, { personId, email: ada });
      const after = await rows();
      assert.equal(
        after.map(({ state }) => state),
        ['waiting', 'waiting', 'waiting', 'failed', 'failed', 'done', 'waiting', 'waiting'],
      );
      const rowsWithAddress = after.flatMap((row, index) => (JSON.stringify(row).includes(ada) ? [index] : []));
      assert.equal(rowsWithAddress, [2], "only another person's waiting job may still contain the address");
      assert.equal(
        after.map(({ subject }) => subject === null),
        [true, true, false, true, true, true, true, true],
      );
      assert.equal(
        after.slice(6).map(({ waiting_key, concurrency_key }) => [waiting_key, concurrency_key]),
        [
          [null, bench.workspaceId],
          ['remind', 'desk'],
        ],
      );
      assert.match(String(after[0]?.payload), /waits for erased:[0-9a-f]{40}/);
      assert.match(String(after[4]?.reason), /fails unsaid for erased:/);
    } finally {
      await bench.close();
    }
  });
});
