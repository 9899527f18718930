// The dialect of a builder, for the few statements whose functions every database names differently.
import { type Kysely, MysqlAdapter, PostgresAdapter } from 'kysely';
import type { SqlDialect } from '../contract/ports/storage.ts';

/** The dialect in which the builder's statements are written. */
export function dialectOf<T>(db: Pick<Kysely<T>, 'getExecutor'>): SqlDialect {
  const { adapter } = db.getExecutor();
  if (adapter instanceof PostgresAdapter) return 'postgres';
  return adapter instanceof MysqlAdapter ? 'mysql' : 'sqlite';
}
