// Rejects a database that only one machine can reach. Called by index.ts.
import type { Service } from '../../core/index.ts';
import { isOnLambda } from '../../core/unstable.ts';
import { LambdaHostError } from './errors.ts';

/** Why SQLite does not work in a function. */
const sqliteReason =
  "SQLite keeps its database in a file, and a function's files are lost with its instance, of which there may be many at once. Use postgresStorage or mysqlStorage.";

/** @throws LambdaHostError on Lambda, for a service on SQLite */
export function assertSharedStorage({ core }: Pick<Service, 'core'>): void {
  if (isOnLambda() && core.adapters.storage.dialect === 'sqlite')
    throw new LambdaHostError('storage_not_shared', sqliteReason);
}
