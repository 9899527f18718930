// The conditions that bind a table of a statement to the handle's workspace and side. Called by scoped-statements.ts.
import {
  AliasNode,
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  FunctionNode,
  IdentifierNode,
  type OperationNode,
  OperatorNode,
  ParensNode,
  ReferenceNode,
  TableNode,
  UnaryOperationNode,
  ValueNode,
} from 'kysely';
import { allOf, columnOf, conjuncts } from './conditions.ts';
import { isSameValue } from './parameter.ts';
import { sideColumn, type TableScope } from './scope.ts';

/** The values that bind a statement: real values, or parameters if it is compiled once. */
export interface ScopeValues {
  readonly workspace: unknown;
  /** If undefined, the side is not bound. */
  readonly side: unknown;
}

/** A table that a statement reads or changes, under its alias in the statement. */
export interface Source extends TableScope {
  readonly alias: string;
}

/** The columns that bind a table's rows, with their values. */
export function scopeColumns({ column, sides }: TableScope, { workspace, side }: ScopeValues): [string, unknown][] {
  return side === undefined || !sides
    ? [[column, workspace]]
    : [
        [column, workspace],
        [sideColumn, side],
      ];
}

/** A column of a source. */
export const columnOfSource = (alias: string, column: string): OperationNode =>
  ReferenceNode.create(ColumnNode.create(column), TableNode.create(alias));

const equals = (alias: string, column: string, value: unknown): OperationNode =>
  BinaryOperationNode.create(columnOfSource(alias, column), OperatorNode.create('='), ValueNode.create(value));

/**
 * `coalesce(column, '')` counts as the column: `ofWorkspace` writes it so that the database does not seek by this
 * column.
 */
function comparedColumn(node: OperationNode): OperationNode {
  if (!FunctionNode.is(node) || node.func !== 'coalesce') return node;
  const [column, replacement] = node.arguments;
  return column !== undefined && replacement !== undefined && ValueNode.is(replacement) && replacement.value === ''
    ? column
    : node;
}

/** Whether a condition is `alias.column = value`. Without the alias it counts only if the statement has one source. */
function isEquality(node: OperationNode, source: Source, column: string, value: unknown, alone: boolean): boolean {
  if (!BinaryOperationNode.is(node)) return false;
  const { operator, rightOperand } = node;
  if (!OperatorNode.is(operator) || operator.operator !== '=') return false;
  if (!ValueNode.is(rightOperand) || !isSameValue(rightOperand.value, value)) return false;
  const compared = comparedColumn(node.leftOperand);
  if (columnOf(compared) !== column) return false;
  if (!ReferenceNode.is(compared) || compared.table === undefined) return alone;
  const { schema, identifier } = compared.table.table;
  return schema === undefined && identifier.name === source.alias;
}

/**
 * Joins `condition` with all conditions that bind the sources. Conditions that it already contains are not repeated.
 */
export function boundCondition(
  condition: OperationNode | undefined,
  sources: readonly Source[],
  values: ScopeValues,
  alone: boolean,
): OperationNode | undefined {
  const contained = condition === undefined || isContained(condition);
  // Next to raw SQL, even the caller's own equality does not bind, because an OR may follow it.
  const conditions = condition === undefined || !contained ? [] : conjuncts(condition);
  const added = sources.flatMap((source) =>
    scopeColumns(source, values)
      .filter(([column, value]) => !conditions.some((part) => isEquality(part, source, column, value, alone)))
      .map(([column, value]) => equals(source.alias, column, value)),
  );
  if (added.length === 0) return condition;
  if (condition === undefined) return allOf(added);
  // In parentheses: an OR of the caller must not bypass the handle's conditions.
  return allOf([...added, contained ? condition : ParensNode.create(condition)]);
}

/** The parts of a condition that are a single value, or have their own parentheses. */
const closed = new Set<OperationNode['kind']>([
  'ReferenceNode',
  'ColumnNode',
  'ValueNode',
  'ValueListNode',
  'PrimitiveValueListNode',
  'TupleNode',
  'FunctionNode',
  'CastNode',
  'ParensNode',
  'SelectQueryNode',
]);

/**
 * Whether AND can join the condition to others without parentheses: it has no OR and no raw SQL outside of parentheses.
 */
function isContained(node: OperationNode): boolean {
  if (closed.has(node.kind)) return true;
  if (AndNode.is(node)) return isContained(node.left) && isContained(node.right);
  if (BinaryOperationNode.is(node))
    return OperatorNode.is(node.operator) && isContained(node.leftOperand) && isContained(node.rightOperand);
  return UnaryOperationNode.is(node) && OperatorNode.is(node.operator) && isContained(node.operand);
}

/** The table and the alias of an item of FROM, USING or JOIN; undefined for subqueries and functions. */
export function namedTable(node: OperationNode): { readonly table: TableNode; readonly alias: string } | undefined {
  if (TableNode.is(node)) return { table: node, alias: node.table.identifier.name };
  if (!AliasNode.is(node) || !TableNode.is(node.node)) return undefined;
  if (!IdentifierNode.is(node.alias)) throw new Error('Give a table a plain alias: the handle binds its rows by it.');
  return { table: node.node, alias: node.alias.name };
}

/** The sources other than tables that FROM and JOIN accept. Their rows are bound where they are read. */
const rowSources = new Set<OperationNode['kind']>([
  'SelectQueryNode',
  'ParensNode',
  'FunctionNode',
  'ValuesNode',
  'RawNode',
]);

/** @throws Error if the node names a table in another way, such as by a reference */
export function assertSource(node: OperationNode): void {
  if (!rowSources.has(AliasNode.is(node) ? node.node.kind : node.kind))
    throw new Error('Read from tables by their names, from subqueries, or from functions: the handle binds those.');
}
