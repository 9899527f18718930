// Opens the database and the keyring once, at the first use. Checks whether this release can work with the schema, and whether
// the keyring can open the stored values. After a failure the next call tries again: a refused process continues as soon as the
// database is migrated. After a close, nothing is opened again, because the process must not accept work that it would never do.
import { coreErrors } from '../contract/errors/core-errors.ts';
import { PostriderError } from '../contract/errors/errors.ts';
import type { Keyring, KeyringAdapter } from '../contract/ports/keyring.ts';
import type { Logger } from '../contract/ports/platform.ts';
import type { StorageAdapter } from '../contract/ports/storage.ts';
import { warnOfClock } from '../storage/clock-check.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../storage/database.ts';
import type { MigrationSource } from '../storage/history.ts';
import { assertUsable } from '../storage/migrate.ts';
import { warnOfLostKeys } from './keyring-check.ts';

/** The parts that are opened lazily. */
export interface Opener {
  /** @throws StorageError if the schema is behind, or ahead with an incompatible change; service_unavailable after a close */
  database(): Promise<Database>;
  /** The database with any schema: for migrations and diagnosis. @throws service_unavailable after a close */
  anyDatabase(): Promise<Database>;
  /** Whether the database is open or being opened. */
  readonly isOpen: boolean;
  /** @throws before the database was opened */
  keyring(): Keyring;
  close(): Promise<void>;
}

const serviceStopped = (): PostriderError =>
  new PostriderError(
    coreErrors.service_unavailable.definition,
    'This process has stopped its service, which accepts no more calls. To continue, the program must make a new service with createService. Over HTTP, try again shortly: another process may answer.',
    { retryAfterSeconds: 1 },
  );

/** Makes an opener; construction opens nothing. */
export function createOpener(parts: {
  readonly storage: StorageAdapter;
  readonly keyring: KeyringAdapter;
  readonly environment: 'development' | 'production';
  readonly database: DatabaseOptions;
  readonly migrations: MigrationSource;
  readonly log: Logger;
}): Opener {
  let opening: Promise<Database> | undefined;
  let keyring: Keyring | undefined;
  const open = async (): Promise<Database> => {
    keyring ??= await parts.keyring.open(parts.environment);
    const database = await openDatabase(parts.storage, parts.database);
    if (database.driver.notice !== undefined) parts.log.info({ storage: parts.storage.id }, database.driver.notice);
    return database;
  };
  let closed = false;
  let isLogged = false;
  /** Logs one line for all late calls: a server that goes on listening would cause one line for each request. */
  const refuse = (): Promise<never> => {
    if (!isLogged)
      parts.log.warn(
        {},
        'calls arrive after service.stop(), and are refused with service_unavailable: close the server first, then stop the service (docs/embedding.md)',
      );
    isLogged = true;
    return Promise.reject(serviceStopped());
  };
  const openedDatabase = (): Promise<Database> => {
    if (closed) return refuse();
    if (opening === undefined) {
      opening = open();
      opening.catch(() => {
        opening = undefined;
      });
    }
    return opening;
  };
  const openedKeyring = (): Keyring => {
    if (keyring === undefined) throw new Error('The keyring is not open yet: the database is opened first.');
    return keyring;
  };
  let checking: Promise<Database> | undefined;
  const check = async (): Promise<Database> => {
    const database = await openedDatabase();
    await assertUsable(database, parts.migrations);
    await warnOfLostKeys(database, openedKeyring(), parts.log);
    // A failure of this check must not make the start fail.
    await warnOfClock(database, parts.log).catch(() => undefined);
    return database;
  };
  return {
    database() {
      if (closed) return refuse();
      if (checking === undefined) {
        checking = check();
        checking.catch(() => {
          checking = undefined;
        });
      }
      return checking;
    },
    anyDatabase: openedDatabase,
    get isOpen() {
      return opening !== undefined;
    },
    keyring: openedKeyring,
    async close() {
      closed = true;
      const open = opening;
      opening = undefined;
      checking = undefined;
      if (open !== undefined) await (await open).driver.close();
    },
  };
}
