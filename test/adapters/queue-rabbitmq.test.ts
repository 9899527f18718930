// The shared suite of queues on RabbitMQ, with both types of queues, and whole jobs through it.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rabbitmqQueue } from '../../adapters/queue/rabbitmq.ts';
import type { OutgoingReference } from '../../core/contract/ports/queue.ts';
import { jobQueueSuite } from '../../hosts/testing/job-queue-suite.ts';
import { gate, until } from '../support/job-bench.ts';
import { startLossyProxy } from '../support/lossy-proxy.ts';
import { deleteQueues, hasRabbitmq, newQueuePrefix, rabbitmqUrl } from '../support/rabbitmq-server.ts';
import { queuedJobsSuite } from './queued-jobs.ts';

const test = suite('RabbitMQ');

if (await hasRabbitmq()) {
  const create = (queueType: 'classic' | 'quorum') => async () => {
    const prefix = newQueuePrefix();
    return {
      open: () => rabbitmqQueue({ url: rabbitmqUrl, prefix, queueType }),
      remove: () => deleteQueues(prefix),
    };
  };
  jobQueueSuite('rabbitmq, classic', create('classic'), test);
  jobQueueSuite('rabbitmq, quorum', create('quorum'), test);
  queuedJobsSuite('rabbitmq', create('classic'), test);

  const reference: OutgoingReference = { jobId: 'job_a', workspaceId: 'ws_a', lane: 'normal', dueAt: 1, delayMs: 0 };

  test("if a consumer's connection ends, its unacknowledged messages go to another consumer", async () => {
    const prefix = newQueuePrefix();
    const cable = await startLossyProxy(rabbitmqUrl);
    const crashing = rabbitmqQueue({ url: cable.url, prefix });
    const queue = rabbitmqQueue({ url: rabbitmqUrl, prefix });
    const [first, second]: [string[], string[]] = [[], []];
    const heldGate = gate();
    const options = { prefetch: () => 10, maxPrefetch: () => 10, onError: () => undefined };
    const dying = await crashing.consume(async ({ jobId }) => {
      first.push(jobId);
      await heldGate.passed;
    }, options);
    await queue.send([reference]);
    await until(() => first.length === 1);
    const living = await queue.consume(async ({ jobId }) => void second.push(jobId), options);
    await cable.close();
    await until(() => second.length === 1);
    heldGate.open();
    await dying.stop();
    await living.stop();
    await queue.close();
    await deleteQueues(prefix);
    assert.equal([first, second], [['job_a'], ['job_a']]);
  });

  test("if a send's confirmation is lost, the send fails, and the next send connects again", async () => {
    const prefix = newQueuePrefix();
    const cable = await startLossyProxy(rabbitmqUrl);
    const queue = rabbitmqQueue({ url: cable.url, prefix });
    await queue.check();
    cable.loseResponseTo('job_a', 'cut');
    const unsent = await queue.send([reference]).catch(() => [{ jobId: 'job_a' }]);
    assert.equal(
      unsent.map(({ jobId }) => jobId),
      ['job_a'],
    );
    assert.equal(await queue.send([{ ...reference, jobId: 'job_b' }]), []);
    await queue.close();
    await cable.close();
    await deleteQueues(prefix);
  });

  test('a consumer recreates deleted queues, and a reference without a queue counts as unsent', async () => {
    const prefix = newQueuePrefix();
    const queue = rabbitmqQueue({ url: rabbitmqUrl, prefix });
    await queue.check();
    await deleteQueues(prefix);
    assert.equal(await queue.send([reference]), [{ jobId: 'job_a', reason: `RabbitMQ has no queue ${prefix}normal.` }]);
    const [gotNotes, faults]: [string[], unknown[]] = [[], []];
    const consumer = await queue.consume(async ({ jobId }) => void gotNotes.push(jobId), {
      prefetch: () => 10,
      maxPrefetch: () => 10,
      onError: (error) => faults.push(error),
    });
    await until(async () => (await queue.send([reference])).length === 0);
    await until(() => gotNotes.length === 1);
    await deleteQueues(prefix);
    await until(async () => (await queue.send([reference])).length === 0);
    await until(() => gotNotes.length === 2);
    await consumer.stop();
    await queue.close();
    await deleteQueues(prefix);
    assert.ok(faults.length > 0);
  });
}

test.run();
