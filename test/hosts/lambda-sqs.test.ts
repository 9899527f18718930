// time-limit: 600
// A send over two invocations on AWS's runtime client. An instance accepts it from a gateway, passes it on through SQS's protocol, and
// is frozen as soon as it has answered. Another instance, which SQS calls, delivers it.
// full-run: slow
import { DeleteMessageBatchCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { deployExample, sendTo } from '../support/lambda-deployment.ts';
import { httpResponseOf, resultOf } from '../support/lambda-responses.ts';
import { hasLambdaRuntime } from '../support/lambda-runtime.ts';
import { hasPostgres } from '../support/postgres-server.ts';
import { sqsKey, sqsRegion, startSqs } from '../support/sqs-server.ts';

const test = suite('a function with SQS');

if ((await hasPostgres()) && hasLambdaRuntime()) {
  test('one invocation accepts a send and is frozen; another invocation, called by SQS, delivers it once', async () => {
    const deployment = await deployExample();
    const sqs = await startSqs();
    const client = new SQSClient({ endpoint: sqs.endpoint, region: sqsRegion, credentials: sqsKey });
    const QueueUrl = sqs.url('jobs');
    try {
      const { sink } = deployment;
      const env = {
        QUEUE_URL: QueueUrl,
        AWS_REGION: sqsRegion,
        AWS_ACCESS_KEY_ID: sqsKey.accessKeyId,
        AWS_SECRET_ACCESS_KEY: sqsKey.secretAccessKey,
      };
      const accepting = await deployment.start(env);
      resultOf(await accepting.invoke({ action: 'migrate' }));
      const { key } = await deployment.seed();
      const answer = httpResponseOf(await accepting.invoke(sendTo(key, 'ada@example.com')));
      accepting.child.kill('SIGSTOP');
      assert.is(answer.status, 202, answer.body);
      assert.is(sink.messages.length, 0, 'it was delivered before SQS called');

      // Does the work of Lambda's poller of the queue.
      const { Messages = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
      assert.ok(Messages.length > 0, 'no work was queued');
      const event = {
        Records: Messages.map(({ MessageId, ReceiptHandle, Body }) => ({
          messageId: MessageId,
          receiptHandle: ReceiptHandle,
          body: Body,
          attributes: { ApproximateReceiveCount: '1', SentTimestamp: '1795428672000', SenderId: 'AROA' },
          messageAttributes: {},
          eventSource: 'aws:sqs',
          eventSourceARN: `arn:aws:sqs:${sqsRegion}:123456789012:jobs`,
          awsRegion: sqsRegion,
        })),
      };
      const delivering = await deployment.start(env);
      const recipients = () => sink.messages.flatMap((message) => message.recipients);
      assert.equal(resultOf(await delivering.invoke(event)), { batchItemFailures: [] });
      assert.equal(recipients(), ['ada@example.com'], delivering.output());
      // A standard queue may call twice.
      assert.equal(resultOf(await delivering.invoke(event)), { batchItemFailures: [] });
      assert.equal(recipients(), ['ada@example.com']);

      const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
      await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
      assert.is(sqs.messageCount('jobs'), 0);
    } finally {
      client.destroy();
      await deployment.remove();
      await sqs.close();
    }
  });
}

test.run();
