// A strict in-memory server of the part of SQS's JSON protocol that the adapter uses. Every signature is checked with the signer of
// AWS's own SDK, and any other form of request is refused. test/adapters/queue-sqs.test.ts checks the server against the SDK's client.
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignatureV4 } from '@smithy/signature-v4';
import { Sha256 } from './s3-server.ts';

export const sqsKey = { accessKeyId: 'SQSKEY', secretAccessKey: 'SQSSECRET' };
export const sqsRegion = 'eu-test-1';

const signer = new SignatureV4({
  credentials: sqsKey,
  region: sqsRegion,
  service: 'sqs',
  sha256: Sha256,
  applyChecksum: false,
});

interface Message {
  readonly id: string;
  readonly body: string;
  readonly group: string | undefined;
  visibleAt: number;
  handle: string | undefined;
}

interface Entry {
  readonly Id: string;
  readonly MessageBody?: string;
  readonly DelaySeconds?: number;
  readonly MessageGroupId?: string;
  readonly MessageDeduplicationId?: string;
  readonly ReceiptHandle?: string;
  readonly VisibilityTimeout?: number;
}

interface Input {
  readonly QueueUrl: string;
  readonly Entries?: readonly Entry[];
  readonly MaxNumberOfMessages?: number;
  readonly WaitTimeSeconds?: number;
  readonly VisibilityTimeout?: number;
}

export interface SqsServer {
  /** The URL of a queue. The first use creates the queue. */
  url(name: string): string;
  readonly endpoint: string;
  /** The inputs of each action, in order of arrival. */
  readonly seen: { readonly action: string; readonly input: Input }[];
  /** Refuses the entries at these indexes in the next batches. */
  refuse(...indexes: number[]): void;
  /** The number of messages in a queue that were not deleted. */
  messageCount(name: string): number;
  close(): Promise<void>;
}

/** An error of the protocol. */
class Refused extends Error {
  constructor(
    readonly kind: string,
    message: string,
  ) {
    super(message);
  }
}

const requireThat = (condition: boolean, message: string): void => {
  if (!condition) throw new Refused('com.amazonaws.sqs#InvalidParameterValue', message);
};

class SqsQueue {
  readonly messages: Message[] = [];
  readonly #fifo: boolean;
  readonly #seen = new Set<string>();

  constructor(name: string) {
    this.#fifo = name.endsWith('.fifo');
  }

