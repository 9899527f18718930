// The shared suite of queues on SQS's protocol, whole jobs through it, and a comparison with the client of AWS's own
// SDK: the SDK can read what the adapter sends, and the other way round.
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
import { queuedJobs } from './queued-jobs.ts';

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
queuedJobs('sqs', queueNamed(''), test);

const message = (index: number, more: Partial<OutgoingReference> = {}): OutgoingReference => ({
  jobId: `job_${index}`,
  workspaceId: 'ws_a',
  lane: 'normal',
  dueAt: 1_793_000_000_000,
  delayMs: 0,
  ...more,
});

const bound = (title: string, run: (server: SqsServer, client: SQSClient) => Promise<void>): void => {
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

bound('the SDK reads what the adapter sends', async (server, client) => {
  const queue = sqsQueue({ url: server.url('jobs'), region: sqsRegion, credentials: sqsKey });
  const sent = Array.from({ length: 23 }, (_, index) => message(index));
  assert.equal(await queue.send(sent), []);
  const got: JobReference[] = [];
  while (got.length < sent.length) {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({ QueueUrl: server.url('jobs'), MaxNumberOfMessages: 10 }),
    );
    assert.ok(Messages.length > 0, 'the queue is empty');
    got.push(...Messages.map(({ Body = '' }) => decodeReference(Body)));
    await client.send(
      new DeleteMessageBatchCommand({
        QueueUrl: server.url('jobs'),
        Entries: Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle })),
      }),
    );
  }
  assert.is(server.left('jobs'), 0);
  assert.equal(got.map(({ jobId }) => jobId).sort(), sent.map(({ jobId }) => jobId).sort());
  await queue.close();
});

bound('the adapter reads what the SDK sends, and makes equal requests', async (server, client) => {
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
  const got: JobReference[] = [];
  const consumer = await queue.consume(async (reference) => void got.push(reference), {
    prefetch: () => 10,
    maxPrefetch: () => 10,
    onError: (error) => assert.unreachable(String(error)),
  });
  while (got.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  await consumer.stop();
  assert.is(server.left('jobs'), 0);
  await queue.close();
});

bound('if SQS refuses entries of a batch, the error names their jobs', async (server) => {
  const queue = sqsQueue({ url: server.url('jobs'), region: sqsRegion, credentials: sqsKey });
  server.refuse(1, 4);
  const refused = await queue.send(Array.from({ length: 6 }, (_, index) => message(index)));
  assert.equal(refused, [
    { jobId: 'job_1', reason: 'InternalError: refused by the test' },
    { jobId: 'job_4', reason: 'InternalError: refused by the test' },
  ]);
  assert.is(server.left('jobs'), 4);
  await queue.close();
});

bound('a message stays invisible while its job runs, and comes back after a crash', async (server) => {
  const open = () =>
    sqsQueue({ url: server.url('jobs'), region: sqsRegion, credentials: sqsKey, visibilityTimeout: 1 });
  const queue = open();
  await queue.send([message(1)]);
  let first = 0;
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const consumer = await queue.consume(
    async () => {
      first += 1;
      await ended;
    },
    { prefetch: () => 4, maxPrefetch: () => 4, onError: () => undefined },
  );
  while (server.seen.filter(({ action }) => action === 'ChangeMessageVisibilityBatch').length < 4)
    await new Promise((resolve) => setTimeout(resolve, 20));
  assert.is(first, 1);
  end();
  await consumer.stop();
  assert.is(server.left('jobs'), 0);
  await queue.close();
});

bound('a FIFO queue gets the workspace as group, and a separate deduplication id for each sending', async (server) => {
  const queue = sqsQueue({ url: server.url('jobs.fifo'), region: sqsRegion, credentials: sqsKey });
  assert.is(queue.maxDelayMs, 0);
  await queue.send([message(1), message(1)]);
  assert.is(server.left('jobs.fifo'), 2);
  const [entry] = server.seen[0]?.input.Entries ?? [];
  assert.is(entry?.MessageGroupId, 'ws_a');
  await queue.close();
});

bound('a FIFO queue gets the batches one after another', async (server) => {
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
  const sent = Array.from({ length: 35 }, (_, index) => message(index));
  assert.equal(await queue.send(sent), []);
  const bodies = server.seen.flatMap(({ input }) => input.Entries ?? []).map(({ MessageBody = '' }) => MessageBody);
  assert.equal(
    bodies.map((body) => decodeReference(body).jobId),
    sent.map(({ jobId }) => jobId),
  );
  await queue.close();
});

bound('a wrong key is reported without the key', async (server) => {
  const credentials = { accessKeyId: 'SQSKEY', secretAccessKey: 'another secret' };
  const queue = sqsQueue({ url: server.url('jobs'), region: sqsRegion, credentials });
  try {
    await queue.check();
    assert.unreachable();
  } catch (error) {
    assert.match(String(error), 'SQS answered 400 InvalidSignatureException to GetQueueAttributes');
    assert.not.match(String(error), 'another secret');
  }
  const [refused] = await queue.send([message(1)]);
  assert.is(refused?.jobId, 'job_1');
  assert.match(String(refused?.reason), 'SQS answered 400 InvalidSignatureException to SendMessageBatch');
  assert.not.match(String(refused?.reason), 'another secret');
  await queue.close();
});

test('the adapter refuses invalid options', () => {
  assert.throws(() => sqsQueue({ url: 'jobs' }), /is not the URL of a queue/);
  assert.throws(() => sqsQueue({ url: 'http://localhost/1/jobs', visibilityTimeout: 0 }), /visibilityTimeout/);
});

test.run();
