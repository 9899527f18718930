// The Postgres that tests use: POSTRIDER_TEST_POSTGRES, or the local server. Each caller uses a separate schema. If the server is
// missing, the tests are skipped, or this throws an error if POSTRIDER_TEST_SERVICES is `required`.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { findService } from './services.ts';

export const postgresUrl = process.env.POSTRIDER_TEST_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** True if the tests can run. Prints a line once if they cannot. */
export async function hasPostgres(): Promise<boolean> {
  const isAvailable = await findService('the tests on PostgreSQL', async () => {
    const client = new pg.Client({ connectionString: postgresUrl, connectionTimeoutMillis: 3000 });
    await client.connect();
    await client.end();
    return true;
  });
  return isAvailable === true;
}

/** Runs one statement on a separate connection. */
export async function queryOnOwnConnection(text: string, values: unknown[] = []): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    return await client.query(text, values);
  } finally {
    await client.end();
  }
}

/** A schema name that no other test uses. The adapter, or `create schema`, creates the schema itself. */
export function newSchema(): string {
  return `suite_${randomBytes(8).toString('hex')}`;
}

/** Drops a schema, which takes a lock for each table and index. If other tests use up the lock table of the server, it waits for them. */
export async function dropSchema(schema: string): Promise<void> {
  for (let attemptsLeft = 50; ; attemptsLeft -= 1) {
    try {
      await queryOnOwnConnection(`drop schema if exists ${schema} cascade`);
      return;
    } catch (error) {
      const isOutOfLocks = (error as { code?: unknown }).code === '53200';
      if (!isOutOfLocks || attemptsLeft === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
