// A composed core with jobs of the test, on a simulated clock. For the tests of core/jobs. All parts except the clock and the log are
// real.

import { z } from 'zod';
import type { TransactionContext } from '../../core/contract/context/context.ts';
import {
  defineJob,
  type JobContext,
  type JobDeclaration,
  type JobRequest,
  type ScheduleDeclaration,
} from '../../core/contract/declaration/jobs.ts';
import { definePlugin } from '../../core/contract/declaration/plugin.ts';
import type { PhaseListener } from '../../core/contract/ports/platform.ts';
import type { JobQueue } from '../../core/contract/ports/queue.ts';
import { isStorageError } from '../../core/contract/ports/storage.ts';
import type { ClaimQuota } from '../../core/jobs/claim.ts';
import type { JobRunner } from '../../core/jobs/index.ts';
import { createServiceContainer } from '../../core/kernel/container.ts';
import { createEffects } from '../../core/pipeline/call-effects.ts';
import type { Core } from '../../core/pipeline/core.ts';
import { toWorkspace } from '../../core/pipeline/workspaces.ts';
import { release } from '../../core/projections/release.ts';
import type { JobRow } from '../../core/storage/core-tables.ts';
import type { Database } from '../../core/storage/database.ts';
import { applyMigrations } from '../../core/storage/migrate.ts';
import { unscoped } from '../../core/storage/scope.ts';
import { createSimulatedClock, type SimulatedClock } from '../../hosts/testing/simulated-clock.ts';
import type { TestDatabase } from './databases.ts';

const everywhere = unscoped('the test looks at every workspace');

/** A simulated process: a core and its runner. */
export interface JobProcess {
  readonly core: Core;
  readonly runner: JobRunner;
  readonly log: readonly JobLogLine[];
  close(): Promise<void>;
}

export interface JobLogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: Record<string, unknown>;
}

export interface JobProcessOptions {
  readonly jobs?: readonly JobDeclaration[];
  readonly schedules?: readonly ScheduleDeclaration[];
  readonly concurrency?: number;
  readonly leaseMs?: number;
  readonly durableEnds?: boolean;
  readonly pollMs?: number;
  readonly onPhase?: PhaseListener;
  readonly queue?: JobQueue;
  readonly queueLostAfterMs?: number;
}

/** A database with workspaces, and several simulated processes on it */
export interface JobBench {
  readonly clock: SimulatedClock;
  readonly database: Database;
  process(options: JobProcessOptions): JobProcess;
  addWorkspace(id: string): Promise<void>;
  /** Runs a transaction with effects, as in a job or an operation. After a deadlock it runs again. (Default: on the live side) */
  within<T>(
    by: JobProcess,
    workspaceId: string,
    work: (ctx: TransactionContext) => Promise<T>,
    sandbox?: boolean,
  ): Promise<T>;
  /** Writes jobs as an operation would. Returns their ids. */
  enqueue(by: JobProcess, workspaceId: string, requests: readonly JobRequest[]): Promise<string[]>;
  rows(): Promise<JobRow[]>;
  row(id: string): Promise<JobRow>;
  close(): Promise<void>;
}

/** `note` is the whole payload of the jobs of a test. */
export const notePayload = z.object({ note: z.string() });

/** A job with the payload `note` and short retry delays. */
export function noteJob(
  kind: string,
  handler: (ctx: JobContext, note: string) => Promise<void>,
  more: Partial<Pick<JobDeclaration, 'lane' | 'retryDelaysMs' | 'timeoutMs' | 'exhausted'>> = {},
): JobDeclaration {
  return defineJob({
    kind,
    payload: notePayload,
    handler: (ctx, { note }) => handler(ctx, note),
    ...more,
  } as Parameters<typeof defineJob<typeof notePayload>>[0]);
}

