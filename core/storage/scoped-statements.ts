// Binds every statement of a handle to its workspace and side, and adds prefix and schema to the names of the service's tables.
// The only place that does so: stores write neither `workspace_id` nor `sandbox`. Called by the compiler.
import {
  type AggregateFunctionNode,
  AliasNode,
  type CommonTableExpressionNameNode,
  type DeleteQueryNode,
  type FunctionNode,
  type InsertQueryNode,
  type JoinNode,
  ListNode,
  type MergeQueryNode,
  OnNode,
  type OperationNode,
  OperationNodeTransformer,
  type QueryId,
  RawNode as Raw,
  type RawNode,
  type RootOperationNode,
  SchemableIdentifierNode as SchemableIdentifier,
  type SchemableIdentifierNode,
  type SelectModifierNode,
  type SelectQueryNode,
  type TableNode,
  type UpdateQueryNode,
  type ValueNode,
  WhereNode,
} from 'kysely';
import type { SqlDialect } from '../contract/ports/storage.ts';
import { type DialectPhrases, ownModifiers, phrasesOf } from './dialect-phrases.ts';
import { assertExpression, assertFunctionName, assertLiteral } from './raw-sql.ts';
import type { TableScopes } from './scope.ts';
import { assertSource, boundCondition, namedTable, type ScopeValues, type Source } from './scope-conditions.ts';
import { assertUpdates, boundInsert, type DeriveQuery } from './scoped-writes.ts';

/** The parts of the names of the service's tables. */
export interface TableNaming {
  readonly dialect: SqlDialect;
  readonly prefix: string;
  /** Qualifies every table. (Default: the connection's own schema) */
  readonly schema?: string | undefined;
}

export interface ServiceTables {
  readonly names: ReadonlySet<string>;
  readonly scopes: TableScopes;
}

const roots = new Set<OperationNode['kind']>([
  'SelectQueryNode',
  'InsertQueryNode',
  'UpdateQueryNode',
  'DeleteQueryNode',
]);

/** Joins whose ON gets the conditions of their table: in WHERE, a left join would lose rows of its left side. */
const joinsBoundInOn = new Set(['InnerJoin', 'LeftJoin', 'LateralInnerJoin', 'LateralLeftJoin']);
const joinsBoundInWhere = new Set(['CrossJoin', 'LateralCrossJoin', 'Using']);

interface Parts {
  readonly tables: readonly OperationNode[];
  readonly joins: readonly JoinNode[] | undefined;
  readonly where: WhereNode | undefined;
}

/** Each compiler has one instance. `bind` is synchronous, so the values of two statements never mix. */
export class ScopedStatements extends OperationNodeTransformer {
  readonly #naming: TableNaming;
  readonly #phrases: DialectPhrases;
  readonly #tables: ServiceTables;
  /** The names of the service's tables in the database, in lower case: some databases ignore case. */
  readonly #stored: ReadonlySet<string>;
  /** The bound statements and their values. A nested query is visited again as part of the outer query. */
  readonly #finished = new WeakMap<OperationNode, ScopeValues | undefined>();
  /** Raw SQL that was checked as part of other raw SQL, and raw SQL of the service itself. */
  readonly #checked = new WeakSet<RawNode>();
  /** Raw SQL in FROM. */
  readonly #sources = new WeakSet<RawNode>();
  #values: ScopeValues | undefined;

  constructor(naming: TableNaming, tables: ServiceTables) {
    super();
    this.#naming = naming;
    this.#phrases = phrasesOf(naming.dialect);
    this.#tables = tables;
    this.#stored = new Set([...tables.scopes.keys()].flatMap((name) => [name, naming.prefix + name]).map(lowerCase));
  }

  /** The statement with its tables renamed, bound to `values` if given. */
  bind(node: RootOperationNode, values: ScopeValues | undefined, queryId: QueryId): RootOperationNode {
    this.#values = values;
    if (values !== undefined && !roots.has(node.kind))
      throw new Error(
        'A handle of one workspace selects, inserts, updates and deletes. Anything else runs on handle.unscoped(reason).',
      );
    return this.transformNode(node, queryId);
  }

  /** Records a statement in its final form. */
  finish(node: RootOperationNode, values: ScopeValues | undefined): void {
    this.#finished.set(node, values);
  }

