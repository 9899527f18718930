// own-process: it changes the environment
// Requests to real servers: what is sent, how much of the response is read, and every way in which a response can be
// missing.
// full-run: slow
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Outgoing, OutgoingError, OutgoingRequest } from '../../core/index.ts';
import { createOutgoing, type OutgoingOptions } from '../../core/outgoing/index.ts';
import { faultOf, type ListeningServer, serveHttp, serveTcp } from './outgoing-servers.ts';

const test = suite('outgoing requests');
const ends: (() => Promise<void>)[] = [];

test.after.each(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function closedAfterTest(server: Promise<ListeningServer>): Promise<ListeningServer> {
  const started = await server;
  ends.push(() => started.close());
  return started;
}

/** Opens outgoing requests in development mode, in which loopback may be called. */
function open(options: Partial<OutgoingOptions> = {}): Outgoing {
  const outgoing = createOutgoing({ environment: 'development', ...options });
  ends.push(() => outgoing.close());
  return outgoing;
}

const post = (server: ListeningServer, changes: Partial<OutgoingRequest> = {}, scheme = 'http'): OutgoingRequest => ({
  url: `${scheme}://127.0.0.1:${server.port}/hook?a=1#part`,
  method: 'POST',
  headers: {},
  ...changes,
});

/** undici releases a connection after it has returned the response. */
const givenBack = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const text = (body: Uint8Array): string => Buffer.from(body).toString();

const interimAnswers: Readonly<Record<string, string>> = {
  '100 Continue': 'HTTP/1.1 100 Continue\r\n\r\n',
  '100 without a phrase': 'HTTP/1.1 100 \r\n\r\n',
  '100 with headers': 'HTTP/1.1 100 Continue\r\nServer: nginx\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\n\r\n',
  '102 Processing': 'HTTP/1.1 102 Processing\r\n\r\n',
  '103 Early Hints': 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n',
  '199': 'HTTP/1.1 199 Own\r\n\r\n',
  'several of them': `${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(3)}HTTP/1.0 100 Continue\r\n\r\n`,
};
const finalAnswer = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

for (const [name, answer] of Object.entries(interimAnswers)) {
  for (const pieces of ['at once', 'byte by byte', 'the interim answer first'] as const) {
    test(`a request accepts ${name} before the response, sent ${pieces}, on a kept connection`, async () => {
      let connections = 0;
      // A body that looks like an interim response stays complete.
      const body = `HTTP/1.1 100 Continue\r\n\r\nİ👩‍👩‍👧`;
      const server = await closedAfterTest(
        serveTcp((socket) => {
          connections += 1;
          socket.setNoDelay(true);
          socket.on('data', async () => {
            const whole = Buffer.from(answer + finalAnswer(body));
            const first = Buffer.byteLength(answer);
            const parts = pieces === 'at once' ? [whole] : [whole.subarray(0, first), whole.subarray(first)];
            for (const part of pieces === 'byte by byte' ? [...whole].map((byte) => Buffer.from([byte])) : parts) {
              socket.write(part);
              await givenBack();
            }
          });
        }),
      );
      const outgoing = open();
      for (let time = 0; time < 3; time += 1) {
        const got = await outgoing.request(post(server, { body: '{}' }));
        assert.equal([got.status, text(got.body), got.cut], [200, body, false]);
        await givenBack();
      }
      assert.is(connections, 1);
    });
  }
}

test('an interim response alone does not count as the response', async () => {
  const server = await closedAfterTest(
    serveTcp((socket) => socket.on('data', () => socket.end('HTTP/1.1 100 Continue\r\n\r\n'))),
  );
  assert.is((await faultOf(open().request(post(server)))).fault, 'connection_failed');
  const hinting = await closedAfterTest(
    serveTcp((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 5);
      socket.on('error', () => undefined).on('close', () => clearInterval(timer));
    }),
  );
  assert.is((await faultOf(open().request(post(hinting, { timeoutMs: 200 })))).fault, 'timeout');
});

test('a request streams a body of known length for each method', async () => {
  const server = await closedAfterTest(
    serveHttp((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method, headers } = request;
        const [length, coding] = [headers['content-length'], headers['transfer-encoding'] ?? null];
        response.end(JSON.stringify({ method, length, coding, body: Buffer.concat(chunks).toString() }));
      });
    }),
  );
  async function* parts() {
    yield Buffer.from('one ');
    yield new Uint8Array(Buffer.from('two'));
  }
  const outgoing = open();
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
    const answer = await outgoing.request(post(server, { method, body: { bytes: 7, chunks: parts() } }));
    assert.equal(JSON.parse(text(answer.body)), { method, length: '7', coding: null, body: 'one two' });
  }
});

