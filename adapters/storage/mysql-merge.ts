// Merges several statements into one text, which costs one round trip. Their values are written into the text. Only for the
// adapter's own sessions, whose SQL mode is known; `quoteInAnyMode` is for other sessions. Knows no SDK and sends nothing.
import type { SqlStatement } from '../../core/contract/ports/storage.ts';

/** Writes a text as a quoted literal of the server. */
export type QuoteText = (text: string) => string;

/** A statement with its values written into its text. */
export interface InlinedStatement {
  readonly sql: string;
  /** The text before its values were written into it, which is safe to show in messages. */
  readonly original: string;
}

/** For sessions with any SQL mode: uses no quote within the text and no backslash. */
export const quoteInAnyMode: QuoteText = (text) => `_utf8mb4 x'${Buffer.from(text).toString('hex')}'`;

/** Larger texts have no benefit, and bytes written as digits take twice their size in a packet, which has a limit. */
const maxCharacters = 256 * 1024;
const maxStatements = 100;

/** Matches a quoted text or a placeholder, because a question mark inside quotes is not a placeholder. */
const token = /'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|`(?:[^`]|``)*`|\?/gs;

/** The statement with its values written into it. The caller has checked its parameters. */
export function inline({ sql, parameters }: SqlStatement, quote: QuoteText): InlinedStatement {
  let parameterIndex = 0;
  const text = sql.replace(token, (matched) => {
    if (matched !== '?') return matched;
    const value = parameters[parameterIndex];
    parameterIndex += 1;
    return literalOf(value, quote);
  });
  if (parameterIndex !== parameters.length)
    throw new TypeError('The number of placeholders in a statement differs from the number of parameters.');
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

/** Statements that are sent as one text, or one statement that is too large to merge. */
export type StatementGroup = readonly InlinedStatement[] | SqlStatement;

export const isMerged = (parcel: StatementGroup): parcel is readonly InlinedStatement[] => Array.isArray(parcel);

/** Groups the statements, in order, into as few texts as possible. */
export function groupStatements(statements: readonly SqlStatement[], quote: QuoteText): StatementGroup[] {
  const groups: (InlinedStatement[] | SqlStatement)[] = [];
  let characters = 0;
  for (const statement of statements) {
    if (sizeOf(statement) > maxCharacters) {
      groups.push(statement);
      continue;
    }
    const inlined = inline(statement, quote);
    const lastGroup = groups.at(-1);
    characters += inlined.sql.length;
    if (Array.isArray(lastGroup) && lastGroup.length < maxStatements && characters <= maxCharacters)
      lastGroup.push(inlined);
    else {
      groups.push([inlined]);
      characters = inlined.sql.length;
    }
  }
  return groups;
}

function sizeOf({ parameters }: SqlStatement): number {
  let size = 0;
  for (const value of parameters) {
    if (typeof value === 'string') size += value.length;
    else if (value instanceof Uint8Array) size += 2 * value.byteLength;
  }
  return size;
}
