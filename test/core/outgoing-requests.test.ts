// own-process: it changes the environment
// Requests to real servers: the bytes that are sent, the part of the response that is read, and every way in which a response can fail
// to arrive.
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

async function closeAfterTest(server: Promise<ListeningServer>): Promise<ListeningServer> {
  const startedServer = await server;
  ends.push(() => startedServer.close());
  return startedServer;
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
const waitForRelease = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

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
      // A body that looks like an interim response is kept complete.
      const body = `HTTP/1.1 100 Continue\r\n\r\nİ👩‍👩‍👧`;
      const server = await closeAfterTest(
        serveTcp((socket) => {
          connections += 1;
          socket.setNoDelay(true);
          socket.on('data', async () => {
            const wholeAnswer = Buffer.from(answer + finalAnswer(body));
            const first = Buffer.byteLength(answer);
            const parts =
              pieces === 'at once' ? [wholeAnswer] : [wholeAnswer.subarray(0, first), wholeAnswer.subarray(first)];
            for (const part of pieces === 'byte by byte'
              ? [...wholeAnswer].map((byte) => Buffer.from([byte]))
              : parts) {
              socket.write(part);
              await waitForRelease();
            }
          });
        }),
      );
      const outgoing = open();
      for (let time = 0; time < 3; time += 1) {
        const response = await outgoing.request(post(server, { body: '{}' }));
        assert.equal([response.status, text(response.body), response.cut], [200, body, false]);
        await waitForRelease();
      }
      assert.is(connections, 1);
    });
  }
}

test('an interim response alone does not count as the response', async () => {
  const server = await closeAfterTest(
    serveTcp((socket) => socket.on('data', () => socket.end('HTTP/1.1 100 Continue\r\n\r\n'))),
  );
  assert.is((await faultOf(open().request(post(server)))).fault, 'connection_failed');
  const hinting = await closeAfterTest(
    serveTcp((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 5);
      socket.on('error', () => undefined).on('close', () => clearInterval(timer));
    }),
  );
  assert.is((await faultOf(open().request(post(hinting, { timeoutMs: 200 })))).fault, 'timeout');
});

