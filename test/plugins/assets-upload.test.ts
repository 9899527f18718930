// own-process: it measures the memory of its process
// Large uploads over a real server and a real folder: bytes are written to the disk as they arrive, and a broken connection leaves nothing.
// full-run: slow
import * as assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { test } from 'uvu';
import { fileSystemAssets } from '../../adapters/assets/file-system.ts';
import { nodeHost } from '../../hosts/node/index.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { movie } from '../support/asset-files.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

const megabyte = 1_048_576;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** The bytes of the buffers that are still referenced. */
function buffersInUse(): number {
  collect();
  return process.memoryUsage().arrayBuffers;
}

let close = async (): Promise<void> => undefined;
// Runs also after a failed test: an open server keeps the process alive.
test.after.each(() => close());

async function open() {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-upload-'));
  const kit = await createTestService({ plugins: bareStandardPlugins, assets: fileSystemAssets({ folder }) } as never);
  const server = createServer(nodeHost(kit.service));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await kit.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { kit, folder, base: `http://127.0.0.1:${port}` };
}

/** The bytes of a film before and after its media data. `data`: the length of the media data in bytes. */
function parts(data: number): readonly [Buffer, Buffer] {
  const small = movie({}, Buffer.alloc(0));
  const at = small.indexOf('mdat') - 4;
  const head = Buffer.from(small.subarray(0, at + 8));
  head.writeUInt32BE(data + 8, at);
  return [head, small.subarray(at + 8)];
}

test('100 MB are uploaded, checked and read with less than 40 MB of them in memory', async () => {
  const { kit, base } = await open();
  const [head, tail] = parts(100 * megabyte);
  const bytes = head.length + 100 * megabyte + tail.length;
  const { body } = await kit.request('/v1/assets', { body: { name: 'Film', contentType: 'video/mp4', bytes } });
  const before = buffersInUse();
  let max = before;
  const look = () => {
    max = Math.max(max, buffersInUse());
  };
  const piece = Buffer.alloc(megabyte, 3);
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { ...body.upload.headers, 'content-length': bytes };
    const put = request(`${base}${body.upload.url}`, { method: 'PUT', headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    put.on('error', reject);
    const send = async () => {
      put.write(head);
      for (let count = 0; count < 100; count += 1) {
        if (!put.write(piece)) await new Promise((drained) => put.once('drain', drained));
        if (count % 30 === 29) look();
      }
      put.end(tail);
    };
    send().catch(reject);
  });
  assert.equal(status, 200);
  await kit.drain();
  const { body: asset } = await kit.request(`/v1/assets/${body.assetId}`);
  assert.deepEqual([asset.status, asset.bytes, asset.width], ['ready', bytes, 640]);
  let read = 0;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${base}${asset.url}`, resolve).on('error', reject).end();
  });
  let next = 30 * megabyte;
  for await (const chunk of answer) {
    read += (chunk as Buffer).length;
    if (read > next) {
      next += 30 * megabyte;
      look();
    }
  }
  assert.equal(read, bytes);
  assert.ok(max - before < 40 * megabyte, `the upload used ${Math.round((max - before) / megabyte)} MB more`);
});

test('a connection that breaks in the middle of an upload leaves no file', async () => {
  const { kit, folder, base } = await open();
  const bytes = 2 * megabyte;
  const { body } = await kit.request('/v1/assets', { body: { name: 'Film', contentType: 'video/mp4', bytes } });
  const unfinished = async () => (await readdir(join(folder, '.unfinished')).catch(() => [])).length;
  const expectUnfinished = async (count: number) => {
    for (let turn = 0; turn < 400 && (await unfinished()) !== count; turn += 1) await wait(25);
    assert.equal(await unfinished(), count);
  };
  const headers = { ...body.upload.headers, 'content-length': bytes };
  const put = request(`${base}${body.upload.url}`, { method: 'PUT', headers });
  put.on('error', () => undefined);
  put.write(Buffer.alloc(megabyte));
  await expectUnfinished(1);
  put.destroy();
  await expectUnfinished(0);
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name !== '.unfinished'),
    [],
  );
  assert.equal((await kit.request(`/v1/assets/${body.assetId}`)).body.status, 'pending');
});

test.run();
