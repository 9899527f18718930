// Collects the jobs with a key that one transaction writes until its next flush, so that only the last job of a key is
// written. A cancellation applies to these jobs and to the waiting jobs in the database. Made by call-effects.ts for every
// transaction.
import type { WorkspaceHandle } from '../contract/context/handle.ts';
import type { TransactionScope } from '../storage/database.ts';
import type { RecordedEffects } from './inner-call-context.ts';
import { type NewJob, removeWaiting, replaceJob } from './job-writes.ts';

/** The length of the key's column. */
const maxKeyLength = 200;

type Row = Omit<NewJob, 'workspace_id'>;

interface CollectedJob {
  readonly key: string;
  readonly row: Row;
}

/** Jobs with a key. */
export interface KeyedJobs {
  /** Collects the job for the next flush, in place of an earlier job with the key. */
  put(key: string, row: Row): void;
  /** Cancels the waiting jobs with the key on the given side. */
  cancel(
    name: { readonly key: string; readonly kind?: string; readonly sandbox?: boolean },
    sandbox: boolean,
  ): Promise<boolean>;
}

/** The keyed jobs of one transaction. Replaced and canceled jobs are removed from `recorded`. */
export function createKeyedJobs(
  scope: Pick<TransactionScope, 'beforeFlush' | 'dialect'>,
  trx: WorkspaceHandle,
  recorded: RecordedEffects,
): KeyedJobs {
  let collected: CollectedJob[] = [];

  const write = (): void => {
    const statement = scope.dialect === 'mysql' ? replaceJob.onDuplicate : replaceJob.onConflict;
    for (const { key, row } of collected) trx.defer(statement, { ...row, waiting_key: key });
    collected = [];
  };
  /** Removes the collected jobs of a key. Returns whether there were any. */
  const drop = (key: string, kind: string | undefined, sandbox: number): boolean => {
    const removedJobs = collected.filter(
      (job) => job.key === key && (kind === undefined || job.row.kind === kind) && job.row.sandbox === sandbox,
    );
    for (const { row } of removedJobs) {
      collected.splice(
        collected.findIndex((job) => job.row === row),
        1,
      );
      recorded.jobs.splice(
        recorded.jobs.findIndex(({ id }) => id === row.id),
        1,
      );
    }
    return removedJobs.length > 0;
  };

  return {
    put(key, row) {
      if (key === '' || key.length > maxKeyLength)
        throw new RangeError(`The key of a job has 1 to ${maxKeyLength} characters, not ${key.length}.`);
      drop(key, row.kind, row.sandbox);
      if (collected.length === 0) scope.beforeFlush(write);
      collected.push({ key, row });
    },
    async cancel({ key, kind, sandbox: onSandboxSide }, inSandbox) {
      const sandbox = inSandbox || onSandboxSide === true ? 1 : 0;
      const wasCollected = drop(key, kind, sandbox);
      const removed =
        kind === undefined
          ? await trx.run(removeWaiting.ofAnyKind, { waiting_key: key, sandbox })
          : await trx.run(removeWaiting.ofKind, { waiting_key: key, kind, sandbox });
      return wasCollected || removed > 0;
    },
  };
}
