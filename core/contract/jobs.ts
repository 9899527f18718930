// Jobs: durable work written in the transaction that causes it. Delivered at least once under a fenced lease, so every
// handler must be safe to run twice. No transaction stays open during an outside call.
import type { z } from 'zod';
import type { ReadContext, ServiceContext, TransactionContext, WorkspaceContext } from './context.ts';

/** Lanes are served in this order. Within a lane, concurrency keys are served round robin. */
export const lanes = ['urgent', 'normal', 'bulk', 'outbound'] as const;

/**
 * Examples: login codes are urgent, receipts normal, batches bulk. `outbound` is for jobs that wait for other
 * organisations' servers: it has slots of its own, and at most ten jobs of one `concurrencyKey` run at a time over all
 * processes; only one while the latest failed.
 */
export type Lane = (typeof lanes)[number];

/** A job to be written in the caller's transaction. */
export interface JobRequest {
  readonly kind: string;
  readonly payload: unknown;
  /** (Default: the job's own lane) */
  readonly lane?: Lane;
  /** Not before this time, in milliseconds since the epoch. (Default: now) */
  readonly runAt?: number;
  /**
   * Jobs with the same key share their slots. Jobs with different keys are served round robin within a lane. A webhook's
   * id as the key keeps a slow receiver from delaying the others. 40 characters at most. (Default: the workspace's id)
   */
  readonly concurrencyKey?: string;
  /** Marks the job as sandbox work in a live call; jobs of a sandbox call always are. (Default: false) */
  readonly sandbox?: boolean;
  /**
   * Names the waiting job in its workspace, kind and side: enqueueing again with the key replaces payload and time,
   * `cancelJob` deletes the job. A claimed job has no key any more. 1 to 200 characters, ids rather than addresses.
   * (Default: none)
   */
  readonly key?: string;
  /**
   * The person whose data is in the payload or may be in the error, so that an erasure finds the job: a person's id, or
   * an address (kept as a hash). The jobs of an event have the event's. (Default: no person's)
   */
  readonly subject?: string;
}

/** The name of a waiting job. */
export interface JobKey {
  readonly key: string;
  readonly kind: string;
  /** As in the job's request. (Default: false; true in the sandbox) */
  readonly sandbox?: boolean;
}

/** The context of a job handler. */
export interface JobContext extends WorkspaceContext {
  readonly jobId: string;
  /** 1 for the first try. */
  readonly attempt: number;
  readonly createdAt: number;
  /**
   * Aborted when the lease was lost, the time limit is over, or the service stops. The name of its reason, an Error,
   * says which: `JobLeaseLost`, `JobTimedOut`, `JobStopped`. A handler that throws after `JobStopped` has its job
   * requeued at once, and the try is not counted.
   */
  readonly signal: AbortSignal;
  /** Reads committed rows, outside a transaction. */
  read<T>(work: (ctx: ReadContext) => Promise<T>): Promise<T>;
  /** A transaction during the job, refused when the lease was lost. May be used several times. */
  checkpoint<T>(work: (ctx: TransactionContext) => Promise<T>): Promise<T>;
  /**
   * Ends the job: the writes of `work` and the end of the job commit in one transaction. When the lease was lost,
   * nothing is stored.
   */
  complete(work?: (ctx: TransactionContext) => Promise<void>): Promise<void>;
  /**
   * Ends the job in a transaction shared with other jobs, which is much cheaper. `work` runs at once and synchronously.
   * It cannot read, and can only defer writes: `trx.defer`, `emit`, `enqueue`. They are written together with the
   * acknowledgements of other jobs after the handler has returned: the promise does not wait for that. Do not use the
   * context afterwards. Writes that the database refuses for good end the try as a failed one.
   */
  complete(work: (ctx: TransactionContext) => unknown, options: { readonly batched: true }): Promise<void>;
  /**
   * Ends the job in a transaction shared with other jobs that end at about the same time: one commit for all. `work` may
   * read and lock as in a transaction of its own. It runs after the handler has returned, and again when the database
   * refuses the first try. The slot stays taken until the commit, so that a crash repeats the outside work of no more
   * jobs than run at a time. Do not use the context afterwards.
   */
  complete(work: (ctx: TransactionContext) => Promise<void>, options: { readonly shared: true }): Promise<void>;
  /**
   * Says that this try did not reach its aim, such as a delivery that its receiver refused: metrics count it as `failed`.
   * Has no other effect: `complete` or `retryAt` ends the job.
   */
  tryFailed(): void;
  /**
   * Ends the job as failed for good, after its last try: the writes of `work` commit with it. `jobs.list` names it with the reason, and
   * the log has it as an error. A kind that calls it declares `exhausted`, so that the job counts as final.
   */
  giveUp(reason: string, work: (ctx: TransactionContext) => Promise<void>): Promise<void>;
  /**
   * Schedules another try: the writes of `work` and the new time commit together. Counts as a try, unless it is said to
   * be `untried`: for a job that has not begun its work. `relative`: the time is a delay from now, so it moves with a
   * clock that is set back; without it, the time stands as given.
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
  /** Delays between tries, in milliseconds; when the try after the last delay fails, the job has failed. */
  readonly retryDelaysMs: readonly number[];
  /** The time limit of one try, in milliseconds. */
  readonly timeoutMs: number;
  /** Ends with complete or retryAt; returning without either completes the job. */
  handler(ctx: JobContext, payload: unknown): Promise<void>;
  /** Runs when the last try threw, in the transaction that marks the job failed. `jobs.retry` does not revive such a job. */
  exhausted?(ctx: TransactionContext, payload: unknown, reason: string): Promise<void>;
  /** What an operator can do once `exhausted` has run: a sentence that the command line shows. */
  readonly afterExhausted?: string;
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
}): JobDeclaration {
  return {
    lane: 'normal',
    retryDelaysMs: [30_000, 120_000, 600_000, 1_800_000, 7_200_000, 21_600_000, 43_200_000],
    timeoutMs: 60_000,
    ...declaration,
  } as JobDeclaration;
}

