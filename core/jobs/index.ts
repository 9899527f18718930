// The job runner of a service: the signal for new jobs, the worker, the schedules, inspection. Made by the kernel.
// Nothing happens before start() or drain(): no timer, no connection.
import type { Core, JobSignal } from '../pipeline/core.ts';
import type { JobListOptions, JobSummary } from './inspection.ts';
import { listJobs, reviveJob } from './inspection.ts';
import { LateLeases } from './late-leases.ts';
import { LongRun } from './long-run.ts';
import { OutageLog } from './outage-log.ts';
import { Schedules } from './schedule.ts';
import { isDue, tick } from './tick.ts';
import { upkeep } from './upkeep.ts';
import { JobWatch } from './watch.ts';
import { Worker } from './worker.ts';

export type { JobListOptions, JobSummary } from './inspection.ts';
export { coreSchedules } from './retention.ts';

/** The options of a runner. */
export interface JobRunnerOptions {
  /** The core; called at the first use. */
  readonly core: () => Core;
  /** Jobs that run at the same time in this process. */
  readonly concurrency: number;
  /** Outbound jobs that run at the same time, in addition. */
  readonly outboundConcurrency: number;
  /**
   * The lease of a claimed job, in milliseconds: after it other processes may claim the job. Renewed at a third of it.
   */
  readonly leaseMs: number;
  /** How often the queue is polled without a signal, in milliseconds. */
  readonly pollMs: number;
}

/** The limits of a drain. */
export interface DrainOptions {
  /** No try begins later than this many milliseconds after the call; running tries then have 10 s to end. (Default: none) */
  readonly budgetMs?: number;
  /** The largest number of tries; counts in a process that is not started. (Default: none) */
  readonly limit?: number;
}

/** The result of a drain. */
export interface DrainReport {
  /** Tries that were begun. */
  readonly ran: number;
  /** Those that failed, with or without tries left. */
  readonly failed: number;
  /** Whether due jobs are left: the budget or the limit was reached, or another process holds them. */
  readonly left: boolean;
}

/** Runs jobs and schedules. */
export interface JobRunner {
  readonly signal: JobSignal;
  /** Begins to run jobs and schedules until stop(). Repeating it is harmless. */
  start(): Promise<void>;
  /**
   * Stops claiming, gives back jobs that have not begun, waits 10 s for running ones, then aborts them; flushes
   * collected writes.
   */
  stop(): Promise<void>;
  /** Runs the due jobs and the jobs that they enqueue, until none is left or a limit is reached. */
  drain(options?: DrainOptions): Promise<DrainReport>;
  list(options?: JobListOptions): Promise<JobSummary[]>;
  /**
   * Revives a failed or waiting job, with all of its tries. False when there is no such job, and for a failed one whose
   * kind has an `exhausted`: that has written the end already (a failed send stays `failed`; send it anew).
   */
  retry(jobId: string): Promise<boolean>;
  /** Runs the due schedules that no other process runs. Answers their ids. */
  runSchedules(): Promise<string[]>;
  /**
   * Writes what this process has cached: the usage of keys, the sums of long budgets. A started process does it by
   * itself; a process that only serves requests calls it from time to time.
   */
  upkeep(): Promise<void>;
}

const graceMs = 10_000;

interface Parts {
  readonly worker: Worker;
  readonly schedules: Schedules;
  readonly longRun: LongRun;
  readonly late: LateLeases;
}

