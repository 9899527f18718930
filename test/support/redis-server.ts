// The Redis that tests use: POSTRIDER_TEST_REDIS, or the local server. Each test has its own key prefix. Tests that stop or kill a server
// start a separate server. If Redis is missing, the tests are skipped, or this throws an error if POSTRIDER_TEST_SERVICES is `required`.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from './free-port.ts';
import { findService } from './services.ts';

export const redisUrl = process.env.POSTRIDER_TEST_REDIS ?? 'redis://127.0.0.1:6379';

/** A client that fails at once if the server is missing or still loading. */
export function failFastClient(url = redisUrl): Redis {
  const client = new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    connectTimeout: 3_000,
    enableReadyCheck: false,
  });
  client.on('error', () => undefined);
  return client;
}

/** True if the tests can run. Prints a line once if they cannot. */
export async function hasRedis(): Promise<boolean> {
  const isAvailable = await findService('the tests on Redis', async () => {
    const client = failFastClient();
    try {
      await client.connect();
    } finally {
      client.disconnect();
    }
    if (spawnSync('redis-server', ['--version']).status !== 0) throw new Error('there is no redis-server to start');
    return true;
  });
  return isAvailable === true;
}

/** A prefix that no other test uses. */
export const newRedisPrefix = (): string => `suite_${randomBytes(8).toString('hex')}:`;

/** Removes the keys of a test. */
export async function deleteRedisKeys(prefix: string): Promise<void> {
  const client = failFastClient();
  for await (const keys of client.scanStream({ match: `${prefix}*`, count: 1_000 })) {
    if ((keys as string[]).length > 0) await client.unlink(...(keys as string[]));
  }
  client.disconnect();
}

/** A separate server for a test, which may pause and kill it */
export interface OwnRedis {
  readonly port: number;
  readonly url: string;
  /** Makes the server stop answering, without closing its connections. */
  halt(): void;
  resume(): void;
  kill(): Promise<void>;
  /** Starts it again on the same port, with the data that SAVE stored. */
  restart(...settings: readonly string[]): Promise<void>;
  /** Ends the server permanently. */
  remove(): Promise<void>;
}

/** Starts a server on a free port. */
export async function startRedis(...settings: readonly string[]): Promise<OwnRedis> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const folder = mkdtempSync(join(tmpdir(), 'postrider-redis-'));
  let child: ChildProcess | undefined;
  const start = async (...more: readonly string[]): Promise<void> => {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder, ...settings, ...more];
    child = spawn('redis-server', args, { stdio: 'ignore' });
    for (const until = Date.now() + 20_000; Date.now() < until; await pause(20)) {
      const client = failFastClient(url);
      const answer = await client.ping().catch((error: Error) => error.message);
      client.disconnect();
      if (/^(PONG|NOAUTH|LOADING)/.test(answer)) return;
    }
    throw new Error('The Redis of this test did not start.');
  };
  const stop = async (): Promise<void> => {
    const ending = child;
    child = undefined;
    if (ending === undefined || ending.exitCode !== null) return;
    const exit = once(ending, 'exit');
    ending.kill('SIGKILL');
    await exit;
  };
  await start();
  return {
    port,
    url,
    halt: () => child?.kill('SIGSTOP'),
    resume: () => child?.kill('SIGCONT'),
    kill: stop,
    restart: async (...more) => {
      await stop();
      await start(...more);
    },
    async remove() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
