// Jobs: durable work that is written in the transaction that causes it. Each job is delivered at least once under a fenced
// lease, so every handler must be safe to run twice. No transaction stays open during a call to an outside system.
import type { z } from 'zod';
import type { ReadContext, ServiceContext, TransactionContext, WorkspaceContext } from '../context/context.ts';

/** Lanes are served in this order. Within a lane, concurrency keys are served round robin. */
export const lanes = ['urgent', 'normal', 'bulk', 'outbound'] as const;

/**
 * Examples: login codes are urgent, receipts normal, batches bulk. `outbound` is for jobs that wait for other
 * organisations' servers. It has its own slots. At most ten `outbound` jobs of one `concurrencyKey` run at a time over all
 * processes, and only one if the latest of them failed.
 */
export type Lane = (typeof lanes)[number];

/** The indexes of these lanes in `lanes`. A stored job contains the index of its lane. */
export const urgentLane = lanes.indexOf('urgent');
export const bulkLane = lanes.indexOf('bulk');

/** A job to be written in the caller's transaction. */
export interface JobRequest {
  readonly kind: string;
  readonly payload: unknown;
  /** (Default: the job's own lane) */
  readonly lane?: Lane;
  /** The earliest start, in milliseconds since the epoch. (Default: now) */
  readonly runAt?: number;
  /**
   * Jobs with the same key share their slots. Within a lane, different keys are served round robin. For example, if a
   * webhook's id is the key, a slow receiver does not delay the other receivers. 40 characters at most. (Default: the
   * workspace's id)
   */
  readonly concurrencyKey?: string;
  /** Marks a job of a live call as sandbox work. Jobs of a sandbox call always are sandbox work. (Default: false) */
  readonly sandbox?: boolean;
  /**
   * Identifies the waiting job within its workspace, kind and side. If another job is enqueued with the same key, its
   * payload and time replace those of the waiting job; `cancelJob` deletes the waiting job. A claimed job no longer has
   * a key. 1 to 200 characters. Use ids rather than addresses. (Default: none)
   */
  readonly key?: string;
  /**
   * The person whose data is in the payload or may be in the error, so that an erasure finds the job: a person's id, or
   * an address (stored as a hash). The jobs of an event have the subject of the event. (Default: no person)
   */
  readonly subject?: string;
}

/** Identifies a waiting job. */
export interface JobKey {
  readonly key: string;
  /** (Default: every kind) */
  readonly kind?: string;
  /** The `sandbox` of the job's request. (Default: false; true in the sandbox) */
  readonly sandbox?: boolean;
}

/** Whether a job's outside work may be repeated after a power failure. */
export interface RepeatableEnd {
  /**
   * If true, the commit that ends the job does not wait for the disk. If only the process is killed, no such commit is lost. A power
   * failure may undo the last 100 such commits of a process; their jobs then run again. Use it only for work that may be repeated.
   * Ignored if `settings.durableJobEnds` is true, and by databases that cannot set this for a single transaction. (Default:
   * false)
   */
  readonly repeatable?: boolean;
}

/** The context of a job handler. */
export interface JobContext extends WorkspaceContext {
  readonly jobId: string;
  /** The lane in which the job was enqueued. */
  readonly lane: Lane;
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly createdAt: number;
  /**
   * Aborted if the lease is lost, the time limit is exceeded, or the service stops. Its reason is an Error with the name
   * `JobLeaseLost`, `JobTimedOut` or `JobStopped`. If the handler throws after `JobStopped`, the job is requeued at once
   * and the attempt is not counted.
   */
  readonly signal: AbortSignal;
  /**
   * Runs work that waits for something outside of this process, such as a call to a provider. While an urgent job runs, the bulk jobs
   * of this process begin nothing new, for at most 200 ms. While the urgent job is in `outside`, they may begin new work.
   */
  outside<T>(work: () => Promise<T>): Promise<T>;
  /** Reads committed rows, outside a transaction. A bulk job may have to wait for calls and urgent jobs first. */
  read<T>(work: (ctx: ReadContext) => Promise<T>): Promise<T>;
  /**
   * Runs a transaction during the job. Refused if the lease was lost. May be called several times. A bulk job may have to wait for calls
   * and urgent jobs first.
   */
  checkpoint<T>(work: (ctx: TransactionContext) => Promise<T>): Promise<T>;
  /**
   * Ends the job: the writes of `work` and the end of the job commit in one transaction. If the lease was lost, nothing
   * is stored.
   */
  complete(work?: (ctx: TransactionContext) => Promise<void>): Promise<void>;
  /**
   * Ends the job in a transaction shared with other jobs, which is much cheaper. `work` runs at once and synchronously.
   * It cannot read; it can only defer writes with `trx.defer`, `emit` and `enqueue`. After the handler has returned, these
   * writes are stored together with the acknowledgements of other jobs. The promise does not wait for that. Do not use the
   * context afterwards. If the database refuses the writes permanently, the attempt counts as failed.
   */
  complete(
    work: (ctx: TransactionContext) => unknown,
    options: { readonly batched: true } & RepeatableEnd,
  ): Promise<void>;
  /**
   * Ends the job in a transaction shared with other jobs that end at about the same time: one commit for all. `work` may
   * read and lock as in a transaction of its own. It runs after the handler has returned, and again if the database refuses
   * the first attempt. The job keeps its slot until the commit, so a crash repeats the outside work of at most as many jobs as
   * run at a time. If the end is `repeatable`, its slot is free at once, unless 64 such ends wait for their commit: a crash
   * then repeats the work of these, too. Do not use the context afterwards.
   */
  complete(
    work: (ctx: TransactionContext) => Promise<void>,
    options: { readonly shared: true } & RepeatableEnd,
  ): Promise<void>;
  /**
   * Marks this attempt as unsuccessful, for example if the receiver refused a delivery. Metrics then count the attempt as
   * `failed`. Has no other effect: `complete` or `retryAt` still ends the job.
   */
  markAttemptFailed(): void;
  /**
   * Ends the job as permanently failed, after its last attempt. The writes of `work` commit with the end of the job. `jobs.list`
   * shows the job with the reason, and an error is logged. A kind that calls this must declare `exhausted`, so that the job
   * counts as final.
   */
  giveUp(reason: string, work: (ctx: TransactionContext) => Promise<void>): Promise<void>;
  /**
   * Schedules another attempt: the writes of `work` and the new time commit together. The present attempt is counted unless
   * `untried` is true, which is for a job that has not begun its work. If `relative` is true, the time is treated as a delay
   * from now: if the clock is set back, the time moves with it. Otherwise the time does not move.
   */
  retryAt(
    runAt: number,
    reason: string,
    work?: (ctx: TransactionContext) => Promise<void>,
    options?: { readonly untried?: boolean; readonly relative?: boolean },
  ): Promise<void>;
}

