// Rate limits that several processes share, in Redis through ioredis: one atomic script for each request decides both limits. The
// only file that imports ioredis. Does not connect before the first request.

import { Redis } from 'ioredis';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import type { LimitDecision, LimitStore, RateLimits } from '../../core/contract/ports/limits.ts';
import { parseUrl } from '../../core/contract/values/parse-url.ts';
import { checkConnectionUrl } from '../kit/connection-url.ts';
import { decisionOf, disorderMs, limitStatusOf, termsOf } from '../kit/limit-rule.ts';
import { createCalls, type RedisConnection, unavailable } from './redis-calls.ts';
import { argumentsOf, readLimitStatus, takeScript, takeScriptHash } from './redis-script.ts';

/** The location of Redis. */
export interface RedisUrlSource {
  /** Such as `redis://user:password@host:6379/0`, or `rediss://` for TLS. */
  readonly url: string;
}

/** The program's own ioredis client, `Redis` or `Cluster`. It is neither closed nor changed. */
export interface RedisClientSource {
  readonly client: RedisConnection;
}

export interface RedisLimitOptions {
  /**
   * Prefix of every key, without braces. Services that share a Redis need different prefixes. (Default:
   * postrider:limits:)
   */
  readonly prefix?: string;
  /** The time limit of a decision in milliseconds. After it, the store counts as down. (Default: 250) */
  readonly timeoutMs?: number;
  /**
   * The clock: `redis` is the same for all processes; `caller` is for tests with a simulated clock. With the callers' clocks, the
   * limit applies to 60 s less the difference between those clocks. (Default: redis)
   */
  readonly clock?: 'redis' | 'caller';
}

/**
 * Keeps both limits in Redis: the rule of `memoryLimits`, across all processes. If Redis is down or does not respond, a request
 * fails within the timeout; later requests try Redis again. @throws RangeError if the URL or an option is invalid
 */
export function redisLimits(source: RedisUrlSource | RedisClientSource, options: RedisLimitOptions = {}): LimitStore {
  checkOptions<RedisUrlSource | RedisClientSource>('redisLimits', source, { url: 'either', client: 'either' });
  checkOptions<RedisLimitOptions>('redisLimits', options, {
    prefix: 'optional',
    timeoutMs: 'optional',
    clock: 'optional',
  });
  const { prefix = 'postrider:limits:', timeoutMs = 250, clock = 'redis' } = options;
  if (/[{}]/.test(prefix))
    throw new RangeError('The prefix of the limits must not contain braces, because Redis Cluster interprets them.');
  if (!Number.isSafeInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > 60_000) {
    throw new RangeError(`timeoutMs must be whole milliseconds from 1 to 60000, not ${timeoutMs}.`);
  }
  if ('url' in source) checkUrl(source.url);
  const running = new Set<Promise<unknown>>();
  const calls = createCalls(() => ('client' in source ? source.client : connect(source.url, timeoutMs)), timeoutMs);
  let closed = false;
  // The braces make Redis Cluster store the keys of a workspace and its window in the same slot.
  const tagOf = (workspaceId: string): string => workspaceId.replace(/[{}%]/g, encodeURIComponent) || '%';

  async function decideInRedis(
    keyId: string,
    workspaceId: string,
    limits: RateLimits,
    time: number,
  ): Promise<LimitDecision> {
    const terms = termsOf(limits);
    if (!terms.keyLimited && !terms.workspaceLimited) {
      return decisionOf(terms, limitStatusOf(terms, undefined, undefined, time));
    }
    const keyPrefix = `${prefix}{${tagOf(workspaceId)}}`;
    const keysAndArguments = [
      `${keyPrefix}:key:${keyId}`,
      `${keyPrefix}:window`,
      ...(clock === 'redis' ? argumentsOf(terms, undefined, 0) : argumentsOf(terms, time, disorderMs)),
    ];
    const answer = await calls.run(async (client) => {
      try {
        return await client.evalsha(takeScriptHash, 2, ...keysAndArguments);
      } catch (error) {
        // Redis was restarted, failed over, or had its script cache flushed.
        if (!String(error).includes('NOSCRIPT')) throw error;
        return client.eval(takeScript, 2, ...keysAndArguments);
      }
    });
    return decisionOf(terms, readLimitStatus(answer));
  }

  return {
    id: 'redis',
    shared: true,
    async take(keyId, workspaceId, figures, now) {
      if (closed) throw unavailable('this store has been closed');
      const decision = decideInRedis(keyId, workspaceId, figures, Math.round(now));
      running.add(decision);
      try {
        return await decision;
      } finally {
        running.delete(decision);
      }
    },
    verify: async () => {
      await calls.run((client) => client.ping());
    },
    async close() {
      closed = true;
      await Promise.allSettled(running);
      if ('url' in source) calls.opened()?.disconnect?.();
    },
  };
}

/** Errors never contain the URL, because it may contain a password. */
function checkUrl(url: string): void {
  checkConnectionUrl('redisLimits: url', url, 'redis://user:password@host:6379/0');
  const protocol = parseUrl(url)?.protocol;
  if (protocol !== 'redis:' && protocol !== 'rediss:') {
    throw new RangeError(
      'The url of Redis must look like redis://user:password@host:6379/0, or begin with rediss:// for TLS.',
    );
  }
}

function connect(url: string, timeoutMs: number): RedisConnection {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: Math.max(2_000, timeoutMs),
    // A connection that is dead but was not closed is abandoned and replaced.
    socketTimeout: Math.max(2_000, 2 * timeoutMs),
    disconnectTimeout: 500,
    retryStrategy: (attempt: number) => Math.min(50 * attempt, 1_000),
    // A failed request must not be counted later.
    autoResendUnfulfilledCommands: false,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    // READONLY means that the master became a replica. Reconnecting finds the new master behind the same name.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  });
  // Without a listener, ioredis prints errors. The requests that need the connection report them.
  client.on('error', () => undefined);
  return client;
}
