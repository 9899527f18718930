// Derives from a query which aliases of its result are whole numbers. In a transaction of the embedding program, its
// driver may return 64-bit numbers, counts and sums as text. Called by the compiler; pure.
import {
  AggregateFunctionNode,
  AliasNode,
  BinaryOperationNode,
  ColumnNode,
  FunctionNode,
  IdentifierNode,
  type OperationNode,
  ParensNode,
  ReferenceNode,
  SelectQueryNode,
  ValueNode,
} from 'kysely';

/** Functions that return a whole number when all of their arguments are whole numbers. */
const integerPreserving: ReadonlySet<string> = new Set(['sum', 'min', 'max', 'coalesce', 'greatest', 'least', 'abs']);

function isInteger(node: OperationNode | undefined, columns: ReadonlySet<string>): boolean {
  if (node === undefined) return false;
  const areIntegers = (nodes: readonly OperationNode[]): boolean =>
    nodes.length > 0 && nodes.every((inner) => isInteger(inner, columns));
  if (ReferenceNode.is(node)) return isInteger(node.column, columns);
  if (ColumnNode.is(node)) return columns.has(node.column.name);
  if (AliasNode.is(node) || ParensNode.is(node)) return isInteger(node.node, columns);
  if (ValueNode.is(node)) return Number.isSafeInteger(node.value);
  if (AggregateFunctionNode.is(node))
    return node.func === 'count' || (integerPreserving.has(node.func) && areIntegers(node.aggregated));
  if (FunctionNode.is(node)) return integerPreserving.has(node.func) && areIntegers(node.arguments);
  if (BinaryOperationNode.is(node)) return areIntegers([node.leftOperand, node.rightOperand]);
  if (!SelectQueryNode.is(node) || node.selections?.length !== 1) return false;
  return isInteger(node.selections[0]?.selection, columns);
}

/** The aliases in `query` that are whole numbers. `columns` names the integer columns. */
export function integerAliases(query: OperationNode, columns: ReadonlySet<string>): ReadonlySet<string> {
  const aliases = new Set<string>();
  if (!SelectQueryNode.is(query)) return aliases;
  for (const { selection } of query.selections ?? []) {
    if (!AliasNode.is(selection) || !IdentifierNode.is(selection.alias)) continue;
    if (isInteger(selection.node, columns)) aliases.add(selection.alias.name);
  }
  return aliases;
}