test('a stream that fails, or that is shorter than declared, is an error', async () => {
  const server = await closedAfterTest(
    serveHttp((request, response) => request.on('end', () => response.end()).resume()),
  );
  async function* short() {
    yield Buffer.from('one');
  }
  async function* failing() {
    yield Buffer.from('one');
    throw new Error('The file is gone.');
  }
  const outgoing = open();
  for (const chunks of [short(), failing()]) {
    try {
      await outgoing.request(post(server, { body: { bytes: 7, chunks } }));
      assert.unreachable();
    } catch (error) {
      assert.is((error as OutgoingError).fault, 'connection_failed');
      assert.is((error as OutgoingError).sent, true);
    }
  }
});

test('a request sends exactly the given bytes and returns the response', async () => {
  const server = await closedAfterTest(
    serveHttp((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        response.writeHead(201, { 'X-Seen': 'yes', 'Set-Cookie': ['a=1', 'b=2'] });
        const body = Buffer.concat(chunks).toString('hex');
        response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }));
      });
    }),
  );
  const outgoing = open();
  const body = Buffer.from([0, 255, 13, 10, 128, 0x7b]);
  const headers = { 'Content-Type': 'application/json', 'X-Own': 'a value' };
  for (const input of [body, new Uint8Array(body), body.toString('latin1')]) {
    const answer = await outgoing.request(post(server, { headers, body: input }));
    await givenBack();
    assert.is(answer.status, 201);
    assert.is(answer.cut, false);
    assert.is(answer.headers['x-seen'], 'yes');
    assert.is(answer.headers['set-cookie'], 'a=1, b=2');
    const expected = typeof input === 'string' ? Buffer.from(input).toString('hex') : body.toString('hex');
    assert.equal(JSON.parse(text(answer.body)), {
      method: 'POST',
      url: '/hook?a=1',
      headers: {
        host: `127.0.0.1:${server.port}`,
        connection: 'keep-alive',
        'content-type': 'application/json',
        'x-own': 'a value',
        'accept-encoding': 'identity',
        'content-length': String(expected.length / 2),
      },
      body: expected,
    });
  }
  assert.is(server.connections, 1);
});

test('a redirect is returned and not followed', async () => {
  const other = await closedAfterTest(serveHttp((_request, response) => response.end('followed')));
  const server = await closedAfterTest(
    serveHttp((request, response) => {
      response.writeHead(Number(request.url?.slice(1)), { Location: `http://127.0.0.1:${other.port}/` }).end('moved');
    }),
  );
  const outgoing = open();
  for (const status of [301, 302, 303, 307, 308]) {
    const answer = await outgoing.request(post(server, { url: `http://127.0.0.1:${server.port}/${status}` }));
    assert.is(answer.status, status);
    assert.is(text(answer.body), 'moved');
  }
  assert.is(other.connections, 0);
});

test('a request reads up to the maximum size and drops the connection', async () => {
  const server = await closedAfterTest(
    serveHttp((request, response) => {
      const length = Number(request.url?.slice(1));
      if (length > 0) response.end(Buffer.alloc(length, 'x'));
      else {
        // Never ends.
        const more = () =>
          void (response.destroyed || response.write(Buffer.alloc(8_192, 'y'), () => setImmediate(more)));
        more();
      }
    }),
  );
  const outgoing = open();
  const read = async (path: number, changes: Partial<OutgoingRequest> = {}) => {
    const url = `http://127.0.0.1:${server.port}/${path}`;
    const answer = await outgoing.request(post(server, { url, ...changes }));
    await givenBack();
    return answer;
  };
  const whole = await read(65_536);
  assert.equal([whole.body.length, whole.cut], [65_536, false]);
  assert.is(server.connections, 1);
  const cut = await read(65_537);
  assert.equal([cut.body.length, cut.cut], [65_536, true]);
  const endless = await read(0);
  assert.equal([endless.body.length, endless.cut], [65_536, true]);
  const few = await read(100, { maxResponseBytes: 10 });
  assert.equal([text(few.body), few.cut], ['x'.repeat(10), true]);
  const all = await read(100, { maxResponseBytes: 100 });
  assert.equal([all.body.length, all.cut], [100, false]);
  // Connections of cut responses are not kept.
  assert.is(server.connections, 4);
});

