// The loops of a started process: polls the queue, listens for notifications if the database supports them, receives
// from an external queue, and checks the schedules every second with node-cron. Called by the runner's start() and
// stop() only.
import type { ScheduledTask } from 'node-cron';
import type { JobQueue, QueueConsumer } from '../contract/ports/queue.ts';
import type { LateLeases } from './late-leases.ts';
import { loadCron } from './load-cron.ts';
import type { OutageLog } from './outage-log.ts';
import { type TickContext, tick } from './queue-tick.ts';
import type { Receiver } from './receiver.ts';
import type { Relay } from './relay.ts';
import type { Schedules } from './schedule.ts';
import type { ScheduleCoreContext } from './schedule-context.ts';
import type { TableStatistics } from './table-statistics.ts';
import { upkeep } from './upkeep.ts';
import type { Worker } from './worker.ts';

const everySecond = '* * * * * *';
const secondMs = 1_000;
/** After this time without a tick of node-cron, the substitute timer takes over. */
const silenceMs = 1_500;
const upkeepEvery = 10;
const minPauseMs = 5;
/** How long a start waits for the schedules that run at the start. */
const startWaitMs = 5_000;
const receiving = 'receiving from the queue';

/** A role of a started process: `worker` runs jobs, `relay` hands them on to an external queue, `scheduler` runs schedules. */
export type ProcessRole = 'worker' | 'relay' | 'scheduler';

/** The parts of a process that an external queue adds. */
export interface ExternalParts {
  readonly queue: JobQueue;
  readonly relay: Relay;
  readonly receiver: Receiver;
}

export interface ProcessLoopsParts {
  readonly context: ScheduleCoreContext & TickContext;
  readonly worker: Worker;
  readonly schedules: Schedules;
  readonly outages: OutageLog;
  readonly lateLeases: LateLeases;
  readonly statistics: TableStatistics;
  readonly external: ExternalParts | undefined;
  readonly pollMs: number;
  readonly leaseMs: number;
}

export class ProcessLoops {
  readonly #parts: ProcessLoopsParts;
  readonly #reclaimMs: number;
  #roles: ReadonlySet<ProcessRole> = new Set();
  #reclaimedAt = Number.NEGATIVE_INFINITY;
  #running = false;
  #seconds = 0;
  #ticking = false;
  #ticked: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> = Promise.resolve();
  #cron: ScheduledTask | undefined;
  /**
   * Ticks while node-cron does not. node-cron stops for up to two hours when the local time repeats an hour (node-cron
   * issues 492, 509).
   */
  #substitute: NodeJS.Timeout | undefined;
  #lastTick = 0;
  #consumer: QueueConsumer | undefined;
  #unlisten: (() => Promise<void>) | undefined;

  constructor(parts: ProcessLoopsParts) {
    this.#parts = parts;
    this.#reclaimMs = parts.leaseMs / 4;
  }

