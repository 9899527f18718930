// Lets MySQL and MariaDB seek to where a page of a list begins. With `workspace_id = ?` they look the workspace up and walk
// from its newest row; with the same said as a range they take the time of the cursor into the seek. Used by the compiler
// for that dialect only. Changes no answer.
import type { KyselyPlugin, OperationNode, SelectQueryNode } from 'kysely';
import {
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  OperationNodeTransformer,
  OperatorNode,
  OrderByItemNode,
  OrderByNode,
  ParensNode,
  ReferenceNode,
  WhereNode,
} from 'kysely';

const tenant = 'workspace_id';

function columnOf(node: OperationNode): string | undefined {
  const column = ReferenceNode.is(node) ? node.column : node;
  return ColumnNode.is(column) ? column.column.name : undefined;
}

/** The parts of a condition that all have to hold. */
function conjuncts(node: OperationNode): OperationNode[] {
  if (ParensNode.is(node) && AndNode.is(node.node)) return conjuncts(node.node);
  return AndNode.is(node) ? [...conjuncts(node.left), ...conjuncts(node.right)] : [node];
}

const compares = (node: OperationNode, column: string | undefined, operator: string): node is BinaryOperationNode =>
  BinaryOperationNode.is(node) &&
  columnOf(node.leftOperand) === column &&
  OperatorNode.is(node.operator) &&
  node.operator.operator === operator;

function withOperator(node: BinaryOperationNode, operator: '>=' | '<='): BinaryOperationNode {
  return BinaryOperationNode.create(node.leftOperand, OperatorNode.create(operator), node.rightOperand);
}

/** A page after a cursor: limited, in the order of a column that has an upper bound, of one workspace. */
function seekPage(query: SelectQueryNode): SelectQueryNode {
  const { where, orderBy, limit } = query;
  const [first] = orderBy?.items ?? [];
  if (where === undefined || orderBy === undefined || first === undefined || limit === undefined) return query;
  const column = columnOf(first.orderBy);
  const parts = conjuncts(where.where);
  const owned = parts.find((part): part is BinaryOperationNode => compares(part, tenant, '='));
  if (column === undefined || owned === undefined || !parts.some((part) => compares(part, column, '<='))) return query;
  const [head, ...rest] = parts.flatMap((part) =>
    part === owned ? [withOperator(owned, '>='), withOperator(owned, '<=')] : [part],
  );
  if (head === undefined) return query;
  const inOrder = OrderByItemNode.create(owned.leftOperand, first.direction);
  return {
    ...query,
    where: WhereNode.create(rest.reduce((all: OperationNode, part) => AndNode.create(all, part), head)),
    orderBy: OrderByNode.create([inOrder, ...orderBy.items]),
  };
}

class Pages extends OperationNodeTransformer {
  protected override transformSelectQuery(node: SelectQueryNode): SelectQueryNode {
    return super.transformSelectQuery(seekPage(node));
  }
}

const transformer = new Pages();

/** Says the workspace of a page as a range. */
export const seekPages: KyselyPlugin = {
  transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
  transformResult: async ({ result }) => result,
};
