// Sends references to jobs through BullMQ, a queue in Redis. The only file that imports BullMQ. Does not connect before its first
// use.

import { Queue, Worker } from 'bullmq';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import {
  decodeReference,
  encodeReference,
  type JobQueue,
  type Lane,
  lanes,
  type OutgoingReference,
  type RefusedReference,
  reasonOf,
} from '../../core/contract/ports/queue.ts';
import { checkConnectionUrl } from '../kit/connection-url.ts';

/** Options of `bullmqQueue`. */
export interface BullmqQueueOptions {
  /**
   * Such as `redis://user:password@host:6379/0`, or `rediss://` for TLS. Redis must not evict keys: `maxmemory-policy
   * noeviction`.
   */
  readonly url: string;
  /** Prefix of every key. Services that share a Redis need different prefixes. (Default: postrider) */
  readonly prefix?: string;
}

const longestDelayMs = 900_000;
/** A message whose consumer crashed is delivered again after this time. */
const lockDuration = 60_000;
const maxStalledCount = 100;

/**
 * A message is removed once it was handled. A message whose job could not be claimed is delivered again with increasing pauses.
 */
const jobOptions = {
  removeOnComplete: true,
  removeOnFail: true,
  attempts: 100,
  backoff: { type: 'exponential', delay: 500, jitter: 0.5 },
} as const;

/** References in BullMQ: a queue for each lane. @throws RangeError for an invalid url */
export function bullmqQueue(options: BullmqQueueOptions): JobQueue {
  checkOptions<BullmqQueueOptions>('bullmqQueue', options, { url: 'required', prefix: 'optional' });
  const { url, prefix = 'postrider' } = options;
  checkConnectionUrl('bullmqQueue: url', url, 'redis://user:password@host:6379/0');
  const queues = new Map<Lane, Queue>();
  const queueOf = (lane: Lane): Queue => {
    let queue = queues.get(lane);
    if (queue === undefined) {
      // A send fails instead of waiting for Redis, and the relay retries it.
      queue = new Queue(lane, { prefix, connection: { url, maxRetriesPerRequest: 1, connectTimeout: 5_000 } });
      queue.on('error', () => undefined);
      queues.set(lane, queue);
    }
    return queue;
  };
  const sendIn = async (lane: Lane, messages: readonly OutgoingReference[]): Promise<readonly RefusedReference[]> => {
    if (messages.length === 0) return [];
    const jobs = messages.map((message) => ({
      name: 'job',
      data: encodeReference(message),
      opts: { ...jobOptions, ...(message.delayMs > 0 ? { delay: Math.ceil(message.delayMs) } : {}) },
    }));
    try {
      await queueOf(lane).addBulk(jobs);
      return [];
    } catch (error) {
      return messages.map(({ jobId }) => ({ jobId, reason: reasonOf(error) }));
    }
  };

  return {
    id: 'bullmq',
    maxDelayMs: longestDelayMs,
    async send(messages) {
      const sends = lanes.map((lane) =>
        sendIn(
          lane,
          messages.filter((message) => message.lane === lane),
        ),
      );
      return (await Promise.all(sends)).flat();
    },
    async consume(handler, { prefetch, onError }) {
      const workers = lanes.map((lane) => {
        const max = () => Math.max(1, prefetch(lane));
        const handle = async ({ data }: { readonly data: string }): Promise<void> => {
          try {
            await handler(decodeReference(data));
          } finally {
            worker.concurrency = max();
          }
        };
        const worker: Worker<string> = new Worker<string>(lane, handle, {
          prefix,
          connection: { url, maxRetriesPerRequest: null },
          concurrency: max(),
          lockDuration,
          maxStalledCount,
        });
        worker.on('error', onError);
        return worker;
      });
      return {
        async stop() {
          await Promise.all(workers.map((worker) => worker.close()));
        },
      };
    },
    async check() {
      await queueOf('normal').count();
    },
    async close() {
      await Promise.all([...queues.values()].map((queue) => queue.close()));
      queues.clear();
    },
  };
}
