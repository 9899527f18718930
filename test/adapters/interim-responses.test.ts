// Adapters that call their vendor with undici accept interim responses (1xx) as core/outgoing does, tested on a plain TCP server.
import * as assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'uvu';
import { s3Assets } from '../../adapters/assets/s3.ts';
import { sqsQueue } from '../../adapters/queue/sqs.ts';
import { serveTcp } from '../core/outgoing-servers.ts';
import { s3Key } from '../support/s3-server.ts';
import { sqsKey, sqsRegion } from '../support/sqs-server.ts';

const interimResponses: Readonly<Record<string, string>> = {
  '100 Continue': 'HTTP/1.1 100 Continue\r\n\r\n',
  '102 Processing with headers': 'HTTP/1.1 102 Processing\r\nServer: nginx\r\n\r\n',
  '103 Early Hints': 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n',
  'several of them': `${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(3)}HTTP/1.0 100 Continue\r\n\r\n`,
};
/** A body that looks like an interim response must arrive complete. */
const object = Buffer.from('HTTP/1.1 100 Continue\r\n\r\nİ👩‍👩‍👧');
const answerTo = (method: string): Buffer => {
  const body = method === 'GET' ? object : Buffer.from(method === 'POST' ? '{"Failed":[]}' : '');
  return Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${body.byteLength}\r\n\r\n`), body]);
};

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Waits until undici has returned the connection to its pool, shortly after the answer. */
const connectionReleased = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10));

/** For each complete request, sends `first` and then the answer, in one piece or byte by byte. */
function serve(socket: Socket, first: string, isSlow: boolean): void {
  let unreadBytes = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on('data', async (chunk: Buffer) => {
    unreadBytes = Buffer.concat([unreadBytes, chunk]);
    const head = unreadBytes.indexOf('\r\n\r\n');
    if (head < 0) return;
    const text = unreadBytes.subarray(0, head).toString('latin1');
    const length = Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? 0);
    if (unreadBytes.byteLength < head + 4 + length) return;
    unreadBytes = Buffer.alloc(0);
    const answer = Buffer.concat([Buffer.from(first), answerTo(text.split(' ')[0] ?? '')]);
    for (const part of isSlow ? [...answer].map((byte) => Buffer.from([byte])) : [answer]) {
      socket.write(part);
      await nextTurn();
    }
  });
}

const bytesOf = async (source: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
};

for (const [name, first] of Object.entries(interimResponses)) {
  for (const isSlow of [false, true]) {
    const pace = isSlow ? 'byte by byte' : 'at once';
    const startServer = () => serveTcp((socket) => serve(socket, first, isSlow));

    test(`s3Assets accepts ${name} before each answer, sent ${pace}, on a kept-alive connection`, async () => {
      const server = await startServer();
      const endpoint = `http://127.0.0.1:${server.port}`;
      const store = s3Assets({ bucket: 'files', region: 'auto', endpoint, credentials: s3Key, timeoutMs: 5_000 });
      try {
        for (let time = 0; time < 3; time += 1) {
          async function* source() {
            yield object;
            await nextTurn();
            yield object;
          }
          await store.put('a', source(), { size: 2 * object.byteLength, contentType: 'text/plain' });
          await connectionReleased();
          assert.deepEqual(await bytesOf(await store.get('a')), object);
          await connectionReleased();
        }
        assert.equal(server.connections, 1);
      } finally {
        await store.close?.();
        await server.close();
      }
    });

    test(`sqsQueue accepts ${name} before each answer, sent ${pace}, on a kept-alive connection`, async () => {
      const server = await startServer();
      const url = `http://127.0.0.1:${server.port}/1/jobs`;
      const queue = sqsQueue({ url, region: sqsRegion, credentials: sqsKey });
      const reference = { jobId: 'job_1', workspaceId: 'ws_a', lane: 'normal', dueAt: 0, delayMs: 0 } as const;
      try {
        for (let time = 0; time < 3; time += 1) {
          assert.deepEqual(await queue.send([reference]), []);
          await connectionReleased();
        }
        assert.equal(server.connections, 1);
      } finally {
        await queue.close?.();
        await server.close();
      }
    });
  }
}

test('concurrent answers are not mixed up', async () => {
  const server = await serveTcp((socket) => serve(socket, 'HTTP/1.1 100 Continue\r\n\r\n', true));
  const endpoint = `http://127.0.0.1:${server.port}`;
  const store = s3Assets({ bucket: 'files', region: 'auto', endpoint, credentials: s3Key, timeoutMs: 5_000 });
  try {
    for (let time = 0; time < 3; time += 1) {
      const bodies = await Promise.all(Array.from({ length: 8 }, async () => bytesOf(await store.get('a'))));
      assert.deepEqual(
        bodies,
        Array.from({ length: 8 }, () => object),
      );
    }
  } finally {
    await store.close?.();
    await server.close();
  }
});

test.run();