/** A kind of job. */
export interface JobDeclaration {
  readonly kind: string;
  readonly payload: z.ZodType;
  readonly lane: Lane;
  /** Delays between attempts, in milliseconds. If the attempt after the last delay fails, the job has failed. */
  readonly retryDelaysMs: readonly number[];
  /** The time limit of one attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** Ends the job with complete or retryAt. If it returns without calling either, the job is complete. */
  handler(ctx: JobContext, payload: unknown): Promise<void>;
  /** Runs if the last attempt threw, in the transaction that marks the job as failed. `jobs.retry` refuses such a job. */
  exhausted?(ctx: TransactionContext, payload: unknown, reason: string): Promise<void>;
  /** Advice for an operator after `exhausted` has run: a sentence that the command line shows. */
  readonly afterExhausted?: string;
  /**
   * If true, `ctx.read` may share round trips with reads of other such jobs that begin in the same turn of the event loop. Its work may
   * then run twice, so it must have no effect but its result. For kinds of which many run at a time. (Default: false)
   */
  readonly sharesReads?: boolean;
}

/** Declares a kind of job with a typed payload. */
export function defineJob<S extends z.ZodType>(declaration: {
  readonly kind: string;
  readonly payload: S;
  readonly lane?: Lane;
  readonly retryDelaysMs?: readonly number[];
  readonly timeoutMs?: number;
  handler(ctx: JobContext, payload: z.output<S>): Promise<void>;
  exhausted?(ctx: TransactionContext, payload: z.output<S>, reason: string): Promise<void>;
  readonly afterExhausted?: string;
  readonly sharesReads?: boolean;
}): JobDeclaration {
  return {
    lane: 'normal',
    retryDelaysMs: [30_000, 120_000, 600_000, 1_800_000, 7_200_000, 21_600_000, 43_200_000],
    timeoutMs: 60_000,
    ...declaration,
  } as JobDeclaration;
}

/** Recurring work of the service: at most one run per time slot over all processes. */
export interface ScheduleDeclaration {
  readonly id: string;
  readonly description: string;
  /** The length of a slot in milliseconds. Slots are counted from midnight UTC, Thursday 1 January 1970. */
  readonly everyMs: number;
  /**
   * Shifts the start of each slot, in milliseconds: if `everyMs` is 7 days, an offset of 4 days means Monday at midnight UTC.
   * Must be less than `everyMs`. (Default: 0)
   */
  readonly offsetMs?: number;
  /**
   * Also runs when a process with the role `scheduler` starts, even if another process has the slot. For work that must be
   * done before the process handles its first events. `start()` waits at most 5 seconds for the run, which continues after
   * that. Several processes may run it at the same time. (Default: false)
   */
  readonly atStart?: boolean;
  /** Runs outside a transaction. Must work in small batches so that it never blocks other writers for long. */
  run(ctx: ScheduleContext): Promise<void>;
}

/** The context of a schedule's work. */
export interface ScheduleContext extends ServiceContext {
  readonly now: number;
  readonly signal: AbortSignal;
  /**
   * The time before which rows of this declared retention are deleted, according to the program's setting. 0 if the rows
   * are kept for ever.
   */
  keptSince(retention: string): number;
  /**
   * Deletes rows of `table` whose `column` is older than `before`, in batches with one transaction each. Returns the number
   * of deleted rows. `where` selects rows by equal values. The table needs an index that starts with the columns of `where`,
   * followed by `column`; without it every run reads the whole table.
   */
  purge(
    table: string,
    column: string,
    before: number,
    where?: Readonly<Record<string, string | number>>,
  ): Promise<number>;
  /**
   * Does the same as `purge` for one workspace after another, along an index or a primary key of `workspace_id` and `column`.
   * For tables into which every call inserts: an index on the time alone would slow each insert. `parts` maps tables of
   * dependent rows to their column that contains the id of the deleted row; these rows are deleted with it. (Default: none)
   */
  purgeByWorkspace(
    table: string,
    column: string,
    before: number,
    parts?: Readonly<Record<string, string>>,
  ): Promise<number>;
  /**
   * Runs a transaction in every workspace that is not suspended, one after another. Use it to enqueue the job that does
   * the work there. Ends early if the service stops.
   */
  eachWorkspace(work: (ctx: TransactionContext) => Promise<void>): Promise<void>;
}
