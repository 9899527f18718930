// The open database as the core uses it: reads, transactions (own or joined), compiled statements. Made once by the
// kernel. Every write goes through it.
import type { KyselyPlugin } from 'kysely';
import type { WorkspaceHandle } from '../contract/context/handle.ts';
import type { ColumnType, Migration } from '../contract/declaration/migration.ts';
import type { TableDeclaration } from '../contract/declaration/plugin.ts';
import type {
  ProgramTransaction,
  ReadOptions,
  SqlConnection,
  SqlDialect,
  SqlStatement,
  StorageAdapter,
  StorageCapabilities,
  StorageDriver,
  TransactOptions,
} from '../contract/ports/storage.ts';
import { createCompiler, type StatementCompiler } from './compiler.ts';
import { ConnectionHandle, type HandleTransaction } from './connection-handle.ts';
import { inSavepoint, joinTransaction } from './joined-transaction.ts';
import { primaryKeyOf } from './primary-key.ts';
import { type HandleScope, scopeOf, type TableScope } from './scope.ts';
import type { ServiceTables } from './scoped-statements.ts';

/** One transaction of the service, or its savepoint in a transaction of the program. */
export interface TransactionScope {
  /** A handle with the given reach; the id of a workspace alone reaches both of its sides. */
  handle(scope: HandleScope | string): WorkspaceHandle;
  /** Takes a lock that ends with the transaction; false when another transaction holds it. */
  tryLock(name: string): Promise<boolean>;
  /** Defers statements that a `deferredHandle` has bound. */
  defer(statements: readonly SqlStatement[]): void;
  /** Writes the deferred statements. */
  flush(): Promise<void>;
  /**
   * Writes the deferred statements as the last step of the transaction: in one round trip with the commit, if the
   * database supports it.
   */
  flushLast(): Promise<void>;
  /**
   * Notifies the listeners of the channel (its name contains the table prefix) at the commit, if the database supports
   * it. (Default payload: empty)
   */
  notify(channel: string, payload?: string): Promise<void>;
  /** Registers a callback that is called before the next flush, to defer writes that were collected until then. */
  beforeFlush(work: () => void): void;
  /**
   * Registers a callback for the end of the transaction: called when the transaction, or its savepoint in the
   * program's transaction, has ended in any way; at once if it has ended already.
   */
  onEnd(work: () => void): void;
  /**
   * Runs `work` in a savepoint. Earlier deferred writes are flushed first, the deferred writes of `work` at its end. If
   * `work` fails, its changes are rolled back, and the transaction can go on.
   */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
  readonly joined: boolean;
  readonly dialect: SqlDialect;
  /** The owner of the locks that `tryLock` takes. */
  readonly locks: StorageCapabilities['locks'];
}

/** The tables and migrations of the service. */
export interface DatabaseOptions {
  readonly prefix: string;
  readonly tables: ReadonlyMap<string, TableDeclaration>;
  readonly migrations: readonly Migration[];
  readonly queryPlugins: readonly KyselyPlugin[];
}

export interface Database {
  readonly adapter: StorageAdapter;
  readonly driver: StorageDriver;
  readonly compiler: StatementCompiler;
  readonly prefix: string;
  read<T>(
    scope: HandleScope | string,
    work: (handle: WorkspaceHandle) => Promise<T>,
    options?: ReadOptions,
  ): Promise<T>;
  transact<T>(work: (scope: TransactionScope) => Promise<T>, options?: TransactOptions): Promise<T>;
  /** A scope outside any transaction. It only collects deferred writes for a later transaction. */
  deferredScope(): { readonly scope: TransactionScope; statements(): readonly SqlStatement[] };
  /** Like `transact`, but in a transaction of the embedding program, which commits it. */
  transactIn<T>(programTransaction: ProgramTransaction, work: (scope: TransactionScope) => Promise<T>): Promise<T>;
  /** @throws StorageError when the handle is not a transaction that can be joined */
  join(handle: object): ProgramTransaction;
}

const outsideTransaction = async (): Promise<never> => {
  throw new Error('Nothing can be read or written here: batched work may only defer writes.');
};

/** A scope and its deferred writes, which can be taken once. */
interface OwnScope {
  readonly scope: TransactionScope;
  readonly takeDeferred: () => readonly SqlStatement[];
}

/** The connection of a handle that must not run statements. */
const unusableConnection: SqlConnection = { query: outsideTransaction, batch: outsideTransaction };

/** Callbacks for the end of a transaction. */
interface Ending {
  add(work: () => void): void;
  end(): void;
}

function createEnding(): Ending {
  const callbacks: (() => void)[] = [];
  let ended = false;
  return {
    add(work) {
      // A handler that runs past its time limit may still add callbacks after the end.
      if (ended) work();
      else callbacks.push(work);
    },
    end() {
      ended = true;
      for (const work of callbacks.splice(0)) work();
    },
  };
}

const isInteger = (type: ColumnType): boolean => /^(integer|time|flag)/.test(type);

/**
 * The column names that are integers in every table that has them. Some drivers return such values as text, and they
 * are converted by name. If a name is a text column in another table, it is not converted; its reader must do that.
 */
