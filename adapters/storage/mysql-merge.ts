// Several statements as one text, which costs one trip: their values are written into it. Only for sessions of our own,
// whose SQL mode is known: in NO_BACKSLASH_ESCAPES another escaping would be right. Knows no SDK and sends nothing.
import type { SqlStatement } from '../../core/contract/ports/storage.ts';

/** Writes a text as a literal of the server, quotes and all. */
export type QuoteText = (text: string) => string;

/** One statement among others. */
export interface InlinedStatement {
  readonly sql: string;
  /** As it was before its values were written into it: what messages may show. */
  readonly original: string;
}

/** A server takes a packet of 16 MB or more by default; beyond this size nothing is gained. */
const mostCharacters = 256 * 1024;
const mostStatements = 100;

/** What stands in quotes is no placeholder. */
const token = /'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|`(?:[^`]|``)*`|\?/gs;

/** The statement with its values written into it. Its parameters have been checked. */
export function inline({ sql, parameters }: SqlStatement, quote: QuoteText): InlinedStatement {
  let next = 0;
  const text = sql.replace(token, (found) => {
    if (found !== '?') return found;
    const value = parameters[next];
    next += 1;
    return literalOf(value, quote);
  });
  if (next !== parameters.length) throw new TypeError('A statement has not as many placeholders as parameters.');
  return { sql: text, original: sql };
}

function literalOf(value: unknown, quote: QuoteText): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return quote(value);
  if (value instanceof Uint8Array) {
    return `x'${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}'`;
  }
  return String(value);
}

/** Statements that can go together, in order: each group is sent as one text. */
export function groupInlined(statements: readonly InlinedStatement[]): InlinedStatement[][] {
  const groups: InlinedStatement[][] = [];
  let characters = 0;
  for (const statement of statements) {
    characters += statement.sql.length;
    const open = groups.at(-1);
    if (open !== undefined && open.length < mostStatements && characters <= mostCharacters) open.push(statement);
    else {
      groups.push([statement]);
      characters = statement.sql.length;
    }
  }
  return groups;
}
