// The job runner of a service: the signal for new jobs, the worker, the schedules, inspection. Made by the kernel.
// Nothing happens before start() or drain(): no timer, no connection.
import type {
  JobQueue,
  MessagesReport,
  QueueMessage,
  RelayOptions,
  RelayReport,
  RunMessagesOptions,
} from '../contract/ports/queue.ts';
import { isOnLambda } from '../contract/values/on-lambda.ts';
import type { Core, JobSignal } from '../pipeline/core.ts';
import { unscoped } from '../storage/scope.ts';
import { Announcer } from './announcer.ts';
import { type JobListOptions, type JobSummary, knownKinds, listJobs, retryJob } from './inspection.ts';
import { JobWatch } from './job-watch.ts';
import { LateLeases } from './late-leases.ts';
import { OutageLog } from './outage-log.ts';
import { type ExternalParts, ProcessLoops, type ProcessRole } from './process-loops.ts';
import { isDue, type TickContext, tick } from './queue-tick.ts';
import { Receiver } from './receiver.ts';
import { Relay } from './relay.ts';
import { type ScheduleRuns, Schedules } from './schedule.ts';
import type { ScheduleCoreContext } from './schedule-context.ts';
import { TableStatistics } from './table-statistics.ts';
import { UnknownKinds } from './unknown-kinds.ts';
import { upkeep } from './upkeep.ts';
import { Worker } from './worker.ts';

export { createJobsPort, type JobListOptions, type JobSummary } from './inspection.ts';
export type { ProcessRole } from './process-loops.ts';
export { coreSchedules } from './retention.ts';

export interface JobRunnerOptions {
  /** The core; called at the first use. */
  readonly core: () => Core;
  /** Jobs that run at the same time in this process. */
  readonly concurrency: number;
  /** Outbound jobs that run at the same time, in addition. */
  readonly outboundConcurrency: number;
  /** Whether the ends of all jobs wait for the disk. */
  readonly durableEnds: boolean;
  /**
   * The length of a claimed job's lease, in milliseconds. When the lease has expired, other processes may claim the
   * job. A lease is renewed after a third of its length.
   */
  readonly leaseMs: number;
  /** How often the queue is polled without a signal, in milliseconds. */
  readonly pollMs: number;
  /** The external queue; undefined if the database is the queue. */
  readonly queue: JobQueue | undefined;
  /**
   * If no process claims a reference in the external queue, it counts as lost this long after the job was due, in
   * milliseconds.
   */
  readonly queueLostAfterMs: number;
}

/** Options of a start. */
export interface StartOptions {
  /**
   * The roles of this process: `worker` runs jobs, `relay` hands them on to the external queue, `scheduler` runs schedules.
   * (Default: all)
   */
  readonly roles?: readonly ProcessRole[];
}

/** The limits of a drain. */
export interface DrainOptions {
  /** No attempt begins later than this many milliseconds after the call. (Default: none) */
  readonly budgetMs?: number;
  /** How long running attempts may go on after that, before they are aborted, in milliseconds. (Default: 10,000) */
  readonly graceMs?: number;
  /** The largest number of attempts. Only for a process that is not started. (Default: no limit) */
  readonly limit?: number;
}

/** The result of a drain. */
export interface DrainReport {
  /** Attempts that were begun. */
  readonly ran: number;
  /**
   * Attempts that failed, whether or not the job has attempts left. `service.drain()` also counts the schedules that threw.
   */
  readonly failed: number;
  /** Whether due jobs are left: the budget or the limit was reached, or another process holds the jobs. */
  readonly hasMore: boolean;
}

/** Runs jobs and schedules. */
export interface JobRunner {
  readonly signal: JobSignal;
  /** Whether this process has written jobs since it last began to drain or to relay; a started process runs them by itself. */
  readonly pending: boolean;
  /** Begins to run jobs and schedules until stop(). A repeated call has no effect. */
  start(options?: StartOptions): Promise<void>;
  /**
   * Stops claiming, gives back jobs that have not begun, waits 10 s for running ones, then aborts them; flushes
   * collected writes.
   */
  stop(): Promise<void>;
  /** Runs the due jobs and the jobs that they enqueue, until no due job is left or a limit is reached. */
  drain(options?: DrainOptions): Promise<DrainReport>;
  list(options?: JobListOptions): Promise<JobSummary[]>;
  /**
   * Makes a job ready, with all of its attempts, if it has failed or waits for another attempt. Otherwise returns false. Also
   * returns false if the job has failed and the `exhausted` of its kind has run, because its writes are final: a failed send
   * stays `failed`, and must be sent again as a new send.
   */
  retry(jobId: string): Promise<boolean>;
  /** Runs the due schedules that no other process runs. */
  runSchedules(): Promise<ScheduleRuns>;
  /**
   * Writes the values that this process has cached: the usage of keys, the log of requests, and the sums of long
   * budgets. A started process does this by itself; a process that only serves requests calls it from time to time.
   */
  upkeep(): Promise<void>;
  /** Hands due jobs on to the external queue. Does nothing if there is no external queue. */
  relayPending(options?: RelayOptions): Promise<RelayReport>;
  /** Runs the jobs of messages of the external queue. */
  runMessages(messages: readonly QueueMessage[], options?: RunMessagesOptions): Promise<MessagesReport>;
}

