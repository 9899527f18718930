// The one statement that deletes a bounded number of old rows from any table, for each dialect. Called by
// core/jobs/purge.ts. It is raw SQL, because the tests' tenancy check refuses such a statement in plugins.
import { sql } from 'kysely';
import type { Handle } from '../contract/context/handle.ts';
import type { SqlDialect } from '../contract/ports/storage.ts';

/** The rows to delete. */
export interface OldRows {
  readonly table: string;
  readonly column: string;
  /** Rows whose column is less than this are deleted. */
  readonly before: number;
  readonly where: Readonly<Record<string, string | number>>;
  readonly primaryKey: readonly string[];
  /** The largest number of rows to delete. */
  readonly limit: number;
}

/** Deletes the oldest of these rows. Returns the number of deleted rows. */
export async function deleteOldest(dialect: SqlDialect, { db }: Handle, oldRows: OldRows): Promise<number> {
  const time = sql.ref(oldRows.column);
  const table = sql.table(oldRows.table);
  const equal = Object.entries(oldRows.where).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  const conditions = sql.join([sql`${time} < ${oldRows.before}`, ...equal], sql` and `);
  const oldest = sql`${conditions} order by ${time} limit ${sql.lit(oldRows.limit)}`;
  const deleteFrom = sql`delete from ${table} where`;
  const statements = {
    // MySQL allows neither a subquery on the deleted table nor a LIMIT in one.
    mysql: () => sql`${deleteFrom} ${oldest}`,
    // By ctid: with the primary key, Postgres may join with all old rows. The condition is repeated, because after a
    // concurrent update Postgres evaluates only the outer condition again.
    postgres: () => sql`${deleteFrom} ctid = any(array(select ctid from ${table} where ${oldest})) and ${conditions}`,
    sqlite: () => {
      const key = sql.join(oldRows.primaryKey.map((name) => sql.ref(name)));
      return sql`${deleteFrom} (${key}) in (select ${key} from ${table} where ${oldest})`;
    },
  };
  return Number((await statements[dialect]().execute(db)).numAffectedRows ?? 0);
}
