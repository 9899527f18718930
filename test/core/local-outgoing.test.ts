// The `outgoing` for tests of adapters: it reaches a server of the test and no other server.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { localOutgoing } from '../../hosts/testing/index.ts';

const test = suite('local outgoing requests');

test('a server on this machine responds, and every other host is refused', async () => {
  const server = createServer((_request, response) => void response.end('{"id":"1"}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const outgoing = localOutgoing();
  try {
    const { port } = server.address() as AddressInfo;
    const { status, body } = await outgoing.request({
      url: `http://127.0.0.1:${port}/`,
      method: 'GET',
      headers: {},
      timeoutMs: 5_000,
    });
    assert.equal([status, Buffer.from(body).toString()], [200, '{"id":"1"}']);
    for (const url of ['https://192.0.2.1/', 'https://api.example.com/', 'https://127.0.0.1.example.com/'])
      for (const call of [outgoing.check(url), outgoing.request({ url, method: 'GET', headers: {}, timeoutMs: 5_000 })])
        assert.match(String(await call.catch((error: unknown) => error)), /reaches 127\.0\.0\.1 only/);
  } finally {
    await outgoing.close();
    server.close();
  }
});

test.run();
