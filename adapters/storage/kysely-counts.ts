// Whether an UPDATE through the program's Kysely instance on MariaDB or MySQL counts the rows that it found. Asked when the
// storage is opened: Kysely shows neither the pool nor its flags.
import type { SqlConnection } from '../../core/contract/ports/storage.ts';
import { countsAltered } from './mysql-session.ts';

const table = 'postrider_counts';

/** Leases are renewed with the time that they have already. @throws StorageError where an UPDATE counts alterations only */
export async function assertCountsFound(connection: SqlConnection): Promise<void> {
  const ask = (sql: string) => connection.query({ sql, parameters: [] });
  try {
    await ask(`create temporary table ${table} (id int primary key)`);
  } catch {
    // An account may lack the right, which nothing else needs; a lost connection is told by the next statement.
    return;
  }
  try {
    await ask(`insert into ${table} values (1)`);
    const { changes } = await ask(`update ${table} set id = 1 where id = 1`);
    if (changes === 1) return;
  } finally {
    await ask(`drop temporary table ${table}`);
  }
  throw countsAltered();
}
