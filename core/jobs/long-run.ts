// The loops of a started process: polls the queue, listens for notifications where the database supports them, and
// checks the schedules every second with node-cron. Called by the runner's start() and stop() only.
import type { ScheduledTask } from 'node-cron';
import type { LateLeases } from './late-leases.ts';
import type { OutageLog } from './outage-log.ts';
import type { Schedules } from './schedule.ts';
import type { SchedulePlace } from './schedule-context.ts';
import { tick } from './tick.ts';
import { upkeep } from './upkeep.ts';
import type { Worker } from './worker.ts';

const everySecond = '* * * * * *';
const upkeepEvery = 10;
const soonestMs = 5;

/** One process's loops. */
export class LongRun {
  readonly #place: SchedulePlace;
  readonly #worker: Worker;
  readonly #schedules: Schedules;
  readonly #outages: OutageLog;
  readonly #late: LateLeases;
  readonly #pollMs: number;
  readonly #reclaimMs: number;
  #reclaimedAt = Number.NEGATIVE_INFINITY;
  #running = false;
  #seconds = 0;
  #ticking = false;
  #ticked: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> = Promise.resolve();
  #cron: ScheduledTask | undefined;
  #unlisten: (() => Promise<void>) | undefined;

  constructor(
    place: SchedulePlace,
    worker: Worker,
    schedules: Schedules,
    outages: OutageLog,
    late: LateLeases,
    { pollMs, leaseMs }: { readonly pollMs: number; readonly leaseMs: number },
  ) {
    this.#place = place;
    this.#worker = worker;
    this.#schedules = schedules;
    this.#outages = outages;
    this.#late = late;
    this.#pollMs = pollMs;
    this.#reclaimMs = leaseMs / 4;
  }

  async start(): Promise<void> {
    const { schedule } = await import('node-cron');
    const { driver, prefix } = this.#place.database;
    this.#running = true;
    this.#worker.open();
    this.#unlisten = await this.#attempt('listening for jobs', async () =>
      driver.listen?.(`${prefix}jobs`, () => this.#worker.wake()),
    );
    const { log } = this.#place.core;
    const toLog = (message: string | Error) => log.debug({ cause: String(message) }, 'the clock of the schedules');
    const logger = { debug: toLog, info: toLog, warn: toLog, error: toLog };
    this.#cron = schedule(everySecond, () => this.#everySecond(), { logger, suppressMissedWarning: true });
    this.#poll();
  }

  async stop(graceMs: number): Promise<void> {
    this.#running = false;
    clearTimeout(this.#timer);
    await this.#cron?.destroy();
    await Promise.all([this.#polling, this.#ticked]);
    await this.#attempt('ending to listen', async () => this.#unlisten?.());
    await Promise.all([this.#worker.close(graceMs), this.#schedules.stop(graceMs)]);
    await this.#attempt('writing what has gathered', () => upkeep(this.#place));
  }

  #poll(): void {
    this.#polling = this.#pollOnce().then((afterMs) => {
      if (this.#running) this.#timer = setTimeout(() => this.#poll(), afterMs);
    });
  }

  /** Answers the delay until the next poll: at most the poll interval, less when a waiting job is due earlier. */
  async #pollOnce(): Promise<number> {
    const leases = performance.now() - this.#reclaimedAt >= this.#reclaimMs;
    if (leases) this.#reclaimedAt = performance.now();
    const state = await this.#attempt('looking for jobs', () => tick(this.#place, leases ? this.#late : undefined));
    if (state?.ready) this.#worker.wake();
    if (state?.waitingAt === undefined) return this.#pollMs;
    return Math.min(this.#pollMs, Math.max(soonestMs, state.waitingAt - this.#place.core.ports.now()));
  }

  /** Skips a second while the one before is still working. */
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
    this.#seconds += 1;
    await this.#attempt('running schedules', () => this.#schedules.tick());
    if (this.#seconds % upkeepEvery === 0) await this.#attempt('writing what has gathered', () => upkeep(this.#place));
  }

  async #attempt<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await work();
      this.#outages.over(what);
      return result;
    } catch (error) {
      this.#outages.report(what, error);
      return undefined;
    }
  }
}
