// The counters of the rate limits in the service's own database, and all SQL on them. A row is locked for one short
// transaction only, and never while the process waits for anything else.
import { type Kysely, sql } from 'kysely';
import { defineStatement } from '../contract/context/handle.ts';
import type { Tables } from '../contract/open.ts';
import type { LimitDatabase, LimitRow } from '../contract/ports/limits.ts';
import type { RateLimitRow } from './core-tables.ts';
import type { Database, TransactionScope } from './database.ts';

/** One statement reads this many keys. It is therefore compiled and prepared once, whatever the number of keys. */
const keysAtOnce = 8;

/** `expires_at` is rounded up to this granularity, after adding a margin for clocks that differ. */
const expiryGrainMs = 600_000;
const expirySpareMs = 60_000;

interface KeyParameters {
  readonly [slot: `key_${number}`]: string;
}

const slots = Array.from({ length: keysAtOnce }, (_, index) => `key_${index}` as const);

const rowsOf = (db: Kysely<Tables>, p: KeyParameters) =>
  db
    .selectFrom('rate_limits')
    .select(['key_id', 'amount', 'counted_at', 'whole_at', 'grants'])
    .where(
      'key_id',
      'in',
      slots.map((slot) => p[slot] ?? ''),
    )
    .orderBy('key_id');

const locking = {
  sqlite: defineStatement((db, p: KeyParameters) => rowsOf(db, p)),
  mysql: defineStatement((db, p: KeyParameters) => rowsOf(db, p).forUpdate()),
  // Counters need not survive a crash of the server: their commits need not wait for the disk.
  postgres: defineStatement((db, p: KeyParameters) =>
    rowsOf(db, p).select(sql<string>`set_config('synchronous_commit', 'off', true)`.as('unflushed')).forUpdate(),
  ),
} as const;

const insertRow = defineStatement((db, p: RateLimitRow) =>
  db.insertInto('rate_limits').values({
    workspace_id: p.workspace_id,
    key_id: p.key_id,
    amount: p.amount,
    counted_at: p.counted_at,
    whole_at: p.whole_at,
    grants: p.grants,
    expires_at: p.expires_at,
  }),
);

const updateRow = defineStatement((db, p: RateLimitRow) =>
  db
    .updateTable('rate_limits')
    .set({
      amount: p.amount,
      counted_at: p.counted_at,
      whole_at: p.whole_at,
      grants: p.grants,
      expires_at: p.expires_at,
    })
    .where('key_id', '=', p.key_id),
);

const toColumns = (row: LimitRow): Omit<RateLimitRow, 'workspace_id'> => ({
  key_id: row.keyId,
  amount: row.amount,
  counted_at: row.countedAt,
  whole_at: row.expiresAt,
  grants: row.counts,
  expires_at: Math.ceil((row.expiresAt + expirySpareMs) / expiryGrainMs) * expiryGrainMs,
});

async function lock(
  database: Database,
  scope: TransactionScope,
  workspaceId: string,
  keyIds: readonly string[],
): Promise<LimitRow[]> {
  const handle = scope.handle(workspaceId);
  const lockedRows: Promise<LimitRow[]>[] = [];
  for (let start = 0; start < keyIds.length; start += keysAtOnce) {
    const keysOfStatement = keyIds.slice(start, start + keysAtOnce);
    const parameters = Object.fromEntries(
      slots.map((slot, index) => [slot, keysOfStatement[index] ?? keysOfStatement[0] ?? '']),
    );
    const rows = handle.all(locking[database.adapter.dialect], parameters);
    lockedRows.push(
      rows.then((storedRows) =>
        storedRows.map((row) => ({
          workspaceId,
          keyId: row.key_id,
          amount: Number(row.amount),
          countedAt: Number(row.counted_at),
          expiresAt: Number(row.whole_at),
          counts: row.grants,
        })),
      ),
    );
  }
  return (await Promise.all(lockedRows)).flat();
}

/** The counters in a database that is opened when they are first used. */
export function createLimitDatabase(open: () => Promise<Database>): LimitDatabase {
  return {
    async transact(work, waits) {
      const database = await open();
      return database.transact(async (scope) => {
        const result = await work({
          lock: (workspaceId, keyIds) => lock(database, scope, workspaceId, keyIds),
          put: (row, as) =>
            scope.handle(row.workspaceId).defer(as === 'insert' ? insertRow : updateRow, toColumns(row)),
        });
        await scope.flushLast();
        return result;
      }, waits);
    },
  };
}
