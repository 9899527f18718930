// Reads and builds conditions of statements. Used by the plugins of the compiler; pure.
import { AndNode, ColumnNode, type OperationNode, ParensNode, ReferenceNode } from 'kysely';

/** The column that a node names, with or without its table. */
export function columnOf(node: OperationNode): string | undefined {
  const column = ReferenceNode.is(node) ? node.column : node;
  return ColumnNode.is(column) ? column.column.name : undefined;
}

/** The parts that AND joins in a condition. */
export function conjuncts(node: OperationNode): OperationNode[] {
  if (ParensNode.is(node) && AndNode.is(node.node)) return conjuncts(node.node);
  return AndNode.is(node) ? [...conjuncts(node.left), ...conjuncts(node.right)] : [node];
}

/** The parts joined by AND; undefined if there are none. */
export function allOf(parts: readonly OperationNode[]): OperationNode | undefined {
  const [first, ...otherParts] = parts;
  return first === undefined ? undefined : otherParts.reduce((joined, part) => AndNode.create(joined, part), first);
}
