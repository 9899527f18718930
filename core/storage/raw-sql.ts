// Checks raw SQL in a statement that is bound to a workspace: it may contain one expression, but must not name a table,
// run a query or leave the clause that contains it. Called by scoped-statements.ts.
import {
  AliasNode,
  ColumnNode,
  IdentifierNode,
  type OperationNode,
  RawNode as Raw,
  type RawNode,
  ReferenceNode,
  SchemableIdentifierNode,
  TableNode,
  ValueNode,
} from 'kysely';
import type { SqlDialect } from '../contract/ports/storage.ts';

/** Words that begin a statement or a query, or name a table, in any position. */
const statementWords =
  /\b(select|insert|delete|merge|truncate|copy|execute|call|table|join|union|intersect|except|minus|into)\b/i;

/** Words that begin another clause of the statement, if they are outside of parentheses. */
const clauseWords = /\b(where|on|using|set|returning|having|window|(?<!\bdistinct\s+)from)\b/i;

/**
 * Functions that run a query given as text, read files or change the connection. The service itself sets
 * `synchronous_commit` for the rest of a transaction.
 */
const reachingFunctions = new RegExp(
  [
    '(?:query|cursor|table|schema|database)_to_xml\\w*',
    'ts_stat|ts_rewrite|dblink\\w*|crosstab\\w*|connectby|xpath_table',
    'pg_(?:read|ls|file|logical|terminate|cancel)_\\w+|pg_stat_file|lo_\\w+',
    "set_config(?!\\('synchronous_commit', 'off', true\\))",
    'load_file|load_extension|readfile|writefile|fts3_tokenizer|sys_exec|sys_eval',
  ]
    .map((names) => `\\b(?:${names})`)
    .join('|'),
  'i',
);

/**
 * Checks the name of a function that a statement of one workspace calls. @throws Error for a function it may not call,
 * and for text that is not a name
 */
export function assertFunctionName(name: string): void {
  if (!/^[a-z_]\w*(\.[a-z_]\w*)?$/i.test(name))
    throw new Error(`${JSON.stringify(name)} is not the name of a function.`);
  if (reachingFunctions.test(`${name}(`))
    throw new Error(`The function ${name} can read rows of other workspaces: call it on handle.unscoped(reason).`);
}

/**
 * Checks a literal that is written into the statement. @throws Error for a backslash or NUL: databases interpret a
 * backslash differently
 */
export function assertLiteral(value: unknown): void {
  if (typeof value === 'string' && /[\\\0]/.test(value))
    throw new Error('Pass a text with a backslash as a parameter, not as a literal.');
}

/**
 * The characters outside of quotes that begin a comment, a variable, a parameter or a kind of quote that this check
 * does not parse.
 */
