// The Postgres that tests use: POSTRIDER_TEST_POSTGRES, or the local one. Each caller works in a schema of its own.
// When it is not there, tests are left out, unless POSTRIDER_TEST_SERVICES is `required`: then this throws.
import { randomBytes } from 'node:crypto';
import type { Server, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import pg from 'pg';

export const postgresUrl = process.env.POSTRIDER_TEST_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** Whether the tests can run; says so once when they cannot. */
export async function hasPostgres(): Promise<boolean> {
  const client = new pg.Client({ connectionString: postgresUrl, connectionTimeoutMillis: 3000 });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.message || String(error) : String(error);
    if (process.env.POSTRIDER_TEST_SERVICES === 'required') throw new Error(`Postgres cannot be reached: ${reason}`);
    console.log(`# left out: the tests on Postgres (${reason})`);
    return false;
  }
}

/** Runs one statement as an outsider. */
export async function asOutsider(text: string, values: unknown[] = []): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    return await client.query(text, values);
  } finally {
    await client.end();
  }
}

/** A name that no other test uses. The schema itself is made by the adapter, or by `create schema`. */
export function newSchema(): string {
  return `suite_${randomBytes(8).toString('hex')}`;
}

export async function dropSchema(schema: string): Promise<void> {
  await asOutsider(`drop schema if exists ${schema} cascade`);
}

/** A way to the server that can be cut. */
export interface Cable {
  readonly connectionString: string;
  /** The next connection that sends `text` gets no answer any more: it is cut, or left hanging. */
  loseAnswerTo(text: string, how: 'cut' | 'hang'): void;
  close(): Promise<void>;
}

/** Starts a relay in front of the server. */
export async function layCable(): Promise<Cable> {
  const target = new URL(postgresUrl);
  const sockets = new Set<Socket>();
  let fatal: { readonly text: string; readonly how: 'cut' | 'hang' } | undefined;
  const server: Server = createServer((near) => {
    const far = connect(Number(target.port || 5432), target.hostname);
    let lost: 'cut' | 'hang' | undefined;
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    near.on('data', (bytes) => {
      if (fatal !== undefined && bytes.includes(fatal.text)) {
        lost = fatal.how;
        fatal = undefined;
      }
      far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (lost === 'cut') near.destroy();
      if (lost === undefined) near.write(bytes);
    });
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The relay has no port.');
  const near = new URL(postgresUrl);
  near.hostname = '127.0.0.1';
  near.port = String(address.port);
  return {
    connectionString: near.href,
    loseAnswerTo(text, how) {
      fatal = { text, how };
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
