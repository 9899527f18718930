// The worker of one process: claims and runs jobs, renews leases, and writes how jobs ended. start() and drain() use
// the same worker; the caller decides how long it admits jobs. It never polls: the caller wakes it.
import { bulkLane, type Lane, lanes } from '../contract/declaration/jobs.ts';
import type { Core } from '../pipeline/core.ts';
import type { Database } from '../storage/database.ts';
import { inLists } from '../storage/list-statement.ts';
import { unscoped } from '../storage/scope.ts';
import { Acknowledgements } from './acknowledgements.ts';
import { type ClaimedJob, Claimer } from './claim.ts';
import { claimReferences } from './claim-references.ts';
import type { JobAttemptEnd, JobAttemptResult } from './job-attempt.ts';
import type { LastWrites } from './job-context.ts';
import type { Lease } from './lease.ts';
import { byToken, Leases } from './leases.ts';
import { runMeasuredAttempt } from './measured-attempt.ts';
import type { OutageLog } from './outage-log.ts';
import { giveBackListed, postponeListed } from './queue.ts';
import { queueTransaction } from './queue-transaction.ts';
import { outboundLane, Slots } from './slots.ts';
import type { TableStatistics } from './table-statistics.ts';
import { TurnStarts } from './turn-starts.ts';
import type { UnknownKinds } from './unknown-kinds.ts';
import { UrgentJobs } from './urgent-jobs.ts';

export interface WorkerParts {
  readonly core: Core;
  readonly database: Database;
  readonly concurrency: number;
  /** Slots of the outbound lane, in addition to `concurrency`. */
  readonly outboundConcurrency: number;
  readonly leaseMs: number;
  /** Whether the ends of all jobs wait for the disk. */
  readonly durableEnds: boolean;
  readonly outages: OutageLog;
  readonly unknownKinds: UnknownKinds;
  readonly statistics: TableStatistics;
}

/** The delay of a job whose workspace is suspended. */
const suspendedDelayMs = 300_000;
/**
 * If a job may be ready while other jobs keep the slots busy, the worker looks for it after this time at the latest.
 */
const recheckMs = 50;
/** How long attempts may still run after their signals were aborted. */
const abortGraceMs = 3_000;

/** Whether the queue has jobs for this worker. `no room`: it has jobs, but they could not be claimed for lack of room. */
type Supply = 'none' | 'maybe' | 'no room';

/** Runs jobs while it is open. */
export class Worker {
  readonly #parts: WorkerParts;
  readonly #claimer: Claimer;
  readonly #leases: Leases;
  readonly #acknowledgements: Acknowledgements;
  readonly #slots: Slots<ClaimedJob>;
  readonly #urgent: UrgentJobs;
  readonly #turnStarts = new TurnStarts(() => this.#beginJobs());
  /** Claimed jobs of the outbound lane whose rows this process still holds. */
  readonly #outboundOf = new Map<Lease, ClaimedJob>();
  /** Called when the process no longer holds the row of a job that a queue referred to. */
  readonly #whenReleased = new Map<Lease, () => void>();
  readonly #idleWaiters: (() => void)[] = [];
  #admitting = false;
  #quota = Number.POSITIVE_INFINITY;
  #supply: Supply = 'none';
  #woken = false;
  #soon: NodeJS.Timeout | undefined;
  #claiming = false;
  #returning = 0;
  #taking = 0;
  #ends = 0;
  #pausing = false;
  #awaitingTurn = false;
  /** The number of attempts, and of failed attempts. */
  readonly counts = { ran: 0, failed: 0 };

