// The shared row lock without waiting on MySQL and MariaDB, for the end of a query. Used by statements of the core if
// locks belong to connections.
import { type RawBuilder, sql } from 'kysely';

/** MariaDB executes the first comment and MySQL the second: their syntax differs. */
export const shareNoWaitText = '/*M! lock in share mode nowait */ /*!80017 for share nowait */';

/**
 * If another transaction has written the row and not committed, the query fails at once with the fault `busy`. Other
 * readers do not cause this.
 */
export const shareNoWait: RawBuilder<unknown> = sql.raw(shareNoWaitText);
