// The shared suite of queues on SQS's protocol, whole jobs through it, and a comparison with the client of AWS's own SDK: each of the two
// can read the messages that the other sends.
// full-run: slow
import {
  DeleteMessageBatchCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqsQueue } from '../../adapters/queue/sqs.ts';
import { type Lane, lanes } from '../../core/contract/declaration/jobs.ts';
import {
  decodeReference,
  encodeReference,
  type JobReference,
  type OutgoingReference,
} from '../../core/contract/ports/queue.ts';
import { jobQueueSuite } from '../../hosts/testing/job-queue-suite.ts';
import { type SqsServer, sqsKey, sqsRegion, startSqs } from '../support/sqs-server.ts';
import { queuedJobsSuite } from './queued-jobs.ts';

const test = suite('SQS');

const queueNamed = (suffix: string) => async () => {
  const server = await startSqs();
  const url = Object.fromEntries(lanes.map((lane) => [lane, server.url(`${lane}${suffix}`)])) as Record<Lane, string>;
  return {
    open: () => sqsQueue({ url, region: sqsRegion, credentials: sqsKey, visibilityTimeout: 2 }),
    remove: () => server.close(),
  };
};
jobQueueSuite('sqs', queueNamed(''), test);
jobQueueSuite('sqs fifo', queueNamed('.fifo'), test);
queuedJobsSuite('sqs', queueNamed(''), test);

const message = (index: number, more: Partial<OutgoingReference> = {}): OutgoingReference => ({
  jobId: `job_${index}`,
  workspaceId: 'ws_a',
  lane: 'normal',
  dueAt: 1_793_000_000_000,
  delayMs: 0,
  ...more,
});

const testWithQueue = (title: string, run: (server: SqsServer, client: SQSClient) => Promise<void>): void => {
  test(title, async () => {
    const server = await startSqs();
    const client = new SQSClient({ endpoint: server.endpoint, region: sqsRegion, credentials: sqsKey });
    try {
      await run(server, client);
    } finally {
      client.destroy();
      await server.close();
    }
  });
};

testWithQueue('the SDK reads the messages that the adapter sends', async (server, client) => {
  const queue = sqsQueue({ url: server.url('jobs'), region: sqsRegion, credentials: sqsKey });
  const sentMessages = Array.from({ length: 23 }, (_, index) => message(index));
  assert.equal(await queue.send(sentMessages), []);
  const received: JobReference[] = [];
  while (received.length < sentMessages.length) {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({ QueueUrl: server.url('jobs'), MaxNumberOfMessages: 10 }),
    );
    assert.ok(Messages.length > 0, 'the queue is empty');
    received.push(...Messages.map(({ Body = '' }) => decodeReference(Body)));
    await client.send(
      new DeleteMessageBatchCommand({
        QueueUrl: server.url('jobs'),
        Entries: Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle })),
      }),
    );
  }
  assert.is(server.messageCount('jobs'), 0);
  assert.equal(received.map(({ jobId }) => jobId).sort(), sentMessages.map(({ jobId }) => jobId).sort());
  await queue.close();
});

