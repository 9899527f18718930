// The open transaction that the embedding program gives a call as `trx`. Called by in-process calls and by provisioning.
import type { JoinedTransaction } from '../contract/context/api.ts';
import type { Workspace } from '../contract/context/workspace.ts';
import { isStorageError, type ProgramTransaction } from '../contract/ports/storage.ts';
import type { Core } from '../pipeline/core.ts';
import { validationFailed } from '../pipeline/validate.ts';
import { findWorkspace } from '../pipeline/workspaces.ts';
import type { Database } from '../storage/database.ts';

const joinedTransactions = new WeakMap<object, object>();

/** Wraps a transaction of the program: pass it as `trx`, call `committed()` after the commit. */
export function wrapTransaction(core: Core, trx: object): JoinedTransaction & object {
  const joined = { committed: () => core.jobSignal.wake() };
  joinedTransactions.set(joined, trx);
  return joined;
}

export const trxFault = (message: string) => validationFailed([{ path: 'trx', code: 'not_a_transaction', message }]);

/** Gives the error a code, like the error of any other unusable option, to distinguish it from a fault of the service. */
function unusableTrx(error: unknown): unknown {
  if (!isStorageError(error, 'other')) return error;
  const isOtherDatabase = /does(n't| not) exist|no such table/.test(error.message);
  const message = isOtherDatabase
    ? `This transaction belongs to another database than the tables of the service: ${error.message}`
    : error.message;
  return trxFault(message);
}

/** Joins `trx`; undefined if no transaction is given. @throws validation_failed if it is not an open transaction of this database */
export function joinProgramTransaction(
  database: Database,
  options: { readonly trx?: object },
): ProgramTransaction | undefined {
  const { trx } = options;
  if (trx === undefined) {
    if (!Object.hasOwn(options, 'trx')) return undefined;
    throw trxFault(
      'The trx is undefined, and without one the call would act outside of your transaction. Pass the open transaction, or leave trx out: { ...(client && { trx: client }) }.',
    );
  }
  try {
    return database.join(joinedTransactions.get(trx) ?? trx);
  } catch (error) {
    throw unusableTrx(error);
  }
}

/**
 * Reads the workspace in a transaction of the program. This is the first statement in the transaction: only this statement
 * shows on MySQL that `trx` is not a transaction, or that it is in another database.
 * @throws validation_failed
 */
export async function readInProgramTransaction(
  core: Core,
  database: Database,
  transaction: ProgramTransaction,
  workspaceId: string,
): Promise<Workspace | undefined> {
  try {
    return await database.transactIn(transaction, (scope) => findWorkspace(scope.handle(workspaceId), core.plans));
  } catch (error) {
    throw unusableTrx(error);
  }
}
