// The Postgres that tests use: POSTRIDER_TEST_POSTGRES, or the local one. Each caller works in a separate schema.
// Without the server, tests are left out, unless POSTRIDER_TEST_SERVICES is `required`: then this throws.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { lookFor } from './services.ts';

export const postgresUrl = process.env.POSTRIDER_TEST_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** Whether the tests can run; prints a line once when they cannot. */
export async function hasPostgres(): Promise<boolean> {
  const found = await lookFor('the tests on PostgreSQL', async () => {
    const client = new pg.Client({ connectionString: postgresUrl, connectionTimeoutMillis: 3000 });
    await client.connect();
    await client.end();
    return true;
  });
  return found === true;
}

/** Runs one statement on a separate connection. */
export async function asOutsider(text: string, values: unknown[] = []): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    return await client.query(text, values);
  } finally {
    await client.end();
  }
}

/** A name that no other test uses. The adapter, or `create schema`, makes the schema itself. */
export function newSchema(): string {
  return `suite_${randomBytes(8).toString('hex')}`;
}

/** Takes a lock a table and index: where other tests hold most of the server's, it waits for them. */
export async function dropSchema(schema: string): Promise<void> {
  for (let left = 50; ; left -= 1) {
    try {
      await asOutsider(`drop schema if exists ${schema} cascade`);
      return;
    } catch (error) {
      const isOutOfLocks = (error as { code?: unknown }).code === '53200';
      if (!isOutOfLocks || left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