  constructor(parts: WorkerParts) {
    const { core, database, leaseMs, outages, concurrency, outboundConcurrency, unknownKinds } = parts;
    this.#parts = parts;
    this.#claimer = new Claimer(core, database, leaseMs, unknownKinds);
    this.#leases = new Leases(core, database, leaseMs, outages);
    this.#slots = new Slots(concurrency, outboundConcurrency);
    this.#urgent = new UrgentJobs(core.precedence);
    this.#acknowledgements = new Acknowledgements(parts, (leases) => {
      for (const lease of leases) this.#release(lease);
      this.#settleIdle();
    });
  }

  /** Admits jobs, at most `quota` attempts. */
  open(quota = Number.POSITIVE_INFINITY): void {
    this.#admitting = true;
    this.#quota = quota;
  }

  /** Call when a job may be ready: claims in the next turn of the event loop. `urgent`: an urgent job was written. */
  wake(written?: 'urgent'): void {
    if (!this.#admitting) return;
    if (written === 'urgent') this.#urgent.recordWrite();
    this.#supply = 'maybe';
    this.#woken = true;
    this.#beginJobsSoon();
  }

  /**
   * Call when a job is perhaps ready. If the worker needs more jobs anyway, it claims at once, otherwise 50 ms later.
   * The end of every mail writes an event; a claim after each event would cost more than the mail's own writes.
   */
  wakeSoon(): void {
    if (!this.#admitting) return;
    this.#supply = 'maybe';
    this.#beginJobsSoon();
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      this.wake();
    }, recheckMs);
  }

  /**
   * Claims the jobs that a queue refers to. Returns a promise for each claimed job. It resolves when this process no
   * longer holds the job's row: its attempt ended and was written, or the job was given back.
   * @throws if the jobs could not be claimed
   */
  async take(jobIds: readonly string[]): Promise<ReadonlyMap<string, Promise<void>>> {
    this.#taking += 1;
    try {
      const jobs = await claimReferences(this.#parts, jobIds, this.#parts.leaseMs, this.#parts.unknownKinds);
      const taken = new Map<string, Promise<void>>();
      for (const job of jobs) {
        taken.set(job.id, new Promise((resolve) => this.#whenReleased.set(job.lease, resolve)));
        this.#recordHeld(job);
      }
      await this.#admit(jobs);
      return taken;
    } finally {
      this.#taking -= 1;
      this.#beginJobsSoon();
    }
  }

  /** The current limit of jobs of a lane that an external queue may have delivered to this process. */
  prefetchLimit(lane: Lane): number {
    return this.#slots.prefetchLimit(lanes.indexOf(lane));
  }

  /** The largest value that `prefetchLimit` returns. */
  maxPrefetchLimit(lane: Lane): number {
    return this.#slots.maxPrefetchLimit(lanes.indexOf(lane));
  }

  /** Whether a job is running. */
  get isBusy(): boolean {
    return this.#slots.running > 0;
  }

  /** Resolves when no job runs, waits or can be claimed. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#idleWaiters.push(resolve);
      this.#beginJobsSoon();
    });
  }

  /**
   * Admits no more jobs, returns to the queue the jobs that have not begun, and waits for running jobs. After `graceMs`
   * their signals are aborted.
   */
  async close(graceMs: number): Promise<void> {
    this.#admitting = false;
    clearTimeout(this.#soon);
    this.#soon = undefined;
    await this.#giveBack(this.#slots.clear());
    this.#acknowledgements.flush();
    if (!(await this.#idleWithin(graceMs))) {
      this.#leases.end('stopped');
      this.#acknowledgements.flush();
      if (!(await this.#idleWithin(abortGraceMs))) {
        this.#parts.core.log.warn(
          { jobs: this.#slots.running },
          'jobs did not end in time; they run again when their leases expire',
        );
      }
    }
    this.#leases.stop();
    for (const resolve of this.#whenReleased.values()) resolve();
    this.#whenReleased.clear();
  }

  async #idleWithin(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), ms);
    });
    const idle = await Promise.race([this.idle().then(() => true as const), timeout]);
    clearTimeout(timer);
    return idle;
  }

  #beginJobsSoon(): void {
    if (this.#pausing) return;
    this.#pausing = true;
    setImmediate(() => {
      this.#pausing = false;
      this.#beginJobs();
    });
  }

  #beginJobs(): void {
    const { precedence } = this.#parts.core;
    // After a full turn, its end begins further jobs.
    while (this.#admitting && this.#quota > 0 && !this.#turnStarts.isFull) {
      const job = this.#slots.begin(!precedence.bulkMustWait());
      if (job === undefined) break;
      this.#turnStarts.record();
      void this.#run(job);
    }
    if (this.#shouldClaim()) void this.#claim();
    if (precedence.bulkMustWait() && (this.#slots.waitingBulk > 0 || this.#supply === 'maybe')) this.#beginJobsAtTurn();
    this.#settleIdle();
  }

  /** Begins jobs when bulk work may go on. */
  #beginJobsAtTurn(): void {
    if (this.#awaitingTurn || !this.#admitting) return;
    this.#awaitingTurn = true;
    void this.#parts.core.precedence.waitForTurn().then(() => {
      this.#awaitingTurn = false;
      this.#beginJobs();
    });
  }

  #shouldClaim(): boolean {
    if (!this.#admitting || this.#claiming || this.#supply !== 'maybe' || this.#quota <= this.#slots.waiting)
      return false;
    return this.#woken || (this.#slots.isLow && !this.#parts.core.precedence.bulkMustWait());
  }

  async #claim(): Promise<void> {
    this.#claiming = true;
    this.#supply = 'none';
    this.#woken = false;
    clearTimeout(this.#soon);
    this.#soon = undefined;
    const remaining = this.#quota - this.#slots.waiting;
    const ends = this.#ends;
    const endClaim = this.#urgent.beginClaim();
    const isHeld = this.#parts.core.precedence.bulkMustWait();
    try {
      const { outbound } = this.#slots;
      const { jobs, more } = await this.#claimer.claim({
        of: (lane, taken) =>
          isHeld && lane === bulkLane ? 0 : Math.min(this.#slots.room(lane, taken), remaining - taken),
        claimedOfKey: (key) => outbound.rowsOf(key),
        ofKey: (key) => outbound.roomOf(key),
        cutShort: (key) => outbound.recordCutShort(key),
      });
      this.#parts.outages.reportRecovery('claiming jobs');
      const hasRoomNow = jobs.length > 0 || this.#ends !== ends;
      if (more && this.#supply === 'none') this.#supply = hasRoomNow || isHeld ? 'maybe' : 'no room';
      for (const job of jobs) this.#recordHeld(job);
      await this.#admit(jobs);
    } catch (error) {
      this.#parts.outages.report('claiming jobs', error);
    }
    endClaim();
    this.#claiming = false;
    this.#beginJobs();
  }

  /** Adds claimed jobs to their lanes. Postpones jobs of suspended workspaces. */
  async #admit(jobs: readonly ClaimedJob[]): Promise<void> {
    const postponed = (job: ClaimedJob) => job.workspace?.suspended === true;
    const admitted = jobs.filter((job) => !postponed(job));
    if (this.#admitting) for (const job of admitted) this.#slots.add(job);
    else await this.#giveBack(admitted);
    if (admitted.length === jobs.length) return;
    await this.#postpone(jobs.filter(postponed));
  }

  #recordHeld(job: ClaimedJob): void {
    this.#leases.add(job.lease);
    this.#urgent.recordClaimed(job);
    if (job.lane !== outboundLane) return;
    this.#outboundOf.set(job.lease, job);
    this.#slots.outbound.recordClaim(job);
  }

  #release(lease: Lease): void {
    this.#leases.remove(lease);
    this.#urgent.recordEnd(lease);
    this.#whenReleased.get(lease)?.();
    this.#whenReleased.delete(lease);
    const job = this.#outboundOf.get(lease);
    if (job === undefined) return;
    this.#outboundOf.delete(lease);
    this.#slots.outbound.recordRelease(job);
  }

  async #run(job: ClaimedJob): Promise<void> {
    const started = performance.now();
    let result: JobAttemptResult = 'lost';
    let lastWrites: LastWrites | undefined;
    let refused: JobAttemptEnd['refused'];
    let failed: JobAttemptEnd['failed'];
    try {
      if (this.#holds(job)) {
        this.#quota -= 1;
        this.counts.ran += 1;
        const attempt = runMeasuredAttempt(this.#parts, job);
        this.#urgent.recordEnd(job.lease);
        ({ result, lastWrites, refused, failed } = await attempt);
      } else {
        const fields = { job_id: job.id, kind: job.kind };
        this.#parts.core.log.warn(fields, 'a job lost its lease before it began: another process may run it now');
      }
    } catch (error) {
      this.#parts.core.log.error(
        { job_id: job.id, kind: job.kind, cause: String(error) },
        'an attempt could not be run',
      );
    }
    if (result === 'failed' || failed === true) this.counts.failed += 1;
    const succeeded = result === 'returned' || result === 'ended';
    if (result !== 'returned') this.#release(job.lease);
    else await this.#acknowledgements.add(job.lease, { lastWrites, refused, isBulk: job.lane === bulkLane });
    await this.#end(job, performance.now() - started, succeeded);
  }

  /** Frees the job's slot. */
  async #end(job: ClaimedJob, tookMs: number, succeeded: boolean): Promise<void> {
    const { claim, giveBack } = this.#slots.end(job, tookMs, succeeded);
    this.#ends += 1;
    this.#parts.statistics.recordWork();
    if (giveBack.length > 0) await this.#giveBack(giveBack);
    if (claim) this.#woken = true;
    if (claim || this.#supply === 'no room') this.#supply = 'maybe';
    this.#beginJobs();
    // No further job can share a commit with the last ends, so they need not wait.
    if (this.#slots.running === 0 && this.#slots.waiting === 0 && !this.#claiming) this.#acknowledgements.flush();
  }

  /** After a stall of this process, other processes may have reclaimed jobs that waited here. */
  #holds({ lease }: ClaimedJob): boolean {
    return lease.ended === undefined && lease.until > this.#parts.core.ports.now();
  }

  async #giveBack(jobs: readonly ClaimedJob[]): Promise<void> {
    await this.#return(jobs, (ids, token) => giveBackListed(ids, { token }));
  }

  async #postpone(jobs: readonly ClaimedJob[]): Promise<void> {
    const now = this.#parts.core.ports.now();
    const run_at = now + suspendedDelayMs;
    await this.#return(jobs, (ids, token) => postponeListed(ids, { token, run_at, planned_at: now }));
  }

  /** Returns to the queue jobs that have not begun. If that fails, their leases expire. */
  async #return(
    jobs: readonly ClaimedJob[],
    bind: (ids: readonly string[], token: string) => ReturnType<typeof giveBackListed>,
  ): Promise<void> {
    if (jobs.length === 0) return;
    this.#returning += 1;
    try {
      await queueTransaction(this.#parts.database, async (scope) => {
        for (const [token, leases] of byToken(jobs.map(({ lease }) => lease))) {
          for (const list of inLists(leases)) {
            await scope.handle(unscoped('the queue serves every workspace')).run(
              ...bind(
                list.map(({ jobId }) => jobId),
                token,
              ),
            );
          }
        }
      });
    } catch (error) {
      this.#parts.outages.report('returning jobs to the queue', error);
    }
    for (const { lease } of jobs) this.#release(lease);
    this.#returning -= 1;
    this.#settleIdle();
  }

  #settleIdle(): void {
    if (this.#idleWaiters.length === 0) return;
    const { running, waiting } = this.#slots;
    const noneCanBegin = waiting === 0 || !this.#admitting || this.#quota <= 0;
    if (running > 0 || this.#claiming || this.#taking > 0 || this.#returning > 0 || !noneCanBegin) return;
    if (this.#admitting && this.#supply === 'maybe' && this.#quota > 0) return;
    if (!this.#acknowledgements.empty) {
      this.#acknowledgements.flush();
      return;
    }
    for (const resolve of this.#idleWaiters.splice(0)) resolve();
  }
}
