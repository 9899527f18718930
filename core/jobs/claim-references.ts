// Claims the jobs that an external queue refers to, if they are due and no process runs them. Called by the worker. A
// reference to a job that is done, deleted or running elsewhere claims nothing, so a repeated delivery has no effect.
import type { Handle } from '../contract/context/handle.ts';
import type { Core } from '../pipeline/core.ts';
import type { Database } from '../storage/database.ts';
import { inLists } from '../storage/list-statement.ts';
import { unscoped } from '../storage/scope.ts';
import { type ClaimedJob, type TakenRow, toClaimedJob, workspacesOf } from './claim.ts';
import { queueTransaction } from './queue-transaction.ts';
import { claimedOfListed, claimReferenced, kindsOfListed, passOnListed, tooEarlyListed } from './relay-rows.ts';
import type { UnknownKinds } from './unknown-kinds.ts';

const unscopedReason = unscoped('the queue serves every workspace');

/** A job may run this much before its time: the queue has a different clock, which counts in seconds. */
const earlyMs = 1_000;

/**
 * How long a job of an unknown kind waits until its reference is handed on again. The older the job, the longer it
 * waits, because its reference circulates while no process has its plugin.
 */
const relayDelayMs = (ageMs: number): number => (ageMs < 30_000 ? 2_000 : ageMs < 600_000 ? 10_000 : 60_000);

/** Sets jobs of unknown kinds to waiting. */
async function postponeUnknown(
  handle: Handle,
  jobs: readonly Pick<TakenRow, 'id' | 'created_at'>[],
  now: number,
): Promise<void> {
  const byDelay = new Map<number, string[]>();
  for (const { id, created_at: createdAt } of jobs) {
    const delay = relayDelayMs(now - createdAt);
    byDelay.set(delay, [...(byDelay.get(delay) ?? []), id]);
  }
  for (const [delay, ids] of byDelay)
    await handle.run(...passOnListed(ids, { now, run_at: now + delay, reason: 'kind_unknown' }));
}

/** Claims the jobs with these ids, in one transaction. Jobs of unknown kinds are handed on again later. */
export async function claimReferences(
  { core, database }: { readonly core: Core; readonly database: Database },
  jobIds: readonly string[],
  leaseMs: number,
  unknownKinds: UnknownKinds,
): Promise<readonly ClaimedJob[]> {
  // Sorted, so that two transactions lock the same rows in the same order and cannot deadlock.
  const ids = [...new Set(jobIds)].sort();
  const token = core.ports.ids.create('lease');
  const now = core.ports.now();
  const until = now + leaseMs;
  const due = now + earlyMs;
  const { rows, workspaces } = await queueTransaction(database, async (scope) => {
    const handle = scope.handle(unscopedReason);
    const rows: TakenRow[] = [];
    for (const listedIds of inLists(ids)) {
      const rowsWithKinds = await handle.all(...kindsOfListed(listedIds, {}));
      const unknownJobs = rowsWithKinds.filter(({ kind }) => unknownKinds.has(kind));
      if (unknownJobs.length > 0) await postponeUnknown(handle, unknownJobs, now);
      const unclaimed = new Set(unknownJobs.map(({ id }) => id));
      const knownIds = listedIds.filter((id) => !unclaimed.has(id));
      if (knownIds.length === 0) continue;
      const claimed = await handle.run(...claimReferenced(knownIds, { token, until, due }));
      if (claimed > 0) rows.push(...(await handle.all(...claimedOfListed(knownIds, { token }))));
      if (claimed < knownIds.length) await handle.run(...tooEarlyListed(knownIds, { due }));
    }
    return { rows, workspaces: await workspacesOf(core, scope, rows) };
  });
  const jobs = rows.map((row) => toClaimedJob(row, workspaces, { token, until, attempt: row.attempt }));
  for (const { id } of jobs) core.ports.phase('job.claimed', id);
  return jobs;
}
