// Detects a keyring that cannot open the values in the database. For each key that was ever the first key, the database stores
// one small value sealed under it. Read when a process opens the database, and by `doctor`; written at start and by the first
// drain.
import { createHash } from 'node:crypto';
import { defineStatement } from '../contract/context/handle.ts';
import type { Keyring } from '../contract/ports/keyring.ts';
import type { Logger } from '../contract/ports/platform.ts';
import { isStorageError } from '../contract/ports/storage.ts';
import type { Core } from '../pipeline/core.ts';
import type { Database } from '../storage/database.ts';
import { unscoped } from '../storage/scope.ts';

const unscopedReason = unscoped('the keyring belongs to no workspace');
const context = 'keyring check';

const allChecks = defineStatement((db) => db.selectFrom('keyring_checks').selectAll().orderBy('created_at').limit(100));

const insertCheck = defineStatement((db, p: { id: string; sealed: Uint8Array; created_at: number }) =>
  db.insertInto('keyring_checks').values({ id: p.id, sealed: p.sealed, created_at: p.created_at }),
);

/** An id that differs for each first key and secret, and reveals nothing about them. */
const checkIdOf = (keyring: Keyring): string =>
  `krc_${createHash('sha256').update(keyring.mac('first key', context)).digest('hex').slice(0, 24)}`;

const repairHint = (table: string, id: string): string =>
  `Without that key, the values sealed with it, such as accepted mail and stored secrets, are lost. If you no longer need them, delete the row ${id} of ${table}.`;

async function read(database: Database, keyring: Keyring) {
  const rows = await database.read(unscopedReason, (handle) => handle.all(allChecks, {}));
  const faults = rows.flatMap(({ id, sealed }) => {
    try {
      keyring.open(sealed, context);
      return [];
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      return [
        `The database holds values that the configured keyring cannot open. ${reason} ${repairHint(`${database.prefix}keyring_checks`, id)}`,
      ];
    }
  });
  return { faults, ids: new Set(rows.map(({ id }) => id)) };
}

/** One sentence for each earlier key whose values cannot be opened. Reads only; the schema must be up to date. */
export const keyringFaults = async (database: Database, keyring: Keyring): Promise<readonly string[]> =>
  (await read(database, keyring)).faults;

/** Logs a warning for each earlier key whose values cannot be opened. Reads only; the schema must be up to date. */
export async function warnOfLostKeys(database: Database, keyring: Keyring, log: Logger): Promise<void> {
  for (const fault of await keyringFaults(database, keyring)) log.warn({}, fault);
}

/** Remembers the first key for later processes. */
export async function rememberFirstKey({ database, ports }: Core): Promise<void> {
  const opened = await database();
  const { keyring } = ports;
  const id = checkIdOf(keyring);
  if ((await read(opened, keyring)).ids.has(id)) return;
  const sealed = keyring.seal(Buffer.from(context), context);
  try {
    await opened.transact((scope) =>
      scope.handle(unscopedReason).run(insertCheck, { id, sealed, created_at: ports.now() }),
    );
  } catch (error) {
    // Another process has started at the same time.
    if (!isStorageError(error, 'unique')) throw error;
  }
}
