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

/** Whether a node is a column of the source. Without the alias it counts only if the statement has one source. */
function isColumnOf(node: OperationNode, source: Source, column: string, isOnlySource: boolean): boolean {
  if (columnOf(node) !== column) return false;
  if (!ReferenceNode.is(node) || node.table === undefined) return isOnlySource;
  const { schema, identifier } = node.table.table;
  return schema === undefined && identifier.name === source.alias;
}

/** Whether a condition is `key in (…)`, with the only column of the source's primary key. */
function listsKeys(node: OperationNode, source: Source, isOnlySource: boolean): boolean {
  if (source.soughtKey === undefined || !BinaryOperationNode.is(node)) return false;
  const { operator, leftOperand } = node;
  return (
    OperatorNode.is(operator) &&
    operator.operator === 'in' &&
    isColumnOf(leftOperand, source, source.soughtKey, isOnlySource)
  );
}

/**
 * The condition that binds the workspace, in a form that no index serves. With `workspace_id = …` and more than a few keys,
 * SQLite would read all rows of the workspace through another index, instead of seeking each key.
 */
const equalsWithoutIndex = (alias: string, column: string, value: unknown): OperationNode =>
  BinaryOperationNode.create(
    FunctionNode.create('coalesce', [columnOfSource(alias, column), ValueNode.create('')]),
    OperatorNode.create('='),
    ValueNode.create(value),
  );

/** Whether a condition is `alias.column = value`. */
function isEquality(
  node: OperationNode,
  source: Source,
  column: string,
  value: unknown,
  isOnlySource: boolean,
): boolean {
  if (!BinaryOperationNode.is(node)) return false;
  const { operator, rightOperand } = node;
  if (!OperatorNode.is(operator) || operator.operator !== '=') return false;
  if (!ValueNode.is(rightOperand) || !isSameValue(rightOperand.value, value)) return false;
  return isColumnOf(node.leftOperand, source, column, isOnlySource);
}

/**
 * Joins `condition` with all conditions that bind the sources. Conditions that `condition` already contains are not repeated.
 */
export function boundCondition(
  condition: OperationNode | undefined,
  sources: readonly Source[],
  values: ScopeValues,
  isOnlySource: boolean,
): OperationNode | undefined {
  const needsNoParentheses = condition === undefined || isContained(condition);
  // Next to raw SQL, even the caller's own equality does not bind, because an OR may follow it.
  const conditions = condition === undefined || !needsNoParentheses ? [] : conjuncts(condition);
  const missingConditions = sources.flatMap((source) => {
    const keysAreListed = conditions.some((part) => listsKeys(part, source, isOnlySource));
    return scopeColumns(source, values)
      .filter(([column, value]) => !conditions.some((part) => isEquality(part, source, column, value, isOnlySource)))
      .map(([column, value]) => {
        const binds = keysAreListed && column === source.column ? equalsWithoutIndex : equals;
        return binds(source.alias, column, value);
      });
  });
  if (missingConditions.length === 0) return condition;
  if (condition === undefined) return allOf(missingConditions);
  // In parentheses: an OR of the caller must not bypass the handle's conditions.
  return allOf([...missingConditions, needsNoParentheses ? condition : ParensNode.create(condition)]);
}

/** The parts of a condition that are a single value, or have their own parentheses. */
const closedKinds = new Set<OperationNode['kind']>([
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
  if (closedKinds.has(node.kind)) return true;
  if (AndNode.is(node)) return isContained(node.left) && isContained(node.right);
  if (BinaryOperationNode.is(node))
    return OperatorNode.is(node.operator) && isContained(node.leftOperand) && isContained(node.rightOperand);
  return UnaryOperationNode.is(node) && OperatorNode.is(node.operator) && isContained(node.operand);
}

/** The table and the alias of an item of FROM, USING or JOIN; undefined for subqueries and functions. */
export function namedTable(node: OperationNode): { readonly table: TableNode; readonly alias: string } | undefined {
  if (TableNode.is(node)) return { table: node, alias: node.table.identifier.name };
  if (!AliasNode.is(node) || !TableNode.is(node.node)) return undefined;
  if (!IdentifierNode.is(node.alias))
    throw new Error('Give a table a plain alias: the handle needs it to bind the rows of the table.');
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

/** Checks a source that `namedTable` does not know. @throws Error if it names a table in another way, such as by a reference */
export function assertSource(node: OperationNode): void {
  if (!rowSources.has(AliasNode.is(node) ? node.node.kind : node.kind))
    throw new Error('Read from tables by their names, from subqueries, or from functions: the handle binds those.');
}
