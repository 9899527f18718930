// The transactions that write the queue's own rows: claims, leases, due jobs, references, slots of schedules. A conflict
// with another process is normal there, so it repeats the transaction and is reported only if it persists.
import type { TransactOptions } from '../contract/ports/storage.ts';
import type { Database, TransactionScope } from '../storage/database.ts';
import { repeatOnConflict } from '../storage/repeat-on-conflict.ts';

/** A transaction over the queue's rows that runs again after a conflict. `work` may run several times. */
export const queueTransaction = <T>(
  database: Database,
  work: (scope: TransactionScope) => Promise<T>,
  options?: TransactOptions,
): Promise<T> => repeatOnConflict(() => database.transact(work, options));
