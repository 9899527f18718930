// A failed job for the generated tests and examples. No plugin declares its kind, so no worker runs it.
import type { FixtureKit } from '../../../core/index.ts';

export const someFailedJob = (kit: FixtureKit, workspaceId = kit.workspaceId): Promise<string> =>
  kit.write(async ({ trx, newId, now, sandbox }) => {
    const id = newId('job');
    await trx.db
      .insertInto('jobs')
      .values({
        id,
        workspace_id: trx.workspaceId,
        kind: 'reports.export',
        lane: 1,
        concurrency_key: trx.workspaceId,
        state: 'failed',
        payload: '{}',
        sandbox: sandbox ? 1 : 0,
        attempt: 8,
        crashes: 0,
        run_at: now - 60_000,
        created_at: now - 120_000,
        finished_at: now,
        failed_at: now,
        reason: 'TypeError: the report has no rows',
      })
      .execute();
    return id;
  }, workspaceId);