/** Opens an empty database for one test. `clock` (Default: simulated). */
export async function createJobBench(testDatabase: TestDatabase, clock = createSimulatedClock()): Promise<JobBench> {
  const prefix = testDatabase.newPrefix();
  const processes: JobProcess[] = [];
  const start = (options: JobProcessOptions): JobProcess => {
    const log: JobLogLine[] = [];
    const write = (level: string) => (fields: Record<string, unknown>, message: string) => {
      log.push({ level, fields, message });
    };
    const { core, jobRunner, opener } = createServiceContainer({
      storage: testDatabase.createStorage(),
      plugins: [definePlugin({ id: 'bench', jobs: options.jobs ?? [], schedules: options.schedules ?? [] })],
      environment: 'development',
      keyring: { id: 'none', open: async () => ({}) as never },
      tablePrefix: prefix,
      logger: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
      clock,
      settings: {
        jobConcurrency: options.concurrency ?? 10,
        jobLeaseMs: options.leaseMs ?? 60_000,
        jobPollMs: options.pollMs ?? 20,
        durableJobEnds: options.durableEnds ?? false,
        queueLostAfterMs: options.queueLostAfterMs ?? 900_000,
      },
      ...(options.queue !== undefined && { queue: options.queue }),
      ...(options.onPhase !== undefined && { onPhase: options.onPhase }),
    });
    const process: JobProcess = {
      core,
      runner: jobRunner,
      log,
      async close() {
        await jobRunner.stop();
        await opener.close();
      },
    };
    processes.push(process);
    return process;
  };
  const first = start({});
  await applyMigrations(await first.core.anyDatabase(), { all: first.core.registry.migrations, release });
  const database = await first.core.database();

  const rows = () => database.read(everywhere, ({ db }) => db.selectFrom('jobs').selectAll().orderBy('id').execute());
  const workspaceRow = (id: string) => ({
    id,
    name: id,
    plan: 'hobby',
    default_from: JSON.stringify({ email: 'post@example.com', name: 'Post' }),
    sending_domains: '[]',
    settings: '{}',
    suspended_at: null,
    created_at: clock.now(),
  });
  const within: JobBench['within'] = async ({ core }, workspaceId, work, sandbox = false) => {
    const openedDatabase = await core.database();
    const workspace = toWorkspace(workspaceRow(workspaceId), core.plans);
    for (;;) {
      try {
        const { result, effects: ctx } = await openedDatabase.transact(async (scope) => {
          const effects = createEffects({ core, scope, workspace, now: clock.now(), sandbox });
          const result = await work(effects);
          await scope.flush();
          return { result: result, effects: effects };
        });
        ctx.committed(false);
        return result;
      } catch (error) {
        // A deadlock writes nothing. Operations with `retryOnConflict` and jobs repeat their transaction, too.
        if (!isStorageError(error, 'deadlock')) throw error;
      }
    }
  };
  return {
    clock,
    database,
    process: start,
    within,
    async addWorkspace(id) {
      await database.transact((scope) =>
        scope.handle(everywhere).db.insertInto('workspaces').values(workspaceRow(id)).execute(),
      );
    },
    enqueue: (by, workspaceId, requests) =>
      within(by, workspaceId, async (ctx) => requests.map((request) => ctx.enqueue(request))),
    rows,
    async row(id) {
      const foundRow = (await rows()).find((row) => row.id === id);
      if (foundRow === undefined) throw new Error(`There is no job ${id}.`);
      return foundRow;
    },
    async close() {
      for (const process of processes) await process.close();
    },
  };
}

/** `count` requests of one kind, with the notes 0, 1, 2 … */
export const manyJobs = (kind: string, count: number, more: Partial<JobRequest> = {}): JobRequest[] =>
  Array.from({ length: count }, (_, index) => ({ kind, payload: { note: String(index) }, ...more }));

/** Waits until a condition is true. It has no time limit, because the test runner ends a test that waits for too long. */
export async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 2));
}

/** Registers tests with a bench of their own, on the real clock, with the workspace ws_1. */
export const eachOnRealClock =
  (test: (name: string, run: () => Promise<void>) => void, testDatabase: TestDatabase) =>
  (name: string, work: (bench: JobBench) => Promise<void>): void =>
    test(name, async () => {
      const bench = await createJobBench(testDatabase, { now: () => Date.now(), advance: () => Date.now() });
      try {
        await bench.addWorkspace('ws_1');
        await work(bench);
      } finally {
        await bench.close();
      }
    });

/** A promise and the function that resolves it. */
export function gate(): { readonly passed: Promise<void>; open(): void } {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

/** A quota that allows a claim of `max` jobs, from any lane and for any outbound key */
export const quotaOf = (max: number): ClaimQuota => ({
  of: (_, taken) => max - taken,
  claimedOfKey: () => 0,
  ofKey: () => max,
  cutShort: () => undefined,
});
