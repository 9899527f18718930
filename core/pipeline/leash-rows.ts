// The rows with the usage of leashed keys. Each key has a row, or the keys of one client and member share a row. A counting call
// locks the row until its transaction ends. So a rollback gives the usage back, and calls of these keys are counted one after
// another, over all processes. Called by leash.ts.
import { defineStatement, type WorkspaceHandle } from '../contract/context/handle.ts';
import type { LeashUsageRow } from '../storage/core-tables.ts';
import { longestWindowMs } from './leash-windows.ts';

/** `expires_at` is rounded up to this, because an index entry that changes with every call is costly. */
const expiryGrainMs = 3_600_000;

const find = defineStatement((db, p: { counter: string }) =>
  db.selectFrom('leash_usage').select('used').where('counter', '=', p.counter),
);

const lock = defineStatement((db, p: { counter: string }) =>
  db.selectFrom('leash_usage').select('used').where('counter', '=', p.counter).forUpdate(),
);

/** Inserts the row. If the row exists, locks it and does not change it. */
const insert = defineStatement((db, p: LeashUsageRow) =>
  db
    .insertInto('leash_usage')
    .values({ workspace_id: p.workspace_id, counter: p.counter, used: p.used, expires_at: p.expires_at })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'counter']).doUpdateSet((row) => ({ counter: row.ref('excluded.counter') })),
    ),
);

const update = defineStatement((db, p: Omit<LeashUsageRow, 'workspace_id'>) =>
  db.updateTable('leash_usage').set({ used: p.used, expires_at: p.expires_at }).where('counter', '=', p.counter),
);

const expiryOf = (now: number): number => Math.ceil((now + longestWindowMs) / expiryGrainMs) * expiryGrainMs;

/** The stored usage of a counter; undefined if nothing is stored. */
export const findUsed = async (handle: WorkspaceHandle, counter: string): Promise<string | undefined> =>
  (await handle.one(find, { counter }))?.used;

/** Reads the stored usage and locks it until the transaction ends. Inserts an empty usage if nothing is stored. */
export async function lockUsed(handle: WorkspaceHandle, counter: string, now: number): Promise<string> {
  const row = await handle.one(lock, { counter });
  if (row !== undefined) return row.used;
  await handle.run(insert, { counter, used: '{}', expires_at: expiryOf(now) });
  return (await handle.one(lock, { counter }))?.used ?? '{}';
}

/** Stores the usage with the transaction's next flush. The caller has locked the row. */
export function storeUsed(handle: WorkspaceHandle, counter: string, used: string, now: number): void {
  handle.defer(update, { counter, used, expires_at: expiryOf(now) });
}