test('a request does not decompress a response', async () => {
  const packed = gzipSync(Buffer.alloc(50_000_000));
  const server = await closedAfterTest(
    serveHttp((_request, response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(packed)),
  );
  const { body, cut } = await open().request(post(server));
  assert.equal([Buffer.compare(body, packed), cut], [0, false]);
});

test('a request ignores the proxy settings of the environment', async () => {
  const proxy = await closedAfterTest(serveHttp((_request, response) => response.end('proxied')));
  const server = await closedAfterTest(serveHttp((_request, response) => response.end('direct')));
  const before = { ...process.env };
  for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY'])
    process.env[name] = `http://127.0.0.1:${proxy.port}`;
  for (const name of ['NO_PROXY', 'no_proxy']) delete process.env[name];
  try {
    assert.is(text((await open().request(post(server))).body), 'direct');
  } finally {
    process.env = before;
  }
});

test('an interim response before the final response is skipped', async () => {
  const server = await closedAfterTest(
    serveTcp((socket) => {
      socket.once('data', () =>
        socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\nx-own: 1\r\n\r\n'),
      );
    }),
  );
  const answer = await open().request(post(server));
  assert.equal([answer.status, answer.headers, answer.body.length], [204, { 'x-own': '1' }, 0]);
});

const late = { timeoutMs: 150 };
const slow: Record<string, { talk: (socket: Socket) => void; fault: string; sentence: RegExp; request?: object }> = {
  'headers that never come': {
    talk: (socket) => void socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nx-a: 1\r\n')),
    fault: 'timeout',
    sentence: /^127\.0\.0\.1 did not answer in 0\.15 seconds\.$/,
    request: late,
  },
  'answers in the meantime without end': {
    talk: (socket) => {
      const again = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 5);
      socket.on('close', () => clearInterval(again));
    },
    fault: 'timeout',
    sentence: /did not answer in/,
    request: late,
  },
  'a connection closed without an answer': {
    talk: (socket) => void socket.once('data', () => socket.end()),
    fault: 'connection_failed',
    sentence: /^127\.0\.0\.1 closed the connection before its response was complete\.$/,
  },
  'a reset in the middle of the headers': {
    talk: (socket) =>
      void socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n', () => socket.resetAndDestroy())),
    fault: 'connection_failed',
    sentence: /closed the connection before/,
  },
  'another protocol': {
    talk: (socket) => void socket.write('220 mail.example ESMTP\r\n'),
    fault: 'connection_failed',
    sentence: /did not respond in HTTP\.$/,
  },
  'headers without end': {
    talk: (socket) => {
      socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(20_000)}`));
    },
    fault: 'connection_failed',
    sentence: /./,
  },
};

for (const [title, { talk, fault, sentence, request }] of Object.entries(slow)) {
  test(`${title}: ${fault}`, async () => {
    const server = await closedAfterTest(serveTcp(talk));
    const found = await faultOf(open().request(post(server, { body: '{}', ...request })));
    assert.is(found.fault, fault);
    assert.match(found.message, sentence);
    // The connection is released.
    for (const socket of server.sockets) await new Promise((resolve) => socket.once('close', resolve));
    await givenBack();
    assert.is(server.connections, 1);
  });
}

const unfinished: Record<string, (socket: Socket) => void> = {
  'drips for ever': (socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 410 Gone\r\nretry-after: 7\r\ncontent-length: 1000\r\n\r\nhalf');
      const drip = setInterval(() => socket.write('.'), 5);
      socket.on('close', () => clearInterval(drip));
    });
  },
  'is reset in the middle': (socket) =>
    void socket.once('data', () =>
      socket.write('HTTP/1.1 410 Gone\r\nretry-after: 7\r\ncontent-length: 100\r\n\r\nhalf', () =>
        setTimeout(() => socket.resetAndDestroy(), 20),
      ),
    ),
  'is shorter than it said': (socket) =>
    void socket.once('data', () =>
      socket.end('HTTP/1.1 410 Gone\r\nretry-after: 7\r\ncontent-length: 100\r\n\r\nhalf'),
    ),
};

for (const [title, talk] of Object.entries(unfinished)) {
  test(`a body that ${title} does not change the status`, async () => {
    const server = await closedAfterTest(serveTcp(talk));
    const answer = await open().request(post(server, { body: '{}', ...late }));
    assert.equal([answer.status, answer.cut, answer.headers['retry-after']], [410, true, '7']);
    assert.match(text(answer.body), /^half/);
    for (const socket of server.sockets) await new Promise((resolve) => socket.once('close', resolve));
  });
}

test('a closed port is reported as connection_failed', async () => {
  const closedServer = await serveTcp(() => undefined);
  await closedServer.close();
  const message = `127.0.0.1 refused the connection at port ${closedServer.port}.`;
  assert.equal(await faultOf(open().request(post(closedServer))), { fault: 'connection_failed', message });
});

test('an abort signal ends the request with its own reason', async () => {
  const server = await closedAfterTest(serveTcp(() => undefined));
  const stop = new AbortController();
  const reason = new Error('the job was stopped');
  const request = open().request(post(server, { signal: stop.signal }));
  setTimeout(() => stop.abort(reason), 20);
  assert.is(await request.catch((error: unknown) => error), reason);
  assert.is(
    await open()
      .request(post(server, { signal: stop.signal }))
      .catch((error: unknown) => error),
    reason,
  );
});

test('a header with a line break, and a Host header for another host, throw errors of the caller', async () => {
  const server = await closedAfterTest(serveHttp((_request, response) => response.end()));
  for (const headers of [{ 'x-a': 'b\r\nx-c: d' }, { Host: 'other.example' }]) {
    const error = await open()
      .request(post(server, { headers }))
      .catch((thrown: Error) => thrown);
    assert.ok(error instanceof Error && error.name !== 'OutgoingError', String(error));
  }
});

test.run();