/** Recurring work of the service: at most one run for each slot over all processes. */
export interface ScheduleDeclaration {
  readonly id: string;
  readonly description: string;
  /** The length of a slot in milliseconds. Slots are counted from midnight UTC, Thursday 1 January 1970. */
  readonly everyMs: number;
  /**
   * How much later each slot begins, in milliseconds: with 7 days in `everyMs`, 4 days are Monday at midnight UTC. Less than `everyMs`.
   * (Default: 0)
   */
  readonly offsetMs?: number;
  /**
   * Runs also when a process with the role `scheduler` starts, even where another process has the slot: for what must hold before its first events.
   * `start()` waits for it, 5 seconds at most; it goes on after that. Several processes may run it at once. (Default: false)
   */
  readonly atStart?: boolean;
  /** Runs outside a transaction. Must work in small batches, so that it never blocks other writers for long. */
  run(ctx: ScheduleContext): Promise<void>;
}

/** The context of a schedule's work. */
export interface ScheduleContext extends ServiceContext {
  readonly now: number;
  readonly signal: AbortSignal;
  /**
   * The time before which rows of this declared retention are deleted, with the program's setting; 0 where they are kept
   * for ever.
   */
  keptSince(retention: string): number;
  /**
   * Deletes rows of `table` whose `column` is older than `before`, in batches with a transaction each. Answers how
   * many. `where` narrows by equal values. The table needs an index that starts with the columns of `where`, followed
   * by `column`: without it every run reads the whole table.
   */
  purge(
    table: string,
    column: string,
    before: number,
    where?: Readonly<Record<string, string | number>>,
  ): Promise<number>;
  /**
   * The same for one workspace after another, along an index or a primary key of `workspace_id` and `column`: for
   * tables into which every call inserts, where an index on the time alone would slow each insert. `parts` names tables
   * whose rows are deleted with the row they belong to, each with the column that holds its id. (Default: none)
   */
  purgeByWorkspace(
    table: string,
    column: string,
    before: number,
    parts?: Readonly<Record<string, string>>,
  ): Promise<number>;
  /**
   * Runs a transaction in every workspace that is not suspended, one after another: for enqueueing the job that does
   * the work there. Ends early when the service stops.
   */
  eachWorkspace(work: (ctx: TransactionContext) => Promise<void>): Promise<void>;
}
