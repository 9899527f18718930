// Texts that contain a text, for searches: the pattern and its escapes in one place.
import { type RawBuilder, sql } from 'kysely';

/** Whether the expression contains the text, wildcards in it taken literally. Folding of case is the caller's. */
export const contains = (expression: unknown, text: string): RawBuilder<boolean> =>
  sql<boolean>`${expression} like ${`%${text.replace(/[!%_]/g, '!$&')}%`} escape '!'`;

/** The same for upper and lower case alike. SQLite folds ASCII only. */
export const containsAnyCase = (expression: unknown, text: string): RawBuilder<boolean> =>
  contains(sql`lower(${expression})`, text.toLowerCase());