/** A runner. */
export function createJobRunner(options: JobRunnerOptions): JobRunner {
  let parts: Promise<Parts> | undefined;
  let worker: Worker | undefined;
  let running = false;
  let drains: Promise<unknown> = Promise.resolve();
  let starting: Promise<void> | undefined;
  let stopping: Promise<void> | undefined;

  const database = () => options.core().database();
  const make = async (): Promise<Parts> => {
    const core = options.core();
    const place = { core, database: await core.database() };
    const outages = new OutageLog(core.log);
    const { concurrency, outboundConcurrency, leaseMs } = options;
    worker = new Worker({ ...place, outages, concurrency, outboundConcurrency, leaseMs });
    const schedules = new Schedules(place);
    const late = new LateLeases(leaseMs);
    return { worker, schedules, late, longRun: new LongRun(place, worker, schedules, outages, late, options) };
  };
  const ready = (): Promise<Parts> => {
    if (parts === undefined) {
      parts = make();
      parts.catch(() => {
        parts = undefined;
      });
    }
    return parts;
  };
  const wake = (): void => worker?.wake();
  const watch = new JobWatch(database, wake);

  const drain = async (limits: DrainOptions): Promise<DrainReport> => {
    const { budgetMs = Number.POSITIVE_INFINITY, limit = Number.POSITIVE_INFINITY } = limits;
    const deadline = performance.now() + budgetMs;
    const { worker: draining, late } = await ready();
    const place = { core: options.core(), database: await database() };
    const before = { ...draining.counts };
    const alone = !running;
    if (alone) draining.open(limit);
    const begun = () => draining.counts.ran - before.ran;
    try {
      let ran: number;
      do {
        ran = begun();
        const { ready: some } = await tick(place, ran === 0 ? late : undefined);
        if (!some || begun() >= limit || performance.now() >= deadline) break;
        draining.wake();
        await withinDeadline(draining.idle(), deadline);
      } while (begun() > ran);
    } finally {
      if (alone && !running) await draining.close(graceMs);
    }
    if (alone) await upkeep(place);
    return { ran: begun(), failed: draining.counts.failed - before.failed, left: await isDue(place) };
  };

  const upkeepNow = async (): Promise<void> => upkeep({ core: options.core(), database: await database() });

  /** For a process that was never started; does not open a database that is still closed. */
  const lastUpkeep = async (): Promise<void> => {
    const { budgets, keyUsage, log } = options.core();
    if (parts === undefined && !keyUsage.pending && !budgets.held) return;
    await upkeepNow().catch((cause: unknown) => {
      log.warn({ cause: String(cause) }, 'what has gathered could not be written');
    });
  };

  const start = async (): Promise<void> => {
    await stopping;
    running = true;
    try {
      await drains;
      await (await ready()).longRun.start();
    } catch (error) {
      running = false;
      starting = undefined;
      throw error;
    }
  };

  const stop = async (): Promise<void> => {
    const started = starting;
    watch.stop();
    await started?.catch(() => undefined);
    if (running) await (await ready()).longRun.stop(graceMs);
    else await worker?.close(graceMs);
    const alone = !running;
    running = false;
    await drains;
    if (alone) await lastUpkeep();
    // The database may be closed now: the next start opens a new one.
    if (starting === started) starting = undefined;
    parts = undefined;
    worker = undefined;
  };

  return {
    signal: {
      wake,
      watch(jobIds) {
        if (running) watch.watch(jobIds);
      },
    },
    start() {
      starting ??= start();
      return starting;
    },
    stop() {
      stopping ??= stop().finally(() => {
        stopping = undefined;
      });
      return stopping;
    },
    drain(limits = {}) {
      const run = drains.then(() => drain(limits));
      drains = run.catch(() => undefined);
      return run;
    },
    list: async (list) => listJobs(await database(), list),
    async retry(jobId) {
      const { ports, registry } = options.core();
      const givesUp = (kind: string) => registry.jobs.get(kind)?.exhausted !== undefined;
      const revived = await reviveJob(await database(), jobId, ports.now(), givesUp);
      if (revived) wake();
      return revived;
    },
    runSchedules: async () => (await ready()).schedules.run(),
    upkeep: upkeepNow,
  };
}

async function withinDeadline(work: Promise<void>, deadline: number): Promise<void> {
  const leftMs = deadline - performance.now();
  if (leftMs === Number.POSITIVE_INFINITY) return work;
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, leftMs));
  });
  await Promise.race([work, over]);
  clearTimeout(timer);
}