testWithQueue('the adapter reads the messages that the SDK sends, and makes equal requests', async (server, client) => {
  const queue = sqsQueue({ url: server.url('jobs'), region: sqsRegion, credentials: sqsKey });
  await queue.send([message(1, { delayMs: 1_500 })]);
  await client.send(
    new SendMessageBatchCommand({
      QueueUrl: server.url('jobs'),
      Entries: [{ Id: '0', MessageBody: encodeReference(message(1)), MessageGroupId: 'ws_a', DelaySeconds: 2 }],
    }),
  );
  const [adapterRequests, sdkRequests] = server.seen;
  assert.equal(adapterRequests, sdkRequests);
  const received: JobReference[] = [];
  const consumer = await queue.consume(async (reference) => void received.push(reference), {
    prefetch: () => 10,
    maxPrefetch: () => 10,
    onError: (error) => assert.unreachable(String(error)),
  });
  while (received.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  await consumer.stop();
  assert.is(server.messageCount('jobs'), 0);
  await queue.close();
});

testWithQueue('if SQS refuses entries of a batch, the error names their jobs', async (server) => {
  const queue = sqsQueue({ url: server.url('jobs'), region: sqsRegion, credentials: sqsKey });
  server.refuse(1, 4);
  const refusal = await queue.send(Array.from({ length: 6 }, (_, index) => message(index)));
  assert.equal(refusal, [
    { jobId: 'job_1', reason: 'InternalError: refused by the test' },
    { jobId: 'job_4', reason: 'InternalError: refused by the test' },
  ]);
  assert.is(server.messageCount('jobs'), 4);
  await queue.close();
});

testWithQueue('a message stays invisible while its job runs, and comes back after a crash', async (server) => {
  const open = () =>
    sqsQueue({ url: server.url('jobs'), region: sqsRegion, credentials: sqsKey, visibilityTimeout: 1 });
  const queue = open();
  await queue.send([message(1)]);
  let first = 0;
  let end = (): void => undefined;
  const jobEnd = new Promise<void>((resolve) => {
    end = resolve;
  });
  const consumer = await queue.consume(
    async () => {
      first += 1;
      await jobEnd;
    },
    { prefetch: () => 4, maxPrefetch: () => 4, onError: () => undefined },
  );
  while (server.seen.filter(({ action }) => action === 'ChangeMessageVisibilityBatch').length < 4)
    await new Promise((resolve) => setTimeout(resolve, 20));
  assert.is(first, 1);
  end();
  await consumer.stop();
  assert.is(server.messageCount('jobs'), 0);
  await queue.close();
});

testWithQueue(
  'a FIFO queue gets the workspace as group, and a separate deduplication id for each sending',
  async (server) => {
    const queue = sqsQueue({ url: server.url('jobs.fifo'), region: sqsRegion, credentials: sqsKey });
    assert.is(queue.maxDelayMs, 0);
    await queue.send([message(1), message(1)]);
    assert.is(server.messageCount('jobs.fifo'), 2);
    const [entry] = server.seen[0]?.input.Entries ?? [];
    assert.is(entry?.MessageGroupId, 'ws_a');
    await queue.close();
  },
);

testWithQueue('a FIFO queue gets the batches one after another', async (server) => {
  let calls = 0;
  const queue = sqsQueue({
    url: server.url('jobs.fifo'),
    region: sqsRegion,
    // Delays the first batch: if batches were sent concurrently, the others would arrive before it.
    credentials: async () => {
      calls += 1;
      if (calls === 1) await new Promise((resolve) => setTimeout(resolve, 100));
      return sqsKey;
    },
  });
  const sentMessages = Array.from({ length: 35 }, (_, index) => message(index));
  assert.equal(await queue.send(sentMessages), []);
  const bodies = server.seen.flatMap(({ input }) => input.Entries ?? []).map(({ MessageBody = '' }) => MessageBody);
  assert.equal(
    bodies.map((body) => decodeReference(body).jobId),
    sentMessages.map(({ jobId }) => jobId),
  );
  await queue.close();
});

testWithQueue('a wrong key is reported without the key', async (server) => {
  const credentials = { accessKeyId: 'SQSKEY', secretAccessKey: 'another secret' };
  const queue = sqsQueue({ url: server.url('jobs'), region: sqsRegion, credentials });
  try {
    await queue.check();
    assert.unreachable();
  } catch (error) {
    assert.match(String(error), 'SQS answered 400 InvalidSignatureException to GetQueueAttributes');
    assert.not.match(String(error), 'another secret');
  }
  const [refusal] = await queue.send([message(1)]);
  assert.is(refusal?.jobId, 'job_1');
  assert.match(String(refusal?.reason), 'SQS answered 400 InvalidSignatureException to SendMessageBatch');
  assert.not.match(String(refusal?.reason), 'another secret');
  await queue.close();
});

test('the adapter refuses invalid options', () => {
  assert.throws(() => sqsQueue({ url: 'jobs' }), /is not the URL of a queue/);
  assert.throws(() => sqsQueue({ url: 'http://localhost/1/jobs', visibilityTimeout: 0 }), /visibilityTimeout/);
});

test.run();
