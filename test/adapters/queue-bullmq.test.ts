// The shared suite of queues on BullMQ, and whole jobs through it.
// full-run: slow
import { suite } from 'uvu';
import { bullmqQueue } from '../../adapters/queue/bullmq.ts';
import { jobQueueSuite } from '../../hosts/testing/job-queue-suite.ts';
import { deleteRedisKeys, hasRedis, newRedisPrefix, redisUrl } from '../support/redis-server.ts';
import { queuedJobsSuite } from './queued-jobs.ts';

const test = suite('BullMQ');

if (await hasRedis()) {
  const create = async () => {
    const prefix = newRedisPrefix().slice(0, -1);
    return { open: () => bullmqQueue({ url: redisUrl, prefix }), remove: () => deleteRedisKeys(`${prefix}:`) };
  };
  jobQueueSuite('bullmq', create, test);
  queuedJobsSuite('bullmq', create, test);
}

test.run();
