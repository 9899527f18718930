// A workspace-bound handle over one connection, and the deferred writes of its transaction. Made by database.ts for
// every read and transaction; must not outlive it.
import type { CompiledQuery, DatabaseConnection, Driver, Kysely, QueryResult } from 'kysely';
import type { Given, Handle, Statement, WorkspaceHandle } from '../contract/handle.ts';
import type { Tables } from '../contract/open.ts';
import type { SqlConnection, SqlStatement } from '../contract/ports/storage.ts';
import type { Access, StatementCompiler } from './compiler.ts';
import { bothSides, type HandleScope, isWorkspaceScope, oneSide, unscoped } from './scope.ts';

/** Kysely's driver interface over a connection that the caller opens and closes. */
class ConnectionDriver implements Driver {
  readonly #connection: DatabaseConnection;

  constructor(connection: SqlConnection, compiler: StatementCompiler, scope: HandleScope, access: Access) {
    this.#connection = {
      async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
        const { rows, changes } = await connection.query(compiler.statementOf(query, scope, access));
        return { rows: rows as R[], numAffectedRows: BigInt(changes) };
      },
      // biome-ignore lint/correctness/useYield: streaming is refused
      async *streamQuery(): AsyncIterableIterator<never> {
        throw new Error('Streaming is not supported on a transaction handle: read pages instead.');
      },
    };
  }

  /** Does nothing: the owner of the connection opens, begins and ends. */
  readonly #leave = async (): Promise<void> => undefined;
  readonly init = this.#leave;
  readonly commitTransaction = this.#leave;
  readonly rollbackTransaction = this.#leave;
  readonly releaseConnection = this.#leave;
  readonly destroy = this.#leave;

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  async beginTransaction(): Promise<void> {
    throw new Error('A handle is inside a transaction already: write on it directly.');
  }
}

/** The deferred writes of a transaction. Absent on reads. */
export type DeferredWrites = SqlStatement[];

/** The handle that stores get. */
export class ConnectionHandle implements WorkspaceHandle {
  readonly #compiler: StatementCompiler;
  readonly #connection: SqlConnection;
  readonly #deferred: DeferredWrites | undefined;
  readonly #scope: HandleScope;
  #db: Kysely<Tables> | undefined;

  constructor(
    compiler: StatementCompiler,
    connection: SqlConnection,
    scope: HandleScope,
    deferred: DeferredWrites | undefined,
  ) {
    this.#compiler = compiler;
    this.#connection = connection;
    this.#deferred = deferred;
    this.#scope = scope;
  }

  /** Empty on a handle of every workspace: no workspace has that id. */
  get workspaceId(): string {
    return isWorkspaceScope(this.#scope) ? this.#scope.workspaceId : '';
  }

  get sandbox(): boolean | undefined {
    return isWorkspaceScope(this.#scope) ? this.#scope.sandbox : undefined;
  }

  get db(): Kysely<Tables> {
    this.#db ??= this.#compiler.kysely(
      new ConnectionDriver(this.#connection, this.#compiler, this.#scope, this.#access),
      this.#scope,
    );
    return this.#db;
  }

  get #access(): Access {
    return this.#deferred === undefined ? 'read' : 'write';
  }

  #with(scope: HandleScope): ConnectionHandle {
    return new ConnectionHandle(this.#compiler, this.#connection, scope, this.#deferred);
  }

  onSide(sandbox: boolean): WorkspaceHandle {
    if (this.sandbox === sandbox) return this;
    return this.#with(oneSide(this.workspaceId, sandbox));
  }

  bothSides(reason: string): WorkspaceHandle {
    return this.#with(bothSides(this.workspaceId, reason));
  }

  unscoped(reason: string): Handle {
    return this.#with(unscoped(reason));
  }

  #bind<P>(statement: Statement<P, unknown>, given: Given<P>): SqlStatement {
    const values = given as Record<string, unknown>;
    return this.#compiler.bind(statement as Statement<never, unknown>, values, this.#scope, this.#access);
  }

  async one<P, R>(statement: Statement<P, R>, given: Given<P>): Promise<R | undefined> {
    const { rows } = await this.#connection.query(this.#bind(statement, given));
    return rows[0] as R | undefined;
  }

  async all<P, R>(statement: Statement<P, R>, given: Given<P>): Promise<R[]> {
    const { rows } = await this.#connection.query(this.#bind(statement, given));
    return rows as R[];
  }

  async run<P>(statement: Statement<P, unknown>, given: Given<P>): Promise<number> {
    const { changes } = await this.#connection.query(this.#bind(statement, given));
    return changes;
  }

  defer<P>(statement: Statement<P, unknown>, given: Given<P>): void {
    if (this.#deferred === undefined) throw new Error('Writes can be deferred inside a transaction only.');
    this.#deferred.push(this.#bind(statement, given));
  }
}
