// Compiles statements for one dialect, bound to a workspace and a side: parameters by name, one cache for each reach.
// Called by database.ts, and by schema-sql.ts for its builder.
import {
  type CompiledQuery,
  type Driver,
  DummyDriver,
  Kysely,
  type KyselyPlugin,
  MysqlAdapter,
  MysqlIntrospector,
  MysqlQueryCompiler,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryCompiler,
  type QueryId,
  type RootOperationNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Statement } from '../contract/context/handle.ts';
import type { Tables } from '../contract/open.ts';
import { readOnlyError, type SqlStatement } from '../contract/ports/storage.ts';
import { integerAliases } from './integer-results.ts';
import { seekPages } from './mysql-pages.ts';
import { Parameter, sideParameter, workspaceParameter } from './parameter.ts';
import { isRead } from './reads.ts';
import { type HandleScope, isWorkspaceScope, unscoped, type WorkspaceScope } from './scope.ts';
import type { ScopeValues } from './scope-conditions.ts';
import { ScopedStatements, type ServiceTables, type TableNaming } from './scoped-statements.ts';

const parameters = new Proxy({}, { get: (_, name) => new Parameter(String(name)) });

interface Compiled {
  readonly sql: string;
  /** The parameters in order: the name of a parameter, or a constant value of the statement (then `name` is undefined). */
  readonly slots: readonly { readonly name: string | undefined; readonly value: unknown }[];
  readonly integers: ReadonlySet<string>;
  readonly isRead: boolean;
}

/**
 * The access of a handle. Only some databases refuse a write outside of a transaction, so the compiler refuses it for
 * all.
 */
export type Access = 'read' | 'write';

/** The reach of a statement: every workspace, one workspace, or one side of it. */
type Reach = 'unscoped' | 'workspace' | 'side';

const reachOf = (scope: HandleScope): Reach =>
  isWorkspaceScope(scope) ? (scope.sandbox === undefined ? 'workspace' : 'side') : 'unscoped';

/** The scope values of a statement that is compiled once: parameters that the handle fills in. */
const parametersOf: Readonly<Record<Reach, ScopeValues | undefined>> = {
  unscoped: undefined,
  workspace: { workspace: workspaceParameter, side: undefined },
  side: { workspace: workspaceParameter, side: sideParameter },
};

const sideValue = ({ sandbox }: WorkspaceScope): number | undefined =>
  sandbox === undefined ? undefined : Number(sandbox);

const valuesOf = (scope: HandleScope): ScopeValues | undefined =>
  isWorkspaceScope(scope) ? { workspace: scope.workspaceId, side: sideValue(scope) } : undefined;

/** Compiles and binds statements of one database. */
export interface StatementCompiler {
  /** @throws StorageError for a write with read access */
  bind(
    statement: Statement<never, unknown>,
    values: Readonly<Record<string, unknown>>,
    scope: HandleScope,
    access: Access,
  ): SqlStatement;
  /** A Kysely instance that runs on `driver`, with the service's table names, bound to `scope`. */
  kysely(driver: Driver, scope: HandleScope): Kysely<Tables>;
  /**
   * The statement of a query.
   * @throws Error when the query was built by an instance of another scope; StorageError for a write with read access
   */
  statementOf(query: CompiledQuery, scope: HandleScope, access: Access): SqlStatement;
}

const families = {
  sqlite: { adapter: SqliteAdapter, compiler: SqliteQueryCompiler, introspector: SqliteIntrospector },
  postgres: { adapter: PostgresAdapter, compiler: PostgresQueryCompiler, introspector: PostgresIntrospector },
  mysql: { adapter: MysqlAdapter, compiler: MysqlQueryCompiler, introspector: MysqlIntrospector },
} as const;

/**
 * `plugins` run before tables get their prefix: they see the names that stores use. `integers` are the columns that
 * contain whole numbers in every table.
 */
