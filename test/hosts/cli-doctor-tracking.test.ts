// The doctor's check of the host of links in mail: its name, its certificate, and the service behind it.
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkTrackingHost, type HostCheck } from '../../hosts/cli/doctor/tracking-checks.ts';
import { createCertificate } from '../core/outgoing-certificate.ts';

const test = suite('the doctor and the tracking host');

const pixel: RequestListener = ({ url }, response) => {
  const isPixel = url === '/hub/t/o/doctor';
  response.writeHead(isPixel ? 200 : 404, { 'content-type': isPixel ? 'image/gif' : 'text/plain' }).end('GIF89a');
};

async function withServer<T>(server: Server, run: (port: number) => Promise<T>): Promise<T> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await run((server.address() as AddressInfo).port);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

async function runCheck(url: string, more: Partial<HostCheck> = {}) {
  const findings = await checkTrackingHost(url, {
    signal: AbortSignal.timeout(5_000),
    environment: 'production',
    ...more,
  });
  return { states: findings.map(({ state }) => state), text: findings.map((finding) => finding.text).join('\n') };
}

/** Checks a server with this certificate, and only the certificate. */
const lookAtCertificate = (names: readonly string[], year: number, more: Partial<HostCheck> = {}) => {
  const { cert, key } = createCertificate(names, [], year);
  return withServer(createTlsServer({ cert, key }, pixel), (port) =>
    runCheck(`https://localhost:${port}/hub`, { ca: cert, ...more }),
  );
};

test('for a name without an address, the finding names the records to publish; in development it is a note', async () => {
  const production = await runCheck('https://nowhere.invalid/');
  assert.equal(production.states, ['bad']);
  assert.match(production.text, /nowhere\.invalid has no address\. Publish an A, AAAA or CNAME record/);
  assert.equal((await runCheck('https://nowhere.invalid/', { environment: 'development' })).states, ['note']);
});

test('a certificate that is expired, for another name, untrusted or ends soon is reported', async () => {
  const expiredFinding = await lookAtCertificate(['localhost'], 2021);
  assert.equal(expiredFinding.states, ['bad']);
  assert.match(
    expiredFinding.text,
    /localhost has a certificate that has expired\. Recipients see a warning.*Get a certificate/,
  );
  const otherNameFinding = await lookAtCertificate(['other.example'], 2099);
  assert.match(otherNameFinding.text, /localhost has a certificate for another name/);
  const untrustedFinding = await lookAtCertificate(['localhost'], 2099, {
    ca: createCertificate(['x.example'], []).cert,
  });
  assert.match(untrustedFinding.text, /was not signed by a known authority/);
  const soon = await lookAtCertificate(['localhost'], 2099, { now: () => Date.UTC(2098, 11, 25) });
  assert.equal(soon.states, ['bad']);
  assert.match(soon.text, /certificate of localhost ends on 2099-01-01\. Renew it/);
});

test('a valid certificate is good, and the finding shows its expiry', async () => {
  const { text, states } = await lookAtCertificate(['localhost'], 2099);
  assert.is(states[0], 'good');
  assert.match(text, /localhost has a certificate until 2099-01-01/);
});

test('the finding is good if the service answers at /t, else it describes the answer', async () => {
  const inDevelopment = { environment: 'development' } as const;
  await withServer(createServer(pixel), async (port) => {
    const good = await runCheck(`http://127.0.0.1:${port}/hub`, inDevelopment);
    assert.equal([good.states, good.text], [['good'], `http://127.0.0.1:${port}/hub responds at /t`]);
    const plainHttp = await runCheck(`http://127.0.0.1:${port}`, inDevelopment);
    assert.equal(plainHttp.states, ['bad']);
    assert.match(plainHttp.text, /t\/o\/doctor responds with 404.*set publicUrl to the address at which it is mounted/);
    const production = await runCheck(`http://127.0.0.1:${port}/hub`);
    assert.match(production.text, /is not https/);
  });
  await withServer(
    createServer((_request, response) => response.writeHead(301, { location: 'https://www.example.com/' }).end()),
    async (port) => {
      const redirectFinding = await runCheck(`http://127.0.0.1:${port}`, inDevelopment);
      assert.match(redirectFinding.text, /redirects to https:\/\/www\.example\.com\//);
    },
  );
});

test('a host on which nothing listens is reported as unreachable', async () => {
  const port = await withServer(createServer(pixel), async (taken) => taken);
  const { states, text } = await runCheck(`https://127.0.0.1:${port}`);
  assert.equal(states, ['bad']);
  assert.match(text, /cannot be reached: .*ECONNREFUSED.*route it to the service/);
});

test.run();