const uncheckedCharacter: Readonly<Record<SqlDialect, RegExp>> = {
  sqlite: /--|\/\*|[$[?:@]/,
  postgres: /--|\/\*|[$`]/,
  mysql: /--|\/\*|[$#@[?]/,
};

/** The text outside of its quotes and parentheses, or the reason why it could leave its clause. */
function outsideText(text: string, dialect: SqlDialect): { readonly outside: string } | { readonly fault: string } {
  let outside = '';
  let unquoted = '';
  let depth = 0;
  let quote: string | undefined;
  for (const letter of text) {
    if (letter === '\\' || letter === '\0') return { fault: 'holds a backslash or a NUL' };
    if (quote !== undefined) {
      if (letter === quote) quote = undefined;
      continue;
    }
    const isQuote = letter === "'" || letter === '"' || letter === '`';
    if (isQuote) quote = letter;
    // Unicode escapes (U&"…") can spell a name in characters that are not checked.
    if (isQuote && /\bu&$/i.test(unquoted)) return { fault: 'holds a Unicode escape' };
    unquoted += isQuote ? ' ' : letter;
    if (letter === '(') depth += 1;
    else if (letter === ')') {
      depth -= 1;
      if (depth < 0) return { fault: 'closes a parenthesis that it did not open' };
    } else if (letter === ';') return { fault: 'ends the statement' };
    else if (depth === 0) outside += isQuote ? ' ' : letter;
  }
  if (quote !== undefined) return { fault: 'leaves a quote open' };
  if (depth > 0) return { fault: 'leaves a parenthesis open' };
  if (uncheckedCharacter[dialect].test(unquoted))
    return { fault: 'contains a comment, a variable, a parameter, or quotes of a special kind' };
  return { outside };
}

/** The parts of raw SQL as one text, with the nested raw SQL and the names in it. */
interface FlatSql {
  readonly text: string;
  readonly nested: readonly RawNode[];
  readonly names: readonly string[];
}

/** The name that a part of raw SQL consists of; undefined for values and for whole parts of a statement. */
function nameOf(node: OperationNode): string | undefined {
  if (AliasNode.is(node)) return nameOf(node.node);
  if (TableNode.is(node)) return node.table.identifier.name;
  if (SchemableIdentifierNode.is(node)) return node.identifier.name;
  if (ReferenceNode.is(node)) return nameOf(node.column);
  if (ColumnNode.is(node)) return node.column.name;
  return IdentifierNode.is(node) ? node.name : undefined;
}

function flatten(node: RawNode): FlatSql {
  const nested: RawNode[] = [];
  const names: string[] = [];
  const textOf = (raw: RawNode): string =>
    raw.sqlFragments
      .map((fragment, index) => {
        const parameter = raw.parameters[index];
        if (parameter === undefined) return fragment;
        if (Raw.is(parameter)) {
          nested.push(parameter);
          return fragment + textOf(parameter);
        }
        const name = nameOf(parameter);
        if (name !== undefined) names.push(name);
        const isLiteral = ValueNode.is(parameter) && parameter.immediate === true;
        // In the quotes that the parameter will have: `E` or `U&` before it would change its meaning.
        return fragment + (name !== undefined ? '"x"' : isLiteral ? "'x'" : ' x ');
      })
      .join('');
  return { text: textOf(node), nested, names };
}

/** Whether the text contains a part of the statement, such as a name, between its own quotes. */
const quotesParts = (node: RawNode): boolean => {
  let quote: string | undefined;
  const walk = (raw: RawNode): boolean =>
    raw.sqlFragments.some((fragment, index) => {
      for (const letter of fragment)
        if (quote === undefined) quote = /['"`]/.test(letter) ? letter : undefined;
        else if (letter === quote) quote = undefined;
      const parameter = raw.parameters[index];
      if (parameter === undefined) return false;
      return Raw.is(parameter) ? walk(parameter) : quote !== undefined;
    });
  return walk(node);
};

/** The context of the raw SQL, and the names that it must not contain. */
export interface RawSqlContext {
  readonly dialect: SqlDialect;
  readonly prefix: string;
  readonly isOurs: (name: string) => boolean;
  /** Whether it is in FROM, which allows a function's rows or VALUES, but not a name. */
  readonly isSource: boolean;
}

/** A prefix shorter than this occurs in ordinary words, too: `d` in `desc`. */
const minPrefixLength = 4;

const namesTable = (text: string, prefix: string, isOurs: RawSqlContext['isOurs']): boolean =>
  (prefix.length >= minPrefixLength && text.includes(prefix)) ||
  (text.match(/[\w$]+/g) ?? []).some((word) => word.startsWith(prefix) && word !== prefix && isOurs(word));

/**
 * Returns the nested raw SQL, which was checked together with it.
 * @throws Error when the raw SQL names a table of the service, contains a query, or could leave its clause
 */
export function assertExpression(
  node: RawNode,
  { dialect, prefix, isOurs, isSource }: RawSqlContext,
): readonly RawNode[] {
  const { text, nested, names } = flatten(node);
  const refuse = (reason: string): never => {
    throw new Error(
      `Raw SQL in a statement of one workspace ${reason}. Write it with the query builder, or run it on handle.unscoped(reason).`,
    );
  };
  if (namesTable(text.toLowerCase(), prefix.toLowerCase(), isOurs)) refuse('names a table of the service');
  for (const name of names) if (isOurs(name)) refuse(`names the table ${name}`);
  if (statementWords.test(text)) refuse('holds a query');
  if ([text, ...names].some((part) => reachingFunctions.test(part)))
    refuse('calls a function that can read rows of other workspaces');
  if (quotesParts(node)) refuse('contains a part of the statement in quotes');
  const outside = outsideText(text, dialect);
  if ('fault' in outside) return refuse(outside.fault);
  if (clauseWords.test(outside.outside)) refuse('begins another clause');
  if (outside.outside.includes(',')) refuse('is more than one expression');
  if (isSource && !/^\s*(lateral\s+)?([a-z_]\w*)?\s*\(/i.test(text)) refuse('names a table: call a function there');
  return nested;
}
