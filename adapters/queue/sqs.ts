// Sends references to jobs through Amazon SQS. The kit signs the requests: AWS's SDK would be larger than the rest of a
// function's bundle. Does not connect before its first use.
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import {
  encodeReference,
  type JobQueue,
  type Lane,
  lanes,
  type OutgoingReference,
  type RefusedReference,
  reasonOf,
} from '../../core/contract/ports/queue.ts';
import type { AwsCredentialsOption } from '../kit/aws-credentials.ts';
import { createPullConsumer, type PullSource } from '../kit/pull-consumer.ts';
import { createSqsCalls, type SqsEntryResult } from './sqs-calls.ts';

/** Options of `sqsQueue`. */
export interface SqsQueueOptions {
  /** The URL of one queue for all lanes, or one URL for each lane. Names that end with .fifo are FIFO queues. */
  readonly url: string | Readonly<Record<Lane, string>>;
  /** Such as eu-central-1. (Default: the region in the queue's URL, or AWS_REGION) */
  readonly region?: string;
  /**
   * The key, or a function that returns the current key. (Default: the variables AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and
   * AWS_SESSION_TOKEN, which Lambda sets)
   */
  readonly credentials?: AwsCredentialsOption;
  /** How long a received message is invisible to other consumers, in seconds. Renewed while its job runs. (Default: 60) */
  readonly visibilityTimeout?: number;
  /** The time limit of a request, in milliseconds. (Default: 10,000; receiving waits 20 s longer) */
  readonly timeoutMs?: number;
}

const longestDelayMs = 900_000;
/** The maximum number of entries in an SQS batch. */
const maxEntries = 10;
const maxConcurrentSends = 8;
const waitSeconds = 20;
/** The number of concurrent receive requests for a lane, each for ten messages. */
const receivers = 4;

const inBatches = <T>(list: readonly T[]): readonly T[][] =>
  Array.from({ length: Math.ceil(list.length / maxEntries) }, (_, index) =>
    list.slice(index * maxEntries, (index + 1) * maxEntries),
  );

const isFifo = (url: string): boolean => url.endsWith('.fifo');

