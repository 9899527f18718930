// Failed jobs that a workspace sees: only its own, on its own side, without contents. A retry succeeds once.
// full-run: slow
import * as assert from 'uvu/assert';
import { defineJob, definePlugin, z } from '../../core/index.ts';
import { readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import { inWorkspace } from '../../core/unstable.ts';
import { twoDatabases } from '../support/databases.ts';
import { migratedTestService } from '../support/migrated-tables.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

const hour = 3_600_000;
const secret = 'ada.secret@example.org';

/** A kind that fails until it is repaired, and a kind whose failure is final. */
function failingPlugin() {
  const state = { isRepaired: false, runs: 0 };
  const payload = z.object({ email: z.string() });
  const work = async ({ email }: { readonly email: string }): Promise<void> => {
    state.runs += 1;
    if (!state.isRepaired) throw new RangeError(`no mailbox for ${email}`);
  };
  const plain = defineJob({ kind: 'failing.plain', payload, retryDelaysMs: [60_000], handler: (_ctx, p) => work(p) });
  const final = defineJob({
    kind: 'failing.final',
    payload,
    retryDelaysMs: [],
    handler: (_ctx, p) => work(p),
    exhausted: async () => undefined,
  });
  return { state, plugin: definePlugin({ id: 'failing', jobs: [plain, final] }) };
}

await twoDatabases('failed jobs', (test, database) => {
  const quiet = () => undefined;
  const logger = { debug: quiet, info: quiet, warn: quiet, error: quiet };

  const open = async () => {
    const { state, plugin } = failingPlugin();
    const bench = await migratedTestService<string>(database, { plugins: [...bareStandardPlugins, plugin], logger });
    const { core } = bench.service;
    const enqueue = async (
      kind = 'failing.plain',
      { workspaceId = bench.workspaceId, sandbox = false, runAt = 0 } = {},
    ) =>
      inWorkspace(
        core,
        await readWorkspace(core, workspaceId),
        async (ctx) =>
          ctx.enqueue({ kind, payload: { email: secret }, subject: secret, ...(runAt === 0 ? {} : { runAt }) }),
        { sandbox },
      );
    const list = async (query = '', key = bench.liveKey) => {
      const { status, body } = await bench.request(`/v1/jobs${query}`, { key });
      assert.is(status, 200, JSON.stringify(body));
      return body;
    };
    const retry = (id: string, key = bench.liveKey) =>
      bench.request(`/v1/jobs/${id}/retry`, { method: 'POST', body: {}, key });
    return { ...bench, state, enqueue, list, retry };
  };

  test('a key sees the failed jobs and the retried jobs of its workspace and side, but no contents', async () => {
    const bench = await open();
    try {
      const id = await bench.enqueue();
      const plannedId = await bench.enqueue('failing.plain', { runAt: bench.now() + 10 * hour });
      const sandbox = await bench.enqueue('failing.plain', { sandbox: true });
      await bench.enqueue('failing.plain', { workspaceId: bench.foreignWorkspaceId });
      assert.equal((await bench.list()).data, [], 'a job that was never attempted is not listed');
      await bench.drain();
      const { data } = await bench.list();
      const failedAt = data[0].failed_at;
      assert.equal(data, [
        {
          id,
          kind: 'failing.plain',
          state: 'waiting',
          tries: 1,
          error_code: 'RangeError',
          created_at: data[0].created_at,
          due_at: new Date(Date.parse(failedAt) + 60_000).toISOString(),
          failed_at: failedAt,
          can_retry: true,
        },
      ]);
      bench.advanceClock(61_000);
      await bench.drain();
      const failedJobs = await bench.list('?state=failed');
      assert.equal([failedJobs.data.length, failedJobs.data[0].state, failedJobs.data[0].tries], [1, 'failed', 2]);
      assert.equal((await bench.list('?state=waiting')).data, []);
      assert.equal((await bench.list('?kind=failing.final')).data, []);
      assert.not.match(JSON.stringify(failedJobs), 'ada.secret');
      const onSandbox = (await bench.list('', bench.testKey)).data.map((job: { id: string }) => job.id);
      assert.equal(onSandbox, [sandbox]);
      assert.is((await bench.retry(sandbox)).status, 404);
      assert.is((await bench.retry(id, bench.testKey)).status, 404);
      const earlyRetry = await bench.retry(plannedId);
      assert.equal(
        [earlyRetry.status, earlyRetry.body.error.code],
        [409, 'state_conflict'],
        'a retry does not run a planned job early',
      );
    } finally {
      await bench.close();
    }
  });

  test('of many simultaneous retries one succeeds, the job runs once, and the audit has one entry', async () => {
    const bench = await open();
    try {
      const id = await bench.enqueue();
      await bench.drain();
      bench.advanceClock(61_000);
      await bench.drain();
      bench.state.isRepaired = true;
      bench.state.runs = 0;
      const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => bench.retry(id)));
      assert.equal(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409]);
      const [won] = answers.filter(({ status }) => status === 200);
      assert.equal(won?.body, { id, state: 'ready' });
      await bench.drain();
      assert.is(bench.state.runs, 1);
      assert.equal((await bench.list()).data, []);
      const secondRetry = await bench.retry(id);
      assert.equal([secondRetry.status, secondRetry.body.error.code], [409, 'state_conflict']);
      assert.match(secondRetry.body.error.message, 'is done');
      const { body: audit } = await bench.request('/v1/audit?action=job.retry');
      assert.equal(
        audit.data.map(({ target }: { target: unknown }) => target),
        [{ kind: 'job', id }],
      );
    } finally {
      await bench.close();
    }
  });

  test('a final failure is marked, and the operation, the typed call and service.jobs all refuse to retry it', async () => {
    const bench = await open();
    try {
      const id = await bench.enqueue('failing.final');
      await bench.drain();
      assert.is((await bench.list()).data[0].can_retry, false);
      const refusal = await bench.retry(id);
      assert.equal([refusal.status, refusal.body.error.code], [409, 'state_conflict']);
      assert.is(await bench.service.jobs.retry(id), false);
      const narrow = await bench.keyWith(['jobs:read']);
      assert.is((await bench.retry(id, narrow)).status, 403);
    } finally {
      await bench.close();
    }
  });

  test('the list has pages in the order of the failures, and a retried job leaves the list', async () => {
    const bench = await open();
    try {
      const ids: string[] = [];
      for (let count = 0; count < 5; count += 1) {
        ids.unshift(await bench.enqueue('failing.final'));
        await bench.drain();
        if (count % 2 === 1) bench.advanceClock(1_000);
      }
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page = await bench.list(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
        seen.push(...page.data.map((job: { id: string }) => job.id));
        cursor = page.next_cursor;
      }
      assert.equal(seen, ids);
      const wrong = await bench.request('/v1/jobs?cursor=WyJhdWRpdCIsMSwiYSJd');
      assert.equal([wrong.status, wrong.body.error.code], [400, 'cursor_invalid']);
    } finally {
      await bench.close();
    }
  });
});
