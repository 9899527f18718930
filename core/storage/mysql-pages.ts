// Lets MySQL and MariaDB seek to the start of a page of a list. With `workspace_id = ?` they look up the workspace and
// walk from its newest row. If the same condition is written as a range, the seek includes the time of the cursor. Used
// by the compiler for their dialect only. Does not change results.
import {
  BinaryOperationNode,
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  OperatorNode,
  OrderByItemNode,
  OrderByNode,
  type SelectQueryNode,
  WhereNode,
} from 'kysely';
import { allOf, columnOf, conjuncts } from './conditions.ts';
import { sideColumn } from './scope.ts';

/** The columns that bind a page to a workspace and a side, in the order of the index. */
const scopeColumnNames = ['workspace_id', sideColumn];

const compares = (node: OperationNode, column: string | undefined, operator: string): node is BinaryOperationNode =>
  BinaryOperationNode.is(node) &&
  columnOf(node.leftOperand) === column &&
  OperatorNode.is(node.operator) &&
  node.operator.operator === operator;

function withOperator(node: BinaryOperationNode, operator: '>=' | '<='): BinaryOperationNode {
  return BinaryOperationNode.create(node.leftOperand, OperatorNode.create(operator), node.rightOperand);
}

/** Rewrites a page after a cursor: a query of one workspace with a limit, ordered by a column with an upper bound. */
function seekPage(query: SelectQueryNode): SelectQueryNode {
  const { where, orderBy, limit } = query;
  const [first] = orderBy?.items ?? [];
  if (where === undefined || orderBy === undefined || first === undefined || limit === undefined) return query;
  const column = columnOf(first.orderBy);
  const parts = conjuncts(where.where);
  const boundColumns = scopeColumnNames.flatMap(
    (name) => parts.find((part): part is BinaryOperationNode => compares(part, name, '=')) ?? [],
  );
  const isBound = boundColumns[0] !== undefined && columnOf(boundColumns[0].leftOperand) === scopeColumnNames[0];
  if (column === undefined || !isBound || !parts.some((part) => compares(part, column, '<='))) return query;
  const rangeParts = parts.flatMap((part) => {
    const equality = boundColumns.find((boundColumn) => boundColumn === part);
    return equality === undefined ? [part] : [withOperator(equality, '>='), withOperator(equality, '<=')];
  });
  const seeking = allOf(rangeParts);
  if (seeking === undefined) return query;
  const inOrder = boundColumns.map(({ leftOperand }) => OrderByItemNode.create(leftOperand, first.direction));
  return { ...query, where: WhereNode.create(seeking), orderBy: OrderByNode.create([...inOrder, ...orderBy.items]) };
}

class Pages extends OperationNodeTransformer {
  protected override transformSelectQuery(node: SelectQueryNode): SelectQueryNode {
    return super.transformSelectQuery(seekPage(node));
  }
}

const transformer = new Pages();

/** Writes the workspace condition of a page as a range. */
export const seekPages: KyselyPlugin = {
  transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
  transformResult: async ({ result }) => result,
};
