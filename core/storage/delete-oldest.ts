// The one statement that deletes a bounded number of old rows from any table, in the words of each dialect.
// Called by core/jobs/purge.ts. Raw SQL, for the tests' tenancy check refuses such a statement to plugins.
import { sql } from 'kysely';
import type { Handle } from '../contract/handle.ts';
import type { SqlDialect } from '../contract/ports/storage.ts';

/** Which rows are old. */
export interface OldRows {
  readonly table: string;
  readonly column: string;
  /** Rows whose column is less than this go. */
  readonly before: number;
  readonly where: Readonly<Record<string, string | number>>;
  readonly primaryKey: readonly string[];
  /** The most that go. */
  readonly limit: number;
}

/** Deletes the oldest of them; answers how many went. */
export async function deleteOldest(dialect: SqlDialect, { db }: Handle, old: OldRows): Promise<number> {
  const time = sql.ref(old.column);
  const table = sql.table(old.table);
  const equal = Object.entries(old.where).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  const conditions = sql.join([sql`${time} < ${old.before}`, ...equal], sql` and `);
  const oldest = sql`${conditions} order by ${time} limit ${sql.lit(old.limit)}`;
  const rows = sql`delete from ${table} where`;
  const statements = {
    // Neither a subquery on the table that rows go from nor a limit in one is allowed.
    mysql: () => sql`${rows} ${oldest}`,
    // By their place: with the primary key there, Postgres may join with all that is old. The condition stands twice,
    // for it looks at the outer one again where somebody changed a row meanwhile.
    postgres: () => sql`${rows} ctid = any(array(select ctid from ${table} where ${oldest})) and ${conditions}`,
    sqlite: () => {
      const key = sql.join(old.primaryKey.map((name) => sql.ref(name)));
      return sql`${rows} (${key}) in (select ${key} from ${table} where ${oldest})`;
    },
  };
  return Number((await statements[dialect]().execute(db)).numAffectedRows ?? 0);
}
