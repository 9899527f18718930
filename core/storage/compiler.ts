// Compiles statements for one dialect: table prefix and schema, parameters by name, a cache.
// Called by database.ts, and by schema-sql.ts for its builder.
import type { CompiledQuery, Driver, KyselyPlugin, SchemableIdentifierNode } from 'kysely';
import {
  DummyDriver,
  Kysely,
  MysqlAdapter,
  MysqlIntrospector,
  MysqlQueryCompiler,
  OperationNodeTransformer,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SchemableIdentifierNode as SchemableIdentifier,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Statement } from '../contract/handle.ts';
import type { Tables } from '../contract/open.ts';
import type { SqlDialect, SqlStatement } from '../contract/ports/storage.ts';
import { integerAliases } from './integer-results.ts';
import { seekPages } from './mysql-pages.ts';

/** Stands for a parameter while a statement is compiled. */
class Parameter {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

const parameters = new Proxy({}, { get: (_, name) => new Parameter(String(name)) });

/** What the names of our tables are made of. */
export interface TableNaming {
  readonly dialect: SqlDialect;
  readonly prefix: string;
  /** Qualifies every table. (Default: the connection's own schema counts) */
  readonly schema?: string | undefined;
}

/** Puts prefix and schema in front of our own tables, wherever Kysely names them; aliases stay as they are. */
class TableNames extends OperationNodeTransformer {
  readonly #naming: TableNaming;
  readonly #tables: ReadonlySet<string>;

  constructor(naming: TableNaming, tables: ReadonlySet<string>) {
    super();
    this.#naming = naming;
    this.#tables = tables;
  }

  protected override transformSchemableIdentifier(node: SchemableIdentifierNode): SchemableIdentifierNode {
    const { name } = node.identifier;
    if (node.schema !== undefined || !this.#tables.has(name)) return node;
    const { prefix, schema } = this.#naming;
    return schema === undefined
      ? SchemableIdentifier.create(`${prefix}${name}`)
      : SchemableIdentifier.createWithSchema(schema, `${prefix}${name}`);
  }
}

function namingPlugin(naming: TableNaming, tables: ReadonlySet<string>): KyselyPlugin {
  const transformer = new TableNames(naming, tables);
  return {
    transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
    transformResult: async ({ result }) => result,
  };
}

interface Compiled {
  readonly sql: string;
  /** A value of the statement itself, or the name of a parameter. */
  readonly slots: readonly ({ readonly name: string } | { readonly value: unknown })[];
  readonly integers: ReadonlySet<string>;
}

/** Compiles and binds statements of one database. */
export interface StatementCompiler {
  bind(
    statement: Statement<never, unknown>,
    given: Readonly<Record<string, unknown>>,
    workspaceId: string | undefined,
  ): SqlStatement;
  /** A Kysely instance that runs on `driver`, with our table names. */
  kysely(driver: Driver): Kysely<Tables>;
  /** The statement of a query that this instance compiled. */
  statementOf(query: CompiledQuery): SqlStatement;
}

const families = {
  sqlite: { adapter: SqliteAdapter, compiler: SqliteQueryCompiler, introspector: SqliteIntrospector },
  postgres: { adapter: PostgresAdapter, compiler: PostgresQueryCompiler, introspector: PostgresIntrospector },
  mysql: { adapter: MysqlAdapter, compiler: MysqlQueryCompiler, introspector: MysqlIntrospector },
} as const;

/**
 * `plugins` come before the naming: the tests' tenancy check sees the names that the stores use. `integers` are the
 * columns that hold whole numbers wherever they are.
 */
export function createCompiler(
  naming: TableNaming,
  tables: ReadonlySet<string>,
  plugins: readonly KyselyPlugin[],
  integers: ReadonlySet<string> = new Set(),
): StatementCompiler {
  const family = families[naming.dialect];
  const seeking = naming.dialect === 'mysql' ? [seekPages] : [];
  const all = [...plugins, ...seeking, namingPlugin(naming, tables)];
  const kysely = (driver: Driver): Kysely<Tables> =>
    new Kysely<Tables>({
      dialect: {
        createAdapter: () => new family.adapter(),
        createDriver: () => driver,
        createQueryCompiler: () => new family.compiler(),
        createIntrospector: (db) => new family.introspector(db),
      },
      plugins: all,
    });
  const builder = kysely(new DummyDriver());
  const cache = new WeakMap<object, Compiled>();

  const compile = (statement: Statement<never, unknown>): Compiled => {
    const query = statement.build(builder, parameters as never).compile() as CompiledQuery;
    const slots = query.parameters.map((value) => (value instanceof Parameter ? { name: value.name } : { value }));
    return { sql: query.sql, slots, integers: integerAliases(query.query, integers) };
  };

  return {
    kysely,
    statementOf: ({ sql, parameters, query }) => ({
      sql,
      parameters,
      // Asked for in transactions of the program only.
      get integers() {
        return integerAliases(query, integers);
      },
    }),
    bind(statement, given, workspaceId) {
      let compiled = cache.get(statement);
      if (compiled === undefined) {
        compiled = compile(statement);
        cache.set(statement, compiled);
      }
      const values: unknown[] = [];
      for (const slot of compiled.slots) {
        if ('value' in slot) values.push(slot.value);
        else if (slot.name === 'workspace_id' && workspaceId !== undefined) values.push(workspaceId);
        else {
          const value = given[slot.name];
          if (value === undefined) throw new TypeError(`The statement's parameter ${slot.name} was not given.`);
          values.push(value);
        }
      }
      return { sql: compiled.sql, parameters: values, hot: true, integers: compiled.integers };
    },
  };
}
