// Checks whether an UPDATE through the program's Kysely instance on MariaDB or MySQL counts matched rows. Called when the storage
// is opened, because Kysely exposes neither the pool nor its flags.
import type { SqlConnection } from '../../core/contract/ports/storage.ts';
import { countsChangedRows } from './mysql-faults.ts';

const table = 'postrider_counts';

/**
 * Renewing a lease may write the time that is already stored, so matched rows must count. @throws StorageError if an UPDATE
 * counts changed rows only
 */
export async function assertCountsFound(connection: SqlConnection): Promise<void> {
  const run = (sql: string) => connection.query({ sql, parameters: [] });
  try {
    await run(`create temporary table ${table} (id int primary key)`);
  } catch {
    // The account may lack the right to create temporary tables, which nothing else needs. The next statement reports a lost
    // connection.
    return;
  }
  try {
    await run(`insert into ${table} values (1)`);
    const { changes } = await run(`update ${table} set id = 1 where id = 1`);
    if (changes === 1) return;
  } finally {
    await run(`drop temporary table ${table}`);
  }
  throw countsChangedRows();
}
