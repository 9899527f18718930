// Jobs: durable work written in the transaction that causes it. At-least-once with a fenced lease, so every
// handler is written to be run twice. No transaction is held across an outside call.
import type { z } from 'zod';
import type { Effects, ServiceSurface } from './context.ts';
import type { WorkspaceHandle } from './handle.ts';
import type { Workspace } from './workspace.ts';

/** Lanes are served in this order. Within a lane, concurrency keys are served round robin. */
export const lanes = ['urgent', 'normal', 'bulk', 'outbound'] as const;

/**
 * Login codes before receipts before batches. `outbound` stands beside these: jobs that wait for servers of others. They
 * take no slot from the three, and at most ten of one `concurrencyKey` run at a time, in all processes together; one, while the
 * latest did not go well.
 */
export type Lane = (typeof lanes)[number];

/** A job to be written: part of the caller's transaction. */
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
  /** Stays in the sandbox although the call doesn't; a sandbox call's jobs always do. (Default: false) */
  readonly sandbox?: boolean;
  /**
   * Names the job while it waits, in its workspace, kind and side: enqueueing again under the key replaces it, payload and
   * time, and `cancelJob` takes it back. A job that was claimed has no key any more. 1 to 200 characters, ids rather than
   * addresses. (Default: none)
   */
  readonly key?: string;
  /**
   * Whose personal data its payload carries or its error may name, so that erasing the person finds it: a person's id, or
   * an address (kept as a hash). The jobs of an event have the event's. (Default: nobody's)
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

/** What a job handler is given. */
export interface JobContext extends ServiceSurface {
  readonly jobId: string;
  readonly workspace: Workspace;
  readonly sandbox: boolean;
  /** 1 at the first try. */
  readonly attempt: number;
  readonly createdAt: number;
  /**
   * Ends when the lease can no longer be held, the time limit is over, or the service stops. Its reason is an Error
   * whose name tells which: `JobLeaseLost`, `JobTimedOut`, `JobStopped`. After `JobStopped` a handler that throws
   * gets its job back at once, and it was no try.
   */
  readonly signal: AbortSignal;
  /** Reads committed rows, outside a transaction. */
  read<T>(work: (handle: WorkspaceHandle) => Promise<T>): Promise<T>;
  /** A transaction in the middle of the job; it is refused when the lease was lost. May be used several times. */
  checkpoint<T>(work: (effects: Effects) => Promise<T>): Promise<T>;
  /**
   * Ends the job. What `work` writes and the end of the job commit in one transaction of their own. Nothing is stored
   * when the lease was lost.
   */
  complete(work?: (effects: Effects) => Promise<void>): Promise<void>;
  /**
   * Ends the job in a transaction that other jobs share, which is much cheaper. `work` runs at once and synchronously.
   * It can read nothing and can only defer writes: `trx.defer`, `emit`, `enqueue`. They are written together with the
   * acknowledgements of other jobs, after the handler has returned: the promise does not wait for that. Nothing of the
   * context can be used afterwards.
   */
  complete(work: (effects: Effects) => unknown, options: { readonly batched: true }): Promise<void>;
  /** Puts the job back: what `work` writes and the new time commit together. Counts as a try. */
  retryAt(runAt: number, reason: string, work?: (effects: Effects) => Promise<void>): Promise<void>;
}

/** A kind of job. */
export interface JobDeclaration {
  readonly kind: string;
  readonly payload: z.ZodType;
  readonly lane: Lane;
  /** Waits between tries, in milliseconds; after the last one the job has failed. */
  readonly retryDelaysMs: readonly number[];
  /** One try's time limit in milliseconds. */
  readonly timeoutMs: number;
  /** Must end in complete or retryAt; returning without either completes the job. */
  handler(context: JobContext, payload: unknown): Promise<void>;
  /**
   * After the last try failed by an exception: written in the transaction that marks the job failed. What it writes is
   * the end: such a job is not revived by `jobs.retry`.
   */
  exhausted?(effects: Effects, payload: unknown, reason: string): Promise<void>;
}

/** Declares a kind of job with a typed payload. */
export function defineJob<S extends z.ZodType>(declaration: {
  readonly kind: string;
  readonly payload: S;
  readonly lane?: Lane;
  readonly retryDelaysMs?: readonly number[];
  readonly timeoutMs?: number;
  handler(context: JobContext, payload: z.output<S>): Promise<void>;
  exhausted?(effects: Effects, payload: z.output<S>, reason: string): Promise<void>;
}): JobDeclaration {
  return {
    lane: 'normal',
    retryDelaysMs: [30_000, 120_000, 600_000, 1_800_000, 7_200_000, 21_600_000, 43_200_000],
    timeoutMs: 60_000,
    ...declaration,
  } as JobDeclaration;
}

/** Work that the service does by itself, at most once a slot over all processes. */
export interface ScheduleDeclaration {
  readonly id: string;
  readonly description: string;
  /** The length of a slot in milliseconds. */
  readonly everyMs: number;
  /** Runs outside a transaction; must do its work in batches that never hold a writer long. */
  run(context: ScheduleContext): Promise<void>;
}

/** What a schedule's work is given. */
export interface ScheduleContext extends ServiceSurface {
  readonly now: number;
  readonly signal: AbortSignal;
  /**
   * Deletes rows of `table` whose `column` is older than `before`, in batches of their own transactions.
   * Answers how many went. `where` narrows by equal values. The table needs an index that starts with the columns of
   * `where` and `column`: without it every run reads the whole table.
   */
  purge(
    table: string,
    column: string,
    before: number,
    where?: Readonly<Record<string, string | number>>,
  ): Promise<number>;
  /**
   * The same, one workspace after another, along an index or a primary key of `workspace_id` and `column`: for tables
   * that take rows with every call, where an index on the time alone would cost each of them. `parts` names tables
   * whose rows go with the row they belong to, each with the column that holds its id. (Default: none)
   */
  purgeByWorkspace(
    table: string,
    column: string,
    before: number,
    parts?: Readonly<Record<string, string>>,
  ): Promise<number>;
  /**
   * A transaction in every workspace that is not suspended, one after another: for writing the job that does the work
   * there. Ends early when the service stops.
   */
  eachWorkspace(work: (effects: Effects) => Promise<void>): Promise<void>;
}
