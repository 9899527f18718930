// Binds writes: the handle fills in the workspace and the side of new rows, and no statement can move a row to another
// workspace or side. Called by scoped-statements.ts.
import {
  AliasNode,
  ColumnNode,
  type ColumnUpdateNode,
  DefaultInsertValueNode,
  FunctionNode,
  IdentifierNode,
  type InsertQueryNode,
  type OnConflictNode,
  type OnDuplicateKeyNode,
  type OperationNode,
  PrimitiveValueListNode,
  SelectionNode,
  SelectQueryNode as SelectQuery,
  type SelectQueryNode,
  ValueListNode,
  ValueNode,
  type ValuesItemNode,
  ValuesNode,
  WhereNode,
} from 'kysely';
import { columnOf } from './conditions.ts';
import { isSameValue } from './parameter.ts';
import type { TableScope } from './scope.ts';
import { boundCondition, columnOfSource, type ScopeValues, type Source, scopeColumns } from './scope-conditions.ts';

const refuse = (table: string, column: string): never => {
  throw new Error(`${column} of ${table} belongs to the handle: leave it out, or give the handle's own value.`);
};

/** A value that the handle fills in. `index`: the position of the column in the insert, or the end. */
interface FilledColumn {
  readonly index: number;
  readonly column: string;
  readonly value: unknown;
}

function withValue(row: ValuesItemNode, { index, column, value }: FilledColumn, table: string): ValuesItemNode {
  if (PrimitiveValueListNode.is(row)) {
    const item = row.values[index];
    if (index < row.values.length && item !== undefined && !isSameValue(item, value)) refuse(table, column);
    return PrimitiveValueListNode.create(row.values.toSpliced(index, 1, value));
  }
  const item = row.values[index];
  const isOwn =
    item === undefined || DefaultInsertValueNode.is(item) || (ValueNode.is(item) && isSameValue(item.value, value));
  if (!isOwn) refuse(table, column);
  return ValueListNode.create(row.values.toSpliced(index, 1, ValueNode.create(value)));
}

/**
 * Marks a query as derived from another query by adding values. Parts that were bound in the first query stay bound.
 */
export type DeriveQuery = (from: SelectQueryNode, to: SelectQueryNode) => SelectQueryNode;

/** The selected value with its alias in the query, so that ORDER BY and GROUP BY still find it. */
function selectedValue(query: SelectQueryNode, { index, column, value }: FilledColumn): SelectQueryNode {
  const existingSelection = query.selections?.[index]?.selection;
  const alias =
    existingSelection !== undefined && AliasNode.is(existingSelection)
      ? existingSelection.alias
      : IdentifierNode.create(column);
  const selection = SelectionNode.create(AliasNode.create(ValueNode.create(value), alias));
  return { ...query, selections: (query.selections ?? []).toSpliced(index, 1, selection) };
}

function filledValues(
  values: OperationNode | undefined,
  filled: FilledColumn,
  table: string,
  derive: DeriveQuery,
): OperationNode {
  if (values !== undefined && ValuesNode.is(values))
    return ValuesNode.create(values.values.map((row) => withValue(row, filled, table)));
  const isPlain =
    values !== undefined &&
    SelectQuery.is(values) &&
    values.setOperations === undefined &&
    values.selections?.every(({ selection }) => selection.kind !== 'SelectAllNode') === true;
  if (!isPlain) throw new Error(`Insert into ${table} values, or a plain select that names its columns.`);
  return derive(values, selectedValue(values, filled));
}

/** An insert bound to the workspace. @throws Error when it names another workspace or side, or may replace rows */
export function boundInsert(
  node: InsertQueryNode,
  table: TableScope & { readonly name: string },
  values: ScopeValues,
  derive: DeriveQuery,
): InsertQueryNode {
  const { name } = table;
  if (node.replace === true || node.orAction?.action === 'replace')
    throw new Error(`Insert into ${name} without REPLACE: it would delete rows of other workspaces.`);
  if (node.columns === undefined) throw new Error(`Name the columns that are inserted into ${name}.`);
  const columnNames = node.columns.map((columnNode) => columnNode.column.name.toLowerCase());
  if (new Set(columnNames).size < columnNames.length)
    throw new Error(`Name each column that is inserted into ${name} once.`);
  let bound: InsertQueryNode = node;
  for (const [column, value] of scopeColumns(table, values)) {
    const columns = bound.columns ?? [];
    const position = columns.findIndex((columnNode) => columnNode.column.name.toLowerCase() === column.toLowerCase());
    const filled = { index: position === -1 ? columns.length : position, column, value };
    bound = {
      ...bound,
      columns: position === -1 ? [...columns, ColumnNode.create(column)] : columns,
      values: filledValues(bound.values, filled, name, derive),
    };
  }
  const source = { ...table, alias: name };
  return {
    ...bound,
    ...(node.onConflict === undefined ? {} : { onConflict: boundConflict(node.onConflict, source, values) }),
    ...(node.onDuplicateKey === undefined
      ? {}
      : { onDuplicateKey: boundDuplicate(node.onDuplicateKey, source, values) }),
  };
}

/** Binds a conflict clause. If the existing row belongs to another workspace, nothing is changed. */
function boundConflict(node: OnConflictNode, source: Source, values: ScopeValues): OnConflictNode {
  if (node.updates === undefined) return node;
  assertUpdates(node.updates, [source], values);
  const where = boundCondition(node.updateWhere?.where, [source], values, false);
  return where === undefined ? node : { ...node, updateWhere: WhereNode.create(where) };
}

/** The same for MySQL, which allows no condition there: if the row belongs to another workspace, each column keeps its value. */
function boundDuplicate(node: OnDuplicateKeyNode, source: Source, values: ScopeValues): OnDuplicateKeyNode {
  assertUpdates(node.updates, [source], values);
  const condition = boundCondition(undefined, [source], values, false);
  if (condition === undefined) return node;
  const updates = node.updates.map((update) => {
    const column = columnOf(update.column);
    if (column === undefined) throw new Error(`Name the columns of ${source.alias} that an insert updates.`);
    const unchangedValue = columnOfSource(source.alias, column);
    return { ...update, value: FunctionNode.create('if', [condition, update.value, unchangedValue]) };
  });
  return { ...node, updates };
}

/** Checks the updated columns. @throws Error if the update would move rows to another workspace or side */
export function assertUpdates(
  updates: readonly ColumnUpdateNode[],
  tables: readonly Source[],
  values: ScopeValues,
): void {
  for (const { column, value } of updates) {
    const name = columnOf(column)?.toLowerCase();
    if (name === undefined) throw new Error('Name the columns that a statement of one workspace sets.');
    for (const table of tables)
      for (const [boundColumn, ownValue] of scopeColumns(table, { ...values, side: values.side ?? null }))
        if (name === boundColumn.toLowerCase() && !(ValueNode.is(value) && isSameValue(value.value, ownValue)))
          refuse(table.alias, boundColumn);
  }
}
