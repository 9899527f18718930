// Deletes old rows in batches that never hold a writer long. Called by schedules; works on any table with an index
// that starts with the `where` columns and the time column.
import type { Kysely } from 'kysely';
import type { Database } from '../storage/database.ts';

/** Which rows go. */
export interface PurgeOrder {
  readonly table: string;
  readonly column: string;
  /** Rows whose column is less than this go. */
  readonly before: number;
  readonly where?: Readonly<Record<string, string | number>>;
}

const batch = 500;

type AnyTable = Kysely<Record<string, Record<string, string | number>>>;

/** Answers how many rows went. Stops between two batches when the signal ends. */
export async function purge(
  database: Database,
  { table, column, before, where = {} }: PurgeOrder,
  signal: AbortSignal,
): Promise<number> {
  const narrowed = Object.entries(where);
  let gone = 0;
  while (!signal.aborted) {
    const last = await database.read(undefined, async ({ db }) => {
      let query = (db as unknown as AnyTable).selectFrom(table).select(column).where(column, '<', before);
      for (const [name, value] of narrowed) query = query.where(name, '=', value);
      const row = await query
        .orderBy(column)
        .limit(1)
        .offset(batch - 1)
        .executeTakeFirst();
      return row === undefined ? undefined : Number(row[column]);
    });
    gone += await database.transact(async (scope) => {
      const { db } = scope.handle(undefined);
      let query = (db as unknown as AnyTable).deleteFrom(table);
      for (const [name, value] of narrowed) query = query.where(name, '=', value);
      // Rows of one millisecond go together, so a batch always gets somewhere.
      const old = last === undefined ? query.where(column, '<', before) : query.where(column, '<=', last);
      return Number((await old.executeTakeFirst()).numDeletedRows);
    });
    if (last === undefined) break;
  }
  return gone;
}
