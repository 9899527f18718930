// Starts processes that kill themselves at a phase, and waits until no job is left. Called by the tests that kill a plugin's jobs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Phase } from '../../core/contract/ports/platform.ts';
import type { Service } from '../../core/kernel/compose.ts';
import { unscoped } from '../../core/storage/scope.ts';
import { compiledSources } from '../support/compiled.ts';
import { longTests } from '../support/long-tests.ts';
import type { DatabaseLocation } from './mail-service.ts';

const script = join(await compiledSources(), 'test/faults/doomed-process.js');
// A busy machine may stop a process for seconds. With many rows, a process may also wait longer for the database.
const leaseMs = longTests ? 15_000 : 6_000;
const deadlineMs = longTests ? 1_800_000 : 300_000;

export const everywhere = unscoped('the test looks at every row');

/** A process kills itself at this occurrence of a phase. */
export interface PlannedKill {
  readonly phase: Phase;
  readonly occurrence: number;
  /** The process also kills itself at this phase, if it comes to this phase first. */
  readonly or?: Omit<PlannedKill, 'or'>;
}

/** The plan of one process. */
export interface ProcessPlan {
  readonly database: DatabaseLocation;
  readonly leaseMs: number;
  readonly kill?: PlannedKill | undefined;
  /** The port of a mail server on this machine. (Default: mail stays in the process) */
  readonly smtpPort?: number | undefined;
  /** A paused broadcast that the process resumes, before it works. (Default: none) */
  readonly resume?: { readonly workspaceId: string; readonly broadcastId: string } | undefined;
}

/** Starts a process that works until it kills itself or gets SIGTERM. */
export function startProcess(plan: ProcessPlan) {
  const child = spawn(process.execPath, [script, JSON.stringify(plan)], { stdio: ['ignore', 'ignore', 'inherit'] });
  return { child, closed: once(child, 'close') as Promise<[number | null, string | null]> };
}

/** Counts the jobs that are not finished, at most 1,000. @param ignored kinds of jobs for which no test waits */
export async function unfinishedJobs(service: Service<never>, ignored: readonly string[] = []): Promise<number> {
  const database = await service.core.database();
  const rows = await database.read(everywhere, ({ db }) =>
    db.selectFrom('jobs').select('kind').where('state', 'not in', ['done', 'failed']).limit(1_000).execute(),
  );
  return rows.filter(({ kind }) => !ignored.includes(kind)).length;
}

/** Waits until no job is left, or for the longest time that a test waits. @param ignored kinds of jobs for which no test waits */
export async function untilDone(service: Service<never>, ignored: readonly string[] = []): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  while ((await unfinishedJobs(service, ignored)) > 0 && performance.now() < deadline) await pause(200);
}

/** Ends the leases of dead processes now. Nothing else may run jobs. */
async function endLeases(service: Service<never>): Promise<void> {
  const database = await service.core.database();
  await database.transact((scope) =>
    scope
      .handle(everywhere)
      .db.updateTable('jobs')
      .set({ lease_until: Date.now() - 1 })
      .where('state', '=', 'running')
      .execute(),
  );
}

/** The processes of one test, on one database. */
export interface DoomedProcesses {
  /**
   * Starts one process for each kill, until each is dead or no job is left. Returns how many killed themselves. Their leases end with the
   * last process: between the processes of one call, jobs wait until the lease of a dead process expires.
   */
  kill(kills: readonly PlannedKill[]): Promise<number>;
  /** Two processes finish all jobs. @param meanwhile runs while they work */
  finish(meanwhile?: () => Promise<void>): Promise<void>;
}

/**
 * @param ignored kinds of jobs for which no test waits
 * @param smtpPort the port of a mail server on this machine (Default: mail stays in the process)
 */
export function doomedProcesses(
  service: Service<never>,
  database: DatabaseLocation,
  ignored: readonly string[] = [],
  smtpPort?: number,
): DoomedProcesses {
  const start = (kill?: PlannedKill) => startProcess({ database, leaseMs, kill, smtpPort });
  return {
    async kill(kills) {
      const processes = kills.map((kill) => start(kill));
      const ends = Promise.all(processes.map(({ closed }) => closed));
      await Promise.race([ends, untilDone(service, ignored)]);
      for (const { child } of processes) child.kill('SIGTERM');
      const killedCount = (await ends).filter(([, signal]) => signal === 'SIGKILL').length;
      await endLeases(service);
      return killedCount;
    },
    async finish(meanwhile) {
      const processes = [start(), start()];
      try {
        await meanwhile?.();
        await untilDone(service, ignored);
      } finally {
        for (const { child } of processes) child.kill('SIGTERM');
        await Promise.all(processes.map(({ closed }) => closed));
      }
    },
  };
}
