// Opens the database and the keyring at the first use, once. A failed opening is tried again by the next call.
import type { Keyring, KeyringAdapter } from '../contract/ports/keyring.ts';
import type { StorageAdapter } from '../contract/ports/storage.ts';
import type { Database, DatabaseOptions } from '../storage/database.ts';
import { openDatabase } from '../storage/database.ts';

/** What is opened lazily. */
export interface Opener {
  database(): Promise<Database>;
  /** @throws before the database was opened */
  keyring(): Keyring;
  close(): Promise<void>;
}

/** An opener; construction touches nothing. */
export function createOpener(parts: {
  readonly storage: StorageAdapter;
  readonly keyring: KeyringAdapter;
  readonly environment: 'development' | 'production';
  readonly database: DatabaseOptions;
}): Opener {
  let opening: Promise<Database> | undefined;
  let keyring: Keyring | undefined;
  const open = async (): Promise<Database> => {
    keyring ??= await parts.keyring.open(parts.environment);
    return openDatabase(parts.storage, parts.database);
  };
  return {
    database() {
      if (opening === undefined) {
        opening = open();
        opening.catch(() => {
          opening = undefined;
        });
      }
      return opening;
    },
    keyring() {
      if (keyring === undefined) throw new Error('The keyring is not open yet: the database is opened first.');
      return keyring;
    },
    async close() {
      const opened = opening;
      opening = undefined;
      if (opened !== undefined) await (await opened).driver.close();
    },
  };
}
