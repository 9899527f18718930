// The shared row lock without waiting on MySQL and MariaDB, for the end of a query. Used by statements of the core
// where locks belong to connections.
import { type RawBuilder, sql } from 'kysely';

/** MariaDB executes the first comment and MySQL the second: their syntax differs. */
export const shareNoWaitText = '/*M! lock in share mode nowait */ /*!80017 for share nowait */';

/**
 * A row that another transaction has written and not committed makes the query fail at once with the fault `busy`;
 * other readers do not.
 */
export const shareNoWait: RawBuilder<unknown> = sql.raw(shareNoWaitText);
