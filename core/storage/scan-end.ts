// The position at which a page ends if it filters by columns without an index. Such a page reads a bounded number of rows in the order
// of its list, so that a list of any length opens equally fast. The next page continues at this position. Used by lists.
import { type SelectQueryBuilder, sql } from 'kysely';
import { type CursorPosition, olderThan } from './cursor.ts';

/** The largest number of rows that one such page reads. */
export const scannedRows = 20_000;

/**
 * The position of the last row that a page reads; undefined if fewer than `scannedRows` rows are left after `after`. The query
 * selects the rows of the list without the filter, and an index must have them in the order of `timeColumn` and `idColumn`.
 */
export async function scanEnd<Db, Table extends keyof Db>(
  query: SelectQueryBuilder<Db, Table, object>,
  timeColumn: string,
  idColumn: string,
  after: CursorPosition | undefined,
): Promise<CursorPosition | undefined> {
  const rest = after === undefined ? query : query.where(olderThan(timeColumn, idColumn, after));
  const found = await rest
    .clearSelect()
    .select([sql.ref<number>(timeColumn).as('createdAt'), sql.ref<string>(idColumn).as('id')])
    .orderBy(sql.ref(timeColumn), 'desc')
    .orderBy(sql.ref(idColumn), 'desc')
    .limit(1)
    .offset(scannedRows - 1)
    .execute();
  return found[0] as CursorPosition | undefined;
}
