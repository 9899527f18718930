// The end of a look-up that asks for its rows on MySQL and MariaDB. Used by statements of the core where locks belong to
// connections.
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

/**
 * Rows that another transaction has written and not committed make the look-up fail at once with the fault `busy`; other
 * readers are no hindrance. MariaDB reads the first comment and MySQL the second: neither knows the other's words.
 */
export const shareNoWait: RawBuilder<unknown> = sql`/*M! lock in share mode nowait */ /*!80017 for share nowait */`;
