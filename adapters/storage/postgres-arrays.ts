// Rewrites a statement with one value for each parameter into one that runs for many calls, with an array for each parameter:
// https://www.postgresql.org/docs/current/functions-array.html (unnest). Called by postgres-shared.ts. Pure.

/** The ordinal of the call that a row belongs to, from 1 up. */
export const callColumn = 'postrider_call';

const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\d+)/g;
const quoted = /'(?:[^']|'')*'|"(?:[^"]|"")*"/g;
const read = /^\s*select\b/i;
/** A read that locks rows, and comments and dollar quotes, which the renaming of parameters would misread. */
const apart = /\bfor\s+(?:no\s+key\s+)?(?:update|share|key)\b|\$\$|\$[a-z_]|--|\/\*|\be'|;/i;
const insertValues = /^\s*(insert\s+into\s+\S+\s*\([^()]*\))\s*values\s*\((.*)\)\s*$/is;
const insertSelect = /^\s*(insert\s+into\s+\S+\s*\([^()]*\))\s*(select\b.*)$/is;
const otherInsert = /\)\s*,\s*\(|\bon\s+conflict\b|\breturning\b/i;

const withoutQuotes = (sql: string): string => sql.replace(quoted, "''");

/** Whether the text is a plain read, which changes and locks nothing. */
export function isPlainRead(sql: string): boolean {
  return read.test(sql) && !apart.test(withoutQuotes(sql));
}

/**
 * The statement over arrays. A read gets the column `callColumn`. Undefined if the text has no such form: it is neither a read nor
 * an insert of one row or from a query, or it has no parameter or one that is an array itself.
 * @param types - the types of the parameters, in order
 */
export function overArrays(sql: string, types: readonly string[]): string | undefined {
  const bare = withoutQuotes(sql);
  if (types.length === 0 || types.some((type) => type.endsWith('[]')) || apart.test(bare)) return undefined;
  const columns = types.map((_, index) => `p${index + 1}`);
  const arrays = types.map((type, index) => `$${index + 1}::${type}[]`);
  const from = `from unnest(${arrays.join(', ')}) with ordinality as ${callColumn}(${columns.join(', ')}, ${callColumn})`;
  const withColumnNames = (text: string): string =>
    text.replace(token, (whole, digits?: string) => (digits === undefined ? whole : `${callColumn}.p${digits}`));
  const each = (query: string): string => `${from} cross join lateral (${withColumnNames(query)}) as q`;
  if (read.test(sql)) return `select ${callColumn}.${callColumn}, q.* ${each(sql)}`;
  if (otherInsert.test(bare)) return undefined;
  const [, into, values] = insertValues.exec(sql) ?? [];
  // Not a subquery: there, a literal null would be a text.
  if (values !== undefined) return `${into} select ${withColumnNames(values)} ${from}`;
  const [, target, query] = insertSelect.exec(sql) ?? [];
  return query === undefined ? undefined : `${target} select q.* ${each(query)}`;
}

/** The values of one parameter as an array in PostgreSQL's text form. */
export function arrayOf(values: readonly unknown[]): string {
  return `{${values.map(elementOf).join(',')}}`;
}

function elementOf(value: unknown): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `"${/["\\]/.test(value) ? value.replace(/["\\]/g, '\\$&') : value}"`;
  if (value instanceof Uint8Array)
    return `"\\\\x${Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex')}"`;
  return String(value);
}
