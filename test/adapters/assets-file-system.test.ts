// own-process: it measures the memory of its process
import * as assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { fileSystemAssets } from '../../adapters/assets/file-system.ts';
import { isAssetStoreError } from '../../plugins/assets/port/index.ts';
import { assetAdapterSuite } from '../../plugins/assets/testing/index.ts';

const open = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-assets-'));
  const dispose = () => rm(folder, { recursive: true, force: true });
  return { folder, store: fileSystemAssets({ folder }), dispose };
};

assetAdapterSuite('fileSystemAssets', open, (name, run) => void test(name, run));

test('a failed write leaves no unfinished file, and a file that a crash left is removed after a day', async () => {
  const { folder, store, dispose } = await open();
  async function* broken() {
    yield Buffer.alloc(10);
    throw new Error('broken');
  }
  await assert.rejects(store.put('ws_1/a', broken(), { size: 20, contentType: 'image/png' }), /broken/);
  assert.deepEqual(await readdir(join(folder, '.unfinished')), []);
  const [old, recent] = [join(folder, '.unfinished', 'old'), join(folder, '.unfinished', 'recent')];
  for (const path of [old, recent]) await writeFile(path, 'half');
  await utimes(old, 1, 1);
  await store.list('');
  assert.deepEqual(await readdir(join(folder, '.unfinished')), ['recent']);
  await dispose();
});

test('a failing write throws a store error whose message contains no path', async () => {
  const { folder, dispose } = await open();
  await writeFile(join(folder, 'file'), '');
  const store = fileSystemAssets({ folder: join(folder, 'file') });
  const writing = store.put('ws_1/a', (async function* () {})(), { size: 0, contentType: 'image/png' });
  await assert.rejects(writing, (error: Error) => {
    assert.ok(isAssetStoreError(error));
    assert.ok(!error.message.includes(folder));
    return true;
  });
  assert.equal(await store.head('ws_1/a'), undefined);
  await dispose();
});

test('a folder of another program next to the assets is never listed', async () => {
  const { folder, store, dispose } = await open();
  await symlink(tmpdir(), join(folder, 'elsewhere'));
  assert.deepEqual(await store.list(''), []);
  await dispose();
});

test('100 MB go in and out with less than 40 MB more memory', async () => {
  const { store, dispose } = await open();
  const piece = Buffer.alloc(1_048_576, 7);
  const before = process.memoryUsage().rss;
  let max = before;
  const recordMemory = () => {
    max = Math.max(max, process.memoryUsage().rss);
  };
  async function* film() {
    for (let count = 0; count < 100; count += 1) {
      recordMemory();
      yield piece;
    }
  }
  await store.put('ws_1/film', film(), { size: 100 * piece.length, contentType: 'video/mp4' });
  let readBytes = 0;
  for await (const chunk of await store.get('ws_1/film')) {
    readBytes += chunk.byteLength;
    recordMemory();
  }
  assert.equal(readBytes, 100 * piece.length);
  assert.ok(max - before < 40 * 1_048_576, `the process used ${Math.round((max - before) / 1_048_576)} MB more memory`);
  await dispose();
});

test.run();