export function createCompiler(
  naming: TableNaming,
  tables: ServiceTables,
  plugins: readonly KyselyPlugin[],
  integers: ReadonlySet<string> = new Set(),
): StatementCompiler {
  const family = families[naming.dialect];
  const scoped = new ScopedStatements(naming, tables);
  const seeking = naming.dialect === 'mysql' ? [seekPages] : [];
  /** The scope of each query that passed a handle, and of its SQL. A driver refuses all other queries. */
  const builtScopes = new WeakMap<object, HandleScope>();
  const recordScope = (compiler: QueryCompiler, scope: HandleScope): QueryCompiler => ({
    compileQuery(node, queryId) {
      const compiled = compiler.compileQuery(node, queryId);
      if (builtScopes.get(node) === scope) builtScopes.set(compiled, scope);
      Object.freeze(compiled.parameters);
      return compiled;
    },
  });
  const kysely = (driver: Driver, scope: HandleScope, values: ScopeValues | undefined): Kysely<Tables> =>
    new Kysely<Tables>({
      dialect: {
        createAdapter: () => new family.adapter(),
        createDriver: () => driver,
        createQueryCompiler: () => recordScope(new family.compiler(), scope),
        createIntrospector: (db) => new family.introspector(db),
      },
      plugins: [
        ...plugins,
        transforming((node, queryId) => scoped.bind(node, values, queryId)),
        ...seeking,
        transforming((node) => {
          builtScopes.set(node, scope);
          scoped.finish(node, values);
          return node;
        }),
      ],
    });
  /** A scope for each reach. `builtScopes` uses it to recognise the queries that the builder of that reach made. */
  const compilationScopes: Readonly<Record<Reach, HandleScope>> = {
    unscoped: unscoped('a statement over every workspace is compiled once'),
    workspace: unscoped('a statement is compiled before it is bound to a workspace'),
    side: unscoped('a statement is compiled before it is bound to one side of a workspace'),
  };
  const builders = new Map<Reach, Kysely<Tables>>();
  const builderOf = (reach: Reach): Kysely<Tables> => {
    let builder = builders.get(reach);
    if (builder === undefined) {
      builder = kysely(new DummyDriver(), compilationScopes[reach], parametersOf[reach]);
      builders.set(reach, builder);
    }
    return builder;
  };
  const caches: Readonly<Record<Reach, WeakMap<object, Compiled>>> = {
    unscoped: new WeakMap(),
    workspace: new WeakMap(),
    side: new WeakMap(),
  };

  const compile = (statement: Statement<never, unknown>, reach: Reach): Compiled => {
    const query = statement.build(builderOf(reach), parameters as never).compile() as CompiledQuery;
    if (reach !== 'unscoped' && builtScopes.get(query) !== compilationScopes[reach])
      throw new Error(
        'This statement did not pass the handle that runs it: build it with the db that defineStatement gives.',
      );
    const slots = query.parameters.map((value) =>
      value instanceof Parameter ? { name: value.name, value: undefined } : { name: undefined, value },
    );
    return { sql: query.sql, slots, integers: integerAliases(query.query, integers), isRead: isRead(query.query) };
  };

  return {
    kysely: (driver, scope) => kysely(driver, scope, valuesOf(scope)),
    statementOf(compiled, scope, access) {
      const { sql, parameters, query } = compiled;
      if (isWorkspaceScope(scope) && !isSameScope(builtScopes.get(compiled), scope))
        throw new Error('This statement did not pass the handle that runs it: build it with the db of that handle.');
      if (access === 'read' && !isRead(query)) throw readOnlyError(sql);
      return {
        sql,
        parameters,
        // Needed in transactions of the embedding program only.
        get integers() {
          return integerAliases(query, integers);
        },
      };
    },
    bind(statement, parameterValues, scope, access) {
      const reach = reachOf(scope);
      let compiled = caches[reach].get(statement);
      if (compiled === undefined) {
        compiled = compile(statement, reach);
        caches[reach].set(statement, compiled);
      }
      if (access === 'read' && !compiled.isRead) throw readOnlyError(compiled.sql);
      const values: unknown[] = [];
      for (const { name, value } of compiled.slots)
        values.push(name === undefined ? value : slotValue(name, parameterValues, scope));
      return { sql: compiled.sql, parameters: values, hot: true, integers: compiled.integers };
    },
  };
}

const isSameScope = (first: HandleScope | undefined, second: WorkspaceScope): boolean =>
  first !== undefined &&
  isWorkspaceScope(first) &&
  first.workspaceId === second.workspaceId &&
  first.sandbox === second.sandbox;

/** The value of a parameter: the handle's own, or the caller's. */
function slotValue(name: string, values: Readonly<Record<string, unknown>>, scope: HandleScope): unknown {
  if (isWorkspaceScope(scope)) {
    if (name === workspaceParameter.name) return scope.workspaceId;
    if (name === sideParameter.name) return sideValue(scope);
  }
  const value = values[name];
  if (value === undefined) throw new TypeError(`The statement's parameter ${name} was not given.`);
  return value;
}

const transforming = (transform: (node: RootOperationNode, queryId: QueryId) => RootOperationNode): KyselyPlugin => ({
  transformQuery: ({ node, queryId }) => transform(node, queryId),
  transformResult: async ({ result }) => result,
});