function integerColumns(migrations: readonly Migration[]): ReadonlySet<string> {
  const names = new Set<string>();
  const textNames = new Set<string>();
  for (const { changes } of migrations) {
    for (const change of changes) {
      const columns = 'create' in change ? change.columns : 'add' in change ? change.add : {};
      for (const [name, type] of Object.entries(columns)) (isInteger(type) ? names : textNames).add(name);
    }
  }
  return new Set([...names].filter((name) => !textNames.has(name)));
}

function serviceTables({ tables, migrations }: DatabaseOptions, dialect: SqlDialect): ServiceTables {
  const scopes = new Map<string, TableScope>();
  for (const [name, { tenant, sides = false, workspaceColumn: column = 'workspace_id' }] of tables) {
    if (!tenant && column === 'workspace_id') continue;
    const [key, ...otherColumns] = primaryKeyOf([{ migrations }], name);
    const soughtKey = dialect === 'sqlite' && otherColumns.length === 0 && key !== column ? key : undefined;
    scopes.set(name, { column, sides, soughtKey });
  }
  return { names: new Set(tables.keys()), scopes };
}

/** Opens the adapter. Does not migrate. */
export async function openDatabase(adapter: StorageAdapter, options: DatabaseOptions): Promise<Database> {
  const driver = await adapter.open();
  const integers = integerColumns(options.migrations);
  const compiler = createCompiler(
    { dialect: adapter.dialect, prefix: options.prefix, schema: adapter.schema },
    serviceTables(options, adapter.dialect),
    options.queryPlugins,
    integers,
  );

  const createScope = (connection: SqlConnection, joined: boolean, ending: Ending): OwnScope => {
    const deferred: SqlStatement[] = [];
    const beforeFlush: (() => void)[] = [];
    let depth = 0;
    let savepointFailure: { readonly error: unknown } | undefined;
    const toStatement = (sql: string) => connection.query({ sql, parameters: [] });
    const takeDeferred = (): readonly SqlStatement[] => {
      if (savepointFailure !== undefined) throw savepointFailure.error;
      for (const work of beforeFlush.splice(0)) work();
      return deferred.splice(0);
    };
    const flush = async (): Promise<void> => {
      const statements = takeDeferred();
      if (statements.length > 0) await connection.batch(statements);
    };
    const transaction: HandleTransaction = { deferred, savepoint: (work) => scope.savepoint(work) };
    const scope: TransactionScope = {
      joined,
      dialect: adapter.dialect,
      locks: adapter.capabilities.locks,
      handle: (reach) => new ConnectionHandle(compiler, connection, scopeOf(reach), transaction),
      // In the program's transaction, only a lock of the transaction itself lasts until its commit. With other locks, the
      // unique record decides.
      tryLock: async (name) =>
        (joined && adapter.capabilities.locks !== 'transaction') || driver.tryLock(connection, name),
      defer: (statements) => void deferred.push(...statements),
      flush,
      async flushLast() {
        const statements = takeDeferred();
        if (statements.length === 0) return;
        if (connection.finishWith === undefined) await connection.batch(statements);
        else connection.finishWith(statements);
      },
      async notify(channel, payload = '') {
        await driver.notify?.(connection, `${options.prefix}${channel}`, payload);
      },
      beforeFlush: (work) => void beforeFlush.push(work),
      onEnd: (work) => ending.add(work),
      async savepoint(work) {
        await flush();
        depth += 1;
        // Each depth has its own name: MySQL would replace an outer savepoint of the same name.
        const name = `postrider_inner_${depth}`;
        await toStatement(`SAVEPOINT ${name}`);
        try {
          const result = await work();
          await flush();
          await toStatement(`RELEASE SAVEPOINT ${name}`);
          return result;
        } catch (error) {
          beforeFlush.length = 0;
          deferred.length = 0;
          try {
            await toStatement(`ROLLBACK TO SAVEPOINT ${name}`);
            await toStatement(`RELEASE SAVEPOINT ${name}`);
          } catch {
            // The transaction itself has ended: a later write must not run outside of it.
            savepointFailure = { error };
          }
          throw error;
        } finally {
          depth -= 1;
        }
      },
    };
    return { scope, takeDeferred };
  };

  return {
    adapter,
    driver,
    compiler,
    prefix: options.prefix,
    read: (scope, work, readOptions) =>
      driver.read(
        (connection) => work(new ConnectionHandle(compiler, connection, scopeOf(scope), undefined)),
        readOptions,
      ),
    async transact(work, transactOptions) {
      let ending: Ending | undefined;
      try {
        return await driver.transact(async (connection) => {
          // The work may run again if it may share a transaction: its first run has then ended.
          ending?.end();
          const currentEnding = createEnding();
          ending = currentEnding;
          try {
            return await work(createScope(connection, false, currentEnding).scope);
          } catch (error) {
            // Nothing of this run will be stored. End it before a second run waits for a connection, because other calls may
            // wait for amounts that this run has taken.
            currentEnding.end();
            throw error;
          }
        }, transactOptions);
      } finally {
        ending?.end();
      }
    },
    deferredScope() {
      const { scope, takeDeferred } = createScope(unusableConnection, false, createEnding());
      return { scope, statements: takeDeferred };
    },
    async transactIn(programTransaction, work) {
      await driver.yieldWriter?.();
      const ending = createEnding();
      try {
        return await inSavepoint(programTransaction, (connection) => work(createScope(connection, true, ending).scope));
      } finally {
        ending.end();
      }
    },
    join: (handle) => joinTransaction(driver, handle, integers, adapter.dialect),
  };
}