/** References in SQS. @throws TypeError if a URL, the region or the visibility timeout is invalid */
export function sqsQueue(options: SqsQueueOptions): JobQueue {
  checkOptions<SqsQueueOptions>('sqsQueue', options, {
    url: 'required',
    region: 'optional',
    credentials: 'optional',
    visibilityTimeout: 'optional',
    timeoutMs: 'optional',
  });
  const { url, region, credentials, visibilityTimeout = 60, timeoutMs = 10_000 } = options;
  if (!Number.isInteger(visibilityTimeout) || visibilityTimeout < 1 || visibilityTimeout > 43_200)
    throw new TypeError('sqsQueue: `visibilityTimeout` must be whole seconds from 1 to 43200.');
  const urlOf = (lane: Lane): string => (typeof url === 'string' ? url : url[lane]);
  const urls = [...new Set(lanes.map(urlOf))];
  const calls = createSqsCalls({ urls, region, credentials, timeoutMs });

  const entryOf = (message: OutgoingReference, index: number, fifo: boolean) => ({
    Id: String(index),
    MessageBody: encodeReference(message),
    // Standard queues use the group to serve the workspaces fairly, FIFO queues to keep the order.
    MessageGroupId: message.workspaceId,
    // Each send of a job is a separate message, so that SQS does not drop a second attempt within five minutes as a
    // duplicate.
    ...(fifo ? { MessageDeduplicationId: crypto.randomUUID() } : {}),
    ...(!fifo && message.delayMs > 0 ? { DelaySeconds: Math.ceil(message.delayMs / 1_000) } : {}),
  });
  const sendBatch = async (
    queueUrl: string,
    batch: readonly OutgoingReference[],
  ): Promise<readonly RefusedReference[]> => {
    const fifo = isFifo(queueUrl);
    const Entries = batch.map((message, index) => entryOf(message, index, fifo));
    try {
      const { Failed = [] } = await calls.call<SqsEntryResult>('SendMessageBatch', queueUrl, { Entries });
      return Failed.flatMap(({ Id, Code = 'no code', Message = '' }) => {
        const reason = [Code, Message].filter((text) => text !== '').join(': ');
        return batch.filter((_, index) => String(index) === Id).map(({ jobId }) => ({ jobId, reason }));
      });
    } catch (error) {
      return batch.map(({ jobId }) => ({ jobId, reason: reasonOf(error) }));
    }
  };
  const entriesOf = (handles: readonly string[]) =>
    handles.map((ReceiptHandle, index) => ({ Id: String(index), ReceiptHandle }));

  const sourceOf = (lane: Lane): PullSource => {
    const queueUrl = urlOf(lane);
    const heldHandles = new Set<string>();
    let renewing: NodeJS.Timeout | undefined;
    const renew = async (): Promise<void> => {
      for (const batch of inBatches([...heldHandles]))
        await calls
          .call('ChangeMessageVisibilityBatch', queueUrl, {
            Entries: entriesOf(batch).map((entry) => ({ ...entry, VisibilityTimeout: visibilityTimeout })),
          })
          // If the renewal fails, the message is delivered again, which is harmless.
          .catch(() => undefined);
    };
    const release = (handles: readonly string[]): void => {
      for (const handle of handles) heldHandles.delete(handle);
      if (heldHandles.size > 0) return;
      clearInterval(renewing);
      renewing = undefined;
    };
    return {
      lane,
      batch: maxEntries,
      idleMs: 0,
      async receive(limit, signal) {
        const { Messages = [] } = await calls.call<{
          readonly Messages?: readonly { readonly ReceiptHandle: string; readonly Body: string }[];
        }>(
          'ReceiveMessage',
          queueUrl,
          { MaxNumberOfMessages: limit, WaitTimeSeconds: waitSeconds, VisibilityTimeout: visibilityTimeout },
          { signal, extraMs: waitSeconds * 1_000 },
        );
        for (const { ReceiptHandle } of Messages) heldHandles.add(ReceiptHandle);
        if (heldHandles.size > 0) renewing ??= setInterval(() => void renew(), visibilityTimeout * 500);
        return Messages.map(({ ReceiptHandle, Body }) => ({ id: ReceiptHandle, body: Body }));
      },
      async done(handles) {
        release(handles);
        await Promise.all(
          inBatches(handles).map((batch) => calls.call('DeleteMessageBatch', queueUrl, { Entries: entriesOf(batch) })),
        );
      },
      // The message is delivered again when its visibility timeout ends.
      async redeliver(handles) {
        release(handles);
      },
    };
  };

  return {
    id: 'sqs',
    maxDelayMs: urls.some(isFifo) ? 0 : longestDelayMs,
    async send(messages) {
      const refusedReferences: RefusedReference[] = [];
      const sendTo = async (queueUrl: string): Promise<void> => {
        const batches = [...inBatches(messages.filter(({ lane }) => urlOf(lane) === queueUrl))];
        const sendNext = async (): Promise<void> => {
          for (let next = batches.shift(); next !== undefined; next = batches.shift())
            refusedReferences.push(...(await sendBatch(queueUrl, next)));
        };
        // A FIFO queue keeps the order of arrival, so each batch waits for the previous one.
        await Promise.all(Array.from({ length: isFifo(queueUrl) ? 1 : maxConcurrentSends }, sendNext));
      };
      await Promise.all(urls.map(sendTo));
      return refusedReferences;
    },
    async consume(handler, options) {
      const laneByQueue = urls.map((queueUrl) => lanes.find((lane) => urlOf(lane) === queueUrl) ?? 'normal');
      const max = (lane: Lane): number =>
        Math.max(...lanes.filter((one) => urlOf(one) === urlOf(lane)).map((one) => options.prefetch(one)));
      const sources = laneByQueue.flatMap((lane) => Array.from({ length: receivers }, () => sourceOf(lane)));
      return createPullConsumer(sources, handler, {
        ...options,
        prefetch: (lane) => Math.ceil(max(lane) / receivers),
      });
    },
    async check() {
      for (const queueUrl of urls) await calls.call('GetQueueAttributes', queueUrl, { AttributeNames: ['QueueArn'] });
    },
    close: () => calls.close(),
  };
}
