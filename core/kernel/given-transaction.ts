// The open transaction that the embedding program gives a call as `trx`. Called by in-process calls and by provisioning.
import type { Receipt } from '../contract/api.ts';
import { type ForeignTransaction, isStorageError } from '../contract/ports/storage.ts';
import type { Workspace } from '../contract/workspace.ts';
import type { Core } from '../pipeline/core.ts';
import { validationFailed } from '../pipeline/validate.ts';
import { findWorkspace } from '../pipeline/workspaces.ts';
import type { Database } from '../storage/database.ts';

const receipts = new WeakMap<object, object>();

/** Wraps a transaction of the program: pass it as `trx`, call `committed()` after the commit. */
export function createReceipt(core: Core, trx: object): Receipt & object {
  const receipt = { committed: () => core.jobSignal.wake() };
  receipts.set(receipt, trx);
  return receipt;
}

export const trxFault = (message: string) => validationFailed([{ path: 'trx', code: 'not_a_transaction', message }]);

/** Gives the error a code, like the error of any other unusable option, to distinguish it from a fault of the service. */
function unusableTrx(error: unknown): unknown {
  if (!isStorageError(error, 'other')) return error;
  const isElsewhere = /does(n't| not) exist|no such table/.test(error.message);
  const message = isElsewhere
    ? `This transaction is in another database than the tables of the service: ${error.message}`
    : error.message;
  return trxFault(message);
}

/** Undefined if no transaction is given. @throws validation_failed if `trx` is not an open transaction of this database */
export function givenTransaction(
  database: Database,
  options: { readonly trx?: object },
): ForeignTransaction | undefined {
  const { trx } = options;
  if (trx === undefined) {
    if (!Object.hasOwn(options, 'trx')) return undefined;
    throw trxFault(
      'The trx is undefined, and without one the call would act outside of your transaction. Pass the open transaction, or leave trx out: { ...(client && { trx: client }) }.',
    );
  }
  try {
    return database.join(receipts.get(trx) ?? trx);
  } catch (error) {
    throw unusableTrx(error);
  }
}

/**
 * Reads the workspace in a transaction of the program. This is the first statement in the transaction: MySQL reports only now
 * that it is not a transaction, or that it is in another database.
 * @throws validation_failed
 */
export async function readInGiven(
  core: Core,
  database: Database,
  foreign: ForeignTransaction,
  workspaceId: string,
): Promise<Workspace | undefined> {
  try {
    return await database.transactIn(foreign, (scope) => findWorkspace(scope.handle(workspaceId), core.plans));
  } catch (error) {
    throw unusableTrx(error);
  }
}
