// `ctx.ports.jobs`: the failed jobs of one workspace, for a plugin that shows them. Made by core/jobs/inspection.ts.
import type { TransactionContext } from '../context/context.ts';
import type { WorkspaceHandle } from '../context/handle.ts';

/** A job that has failed, or that waits for another attempt. Times are milliseconds since the epoch. */
export interface FailedJob {
  readonly id: string;
  readonly kind: string;
  /** `failed`: no attempt is left. `waiting`: another attempt is planned. */
  readonly state: 'failed' | 'waiting';
  /** How many attempts have been made. */
  readonly attempts: number;
  /** The code or the name of the last error; null if the error has none. Never the error's text, which may contain an address. */
  readonly errorCode: string | null;
  readonly createdAt: number;
  /** The time of the next attempt, or of the last attempt if no attempt is planned. */
  readonly dueAt: number;
  /** When the last attempt failed. */
  readonly failedAt: number;
  /** False if the end of the job is final. */
  readonly canRetry: boolean;
}

/** A page of failed jobs. */
export interface FailedJobsPage {
  readonly jobs: readonly FailedJob[];
  /**
   * The last position that was read, if a filter applies and the list goes on: older jobs may match. `createdAt` is the time of a
   * failure.
   */
  readonly scannedTo: { readonly createdAt: number; readonly id: string } | undefined;
}

/** The filter of a list of failed jobs. */
export interface FailedJobsFilter {
  /** (Default: both states) */
  readonly state?: FailedJob['state'] | undefined;
  /** (Default: all kinds) */
  readonly kind?: string | undefined;
  readonly limit: number;
  /** The last job of the previous page: `createdAt` is the time of its failure. (Default: from the newest) */
  readonly after?: { readonly createdAt: number; readonly id: string } | undefined;
}

/**
 * The result of a retry. `missing`: there is no such job on this side of the workspace. `final`: the consequences of the
 * failure are written, and the job would do nothing. Otherwise the state that does not allow a retry.
 */
export type RetryResult =
  | 'retried'
  | 'missing'
  | 'final'
  | 'waiting'
  | 'ready'
  | 'queued'
  | 'running'
  | 'done'
  | 'failed';

/** Shows the failed jobs of a workspace, and lets them run again. */
export interface JobsPort {
  /** The jobs on the handle's side, the latest failure first. With a filter, it looks through 20,000 jobs. */
  listFailed(handle: WorkspaceHandle, filter: FailedJobsFilter): Promise<FailedJobsPage>;
  /**
   * Makes a job ready, with all of its attempts, when the transaction commits. Of several calls for one job, only one has the
   * result `retried`.
   */
  retry(ctx: TransactionContext, jobId: string): Promise<RetryResult>;
}
