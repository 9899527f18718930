// Lets stores write one form of a statement for every database. It translates row locks, which SQLite with its single
// writer does not need, and conflict clauses, which MySQL and MariaDB spell differently. Called by
// scoped-statements.ts, which walks the statement.
import {
  FunctionNode,
  type InsertQueryNode,
  OnDuplicateKeyNode,
  type OperationNode,
  OperationNodeTransformer,
  OrActionNode,
  type QueryId,
  RawNode,
  ReferenceNode as Reference,
  type ReferenceNode,
  SelectModifierNode,
  type SelectQueryNode,
} from 'kysely';
import type { SqlDialect } from '../contract/ports/storage.ts';
import { shareNoWaitText } from './share-no-wait.ts';

/** A database's own syntax for parts of a statement. */
export interface DialectPhrases {
  select(node: SelectQueryNode): SelectQueryNode;
  insert(node: InsertQueryNode): InsertQueryNode;
}

const locks = new Set<string | undefined>([
  'ForUpdate',
  'ForNoKeyUpdate',
  'ForShare',
  'ForKeyShare',
  'NoWait',
  'SkipLocked',
]);
const unchanged = <N>(node: N): N => node;

/** `excluded.column` of an upsert in the syntax of both MySQL and MariaDB. */
class ExcludedValues extends OperationNodeTransformer {
  protected override transformNodeImpl<T extends OperationNode>(node: T, queryId?: QueryId): T {
    if (Reference.is(node) && isExcluded(node)) return FunctionNode.create('values', [node.column]) as unknown as T;
    return super.transformNodeImpl(node, queryId);
  }
}

const isExcluded = ({ table }: ReferenceNode): boolean => table?.table.identifier.name === 'excluded';
const excludedValues = new ExcludedValues();

/** MariaDB does not support FOR SHARE; MySQL accepts this older syntax as well. */
const sharedLock = 'lock in share mode';
const sharedModifier = SelectModifierNode.createWithExpression(RawNode.createWithSql(sharedLock));

/** The raw modifiers of the service. Statements of one workspace accept no others. */
export const ownModifiers: ReadonlySet<string> = new Set([sharedLock, shareNoWaitText]);

function mysqlInsert(node: InsertQueryNode): InsertQueryNode {
  const { onConflict, ...otherParts } = node;
  if (onConflict === undefined) return node;
  if (onConflict.updates === undefined) return { ...otherParts, orAction: OrActionNode.create('ignore') };
  if (onConflict.updateWhere !== undefined)
    throw new Error(
      'MySQL and MariaDB cannot update an existing row under a condition: put the condition into the values (CASE).',
    );
  const updates = onConflict.updates.map((update) => ({
    ...update,
    value: excludedValues.transformNode(update.value),
  }));
  return { ...otherParts, onDuplicateKey: OnDuplicateKeyNode.create(updates) };
}

const phrases: Readonly<Record<SqlDialect, DialectPhrases>> = {
  postgres: { select: unchanged, insert: unchanged },
  // SQLite has one writer at a time: a row that a transaction has read cannot change.
  sqlite: {
    select: (node) =>
      node.endModifiers === undefined
        ? node
        : { ...node, endModifiers: node.endModifiers.filter(({ modifier }) => !locks.has(modifier)) },
    insert: unchanged,
  },
  mysql: {
    select: (node) =>
      node.endModifiers === undefined
        ? node
        : {
            ...node,
            endModifiers: node.endModifiers.map((modifierNode) =>
              modifierNode.modifier === 'ForShare' ? sharedModifier : modifierNode,
            ),
          },
    insert: mysqlInsert,
  },
};

/** The translation of the common forms for a database. */
export const phrasesOf = (dialect: SqlDialect): DialectPhrases => phrases[dialect];
