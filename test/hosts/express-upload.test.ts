// Bodies that are refused before they have arrived completely: the client sees the answer, and never a reset connection.
// full-run: slow
import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { Agent, request as httpRequest } from 'node:http';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createHostBench, type HostBench } from './bench.ts';
import { type ExpressVersion, embeddingProgram, listen, type RunningProgram } from './programs.ts';

interface Context {
  bench: HostBench;
  program: RunningProgram;
}

const path = '/messaging/v1/templates/receipt/send';
const megabyte = 1_048_576;

function uploadSuite(version: ExpressVersion) {
  const test = suite<Context>(`refused uploads through ${version}`);

  test.before.each(async (context) => {
    context.bench = await createHostBench();
    context.program = await listen(embeddingProgram(version, context.bench.service, 'none'));
  });

  test.after.each(async ({ bench, program }) => {
    await program.close();
    await bench.close();
  });

  test('an endless chunked body gets 413 before its end, and the connection ends without a reset', async ({
    bench,
    program,
  }) => {
    const socket = new Socket().connect(program.port, '127.0.0.1');
    const faults: unknown[] = [];
    socket.on('error', (error) => faults.push(error));
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
    });
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${bench.liveKey}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const chunk = `${(65_536).toString(16)}\r\n${'x'.repeat(65_536)}\r\n`;
    const complete = () => /\r\n\r\n\{.*\}$/s.test(answer);
    for (let count = 0; count < 2_000 && !complete(); count += 1) {
      await new Promise<void>((resolve) => void socket.write(chunk, () => resolve()));
    }
    assert.match(answer, /^HTTP\/1\.1 413 /);
    assert.match(answer, /\r\nconnection: close\r\n/i);
    assert.match(answer, /"payload_too_large"/);
    const socketClosed = new Promise((resolve) => socket.once('close', resolve));
    socket.end('0\r\n\r\n');
    await socketClosed;
    assert.equal(faults, []);
  });

  for (const [name, headers, status] of [
    ['a declared length over the limit', {}, 413],
    ['an unknown key', { authorization: 'Bearer nobody' }, 401],
  ] as const) {
    test(`${name} gets ${status} while 20 MB are still being sent`, async ({ bench, program }) => {
      const request = httpRequest({
        port: program.port,
        host: '127.0.0.1',
        path,
        method: 'POST',
        headers: {
          authorization: `Bearer ${bench.liveKey}`,
          'content-type': 'application/json',
          'content-length': 20 * megabyte,
          ...headers,
        },
      });
      const answered = new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
        request.once('error', reject).once('response', (response) => {
          let body = '';
          response.setEncoding('utf8').on('data', (text: string) => {
            body += text;
          });
          response.once('end', () => resolve({ status: response.statusCode, body }));
        });
      });
      for (let count = 0; count < 20; count += 1) request.write(Buffer.alloc(megabyte, 'x'));
      request.end();
      const answer = await answered;
      assert.is(answer.status, status);
      assert.match(answer.body, /"request_id":"req_/);
    });
  }

  test('curl shows the 413 for a 30 MB upload', async ({ bench, program }) => {
    const folder = await mkdtemp(join(tmpdir(), 'postrider-upload-'));
    const file = join(folder, 'large.json');
    try {
      await new Promise((resolve) => createWriteStream(file).end('{', () => resolve(undefined)));
      await truncate(file, 30 * megabyte);
      const { stdout } = await promisify(execFile)('curl', [
        ...[
          '-sS',
          '-X',
          'POST',
          '-H',
          `Authorization: Bearer ${bench.liveKey}`,
          '-H',
          'Content-Type: application/json',
        ],
        ...['--data-binary', `@${file}`, '-w', '\n%{http_code}', `${program.origin}${path}`],
      ]);
      assert.match(stdout, /"payload_too_large".*\n413$/s);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('after a small body is refused unread, the connection stays usable', async ({ bench, program }) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = (key: string, body: string) =>
      new Promise<{ status: number | undefined; port: number | undefined }>((resolve, reject) => {
        const request = httpRequest({
          agent,
          port: program.port,
          host: '127.0.0.1',
          path,
          method: 'POST',
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            'idempotency-key': key,
          },
        });
        request.once('error', reject).once('response', (response) => {
          const port = response.socket.localPort;
          response.resume().once('end', () => resolve({ status: response.statusCode, port }));
        });
        request.end(body);
      });
    const message = JSON.stringify({ to: 'ada@example.com', variables: { name: 'Ada' } });
    const refusal = await ask('nobody', `${message}${' '.repeat(40_000)}`);
    const tooLarge = await ask(bench.liveKey, `${message}${' '.repeat(40_000)}`);
    const acceptance = await ask(bench.liveKey, message);
    agent.destroy();
    assert.equal([refusal.status, tooLarge.status, acceptance.status], [401, 413, 202]);
    assert.is(refusal.port, acceptance.port);
    assert.is(tooLarge.port, acceptance.port);
  });

  test('a client that disconnects in the middle of its body causes no error', async ({ bench, program }) => {
    const socket = new Socket().connect(program.port, '127.0.0.1');
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${bench.liveKey}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"to":`,
    );
    await new Promise<void>((resolve) => void socket.once('connect', () => setImmediate(resolve)));
    socket.destroy();
    const response = await fetch(`${program.origin}/messaging/v1/workspace`, {
      headers: { authorization: `Bearer ${bench.liveKey}` },
    });
    assert.is(response.status, 200);
  });

  test.run();
}

uploadSuite('Express 4');
uploadSuite('Express 5');