test('a request streams a body of known length for each method', async () => {
  const server = await closeAfterTest(
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
  const server = await closeAfterTest(
    serveHttp((request, response) => request.on('end', () => response.end()).resume()),
  );
  async function* tooShort() {
    yield Buffer.from('one');
  }
  async function* failingStream() {
    yield Buffer.from('one');
    throw new Error('The file is gone.');
  }
  const outgoing = open();
  for (const chunks of [tooShort(), failingStream()]) {
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
  const server = await closeAfterTest(
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
    await waitForRelease();
    assert.is(answer.status, 201);
    assert.is(answer.cut, false);
    assert.is(answer.headers['x-seen'], 'yes');
    assert.is(answer.headers['set-cookie'], 'a=1, b=2');
    const expectedHex = typeof input === 'string' ? Buffer.from(input).toString('hex') : body.toString('hex');
    assert.equal(JSON.parse(text(answer.body)), {
      method: 'POST',
      url: '/hook?a=1',
      headers: {
        host: `127.0.0.1:${server.port}`,
        connection: 'keep-alive',
        'content-type': 'application/json',
        'x-own': 'a value',
        'accept-encoding': 'identity',
        'content-length': String(expectedHex.length / 2),
      },
      body: expectedHex,
    });
  }
  assert.is(server.connections, 1);
});

test('a redirect is returned, not followed', async () => {
  const otherServer = await closeAfterTest(serveHttp((_request, response) => response.end('followed')));
  const server = await closeAfterTest(
    serveHttp((request, response) => {
      response
        .writeHead(Number(request.url?.slice(1)), { Location: `http://127.0.0.1:${otherServer.port}/` })
        .end('moved');
    }),
  );
  const outgoing = open();
  for (const status of [301, 302, 303, 307, 308]) {
    const answer = await outgoing.request(post(server, { url: `http://127.0.0.1:${server.port}/${status}` }));
    assert.is(answer.status, status);
    assert.is(text(answer.body), 'moved');
  }
  assert.is(otherServer.connections, 0);
});

test('a request reads up to the maximum size and then closes the connection', async () => {
  const server = await closeAfterTest(
    serveHttp((request, response) => {
      const length = Number(request.url?.slice(1));
      if (length > 0) response.end(Buffer.alloc(length, 'x'));
      else {
        // This body never ends.
        const more = () =>
          void (response.destroyed || response.write(Buffer.alloc(8_192, 'y'), () => setImmediate(more)));
        more();
      }
    }),
  );
  const outgoing = open();
  const readAnswer = async (path: number, changes: Partial<OutgoingRequest> = {}) => {
    const url = `http://127.0.0.1:${server.port}/${path}`;
    const answer = await outgoing.request(post(server, { url, ...changes }));
    await waitForRelease();
    return answer;
  };
  const full = await readAnswer(65_536);
  assert.equal([full.body.length, full.cut], [65_536, false]);
  assert.is(server.connections, 1);
  const cut = await readAnswer(65_537);
  assert.equal([cut.body.length, cut.cut], [65_536, true]);
  const endless = await readAnswer(0);
  assert.equal([endless.body.length, endless.cut], [65_536, true]);
  const few = await readAnswer(100, { maxResponseBytes: 10 });
  assert.equal([text(few.body), few.cut], ['x'.repeat(10), true]);
  const all = await readAnswer(100, { maxResponseBytes: 100 });
  assert.equal([all.body.length, all.cut], [100, false]);
  // The connections of cut responses are not kept.
  assert.is(server.connections, 4);
});

test('a request does not decompress a response', async () => {
  const compressed = gzipSync(Buffer.alloc(50_000_000));
  const server = await closeAfterTest(
    serveHttp((_request, response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(compressed)),
  );
  const { body, cut } = await open().request(post(server));
  assert.equal([Buffer.compare(body, compressed), cut], [0, false]);
});

test('a request ignores the proxy settings of the environment', async () => {
  const proxy = await closeAfterTest(serveHttp((_request, response) => response.end('proxied')));
  const server = await closeAfterTest(serveHttp((_request, response) => response.end('direct')));
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
  const server = await closeAfterTest(
    serveTcp((socket) => {
      socket.once('data', () =>
        socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\nx-own: 1\r\n\r\n'),
      );
    }),
  );
  const answer = await open().request(post(server));
  assert.equal([answer.status, answer.headers, answer.body.length], [204, { 'x-own': '1' }, 0]);
});

const shortTimeout = { timeoutMs: 150 };
const slowResponses: Record<
  string,
  { talk: (socket: Socket) => void; fault: string; sentence: RegExp; request?: object }
> = {
  'the headers are never complete': {
    talk: (socket) => void socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nx-a: 1\r\n')),
    fault: 'timeout',
    sentence: /^127\.0\.0\.1 did not answer in 0\.15 seconds\.$/,
    request: shortTimeout,
  },
  'endless interim responses': {
    talk: (socket) => {
      const interval = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 5);
      socket.on('close', () => clearInterval(interval));
    },
    fault: 'timeout',
    sentence: /did not answer in/,
    request: shortTimeout,
  },
  'the connection is closed without a response': {
    talk: (socket) => void socket.once('data', () => socket.end()),
    fault: 'connection_failed',
    sentence: /^127\.0\.0\.1 closed the connection before its response was complete\.$/,
  },
  'the connection is reset in the middle of the headers': {
    talk: (socket) =>
      void socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n', () => socket.resetAndDestroy())),
    fault: 'connection_failed',
    sentence: /closed the connection before/,
  },
  'the server uses another protocol': {
    talk: (socket) => void socket.write('220 mail.example ESMTP\r\n'),
    fault: 'connection_failed',
    sentence: /did not respond in HTTP\.$/,
  },
  'endless headers': {
    talk: (socket) => {
      socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(20_000)}`));
    },
    fault: 'connection_failed',
    sentence: /./,
  },
};

for (const [title, { talk, fault, sentence, request }] of Object.entries(slowResponses)) {
  test(`${title}: ${fault}`, async () => {
    const server = await closeAfterTest(serveTcp(talk));
    const error = await faultOf(open().request(post(server, { body: '{}', ...request })));
    assert.is(error.fault, fault);
    assert.match(error.message, sentence);
    // The connection is released.
    for (const socket of server.sockets) await new Promise((resolve) => socket.once('close', resolve));
    await waitForRelease();
    assert.is(server.connections, 1);
  });
}

const unfinishedBodies: Record<string, (socket: Socket) => void> = {
  'arrives slowly and never ends': (socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 410 Gone\r\nretry-after: 7\r\ncontent-length: 1000\r\n\r\nhalf');
      const drip = setInterval(() => socket.write('.'), 5);
      socket.on('close', () => clearInterval(drip));
    });
  },
  'is interrupted by a reset': (socket) =>
    void socket.once('data', () =>
      socket.write('HTTP/1.1 410 Gone\r\nretry-after: 7\r\ncontent-length: 100\r\n\r\nhalf', () =>
        setTimeout(() => socket.resetAndDestroy(), 20),
      ),
    ),
  'is shorter than its declared length': (socket) =>
    void socket.once('data', () =>
      socket.end('HTTP/1.1 410 Gone\r\nretry-after: 7\r\ncontent-length: 100\r\n\r\nhalf'),
    ),
};

for (const [title, talk] of Object.entries(unfinishedBodies)) {
  test(`a body that ${title} does not change the status`, async () => {
    const server = await closeAfterTest(serveTcp(talk));
    const answer = await open().request(post(server, { body: '{}', ...shortTimeout }));
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
  const server = await closeAfterTest(serveTcp(() => undefined));
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

test('a header with a line break is an error of the caller, and so is a Host header for another host', async () => {
  const server = await closeAfterTest(serveHttp((_request, response) => response.end()));
  for (const headers of [{ 'x-a': 'b\r\nx-c: d' }, { Host: 'other.example' }]) {
    const error = await open()
      .request(post(server, { headers }))
      .catch((thrown: Error) => thrown);
    assert.ok(error instanceof Error && error.name !== 'OutgoingError', String(error));
  }
});

test.run();
