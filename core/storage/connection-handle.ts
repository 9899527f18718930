// A workspace-bound handle over one connection, and the deferred writes of its transaction. Made by database.ts for
// every read and transaction; must not outlive it.
import type { CompiledQuery, DatabaseConnection, Driver, Kysely, QueryResult } from 'kysely';
import type { Handle, Statement, StatementParameters, WorkspaceHandle } from '../contract/context/handle.ts';
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
  readonly #doNothing = async (): Promise<void> => undefined;
  readonly init = this.#doNothing;
  readonly commitTransaction = this.#doNothing;
  readonly rollbackTransaction = this.#doNothing;
  readonly releaseConnection = this.#doNothing;
  readonly destroy = this.#doNothing;

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  async beginTransaction(): Promise<void> {
    throw new Error('A handle is inside a transaction already: write on it directly.');
  }
}

/** The parts of a transaction that its handles use. Absent on reads. */
export interface HandleTransaction {
  readonly deferred: SqlStatement[];
  savepoint<T>(work: () => Promise<T>): Promise<T>;
}

/** The handle that stores get. */
export class ConnectionHandle implements WorkspaceHandle {
  readonly #compiler: StatementCompiler;
  readonly #connection: SqlConnection;
  readonly #transaction: HandleTransaction | undefined;
  readonly #scope: HandleScope;
  #db: Kysely<Tables> | undefined;

  constructor(
    compiler: StatementCompiler,
    connection: SqlConnection,
    scope: HandleScope,
    transaction: HandleTransaction | undefined,
  ) {
    this.#compiler = compiler;
    this.#connection = connection;
    this.#transaction = transaction;
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
    return this.#transaction === undefined ? 'read' : 'write';
  }

  #with(scope: HandleScope): ConnectionHandle {
    return new ConnectionHandle(this.#compiler, this.#connection, scope, this.#transaction);
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

  #bind<P>(statement: Statement<P, unknown>, parameters: StatementParameters<P>): SqlStatement {
    const values = parameters as Record<string, unknown>;
    return this.#compiler.bind(statement as Statement<never, unknown>, values, this.#scope, this.#access);
  }

  async one<P, R>(statement: Statement<P, R>, parameters: StatementParameters<P>): Promise<R | undefined> {
    const { rows } = await this.#connection.query(this.#bind(statement, parameters));
    return rows[0] as R | undefined;
  }

  async all<P, R>(statement: Statement<P, R>, parameters: StatementParameters<P>): Promise<R[]> {
    const { rows } = await this.#connection.query(this.#bind(statement, parameters));
    return rows as R[];
  }

  async run<P>(statement: Statement<P, unknown>, parameters: StatementParameters<P>): Promise<number> {
    const { changes } = await this.#connection.query(this.#bind(statement, parameters));
    return changes;
  }

  defer<P>(statement: Statement<P, unknown>, parameters: StatementParameters<P>): void {
    if (this.#transaction === undefined) throw new Error('Writes can be deferred inside a transaction only.');
    this.#transaction.deferred.push(this.#bind(statement, parameters));
  }

  static savepoint<T>(handle: WorkspaceHandle, work: () => Promise<T>): Promise<T> {
    const transaction = handle instanceof ConnectionHandle ? handle.#transaction : undefined;
    if (transaction === undefined) throw new Error('A savepoint needs the handle of a transaction.');
    return transaction.savepoint(work);
  }
}

/**
 * Runs the statements of `work` in a savepoint of the handle's transaction. If `work` fails, its changes are rolled back,
 * and the transaction can go on. `work` must have no effects other than rows.
 */
export const inSavepointOf = <T>(handle: WorkspaceHandle, work: () => Promise<T>): Promise<T> =>
  ConnectionHandle.savepoint(handle, work);
