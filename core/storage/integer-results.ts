// Which aliases of an answer are whole numbers, told by the statement that asks: in a transaction of the program, its
// driver may answer 64-bit numbers, counts and sums as texts. Called by the compiler; pure.
import type { OperationNode } from 'kysely';
import {
  AggregateFunctionNode,
  AliasNode,
  BinaryOperationNode,
  ColumnNode,
  FunctionNode,
  IdentifierNode,
  ParensNode,
  ReferenceNode,
  SelectQueryNode,
  ValueNode,
} from 'kysely';

/** Functions that answer a whole number when all of their arguments are some. */
const keeping: ReadonlySet<string> = new Set(['sum', 'min', 'max', 'coalesce', 'greatest', 'least', 'abs']);

function isInteger(node: OperationNode | undefined, columns: ReadonlySet<string>): boolean {
  if (node === undefined) return false;
  const all = (nodes: readonly OperationNode[]): boolean =>
    nodes.length > 0 && nodes.every((inner) => isInteger(inner, columns));
  if (ReferenceNode.is(node)) return isInteger(node.column, columns);
  if (ColumnNode.is(node)) return columns.has(node.column.name);
  if (AliasNode.is(node) || ParensNode.is(node)) return isInteger(node.node, columns);
  if (ValueNode.is(node)) return Number.isSafeInteger(node.value);
  if (AggregateFunctionNode.is(node)) return node.func === 'count' || (keeping.has(node.func) && all(node.aggregated));
  if (FunctionNode.is(node)) return keeping.has(node.func) && all(node.arguments);
  if (BinaryOperationNode.is(node)) return all([node.leftOperand, node.rightOperand]);
  if (!SelectQueryNode.is(node) || node.selections?.length !== 1) return false;
  return isInteger(node.selections[0]?.selection, columns);
}

/** The aliases in `query` that stand for whole numbers. `columns` names the columns that hold some. */
export function integerAliases(query: OperationNode, columns: ReadonlySet<string>): ReadonlySet<string> {
  const aliases = new Set<string>();
  if (!SelectQueryNode.is(query)) return aliases;
  for (const { selection } of query.selections ?? []) {
    if (!AliasNode.is(selection) || !IdentifierNode.is(selection.alias)) continue;
    if (isInteger(selection.node, columns)) aliases.add(selection.alias.name);
  }
  return aliases;
}
