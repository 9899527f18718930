// Checks raw SQL in a statement that is bound to a workspace: it may hold expressions, but must not name a table or
// close the clause that contains it. Called by scoped-statements.ts.
import type { RawNode } from 'kysely';
import { AliasNode, IdentifierNode, SchemableIdentifierNode, TableNode } from 'kysely';

/** Words that begin another statement or query. */
const statementWords = /\b(select|insert|delete|merge|truncate|copy|execute|call)\b/i;

// Comments that MySQL and MariaDB execute, such as `lock in share mode nowait` behind an M or a version.
const executedComments = /\/\*M?!\d*([^*]*)\*\//g;

/** How a text could leave its clause; undefined where it cannot. */
function escapeOf(text: string): string | undefined {
  let depth = 0;
  let quote: string | undefined;
  for (const letter of text) {
    if (quote !== undefined) {
      if (letter === quote) quote = undefined;
    } else if (letter === "'" || letter === '"' || letter === '`') quote = letter;
    else if (letter === '(') depth += 1;
    else if (letter === ')' && depth-- === 0) return 'closes a parenthesis that it did not open';
    else if (letter === ';') return 'ends the statement';
  }
  if (quote !== undefined) return 'leaves a quote open';
  return depth > 0 ? 'leaves a parenthesis open' : undefined;
}

const nameOf = (node: unknown): string | undefined => {
  const inner = AliasNode.is(node as never) ? (node as AliasNode).node : (node as AliasNode);
  if (TableNode.is(inner)) return inner.table.identifier.name;
  if (SchemableIdentifierNode.is(inner)) return inner.identifier.name;
  return IdentifierNode.is(inner) ? inner.name : undefined;
};

/** @throws Error when the raw SQL names one of our tables, holds a query, or could leave its clause */
export function assertExpression(node: RawNode, prefix: string, isOurs: (table: string) => boolean): void {
  const text = node.sqlFragments.join(' ? ').replace(executedComments, ' $1 ');
  const refuse = (reason: string): never => {
    throw new Error(
      `Raw SQL in a statement of one workspace ${reason}. Write it with the query builder, or run it on handle.unscoped(reason).`,
    );
  };
  if (prefix !== '' && text.toLowerCase().includes(prefix.toLowerCase())) refuse('names a table of the service');
  if (/--|\/\*|#/.test(text)) refuse('holds a comment');
  if (statementWords.test(text)) refuse('holds a query');
  const fault = escapeOf(text);
  if (fault !== undefined) refuse(fault);
  for (const parameter of node.parameters) {
    const name = nameOf(parameter);
    if (name !== undefined && isOurs(name)) refuse(`names the table ${name}`);
  }
}