  send(entry: Entry): { readonly MessageId: string; readonly MD5OfMessageBody: string } {
    const {
      MessageBody: body = '',
      DelaySeconds: delay = 0,
      MessageGroupId: group,
      MessageDeduplicationId: key,
    } = entry;
    requireThat(body.length > 0 && body.length <= 1_048_576, 'MessageBody');
    requireThat(Number.isInteger(delay) && delay >= 0 && delay <= 900, 'DelaySeconds');
    const id = randomUUID();
    if (this.#fifo) {
      requireThat(
        group !== undefined && key !== undefined,
        'a FIFO queue needs MessageGroupId and MessageDeduplicationId',
      );
      requireThat(entry.DelaySeconds === undefined, 'a FIFO queue has no delay for one message');
    } else requireThat(key === undefined, 'MessageDeduplicationId is of FIFO queues');
    if (key === undefined || !this.#seen.has(key))
      this.messages.push({ id, body, group, visibleAt: Date.now() + delay * 1_000, handle: undefined });
    if (key !== undefined) this.#seen.add(key);
    return { MessageId: id, MD5OfMessageBody: createHash('md5').update(body).digest('hex') };
  }

  receive(limit: number, visibility: number): Message[] {
    const now = Date.now();
    const busy = new Set(
      this.messages
        .filter(({ visibleAt, handle }) => handle !== undefined && visibleAt > now)
        .map(({ group }) => group),
    );
    const receivedMessages = this.messages
      .filter(({ visibleAt, group }) => visibleAt <= now && !(this.#fifo && busy.has(group)))
      .slice(0, limit);
    for (const message of receivedMessages) {
      message.visibleAt = now + visibility * 1_000;
      message.handle = randomUUID();
    }
    return receivedMessages;
  }

  byHandle(handle: string | undefined): Message {
    const foundMessage = this.messages.find((message) => message.handle === handle);
    if (foundMessage === undefined) throw new Refused('com.amazonaws.sqs#ReceiptHandleIsInvalid', 'ReceiptHandle');
    return foundMessage;
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Signs the same request with AWS's signer and compares. */
async function checkSignature({ headers, url = '/', method = '' }: IncomingMessage, body: string): Promise<void> {
  const { authorization = '' } = headers;
  const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? [];
  const time = String(headers['x-amz-date']);
  const at = new Date(time.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  const signedRequest = await signer.sign(
    {
      method,
      protocol: 'http:',
      hostname: String(headers.host).split(':')[0] ?? '',
      path: url,
      query: {},
      body,
      headers: Object.fromEntries(names.map((name) => [name, String(headers[name])])),
    },
    { signingDate: at, signableHeaders: new Set(names), unsignableHeaders: new Set() },
  );
  const signatureOf = (text: string | undefined) => /Signature=([0-9a-f]{64})/.exec(text ?? '')?.[1];
  if (signatureOf(signedRequest.headers['authorization']) !== signatureOf(authorization))
    throw new Refused('com.amazon.coral.service#InvalidSignatureException', 'the signature does not match');
}

/** Starts the server. */
export async function startSqs(): Promise<SqsServer> {
  const queues = new Map<string, SqsQueue>();
  const seenRequests: SqsServer['seen'] = [];
  const refusals: number[] = [];
  const queueOf = (url: string): SqsQueue => {
    const name = new URL(url).pathname.split('/').at(-1) ?? '';
    const queue = queues.get(name) ?? new SqsQueue(name);
    queues.set(name, queue);
    return queue;
  };
  const batch = (entries: readonly Entry[] | undefined, work: (entry: Entry) => object): object => {
    requireThat(entries !== undefined && entries.length >= 1 && entries.length <= 10, 'Entries');
    const Successful: object[] = [];
    const Failed: object[] = [];
    const refusedIndexes = new Set(refusals.splice(0));
    for (const [index, entry] of (entries ?? []).entries()) {
      try {
        if (refusedIndexes.has(index)) throw new Refused('InternalError', 'refused by the test');
        Successful.push({ Id: entry.Id, ...work(entry) });
      } catch (error) {
        const { kind, message } = error as Refused;
        Failed.push({ Id: entry.Id, Code: kind, Message: message, SenderFault: false });
      }
    }
    return { Successful, Failed };
  };
  const actions: Readonly<Record<string, (input: Input, isClosed: () => boolean) => Promise<object>>> = {
    SendMessageBatch: async (input) => batch(input.Entries, (entry) => queueOf(input.QueueUrl).send(entry)),
    DeleteMessageBatch: async (input) =>
      batch(input.Entries, ({ ReceiptHandle }) => {
        const queue = queueOf(input.QueueUrl);
        queue.messages.splice(queue.messages.indexOf(queue.byHandle(ReceiptHandle)), 1);
        return {};
      }),
    ChangeMessageVisibilityBatch: async (input) =>
      batch(input.Entries, ({ ReceiptHandle, VisibilityTimeout = -1 }) => {
        requireThat(VisibilityTimeout >= 0 && VisibilityTimeout <= 43_200, 'VisibilityTimeout');
        queueOf(input.QueueUrl).byHandle(ReceiptHandle).visibleAt = Date.now() + VisibilityTimeout * 1_000;
        return {};
      }),
    GetQueueAttributes: async ({ QueueUrl }) => {
      queueOf(QueueUrl);
      return { Attributes: { QueueArn: `arn:aws:sqs:${sqsRegion}:1:${QueueUrl.split('/').at(-1)}` } };
    },
    async ReceiveMessage(
      { QueueUrl, MaxNumberOfMessages: limit = 1, WaitTimeSeconds: wait = 0, VisibilityTimeout: hidden = 30 },
      isClosed,
    ) {
      requireThat(limit >= 1 && limit <= 10 && wait >= 0 && wait <= 20, 'MaxNumberOfMessages or WaitTimeSeconds');
      const deadline = Date.now() + wait * 1_000;
      for (;;) {
        if (isClosed()) return {};
        const receivedMessages = queueOf(QueueUrl).receive(limit, hidden);
        if (receivedMessages.length > 0 || Date.now() >= deadline)
          return receivedMessages.length === 0
            ? {}
            : {
                Messages: receivedMessages.map(({ id, body, handle }) => ({
                  MessageId: id,
                  ReceiptHandle: handle,
                  Body: body,
                  MD5OfBody: createHash('md5').update(body).digest('hex'),
                })),
              };
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const write = (status: number, value: object): void => {
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(value));
    };
    try {
      const body = await bodyOf(request);
      await checkSignature(request, body);
      requireThat(request.method === 'POST' && request.url === '/', 'the place of the request');
      requireThat(request.headers['content-type'] === 'application/x-amz-json-1.0', 'the content type');
      const action = String(request.headers['x-amz-target']).replace(/^AmazonSQS\./, '');
      const runAction = actions[action];
      if (runAction === undefined) throw new Refused('com.amazonaws.sqs#UnsupportedOperation', action);
      const input = JSON.parse(body) as Input;
      seenRequests.push({ action, input });
      write(200, await runAction(input, () => response.destroyed));
    } catch (error) {
      const { kind = 'com.amazonaws.sqs#InternalError', message } = error as Refused;
      write(400, { __type: kind, message });
    }
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    endpoint,
    seen: seenRequests,
    url: (name) => `${endpoint}/123456789012/${name}`,
    refuse: (...indexes) => void refusals.push(...indexes),
    messageCount: (name) => queues.get(name)?.messages.length ?? 0,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
