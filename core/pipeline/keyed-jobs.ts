// The jobs with a key that one transaction writes: kept until its next flush, so that only the last job of a key is
// written. A cancellation covers these and the waiting ones in the database. Made by call-effects.ts for every
// transaction.
import type { WorkspaceHandle } from '../contract/context/handle.ts';
import type { TransactionScope } from '../storage/database.ts';
import type { RecordedEffects } from './inner-call-context.ts';
import { type NewJob, removeWaiting, replaceJob } from './job-writes.ts';

/** The length of the key's column. */
const maxKeyLength = 200;

type Row = Omit<NewJob, 'workspace_id'>;

interface Gathered {
  readonly key: string;
  readonly row: Row;
}

/** Jobs with a key. */
export interface KeyedJobs {
  /** Keeps the job for the next flush, in place of an earlier one with the key. */
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
  let gathered: Gathered[] = [];

  const write = (): void => {
    const statement = scope.dialect === 'mysql' ? replaceJob.onDuplicate : replaceJob.onConflict;
    for (const { key, row } of gathered) trx.defer(statement, { ...row, waiting_key: key });
    gathered = [];
  };
  /** Removes the kept jobs of a key. Returns whether there were any. */
  const drop = (key: string, kind: string | undefined, sandbox: number): boolean => {
    const dropped = gathered.filter(
      (one) => one.key === key && (kind === undefined || one.row.kind === kind) && one.row.sandbox === sandbox,
    );
    for (const { row } of dropped) {
      gathered.splice(
        gathered.findIndex((one) => one.row === row),
        1,
      );
      recorded.jobs.splice(
        recorded.jobs.findIndex(({ id }) => id === row.id),
        1,
      );
    }
    return dropped.length > 0;
  };

  return {
    put(key, row) {
      if (key === '' || key.length > maxKeyLength)
        throw new RangeError(`The key of a job has 1 to ${maxKeyLength} characters, not ${key.length}.`);
      drop(key, row.kind, row.sandbox);
      if (gathered.length === 0) scope.beforeFlush(write);
      gathered.push({ key, row });
    },
    async cancel({ key, kind, sandbox: synthetic }, inSandbox) {
      const sandbox = inSandbox || synthetic === true ? 1 : 0;
      const gone = drop(key, kind, sandbox);
      const removed =
        kind === undefined
          ? await trx.run(removeWaiting.ofAnyKind, { waiting_key: key, sandbox })
          : await trx.run(removeWaiting.ofKind, { waiting_key: key, kind, sandbox });
      return gone || removed > 0;
    },
  };
}
