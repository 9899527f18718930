// The open database as the core uses it: reads, transactions (own or joined), compiled statements.
// Made once by the kernel; the one door to every write.
import type { KyselyPlugin } from 'kysely';
import type { WorkspaceHandle } from '../contract/handle.ts';
import type { ColumnType, Migration } from '../contract/migration.ts';
import type { TableDeclaration } from '../contract/plugin.ts';
import type {
  ForeignTransaction,
  SqlConnection,
  SqlStatement,
  StorageAdapter,
  StorageCapabilities,
  StorageDriver,
  TransactOptions,
} from '../contract/ports/storage.ts';
import type { StatementCompiler } from './compiler.ts';
import { createCompiler } from './compiler.ts';
import type { DeferredWrites } from './connection-handle.ts';
import { ConnectionHandle } from './connection-handle.ts';
import { inSavepoint, joinForeign } from './foreign.ts';
import type { HandleScope, TableScope } from './scope.ts';
import { scopeOf } from './scope.ts';
import type { ServiceTables } from './scoped-statements.ts';

/** One transaction of ours, or our savepoint in a foreign one. */
export interface TransactionScope {
  /** A handle of that reach; a workspace's id alone reaches both of its sides. */
  handle(scope: HandleScope | string): WorkspaceHandle;
  /** Takes a lock that ends with the transaction; false when somebody holds it. */
  tryLock(name: string): Promise<boolean>;
  /** Defers statements that a `deferredHandle` has bound. */
  defer(statements: readonly SqlStatement[]): void;
  /** Writes the deferred statements. */
  flush(): Promise<void>;
  /** The same as the last thing of the transaction: in one trip with the commit, where the database can. */
  flushLast(): Promise<void>;
  /** Tells whoever listens on the channel (its name follows the table prefix) at the commit, where the database can. */
  notify(channel: string): Promise<void>;
  readonly joined: boolean;
  /** Who holds the locks of `tryLock`. */
  readonly locks: StorageCapabilities['locks'];
}

/** What the kernel tells the database about tables. */
export interface DatabaseOptions {
  readonly prefix: string;
  readonly tables: ReadonlyMap<string, TableDeclaration>;
  readonly migrations: readonly Migration[];
  readonly queryPlugins: readonly KyselyPlugin[];
}

/** The open database. */
export interface Database {
  readonly adapter: StorageAdapter;
  readonly driver: StorageDriver;
  readonly compiler: StatementCompiler;
  readonly prefix: string;
  read<T>(scope: HandleScope | string, work: (handle: WorkspaceHandle) => Promise<T>): Promise<T>;
  transact<T>(work: (scope: TransactionScope) => Promise<T>, options?: TransactOptions): Promise<T>;
  /** A handle outside any transaction. It only collects deferred writes for a later transaction. */
  deferredHandle(scope: HandleScope): {
    readonly handle: WorkspaceHandle;
    readonly statements: readonly SqlStatement[];
  };
  /** The same in a transaction of the embedding program, which commits it. */
  transactIn<T>(foreign: ForeignTransaction, work: (scope: TransactionScope) => Promise<T>): Promise<T>;
  /** @throws StorageError when the handle is no transaction that can be joined */
  join(handle: object): ForeignTransaction;
}

const outside = async (): Promise<never> => {
  throw new Error('Nothing can be read or written here: batched work may only defer writes.');
};

/** Stands where a handle has no connection. */
const nowhere: SqlConnection = { query: outside, batch: outside };

const isInteger = (type: ColumnType): boolean => /^(integer|time|flag)/.test(type);

/**
 * The names that are integer columns in every table that has them: what some drivers return as text is read back as
 * numbers by name. A name that means text elsewhere is left to its reader.
 */
function integerColumns(migrations: readonly Migration[]): ReadonlySet<string> {
  const names = new Set<string>();
  const others = new Set<string>();
  for (const { changes } of migrations) {
    for (const change of changes) {
      const columns = 'create' in change ? change.columns : 'add' in change ? change.add : {};
      for (const [name, type] of Object.entries(columns)) (isInteger(type) ? names : others).add(name);
    }
  }
  return new Set([...names].filter((name) => !others.has(name)));
}

function serviceTables(tables: ReadonlyMap<string, TableDeclaration>): ServiceTables {
  const scopes = new Map<string, TableScope>();
  for (const [name, { tenant, sides = false, workspaceColumn }] of tables)
    if (tenant || workspaceColumn !== undefined) scopes.set(name, { column: workspaceColumn ?? 'workspace_id', sides });
  return { names: new Set(tables.keys()), scopes };
}

/** Opens the adapter. Does not migrate. */
export async function openDatabase(adapter: StorageAdapter, options: DatabaseOptions): Promise<Database> {
  const driver = await adapter.open();
  const integers = integerColumns(options.migrations);
  const compiler = createCompiler(
    { dialect: adapter.dialect, prefix: options.prefix, schema: adapter.schema },
    serviceTables(options.tables),
    options.queryPlugins,
    integers,
  );

  const scopeOver = (connection: SqlConnection, joined: boolean): TransactionScope => {
    const deferred: DeferredWrites = [];
    return {
      joined,
      locks: adapter.capabilities.locks,
      handle: (reach) => new ConnectionHandle(compiler, connection, scopeOf(reach), deferred),
      // Nothing but the transaction itself holds on until a commit that nobody tells of: there the unique record decides.
      tryLock: async (name) =>
        (joined && adapter.capabilities.locks !== 'transaction') || driver.tryLock(connection, name),
      defer: (statements) => void deferred.push(...statements),
      async flush() {
        if (deferred.length > 0) await connection.batch(deferred.splice(0));
      },
      async flushLast() {
        const statements = deferred.splice(0);
        if (statements.length === 0) return;
        if (connection.finishWith === undefined) await connection.batch(statements);
        else connection.finishWith(statements);
      },
      async notify(channel) {
        await driver.notify?.(connection, `${options.prefix}${channel}`, '');
      },
    };
  };

  return {
    adapter,
    driver,
    compiler,
    prefix: options.prefix,
    read: (scope, work) =>
      driver.read((connection) => work(new ConnectionHandle(compiler, connection, scopeOf(scope), undefined))),
    transact: (work, transactOptions) =>
      driver.transact((connection) => work(scopeOver(connection, false)), transactOptions),
    deferredHandle(scope) {
      const statements: DeferredWrites = [];
      return { handle: new ConnectionHandle(compiler, nowhere, scope, statements), statements };
    },
    async transactIn(foreign, work) {
      await driver.yieldWriter?.();
      return inSavepoint(foreign, (connection) => work(scopeOver(connection, true)));
    },
    join: (handle) => joinForeign(driver, handle, integers, adapter.dialect),
  };
}
