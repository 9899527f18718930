// Rewrites a statement with one value for each parameter into one that runs for many calls, with an array for each parameter:
// https://www.postgresql.org/docs/current/functions-array.html (unnest). Called by postgres-array-forms.ts and
// postgres-shared.ts. Pure.

/** The ordinal of the call that a row belongs to, from 1 up. */
export const callColumn = 'postrider_call';

const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\d+)/g;
const quoted = /'(?:[^']|'')*'|"(?:[^"]|"")*"/g;
const selectPattern = /^\s*select\b/i;
/** Texts that are not rewritten: reads that lock rows, and comments and dollar quotes, which would confuse the renaming of parameters. */
const unsafePattern = /\bfor\s+(?:no\s+key\s+)?(?:update|share|key)\b|\$\$|\$[a-z_]|--|\/\*|\be'|;/i;
const insertValues = /^\s*(insert\s+into\s+\S+\s*\([^()]*\))\s*values\s*\((.*)\)\s*$/is;
const insertSelect = /^\s*(insert\s+into\s+\S+\s*\([^()]*\))\s*(select\b.*)$/is;
const otherInsert = /\)\s*,\s*\(|\bon\s+conflict\b|\breturning\b/i;

const withoutQuotes = (sql: string): string => sql.replace(quoted, "''");

const plainReads = new Map<string, boolean>();
/** The maximum number of texts for which the result of `isPlainRead` is cached. */
const maxPlainReads = 2_000;

/** Whether the text is a plain read, which changes and locks nothing. The result is cached, so only pass texts that are repeated. */
export function isPlainRead(sql: string): boolean {
  const known = plainReads.get(sql);
  if (known !== undefined) return known;
  const isPlain = selectPattern.test(sql) && !unsafePattern.test(withoutQuotes(sql));
  if (plainReads.size < maxPlainReads) plainReads.set(sql, isPlain);
  return isPlain;
}

/**
 * The statement over arrays. A read gets the column `callColumn`. Undefined for a text that cannot be written over arrays: only a
 * plain read, an insert of one row and an insert from a query can, if they have parameters and no parameter is an array.
 * @param types - the types of the parameters, in order
 */
export function overArrays(sql: string, types: readonly string[]): string | undefined {
  const withoutLiterals = withoutQuotes(sql);
  if (types.length === 0 || types.some((type) => type.endsWith('[]')) || unsafePattern.test(withoutLiterals))
    return undefined;
  const columns = types.map((_, index) => `p${index + 1}`);
  const arrays = types.map((type, index) => `$${index + 1}::${type}[]`);
  const fromClause = `from unnest(${arrays.join(', ')}) with ordinality as ${callColumn}(${columns.join(', ')}, ${callColumn})`;
  const withColumnNames = (text: string): string =>
    text.replace(token, (whole, digits?: string) => (digits === undefined ? whole : `${callColumn}.p${digits}`));
  const forEachCall = (query: string): string => `${fromClause} cross join lateral (${withColumnNames(query)}) as q`;
  if (selectPattern.test(sql)) return `select ${callColumn}.${callColumn}, q.* ${forEachCall(sql)}`;
  if (otherInsert.test(withoutLiterals)) return undefined;
  const [, into, values] = insertValues.exec(sql) ?? [];
  // Not written as a subquery, because a literal null in a subquery would have the type text.
  if (values !== undefined) return `${into} select ${withColumnNames(values)} ${fromClause}`;
  const [, target, query] = insertSelect.exec(sql) ?? [];
  return query === undefined ? undefined : `${target} select q.* ${forEachCall(query)}`;
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
