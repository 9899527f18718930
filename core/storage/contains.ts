// Search conditions for expressions that contain a text: the pattern and its escapes in one place.
import { type RawBuilder, sql } from 'kysely';

/**
 * Whether the expression contains the text. Wildcards in the text are taken literally. The caller must fold the case.
 */
export const contains = (expression: unknown, text: string): RawBuilder<boolean> =>
  sql<boolean>`${expression} like ${`%${text.replace(/[!%_]/g, '!$&')}%`} escape '!'`;

/** Whether the expression contains the text, ignoring case. SQLite folds ASCII only. */
export const containsAnyCase = (expression: unknown, text: string): RawBuilder<boolean> =>
  contains(sql`lower(${expression})`, text.toLowerCase());
