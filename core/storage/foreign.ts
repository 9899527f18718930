// Transactions of the embedding program: recognising a Kysely one, running our savepoint in it, one call at a time.
import { CompiledQuery } from 'kysely';
import type { ForeignTransaction, SqlConnection, SqlStatement, StorageDriver } from '../contract/ports/storage.ts';
import { StorageError } from '../contract/ports/storage.ts';

/** The part of a Kysely transaction that is used; another copy or version of Kysely has it too. */
interface KyselyTransactionShape {
  readonly isTransaction: boolean;
  withoutPlugins(): { executeQuery(query: CompiledQuery): Promise<{ rows: unknown[]; numAffectedRows?: bigint }> };
}

function isKyselyTransaction(handle: object): handle is KyselyTransactionShape {
  const shape = handle as Partial<KyselyTransactionShape>;
  return typeof shape.withoutPlugins === 'function' && shape.isTransaction === true;
}

/** A connection over a Kysely transaction, past its plugins. `integers` names the columns that drivers may return as text. */
function overKysely(transaction: KyselyTransactionShape, integers: ReadonlySet<string>): SqlConnection {
  const plain = transaction.withoutPlugins();
  const query = async (statement: SqlStatement) => {
    const result = await plain.executeQuery(CompiledQuery.raw(statement.sql, [...statement.parameters]));
    return {
      rows: result.rows.map((row) => withIntegers(row as Record<string, unknown>, integers)),
      changes: Number(result.numAffectedRows ?? 0),
    };
  };
  return {
    query,
    async batch(statements) {
      const changes: number[] = [];
      for (const statement of statements) changes.push((await query(statement)).changes);
      return changes;
    },
  };
}

function withIntegers(row: Record<string, unknown>, integers: ReadonlySet<string>): Record<string, unknown> {
  for (const [column, value] of Object.entries(row)) {
    if ((typeof value === 'string' || typeof value === 'bigint') && integers.has(column)) {
      return Object.fromEntries(
        Object.entries(row).map(([name, cell]) => [name, cell !== null && integers.has(name) ? Number(cell) : cell]),
      );
    }
  }
  return row;
}

/** The joined form of a handle. @throws StorageError with a way out when nobody recognises it */
export function joinForeign(driver: StorageDriver, handle: object, integers: ReadonlySet<string>): ForeignTransaction {
  if (isKyselyTransaction(handle)) return { connection: overKysely(handle, integers), identity: handle };
  const joined = driver.join(handle);
  if (joined !== undefined) return joined;
  throw new StorageError(
    'other',
    'This trx is no open transaction that the storage adapter knows. Pass a Kysely transaction, or a raw connection between BEGIN and COMMIT.',
  );
}

const queues = new WeakMap<object, Promise<unknown>>();
let savepoints = 0;

/** Runs `work` in a savepoint of the foreign transaction, after every earlier call on the same one. */
export async function inSavepoint<T>(
  foreign: ForeignTransaction,
  work: (connection: SqlConnection) => Promise<T>,
): Promise<T> {
  const before = queues.get(foreign.identity) ?? Promise.resolve();
  const turn = before.then(() => runInSavepoint(foreign.connection, work));
  queues.set(
    foreign.identity,
    turn.catch(() => undefined),
  );
  return turn;
}

async function runInSavepoint<T>(
  connection: SqlConnection,
  work: (connection: SqlConnection) => Promise<T>,
): Promise<T> {
  savepoints += 1;
  const name = `postrider_${savepoints}`;
  const plain = (sql: string) => connection.query({ sql, parameters: [] });
  await plain(`SAVEPOINT ${name}`);
  try {
    const result = await work(connection);
    await plain(`RELEASE SAVEPOINT ${name}`);
    return result;
  } catch (error) {
    await plain(`ROLLBACK TO SAVEPOINT ${name}`);
    await plain(`RELEASE SAVEPOINT ${name}`);
    throw error;
  }
}
