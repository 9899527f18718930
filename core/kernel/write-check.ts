// Checks whether the database accepts rows. With a full disk, a read-only role or a revoked right it still answers queries, but
// refuses every write. Called by `doctor`.
import { randomBytes } from 'node:crypto';
import { defineStatement } from '../contract/context/handle.ts';
import type { Database } from '../storage/database.ts';
import { unscoped } from '../storage/scope.ts';

const unscopedReason = unscoped('the row belongs to no workspace');

const insertRow = defineStatement((db, p: { id: string; sealed: Uint8Array; created_at: number }) =>
  db.insertInto('keyring_checks').values({ id: p.id, sealed: p.sealed, created_at: p.created_at }),
);

const deleteRow = defineStatement((db, p: { id: string }) => db.deleteFrom('keyring_checks').where('id', '=', p.id));

/**
 * Inserts a row and deletes it in the same transaction, which is committed. The schema must be up to date.
 * @throws StorageError if the database refuses rows
 */
export async function writeAndDeleteRow(database: Database, now: number): Promise<void> {
  const id = `krc_${randomBytes(12).toString('hex')}`;
  await database.transact(async (scope) => {
    const handle = scope.handle(unscopedReason);
    await handle.run(insertRow, { id, sealed: new Uint8Array(0), created_at: now });
    await handle.run(deleteRow, { id });
  });
}
