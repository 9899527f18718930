// Takes from the limit of a key and from the limit of a workspace as fast as it can, and prints every grant. Its clock runs faster than
// the real clock, by the same factor in all processes. Spawned by limits-processes.test.ts, which signals when to begin.
import { memoryLimits } from '../../adapters/limits/memory.ts';
import { redisLimits } from '../../adapters/limits/redis.ts';
import { sqlLimits } from '../../adapters/limits/sql.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import type { LimitStore, RateLimits } from '../../core/contract/ports/limits.ts';
import { createService } from '../../core/kernel/compose.ts';
import { postgresUrl } from '../support/postgres-server.ts';
import { redisUrl } from '../support/redis-server.ts';

/** The location of the counters: a prefix in Redis, a schema of Postgres, or not shared at all. */
export interface LimitStorage {
  readonly kind: 'redis' | 'postgres' | 'memory';
  readonly name: string;
}

/** The plan of a process. */
export interface LimitPlan {
  readonly storage: LimitStorage;
  readonly byKey: RateLimits;
  readonly byWorkspace: RateLimits;
  readonly durationMs: number;
  readonly speed: number;
}

/** Times by the faster clock: when the request was made, and when the grant was known. */
export type Grant = readonly [asked: number, known: number];

/** The grants of the key, and those of the workspace. */
export interface Grants {
  readonly byKey: Grant[];
  readonly byWorkspace: Grant[];
}

const timeoutMs = 10_000;

/** The service of a process, and of the test, which also migrates. */
export function serviceAt({ kind, name }: LimitStorage) {
  const storage =
    kind === 'postgres'
      ? postgresStorage({ connectionString: postgresUrl, schema: name, maxConnections: 3 })
      : sqliteStorage({ filename: ':memory:' });
  const limits =
    kind === 'redis'
      ? redisLimits({ url: redisUrl }, { prefix: name, clock: 'caller', timeoutMs })
      : kind === 'memory'
        ? memoryLimits()
        : sqlLimits({ timeoutMs });
  return createService({ plugins: [], storage, limits });
}

async function takeRepeatedly(store: LimitStore, order: LimitPlan, from: number): Promise<Grants> {
  const fastNow = (): number => from + (Date.now() - from) * order.speed;
  const caller = async (name: 'byKey' | 'byWorkspace', grants: Grant[]): Promise<void> => {
    while (Date.now() < from + order.durationMs) {
      const requestedAt = fastNow();
      const { allowed } = await store.take(name, name, order[name], requestedAt);
      if (allowed) grants.push([requestedAt, fastNow()]);
      // The in-memory store never waits. Without this pause the process would block its event loop.
      await new Promise(setImmediate);
    }
  };
  const grants: Grants = { byKey: [], byWorkspace: [] };
  const callers = [1, 2, 3, 4].flatMap(() => [
    caller('byKey', grants.byKey),
    caller('byWorkspace', grants.byWorkspace),
  ]);
  await Promise.all(callers);
  return grants;
}

async function runOrder(text: string): Promise<void> {
  const order = JSON.parse(text) as LimitPlan;
  const service = serviceAt(order.storage);
  const withoutLimits = { keyRate: 1e9, keyBurst: 9e9, workspacePerMinute: 9e15 };
  await service.core.limits.take('warm', 'warm', withoutLimits, Date.now());
  process.stdout.write('ready\n');
  const from = await new Promise<number>((resolve) => process.stdin.once('data', (data) => resolve(Number(data))));
  const grants = await takeRepeatedly(service.core.limits, order, from);
  await service.stop();
  process.stdin.destroy();
  process.stdout.write(JSON.stringify(grants));
}

if (process.argv[2] !== undefined) void runOrder(process.argv[2]);