  /** @throws Error if a part of the statement was built by a handle with another scope */
  #isFinished(node: OperationNode): boolean {
    if (!this.#finished.has(node)) return false;
    const values = this.#finished.get(node);
    if (values?.workspace !== this.#values?.workspace || values?.side !== this.#values?.side)
      throw new Error(
        'A part of this statement was built by another handle: build the whole statement with one handle.',
      );
    return true;
  }

  readonly #derive: DeriveQuery = (from, to) => {
    if (this.#finished.has(from)) this.#finished.set(to, this.#finished.get(from));
    return to;
  };

  readonly #isOurs = (name: string): boolean => this.#stored.has(lowerCase(name));

  /**
   * The table of a source; undefined if it does not contain rows of workspaces. @throws Error when the name bypasses
   * the declaration
   */
  #sourceOf(node: OperationNode): Source | undefined {
    const source = namedTable(node);
    // References by such an alias would get the prefix, too, and name the wrong table.
    if (source !== undefined && AliasNode.is(node) && this.#isOurs(source.alias))
      throw new Error(
        `Give ${source.table.table.identifier.name} an alias that no table has: ${source.alias} is the name of a table.`,
      );
    if (source !== undefined) return this.#scopeOf(source.table, source.alias);
    assertSource(node);
    const inner = AliasNode.is(node) ? node.node : node;
    if (Raw.is(inner)) this.#sources.add(inner);
    return undefined;
  }

  #scopeOf({ table }: TableNode, alias: string): Source | undefined {
    const { name } = table.identifier;
    const scope = table.schema === undefined ? this.#tables.scopes.get(name) : undefined;
    if (scope !== undefined) return { ...scope, alias };
    if (this.#isOurs(name))
      throw new Error(`Name the table ${name} as its plugin declares it, without prefix or schema.`);
    if (table.schema !== undefined || /^(pg_|sqlite_|pragma_|dbstat$)/i.test(name))
      throw new Error(`${name} is a table of the database, or of another schema: read it on handle.unscoped(reason).`);
    return undefined;
  }

  #bound<N extends { readonly where?: WhereNode; readonly joins?: readonly JoinNode[] }>(
    node: N,
    parts: Parts,
    values: ScopeValues,
  ): N {
    const { tables, joins = [] } = parts;
    const isOnlySource = tables.length + joins.length === 1;
    const joined = joins.map((join) => ({ join, source: this.#sourceOf(join.table) }));
    const tableSources = tables.map((table) => this.#sourceOf(table));
    const sources = tableSources.filter((source) => source !== undefined);
    const hasSource = sources.length > 0 || joined.some(({ source }) => source !== undefined);
    for (const { join, source } of joined) {
      if (!joinsBoundInOn.has(join.joinType) && !joinsBoundInWhere.has(join.joinType) && hasSource)
        throw new Error(`${join.joinType} cannot be bound to a workspace: write it as a left join.`);
      if (source !== undefined && joinsBoundInWhere.has(join.joinType)) sources.push(source);
    }
    const where = boundCondition(parts.where?.where, sources, values, isOnlySource);
    return {
      ...node,
      ...(joins.length === 0 ? {} : { joins: joined.map(({ join, source }) => boundJoin(join, source, values)) }),
      ...(where === undefined ? {} : { where: WhereNode.create(where) }),
    };
  }

  protected override transformSelectQuery(common: SelectQueryNode, queryId?: QueryId): SelectQueryNode {
    if (this.#isFinished(common)) return common;
    const node = this.#phrases.select(common);
    const values = this.#values;
    if (values === undefined) return super.transformSelectQuery(node, queryId);
    const parts = { tables: node.from?.froms ?? [], joins: node.joins, where: node.where };
    return super.transformSelectQuery(this.#bound(node, parts, values), queryId);
  }

  protected override transformUpdateQuery(node: UpdateQueryNode, queryId?: QueryId): UpdateQueryNode {
    if (this.#isFinished(node)) return node;
    const values = this.#values;
    if (values === undefined) return super.transformUpdateQuery(node, queryId);
    assertNoModifiers(node);
    const changed = node.table === undefined ? [] : ListNode.is(node.table) ? node.table.items : [node.table];
    const joins = node.joins ?? [];
    const targets = [...changed, ...joins.map(({ table }) => table)].map((table) => this.#sourceOf(table));
    assertUpdates(
      node.updates ?? [],
      targets.filter((source) => source !== undefined),
      values,
    );
    const parts = { tables: [...changed, ...(node.from?.froms ?? [])], joins: node.joins, where: node.where };
    return super.transformUpdateQuery(this.#bound(node, parts, values), queryId);
  }

  /**
   * MySQL repeats the table in USING, or its FROM alias from there. The table is bound only once, at its name.
   * @throws Error when two tables have one alias
   */
  #oncePerAlias(tables: readonly OperationNode[]): readonly OperationNode[] {
    const uniqueTables = new Map<unknown, OperationNode>();
    const boundName = (node: OperationNode | undefined): string | undefined => {
      const name = node === undefined ? undefined : namedTable(node)?.table.table.identifier.name;
      return name !== undefined && this.#tables.scopes.has(name) ? name : undefined;
    };
    for (const table of tables) {
      const alias = namedTable(table)?.alias;
      const [boundBefore, name] = [boundName(uniqueTables.get(alias)), boundName(table)];
      if (boundBefore !== undefined && name !== undefined && boundBefore !== name)
        throw new Error(`Give ${boundBefore} and ${name} different aliases: both have ${alias}.`);
      if (boundBefore === undefined) uniqueTables.set(alias ?? table, table);
    }
    return [...uniqueTables.values()];
  }

  protected override transformDeleteQuery(node: DeleteQueryNode, queryId?: QueryId): DeleteQueryNode {
    if (this.#isFinished(node)) return node;
    const values = this.#values;
    if (values === undefined) return super.transformDeleteQuery(node, queryId);
    assertNoModifiers(node);
    const tables = this.#oncePerAlias([...node.from.froms, ...(node.using?.tables ?? [])]);
    return super.transformDeleteQuery(
      this.#bound(node, { tables, joins: node.joins, where: node.where }, values),
      queryId,
    );
  }

  protected override transformInsertQuery(common: InsertQueryNode, queryId?: QueryId): InsertQueryNode {
    if (this.#isFinished(common)) return common;
    const node = this.#phrases.insert(common);
    const values = this.#values;
    if (values !== undefined) assertNoModifiers(node);
    const source = values === undefined || node.into === undefined ? undefined : this.#sourceOf(node.into);
    if (values === undefined || source === undefined) return super.transformInsertQuery(node, queryId);
    return super.transformInsertQuery(
      boundInsert(node, { ...source, name: source.alias }, values, this.#derive),
      queryId,
    );
  }

  protected override transformMergeQuery(node: MergeQueryNode, queryId?: QueryId): MergeQueryNode {
    if (this.#values !== undefined)
      throw new Error('MERGE cannot be bound to a workspace: insert with a conflict clause.');
    return super.transformMergeQuery(node, queryId);
  }

  protected override transformCommonTableExpressionName(node: CommonTableExpressionNameNode, queryId?: QueryId) {
    const { name } = node.table.table.identifier;
    if (this.#values !== undefined && this.#isOurs(name))
      throw new Error(`Give the common table expression ${name} a name that no table has.`);
    return super.transformCommonTableExpressionName(node, queryId);
  }

  protected override transformRaw(node: RawNode, queryId?: QueryId): RawNode {
    if (this.#values !== undefined && !this.#checked.has(node)) {
      const { dialect, prefix } = this.#naming;
      const rawContext = { dialect, prefix, isOurs: this.#isOurs, isSource: this.#sources.has(node) };
      for (const nested of assertExpression(node, rawContext)) this.#checked.add(nested);
    }
    return super.transformRaw(node, queryId);
  }

  protected override transformSelectModifier(node: SelectModifierNode, queryId?: QueryId): SelectModifierNode {
    const raw = node.rawModifier;
    if (this.#values !== undefined && raw !== undefined) {
      if (!Raw.is(raw) || raw.parameters.length > 0 || !ownModifiers.has(raw.sqlFragments.join('')))
        throw new Error('A statement of one workspace takes no modifier in raw SQL: use the query builder.');
      this.#checked.add(raw);
    }
    return super.transformSelectModifier(node, queryId);
  }

  protected override transformFunction(node: FunctionNode, queryId?: QueryId): FunctionNode {
    if (this.#values !== undefined) assertFunctionName(node.func);
    return super.transformFunction(node, queryId);
  }

  protected override transformAggregateFunction(node: AggregateFunctionNode, queryId?: QueryId): AggregateFunctionNode {
    if (this.#values !== undefined) assertFunctionName(node.func);
    return super.transformAggregateFunction(node, queryId);
  }

  protected override transformValue(node: ValueNode, queryId?: QueryId): ValueNode {
    if (this.#values !== undefined && node.immediate === true) assertLiteral(node.value);
    return super.transformValue(node, queryId);
  }

  protected override transformSchemableIdentifier(node: SchemableIdentifierNode): SchemableIdentifierNode {
    const { name } = node.identifier;
    if (node.schema !== undefined || !this.#tables.names.has(name)) return node;
    const { prefix, schema } = this.#naming;
    return schema === undefined
      ? SchemableIdentifier.create(`${prefix}${name}`)
      : SchemableIdentifier.createWithSchema(schema, `${prefix}${name}`);
  }
}

const lowerCase = (name: string): string => name.toLowerCase();

/** Raw SQL at the end of a write could add a condition, or a conflict clause that changes rows of other workspaces. */
function assertNoModifiers({ endModifiers = [] }: { readonly endModifiers?: readonly OperationNode[] }): void {
  if (endModifiers.length > 0)
    throw new Error('A write of one workspace takes no modifier in raw SQL: use the query builder.');
}

function boundJoin(join: JoinNode, source: Source | undefined, values: ScopeValues): JoinNode {
  if (source === undefined || !joinsBoundInOn.has(join.joinType)) return join;
  const on = boundCondition(join.on?.on, [source], values, false);
  return on === undefined ? join : { ...join, on: OnNode.create(on) };
}
