// Deletes old rows in batches, so that other writers never wait long: no statement deletes more than `batchSize` rows,
// however many have the same time. Without old rows it costs one seek. Called by schedules, over all workspaces along
// an index of time.
import type { Kysely } from 'kysely';
import type { Core } from '../pipeline/core.ts';
import type { Database } from '../storage/database.ts';
import { deleteOldest } from '../storage/delete-oldest.ts';
import { primaryKeyOf } from '../storage/primary-key.ts';
import { unscoped } from '../storage/scope.ts';

const unscopedReason = unscoped('the schedule deletes old rows in every workspace');

/** The rows to delete. */
export interface PurgeRequest {
  readonly table: string;
  readonly column: string;
  /** Rows whose column is less than this are deleted. */
  readonly before: number;
  readonly where: Readonly<Record<string, string | number>>;
}

/** The largest number of rows that one statement deletes. */
export const batchSize = 500;

/** A handle's Kysely for tables that are known by name only. */
export type AnyTable = Kysely<Record<string, Record<string, string | number>>>;

async function hasOld(database: Database, { table, column, before, where }: PurgeRequest): Promise<boolean> {
  const row = await database.read(unscopedReason, ({ db }) => {
    let query = (db as unknown as AnyTable).selectFrom(table).select(column).where(column, '<', before);
    for (const [name, value] of Object.entries(where)) query = query.where(name, '=', value);
    return query.orderBy(column).limit(1).executeTakeFirst();
  });
  return row !== undefined;
}

/**
 * Deletes the requested rows and returns their number. Stops between two batches when the signal is aborted. The table needs an index
 * that starts with the columns of `where`, followed by the time column.
 */
export async function purge(
  core: Core,
  database: Database,
  request: PurgeRequest,
  signal: AbortSignal,
): Promise<number> {
  if (signal.aborted || !(await hasOld(database, request))) return 0;
  const deletion = { ...request, primaryKey: primaryKeyOf(core.registry.migrations, request.table), limit: batchSize };
  let deletedCount = 0;
  for (let deleted = batchSize; deleted >= batchSize && !signal.aborted; deletedCount += deleted) {
    deleted = await database.transact((scope) =>
      deleteOldest(database.adapter.dialect, scope.handle(unscopedReason), deletion),
    );
  }
  return deletedCount;
}
