// The service that migrate-kill.test.ts migrates, in the test and in the killed processes; and the plan of such a process.
import { localKeyring } from '../../adapters/keyring/local.ts';
import { mysqlStorage } from '../../adapters/storage/mysql.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { createService, type ServiceOf, type StorageAdapter } from '../../core/index.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { postgresUrl } from '../support/postgres-server.ts';

/** The databases. */
export type DatabaseName = 'sqlite' | 'postgres' | 'mysql';

/** The plan of a process. */
export interface MigratingPlan {
  readonly name: DatabaseName;
  /** A file, a schema or a URL, depending on the database. */
  readonly address: string;
  /** The number of schema changes that are made. The process dies at the next change. */
  readonly statements: number;
}

/** An adapter on the database. */
export function storageAt(name: DatabaseName, address: string): StorageAdapter {
  if (name === 'mysql') return mysqlStorage({ uri: address });
  if (name === 'postgres') return postgresStorage({ connectionString: postgresUrl, schema: address });
  return sqliteStorage({ filename: address });
}

export const createMigratingService = (storage: StorageAdapter): ServiceOf<string> =>
  createService<string>({
    storage,
    plugins: standardPlugins,
    keyring: localKeyring({ keys: [{ id: 'faults', secret: 'a secret for fault tests only 32 b' }] }),
  });
