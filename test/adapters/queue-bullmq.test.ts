// The shared suite of queues on BullMQ, and whole jobs through it.
// full-run: slow
import { suite } from 'uvu';
import { bullmqQueue } from '../../adapters/queue/bullmq.ts';
import { jobQueueSuite } from '../../hosts/testing/job-queue-suite.ts';
import { forgetRedisKeys, hasRedis, newRedisPrefix, redisUrl } from '../support/redis-server.ts';
import { queuedJobs } from './queued-jobs.ts';

const test = suite('BullMQ');

if (await hasRedis()) {
  const create = async () => {
    const prefix = newRedisPrefix().slice(0, -1);
    return { open: () => bullmqQueue({ url: redisUrl, prefix }), remove: () => forgetRedisKeys(`${prefix}:`) };
  };
  jobQueueSuite('bullmq', create, test);
  queuedJobs('bullmq', create, test);
}

test.run();
