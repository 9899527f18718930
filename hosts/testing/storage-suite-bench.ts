// The subject of the storage suite, and the helpers that its parts share. Knows no test runner.
import type {
  SqlDialect,
  SqlStatement,
  StorageAdapter,
  StorageCapabilities,
  StorageDriver,
} from '../../core/contract/ports/storage.ts';

/** Registers one test with the runner. uvu's suite, node:test and vitest fit unchanged. */
export type RegisterTest = (name: string, run: () => Promise<void>) => unknown;

/** A transaction of an embedding program. */
export interface HostTransaction {
  /** The value that the program passes as `trx`. */
  readonly handle: unknown;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/** One empty database, made for each test. */
export interface StorageUnderTest {
  /** Creates a new adapter on this database with each call. */
  createAdapter(): StorageAdapter;
  /** Whether two adapters see the same rows; false for a database in memory. (Default: true) */
  readonly shared?: boolean;
  /** Begins a transaction as a program does, on a connection that the adapter did not open. */
  beginHostTransaction?(): Promise<HostTransaction>;
  /** Removes the database. */
  remove(): Promise<void>;
}

/** The tools of a test of the suite. */
export interface StorageBench {
  readonly subject: StorageUnderTest;
  readonly storage: StorageDriver;
  readonly dialect: SqlDialect;
  readonly capabilities: StorageCapabilities;
  /** Makes a statement in the adapter's dialect from a text with `?`. */
  sql(text: string, ...parameters: unknown[]): SqlStatement;
  /** Makes an insert. (Default for `n`: 0) */
  insert(id: string, ...n: [unknown?]): SqlStatement;
  /** The ids of the committed rows, in order. */
  ids(): Promise<string[]>;
}

/** Registers one test that gets an open, empty database. */
export type RegisterBenchTest = (name: string, run: (bench: StorageBench) => Promise<void>) => void;

/** A part of the suite. */
export type SuitePart = (test: RegisterBenchTest, features: StorageSuiteFeatures) => void;

/** The capabilities of the adapter under test, known before any test runs. */
export interface StorageSuiteFeatures {
  readonly dialect: SqlDialect;
  readonly capabilities: StorageCapabilities;
  readonly hostTransactions: boolean;
  readonly shared: boolean;
}

/** Opens a new database, creates the tables, runs `work`, and removes the database. */
export async function withBench(
  createSubject: () => Promise<StorageUnderTest>,
  work: (bench: StorageBench) => Promise<void>,
): Promise<void> {
  const subject = await createSubject();
  try {
    const adapter = subject.createAdapter();
    const storage = await adapter.open();
    try {
      const bench = createBench(subject, adapter, storage);
      await createTables(bench);
      await work(bench);
    } finally {
      await storage.close();
    }
  } finally {
    await subject.remove();
  }
}

function createBench(subject: StorageUnderTest, adapter: StorageAdapter, storage: StorageDriver): StorageBench {
  const { dialect, capabilities } = adapter;
  const sql = (text: string, ...parameters: unknown[]): SqlStatement => {
    let count = 0;
    const numbered = dialect === 'postgres' ? text.replace(/\?/g, () => `$${++count}`) : text;
    return { sql: numbered, parameters, hot: true };
  };
  return {
    subject,
    storage,
    dialect,
    capabilities,
    sql,
    insert: (id, ...n) => sql('insert into suite_items (id, n) values (?, ?)', id, n.length === 0 ? 0 : n[0]),
    async ids() {
      const { rows } = await storage.read((connection) =>
        connection.query(sql('select id from suite_items order by id')),
      );
      return rows.map((row) => String(row['id']));
    },
  };
}

async function createTables({ storage, dialect, sql }: StorageBench): Promise<void> {
  const bytes = { sqlite: 'blob', postgres: 'bytea', mysql: 'longblob' }[dialect];
  await storage.transact(async (connection) => {
    await connection.query(
      sql(`create table suite_items (id varchar(40) primary key, n bigint not null, note text, body ${bytes})`),
    );
    await connection.query(sql('create unique index suite_items_note on suite_items (note)'));
    await connection.query(sql('create table suite_parents (id varchar(40) primary key)'));
    const whenChecked = dialect === 'mysql' ? '' : 'deferrable initially deferred';
    await connection.query(
      sql(
        `create table suite_children (id varchar(40) primary key, parent varchar(40) not null references suite_parents (id) ${whenChecked})`,
      ),
    );
  });
}

/** A promise that the test resolves. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
