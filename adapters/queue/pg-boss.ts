// Sends references to jobs through pg-boss, a queue in PostgreSQL. The only file that imports pg-boss. Does not connect before
// its first use.

import PgBoss from 'pg-boss';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import { encodeReference, type JobQueue, type Lane, lanes } from '../../core/contract/ports/queue.ts';
import { checkConnectionUrl } from '../kit/connection-url.ts';
import { createPullConsumer, type PullConsumer, type PullSource } from '../kit/pull-consumer.ts';

/** Options of `pgBossQueue`. */
export interface PgBossQueueOptions {
  /** The database in which pg-boss keeps its tables. */
  readonly connectionString: string;
  /** The schema of its tables. (Default: pgboss) */
  readonly schema?: string;
  /** The prefix of the names of the four queues; the lane follows. (Default: postrider-) */
  readonly prefix?: string;
  /**
   * The pause of a consumer after an empty response, in milliseconds. Messages sent by this process wake it at once. (Default:
   * 500)
   */
  readonly pollMs?: number;
}

const messagesPerFetch = 256;
const longestDelayMs = 900_000;
/** A message whose consumer crashed is delivered again after this time. By then, the lease of its job has already expired. */
const expireInSeconds = 300;

/**
 * References in pg-boss: a queue for each lane. @throws RangeError for an invalid connection string, and for a pollMs below 10
 */
export function pgBossQueue(options: PgBossQueueOptions): JobQueue {
  checkOptions<PgBossQueueOptions>('pgBossQueue', options, {
    connectionString: 'required',
    schema: 'optional',
    prefix: 'optional',
    pollMs: 'optional',
  });
  const { connectionString, schema = 'pgboss', prefix = 'postrider-', pollMs = 500 } = options;
  if (!Number.isSafeInteger(pollMs) || pollMs < 10)
    throw new RangeError(`pollMs must be whole milliseconds from 10, not ${pollMs}.`);
  checkConnectionUrl('pgBossQueue: connectionString', connectionString, 'postgres://user:password@host:5432/database');
  const consumers = new Set<PullConsumer>();
  const nameOf = (lane: Lane): string => `${prefix}${lane}`;
  let opening: Promise<PgBoss> | undefined;

  const open = async (): Promise<PgBoss> => {
    const boss = new PgBoss({
      connectionString,
      schema,
      schedule: false,
      archiveCompletedAfterSeconds: 3_600,
      deleteAfterHours: 1,
    });
    // pg-boss reports errors of its own maintenance here; the calls below report their errors themselves.
    boss.on('error', () => undefined);
    await boss.start();
    for (const lane of lanes) {
      const name = nameOf(lane);
      await boss.createQueue(name, { name, policy: 'standard', retryLimit: 100, retryDelay: 5, expireInSeconds });
    }
    return boss;
  };
  const opened = (): Promise<PgBoss> => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const sourceOf = (boss: PgBoss, lane: Lane): PullSource => ({
    lane,
    batch: messagesPerFetch,
    idleMs: pollMs,
    async receive(limit) {
      const jobs = (await boss.fetch<{ reference: string }>(nameOf(lane), { batchSize: limit })) ?? [];
      return jobs.map(({ id, data }) => ({ id, body: data.reference }));
    },
    done: (ids) => boss.complete(nameOf(lane), [...ids]),
    redeliver: (ids) => boss.fail(nameOf(lane), [...ids]),
  });

  return {
    id: 'pg-boss',
    maxDelayMs: longestDelayMs,
    async send(messages) {
      const boss = await opened();
      await boss.insert(
        messages.map((message) => ({
          name: nameOf(message.lane),
          data: { reference: encodeReference(message) },
          ...(message.delayMs > 0 ? { startAfter: new Date(Date.now() + message.delayMs) } : {}),
        })),
      );
      for (const consumer of consumers) consumer.wake();
      return [];
    },
    async consume(handler, options) {
      const boss = await opened();
      const consumer = createPullConsumer(
        lanes.map((lane) => sourceOf(boss, lane)),
        handler,
        options,
      );
      consumers.add(consumer);
      return {
        async stop() {
          consumers.delete(consumer);
          await consumer.stop();
        },
      };
    },
    async check() {
      await (await opened()).getQueue(nameOf('normal'));
    },
    async close() {
      const boss = await opening?.catch(() => undefined);
      opening = undefined;
      await boss?.stop({ graceful: false, wait: true });
    },
  };
}
