// Claims the jobs that an external queue refers to: those that are due and that no process runs. Called by the worker. A
// reference to a job that is done, gone or running elsewhere claims nothing: that is how a repeated delivery ends.
import type { Core } from '../pipeline/core.ts';
import type { Database } from '../storage/database.ts';
import { inLists } from '../storage/list-statement.ts';
import { unscoped } from '../storage/scope.ts';
import type { ClaimedJob, TakenRow } from './claim.ts';
import { toClaimedJob, workspacesOf } from './claim.ts';
import { claimedOfListed, claimReferenced, tooEarlyListed } from './relay-rows.ts';

const everywhere = unscoped('the queue serves every workspace');

/** A job runs this much before its time: the clock of a queue is another one, and counts in seconds. */
const earlyMs = 1_000;

/** Claims the jobs of these ids, in one transaction. */
export async function claimReferences(
  { core, database }: { readonly core: Core; readonly database: Database },
  jobIds: readonly string[],
  leaseMs: number,
): Promise<readonly ClaimedJob[]> {
  // In order: two transactions lock the same rows in the same order, and cannot deadlock.
  const ids = [...new Set(jobIds)].sort();
  const token = core.ports.ids.create('lease');
  const now = core.ports.now();
  const until = now + leaseMs;
  const due = now + earlyMs;
  const { rows, workspaces } = await database.transact(async (scope) => {
    const handle = scope.handle(everywhere);
    const rows: TakenRow[] = [];
    for (const list of inLists(ids)) {
      const claimed = await handle.run(...claimReferenced(list, { token, until, due }));
      if (claimed > 0) rows.push(...(await handle.all(...claimedOfListed(list, { token }))));
      if (claimed < list.length) await handle.run(...tooEarlyListed(list, { due }));
    }
    return { rows, workspaces: await workspacesOf(core, scope, rows) };
  });
  const jobs = rows.map((row) => toClaimedJob(row, workspaces, { token, until, attempt: row.attempt }));
  for (const { id } of jobs) core.ports.phase('job.claimed', id);
  return jobs;
}