  async start(roles: ReadonlySet<ProcessRole>): Promise<void> {
    const schedule = await loadCron();
    const { context, worker, schedules, external } = this.#parts;
    const { driver, prefix } = context.database;
    this.#running = true;
    this.#roles = roles;
    if (roles.has('scheduler')) await schedules.runAtStart(startWaitMs);
    if (roles.has('worker')) worker.open();
    if (roles.has('relay')) external?.relay.open();
    await this.#consume();
    const mustPoll = external === undefined ? roles.has('worker') : roles.has('relay');
    if (mustPoll)
      this.#unlisten = await this.#attempt('listening for jobs', async () =>
        driver.listen?.(`${prefix}jobs`, (payload) => this.#wake(payload === 'urgent' ? 'urgent' : undefined)),
      );
    const { log } = context.core;
    const toLog = (message: string | Error) => log.debug({ cause: String(message) }, 'the clock of the schedules');
    const logger = { debug: toLog, info: toLog, warn: toLog, error: toLog };
    this.#lastTick = performance.now();
    this.#cron = schedule(everySecond, () => this.#tickNow(), { logger, suppressMissedWarning: true });
    this.#substitute = setInterval(() => {
      if (performance.now() - this.#lastTick >= silenceMs) void this.#tickNow();
    }, secondMs);
    if (mustPoll) this.#poll();
  }

  async stop(graceMs: number): Promise<void> {
    const { worker, schedules, external, context } = this.#parts;
    this.#running = false;
    clearTimeout(this.#timer);
    clearInterval(this.#substitute);
    await this.#cron?.destroy();
    await Promise.all([this.#polling, this.#ticked]);
    await this.#attempt('ending the listener', async () => this.#unlisten?.());
    await this.#attempt('ending the relay', async () => external?.relay.close());
    const consumer = this.#consumer;
    this.#consumer = undefined;
    await Promise.all([
      this.#attempt(receiving, async () => consumer?.stop()),
      worker.close(graceMs),
      schedules.stop(graceMs),
    ]);
    await this.#attempt('writing buffered values', () => upkeep(context));
  }

  #wake(written?: 'urgent'): void {
    const { external, worker } = this.#parts;
    if (external === undefined) worker.wake(written);
    else external.relay.wake();
  }

  #poll(): void {
    this.#polling = this.#pollOnce().then((afterMs) => {
      if (this.#running) this.#timer = setTimeout(() => this.#poll(), afterMs);
    });
  }

  /**
   * Returns the delay until the next poll in milliseconds: the poll interval, or less if a waiting job is due earlier.
   */
  async #pollOnce(): Promise<number> {
    const { context, lateLeases, external, pollMs } = this.#parts;
    const checksLeases = performance.now() - this.#reclaimedAt >= this.#reclaimMs;
    if (checksLeases) this.#reclaimedAt = performance.now();
    const state = await this.#attempt('looking for jobs', () => tick(context, checksLeases ? lateLeases : undefined));
    if (checksLeases && external !== undefined)
      await this.#attempt('looking for lost references', () => external.relay.sweep());
    if (external !== undefined || state?.ready) this.#wake();
    if (state?.waitingAt === undefined) return pollMs;
    return Math.min(pollMs, Math.max(minPauseMs, state.waitingAt - context.core.ports.now()));
  }

  #tickNow(): Promise<void> {
    this.#lastTick = performance.now();
    return this.#everySecond();
  }

  /** Skips a second while the work of an earlier second is still running. */
  #everySecond(): Promise<void> {
    if (!this.#ticking) {
      this.#ticking = true;
      this.#ticked = this.#tickOnce().finally(() => {
        this.#ticking = false;
      });
    }
    return this.#ticked;
  }

  async #tickOnce(): Promise<void> {
    const { context, schedules, worker, statistics } = this.#parts;
    this.#seconds += 1;
    await this.#consume();
    if (this.#roles.has('scheduler')) await this.#attempt('running schedules', () => schedules.tick());
    if (this.#roles.has('worker')) statistics.tick(worker.isBusy);
    if (this.#seconds % upkeepEvery === 0) await this.#attempt('writing buffered values', () => upkeep(context));
  }

  /** Begins to receive from the external queue. If the queue is unavailable, the next tick tries again. */
  async #consume(): Promise<void> {
    const { external, outages, worker } = this.#parts;
    if (external === undefined || this.#consumer !== undefined || !this.#roles.has('worker')) return;
    const { queue, receiver } = external;
    this.#consumer = await this.#attempt(receiving, () =>
      queue.consume(receiver.run, {
        prefetch: (lane) => worker.prefetchLimit(lane),
        maxPrefetch: (lane) => worker.maxPrefetchLimit(lane),
        onError: (error) => outages.report(receiving, error),
      }),
    );
  }

  async #attempt<T>(task: string, work: () => Promise<T>): Promise<T | undefined> {
    const { outages } = this.#parts;
    try {
      const result = await work();
      outages.reportRecovery(task);
      return result;
    } catch (error) {
      outages.report(task, error);
      return undefined;
    }
  }
}