const defaultGraceMs = 10_000;
/** The longest delay of a timer. */
const longestTimerMs = 2 ** 31 - 1;

interface Parts {
  readonly context: ScheduleCoreContext & TickContext;
  readonly worker: Worker;
  readonly schedules: Schedules;
  readonly loops: ProcessLoops;
  readonly lateLeases: LateLeases;
  readonly external: ExternalParts | undefined;
}

export function createJobRunner(options: JobRunnerOptions): JobRunner {
  let parts: Promise<Parts> | undefined;
  let worker: Worker | undefined;
  let relay: Relay | undefined;
  /** The roles of this process while it is started. */
  let roles: ReadonlySet<ProcessRole> | undefined;
  let sweptAt = Number.NEGATIVE_INFINITY;
  let lastRun: Promise<unknown> = Promise.resolve();
  let starting: Promise<void> | undefined;
  let stopping: Promise<void> | undefined;

  const database = () => options.core().database();
  const createParts = async (): Promise<Parts> => {
    const core = options.core();
    await core.telemetry.load();
    const unknownKinds = new UnknownKinds(core);
    const context = { core, database: await core.database(), unknownKinds };
    const outages = new OutageLog(core.log);
    const { concurrency, outboundConcurrency, durableEnds, leaseMs, queue } = options;
    worker = new Worker({ ...context, statistics, outages, concurrency, outboundConcurrency, durableEnds, leaseMs });
    const schedules = new Schedules(context);
    const lateLeases = new LateLeases(leaseMs);
    let external: ExternalParts | undefined;
    if (queue !== undefined) {
      relay = new Relay({ ...context, queue, outages, lostAfterMs: options.queueLostAfterMs });
      external = { queue, relay, receiver: new Receiver(worker) };
    }
    const loops = new ProcessLoops({
      ...options,
      context,
      worker,
      schedules,
      outages,
      lateLeases,
      statistics,
      external,
    });
    return { context, worker, schedules, lateLeases, external, loops };
  };
  const kinds = knownKinds(options.core);

  const ready = (): Promise<Parts> => {
    if (parts === undefined) {
      parts = createParts();
      parts.catch(() => {
        parts = undefined;
      });
    }
    return parts;
  };
  let pending = false;
  const announcer = new Announcer(database);
  const createStatistics = (): TableStatistics =>
    new TableStatistics({
      database,
      tables: () => options.core().registry.tables.keys(),
      onError: (cause) => options.core().log.debug({ cause: String(cause) }, 'the statistics could not be updated'),
    });
  let statistics = createStatistics();
  const wake: JobSignal['wake'] = (written) => {
    pending = true;
    // A function is frozen after its answer, and would send the notification with its next call.
    const isServedHere = roles?.has(options.queue === undefined ? 'worker' : 'relay') === true || isOnLambda();
    if (written === 'urgent' && !isServedHere) announcer.announce();
    statistics.recordWork();
    if (options.queue !== undefined) relay?.wake();
    else if (written === 'perhaps') worker?.wakeSoon();
    else worker?.wake(written);
  };
  const watch = new JobWatch(database, (written) => wake(written));

  const drain = async (limits: DrainOptions): Promise<DrainReport> => {
    const { budgetMs = Number.POSITIVE_INFINITY, limit = Number.POSITIVE_INFINITY } = limits;
    const { graceMs = defaultGraceMs } = limits;
    pending = false;
    const deadline = performance.now() + budgetMs;
    const { context, worker: drainWorker, lateLeases } = await ready();
    const countsBefore = { ...drainWorker.counts };
    const isNotStarted = roles === undefined;
    if (isNotStarted) drainWorker.open(limit);
    const begun = () => drainWorker.counts.ran - countsBefore.ran;
    try {
      let ran: number;
      do {
        ran = begun();
        const { ready: hasReady } = await tick(context, ran === 0 ? lateLeases : undefined);
        if (!hasReady || begun() >= limit || performance.now() >= deadline) break;
        drainWorker.wake();
        await withinDeadline(drainWorker.idle(), deadline);
      } while (begun() > ran);
    } finally {
      if (isNotStarted && roles === undefined) await drainWorker.close(graceMs);
    }
    if (isNotStarted) await upkeep(context);
    return { ran: begun(), failed: drainWorker.counts.failed - countsBefore.failed, hasMore: await isDue(context) };
  };

  const upkeepNow = async (): Promise<void> => upkeep({ core: options.core(), database: await database() });

  /** The last upkeep of a process that was never started. Does not open a database that is still closed. */
  const lastUpkeep = async (): Promise<void> => {
    const { budgets, keyUsage, requestLog, log } = options.core();
    const isPending = keyUsage.pending || requestLog?.pending === true || budgets.hasReservations;
    if (parts === undefined && !isPending) return;
    await upkeepNow().catch((cause: unknown) => {
      log.warn({ cause: String(cause) }, 'buffered values could not be written');
    });
  };

  const relayPending = async ({ budgetMs = Number.POSITIVE_INFINITY }: RelayOptions): Promise<RelayReport> => {
    const deadline = performance.now() + budgetMs;
    if (options.queue === undefined) return { sent: 0, hasMore: false };
    pending = false;
    const { context, external, lateLeases } = await ready();
    const checksLeases = performance.now() - sweptAt >= options.leaseMs / 4;
    if (checksLeases) sweptAt = performance.now();
    await tick(context, checksLeases ? lateLeases : undefined);
    if (checksLeases) await external?.relay.sweep();
    return (await external?.relay.relay(deadline)) ?? { sent: 0, hasMore: false };
  };

  const runMessages = async (
    messages: readonly QueueMessage[],
    limits: RunMessagesOptions,
  ): Promise<MessagesReport> => {
    const { worker: messageWorker, external } = await ready();
    if (external === undefined)
      throw new Error(
        'These messages come from a queue, but the service has no queue: pass the option queue to createService (docs/queues.md).',
      );
    if (roles !== undefined) return external.receiver.runMessages(messages, limits);
    const { budgetMs, graceMs = defaultGraceMs } = limits;
    let closing: Promise<void> | undefined;
    const close = (): Promise<void> => {
      closing ??= messageWorker.close(graceMs);
      return closing;
    };
    messageWorker.open();
    // Without this timer, an attempt that hangs would use up the time of the whole call.
    const timer =
      budgetMs === undefined || budgetMs > longestTimerMs
        ? undefined
        : setTimeout(() => void close().catch(() => undefined), budgetMs);
    try {
      return await external.receiver.runMessages(messages, limits);
    } finally {
      clearTimeout(timer);
      await close();
    }
  };

  const start = async ({ roles: chosen = ['worker', 'relay', 'scheduler'] }: StartOptions): Promise<void> => {
    await stopping;
    roles = new Set(chosen);
    try {
      await lastRun;
      await (await ready()).loops.start(roles);
    } catch (error) {
      roles = undefined;
      starting = undefined;
      throw error;
    }
  };

  const stop = async (): Promise<void> => {
    const started = starting;
    watch.stop();
    await started?.catch(() => undefined);
    const isNotStarted = roles === undefined;
    if (isNotStarted) await worker?.close(defaultGraceMs);
    else await (await ready()).loops.stop(defaultGraceMs);
    roles = undefined;
    await Promise.all([announcer.idle(), statistics.stop()]);
    await lastRun;
    if (isNotStarted) await lastUpkeep();
    // The database may be closed now: the next start opens a new one.
    if (starting === started) starting = undefined;
    parts = undefined;
    worker = undefined;
    relay = undefined;
    statistics = createStatistics();
  };

  return {
    signal: {
      wake,
      watch(jobIds, written) {
        pending = true;
        if (roles !== undefined) watch.watch(jobIds, written);
      },
    },
    get pending() {
      return pending;
    },
    start(options = {}) {
      starting ??= start(options);
      return starting;
    },
    stop() {
      stopping ??= stop().finally(() => {
        stopping = undefined;
      });
      return stopping;
    },
    drain(limits = {}) {
      const run = lastRun.then(() => drain(limits));
      lastRun = run.catch(() => undefined);
      return run;
    },
    list: async (list) => listJobs(await database(), kinds, list),
    async retry(jobId) {
      const now = options.core().ports.now();
      const result = await (await database()).transact((scope) =>
        retryJob(scope.handle(unscoped('the queue serves every workspace')), jobId, now, kinds),
      );
      if (result === 'retried') wake();
      return result === 'retried';
    },
    runSchedules: async () => (await ready()).schedules.run(),
    upkeep: upkeepNow,
    relayPending: (limits = {}) => relayPending(limits),
    runMessages(messages, limits = {}) {
      // If the process is not started, calls run one after another, because each opens and closes the worker.
      const run =
        roles !== undefined ? runMessages(messages, limits) : lastRun.then(() => runMessages(messages, limits));
      lastRun = run.catch(() => undefined);
      return run;
    },
  };
}

async function withinDeadline(work: Promise<void>, deadline: number): Promise<void> {
  const leftMs = deadline - performance.now();
  if (leftMs === Number.POSITIVE_INFINITY) return work;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, leftMs));
  });
  await Promise.race([work, timeout]);
  clearTimeout(timer);
}
