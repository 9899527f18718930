// Checks whether a statement only reads. Called by the compiler, which refuses writes outside of transactions; pure.
import { type CommonTableExpressionNode, type OperationNode, RawNode, SelectQueryNode } from 'kysely';

const readingWord = /^\s*(?:select|with|values|table|show|describe|explain|pragma)\b/i;
/** A write inside of WITH, after WITH, or in EXPLAIN. */
const writingPart = /(?:[()]|\bexplain\b|\banalyze\b)\s*(?:insert|update|delete|merge|replace\s+into)\b/i;

function isReadingText({ sqlFragments }: RawNode): boolean {
  const text = sqlFragments.join('?');
  return readingWord.test(text) && !writingPart.test(text);
}

const writing = new Set<OperationNode['kind']>([
  'InsertQueryNode',
  'UpdateQueryNode',
  'DeleteQueryNode',
  'MergeQueryNode',
]);

/** PostgreSQL also writes in the common table expressions of a select. */
const writes = ({ expression }: CommonTableExpressionNode): boolean =>
  RawNode.is(expression) ? !isReadingText(expression) : writing.has(expression.kind);

/** Whether a query only reads. Locking rows counts as reading. Raw SQL is judged by its words. */
export function isRead(query: OperationNode): boolean {
  if (RawNode.is(query)) return isReadingText(query);
  return SelectQueryNode.is(query) && query.with?.expressions.some(writes) !== true;
}
