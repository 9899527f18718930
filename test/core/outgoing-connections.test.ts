// Connections of outgoing requests that are kept open, and TLS: the number of connections, requests that wait, the end of connections,
// and trusted certificates.
// full-run: slow
import { connect } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from 'undici';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Outgoing, OutgoingRequest } from '../../core/index.ts';
import { createConnections } from '../../core/outgoing/connections.ts';
import { exchange } from '../../core/outgoing/exchange.ts';
import { createOutgoing, type OutgoingOptions } from '../../core/outgoing/index.ts';
import { readTarget } from '../../core/outgoing/target.ts';
import { loadedPackages } from '../guards/loaded-packages.ts';
import { root } from '../guards/sources.ts';
import { type Certificate, createCertificate } from './outgoing-certificate.ts';
import { faultOf, type ListeningServer, serveHttp, serveHttps, serveTcp } from './outgoing-servers.ts';

const test = suite('outgoing connections');
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

test('simultaneous requests to one origin do not wait for each other, and their connections are reused', async () => {
  const waiting: (() => void)[] = [];
  const server = await closeAfterTest(serveHttp((_request, response) => waiting.push(() => response.end())));
  const outgoing = open();
  for (let round = 0; round < 2; round += 1) {
    const requests = Array.from({ length: 25 }, () => outgoing.request(post(server)));
    while (waiting.length < 25) await new Promise((resolve) => setTimeout(resolve, 5));
    for (const answer of waiting.splice(0)) answer();
    await Promise.all(requests);
    await waitForRelease();
    assert.is(server.connections, 25);
  }
});

test('many requests to a closed port all end', async () => {
  const closedServer = await serveTcp(() => undefined);
  await closedServer.close();
  const outgoing = open();
  const faults = await Promise.all(Array.from({ length: 40 }, () => faultOf(outgoing.request(post(closedServer)))));
  assert.equal([...new Set(faults.map(({ fault }) => fault))], ['connection_failed']);
});

test('a stalled receiver does not delay other requests', async () => {
  const stalledServer = await closeAfterTest(serveTcp(() => undefined));
  const server = await closeAfterTest(serveHttp((_request, response) => response.end('here')));
  const outgoing = open();
  const hanging = Array.from({ length: 30 }, () =>
    faultOf(outgoing.request(post(stalledServer, { timeoutMs: 60_000 }))),
  );
  assert.is(text((await outgoing.request(post(server))).body), 'here');
  await outgoing.close();
  for (const { fault } of await Promise.all(hanging)) assert.is(fault, 'connection_failed');
});

test('close ends kept connections, and a later request opens a new one', async () => {
  const server = await closeAfterTest(serveHttp((_request, response) => response.end('here')));
  const outgoing = open();
  await outgoing.request(post(server));
  assert.is(server.sockets.size, 1);
  const [socket] = server.sockets;
  const socketClosed = new Promise((resolve) => socket?.once('close', resolve));
  await outgoing.close();
  await socketClosed;
  assert.is((await outgoing.request(post(server))).status, 200);
  assert.is(server.connections, 2);
});

const certificate = createCertificate(['localhost'], ['127.0.0.1']);
const secure = (own: Certificate = certificate) => serveHttps(own, (_request, response) => response.end('secret'));

test('TLS works to a name and to an address with a custom certificate authority', async () => {
  const server = await closeAfterTest(secure());
  const outgoing = open({ ca: certificate.cert });
  assert.is(text((await outgoing.request(post(server, {}, 'https'))).body), 'secret');
  const url = `https://localhost:${server.port}/`;
  for (let time = 0; time < 3; time += 1) {
    assert.is((await outgoing.request(post(server, { url }))).status, 200);
    await waitForRelease();
  }
  assert.is(server.connections, 2);
});

test('an invalid certificate is refused', async () => {
  const otherCertificate = createCertificate(['other.example'], []);
  const old = createCertificate(['localhost'], ['127.0.0.1'], 2021);
  const cases: readonly [Certificate, OutgoingOptions['ca'], RegExp][] = [
    [certificate, undefined, /^127\.0\.0\.1 has a certificate that was not signed by a known authority\.$/],
    [otherCertificate, otherCertificate.cert, /^127\.0\.0\.1 has a certificate for another name\.$/],
    [old, [old.cert], /^127\.0\.0\.1 has a certificate that has expired\.$/],
  ];
  for (const [own, ca, sentence] of cases) {
    const server = await closeAfterTest(secure(own));
    const outgoing = open(ca === undefined ? {} : { ca });
    const { fault, message } = await faultOf(outgoing.request(post(server, {}, 'https')));
    assert.is(fault, 'tls_failed');
    assert.match(message, sentence);
  }
});

test('a TLS handshake fails if the server is silent, disconnects, or speaks plain HTTP', async () => {
  const silent = await closeAfterTest(serveTcp(() => undefined));
  const request = post(silent, { connectTimeoutMs: 100 }, 'https');
  const message = '127.0.0.1 did not finish the TLS handshake in time.';
  assert.equal(await faultOf(open().request(request)), { fault: 'tls_failed', message });
  const rude = await closeAfterTest(serveTcp((socket) => void socket.once('data', () => socket.destroy())));
  const plain = await closeAfterTest(serveHttp((_request, response) => response.end('plain')));
  for (const server of [rude, plain]) {
    const fault = await faultOf(open().request(post(server, {}, 'https')));
    assert.equal(fault, { fault: 'tls_failed', message: '127.0.0.1 broke off the TLS handshake.' });
  }
});

test('a connection that its server closes is not kept', async () => {
  const server = await closeAfterTest(
    serveHttp((_request, response) => response.setHeader('Connection', 'close').end('here')),
  );
  const { origin } = new URL(post(server).url);
  let clients = 0;
  const connections = createConnections((to) => {
    clients += 1;
    return new Client(to);
  });
  ends.push(() => connections.close());
  for (let time = 0; time < 3; time += 1) {
    const lent = connections.borrow(origin, 5_000);
    const disconnected = new Promise((resolve) => lent.client.once('disconnect', resolve));
    await (await lent.client.request({ path: '/', method: 'GET' })).body.text();
    lent.keep();
    await disconnected;
  }
  assert.is(clients, 3);
});

test('nothing is sent on a connection that opened while the process was suspended', async () => {
  let requests = 0;
  const server = await closeAfterTest(
    serveHttp((_request, response) => {
      requests += 1;
      response.end('here');
    }),
  );
  const connections = createConnections(
    (to) =>
      new Client(to, {
        connect(_options, done) {
          const socket = connect(server.port, '127.0.0.1', () => {
            // Simulates SIGSTOP: the process sees the open connection before the expired timers.
            Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
            done(null, socket);
          });
        },
      }),
  );
  ends.push(() => connections.close());
  const request = { ...post(server), connectTimeoutMs: 100, timeoutMs: 10_000 };
  const fault = await faultOf(exchange(connections, readTarget(request.url), request));
  assert.equal(fault, { fault: 'connection_failed', message: 'The connection to 127.0.0.1 was opened too late.' });
  assert.is(requests, 0);
});

test('undici is not loaded before the first request', () => {
  const load = (path: string) => loadedPackages(pathToFileURL(join(root, path)).href);
  assert.not.ok(load('core/index.ts').includes('undici'));
  assert.ok(load('node_modules/undici/index.js').includes('undici'));
});

test.run();
