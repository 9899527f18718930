// time-limit: 240
// Assets: live and sandbox side, limits, the repairs of the sweep, and stores that fail or serve the files themselves.
// full-run: slow
import * as nodeAssert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import * as assert from 'uvu/assert';
import { type CaptureAssets, captureAssets } from '../../adapters/assets/capture.ts';
import { s3Assets } from '../../adapters/assets/s3.ts';
import { AssetStoreError } from '../../plugins/assets/port/index.ts';
import { type AssetService, assetCalls, openAssetService } from '../support/asset-bench.ts';
import * as files from '../support/asset-files.ts';
import { twoDatabases } from '../support/databases.ts';
import { region, s3Key, startS3Server } from '../support/s3-server.ts';

const hour = 3_600_000;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

await twoDatabases('assets: sides, limits, upkeep', (test, database) => {
  let store: CaptureAssets;
  let kit: AssetService;
  test.before.each(async () => {
    store = captureAssets({ now: () => kit?.now() ?? Date.UTC(2026, 0, 1) });
    kit = await openAssetService(database, store);
  });
  test.after.each(() => kit.close());
  const { create, ready, read, remove } = assetCalls(() => kit);

  test('both sides can read all assets, and each side deletes only its own', async () => {
    const live = await ready(files.png());
    const trial = await ready(files.gif(), {}, kit.testKey);
    assert.equal([live.sandbox, trial.sandbox], [false, true]);
    const list = await kit.request('/v1/assets', { key: kit.testKey });
    assert.equal(list.body.data.length, 2);
    assert.is((await kit.request(`/v1/assets/${live.assetId}`, { key: kit.testKey })).status, 200);
    const refusals = [await remove(live.assetId, kit.testKey), await remove(trial.assetId)];
    assert.equal(
      refusals.map(({ status, body }) => [status, body.error.code]),
      [
        [403, 'live_key_required'],
        [409, 'state_conflict'],
      ],
    );
    assert.is((await remove(trial.assetId, kit.testKey)).status, 200);
    assert.is((await remove(trial.assetId, kit.testKey)).status, 404);
  });

  test('a workspace has a limit of bytes, which simultaneous calls cannot exceed', async () => {
    const film = files.movie({}, Buffer.alloc(12_000));
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => create({ contentType: 'video/mp4', bytes: film.length })),
    );
    assert.equal(answers.map(({ status }) => status).sort(), [201, 201, 201, 409, 409]);
    const refusal = answers.find(({ status }) => status === 409);
    assert.is(refusal?.body.error.code, 'limit_reached');
    const success = answers.find(({ status }) => status === 201);
    await remove(success?.body.assetId);
    assert.is((await create({ contentType: 'video/mp4', bytes: film.length })).status, 201);
  });

  test('the sweep removes bytes that have had no row for a day, and marks rows without bytes as failed; a deleted workspace keeps no bytes', async () => {
    const [kept, lost] = [await ready(files.png()), await ready(files.gif())];
    const orphan = `${kit.workspaceId}/asset_01JD3Q5S8ZK2M4N6P8R0T2V4W6`;
    const half = `${kit.workspaceId}/uploads/${kept.assetId}`;
    const foreign = `${kit.foreignWorkspaceId}/asset_01JD3Q5S8ZK2M4N6P8R0T2V4W6`;
    async function* some() {
      yield Buffer.from('x');
    }
    for (const key of [orphan, half, foreign]) await store.put(key, some(), { size: 1, contentType: 'image/png' });
    await store.delete(`${kit.workspaceId}/${lost.assetId}`);
    kit.advanceClock(2 * hour);
    await kit.drain();
    assert.is(store.keys().length, 4);
    kit.advanceClock(25 * hour);
    await kit.drain();
    assert.equal(store.keys(), [`${kit.workspaceId}/${kept.assetId}`]);
    assert.is((await read(kept.assetId)).status, 'ready');
    const asset = await read(lost.assetId);
    assert.equal([asset.status, asset.error], ['failed', 'The file no longer exists in the store.']);
    // A failed asset has no bytes, so bytes that arrive later are removed, too.
    await store.put(`${kit.workspaceId}/${lost.assetId}`, some(), { size: 1, contentType: 'image/gif' });
    kit.advanceClock(18 * hour);
    await kit.drain();
    assert.equal(store.keys(), [`${kit.workspaceId}/${kept.assetId}`]);
    await store.put(foreign, some(), { size: 1, contentType: 'image/png' });
    await kit.service.workspaces.delete(kit.workspaceId);
    assert.equal(store.keys(), [foreign]);
  });

  test('a dry run stores nothing, and a repeated call stores nothing more', async () => {
    const body = { name: 'Once', dataBase64: files.png().toString('base64') };
    const dry = await kit.request('/v1/assets', { body, headers: { 'dry-run': 'true' } });
    assert.is(dry.status, 201);
    assert.equal(store.keys(), []);
    const once = () => kit.request('/v1/assets', { body, headers: { 'idempotency-key': 'once' } });
    const [first, second] = [await once(), await once()];
    assert.equal([second.body, second.headers['Idempotent-Replay']], [first.body, 'true']);
    assert.is(store.keys().length, 1);
  });

  test('if the store is missing or does not answer, the call gets 503 asset_store_unavailable with the reason', async () => {
    const broken = async (): Promise<never> => {
      throw new AssetStoreError('transient', 'down');
    };
    for (const [assets, message] of [
      [{ ...captureAssets(), put: broken, get: broken }, /does not answer/],
      [undefined, /gives createService one/],
    ] as const) {
      const otherService = await openAssetService(database, assets as never, {
        logger: { debug() {}, info() {}, warn() {}, error() {} },
      });
      const answer = await otherService.request('/v1/assets', {
        body: { name: 'A', dataBase64: files.png().toString('base64') },
      });
      assert.equal([answer.status, answer.body.error.code], [503, 'asset_store_unavailable']);
      assert.match(answer.body.error.message, message);
      await otherService.close();
    }
  });

  test('a store that fails during a read or a write causes 503, and a store that refuses the file causes 422', async () => {
    const bytes = files.png();
    let fault: 'transient' | 'refused' | 'missing' | undefined;
    const failing = captureAssets({ now: () => kit.now() });
    const check = () => {
      if (fault !== undefined) throw new AssetStoreError(fault, 'The store says no.');
    };
    const otherService = await openAssetService(
      database,
      {
        ...failing,
        async get(...args: Parameters<CaptureAssets['get']>) {
          check();
          return failing.get(...args);
        },
        async put(...args: Parameters<CaptureAssets['put']>) {
          check();
          return failing.put(...args);
        },
      },
      { logger: { debug() {}, info() {}, warn() {}, error() {} } },
    );
    const calls = assetCalls(() => otherService);
    try {
      const { url } = await calls.ready(bytes);
      fault = 'missing';
      assert.is((await calls.get(url)).status, 503);
      fault = 'transient';
      const read = await calls.get(url);
      assert.equal([read.status, JSON.parse(read.bytes.toString()).error.code], [503, 'asset_store_unavailable']);
      const { body } = await calls.create({ name: 'Logo', contentType: 'image/png', bytes: bytes.length });
      const send = async () => {
        const answer = await calls.put(body.upload.url, body.upload.headers, bytes);
        return [answer.status, answer.body.error?.code];
      };
      assert.equal(await send(), [503, 'asset_store_unavailable']);
      fault = 'refused';
      assert.equal(await send(), [422, 'asset_invalid']);
      fault = undefined;
      assert.equal(await send(), [200, undefined], 'the file can be sent again after the failure');
    } finally {
      await otherService.close();
    }
  });

  test('a page of another origin can upload the file and read the answer', async () => {
    const bytes = files.png();
    const { body } = await create({ name: 'Logo', contentType: 'image/png', bytes: bytes.length });
    const path = body.upload.url.replace('http://post.example', '');
    const ask = async (method: string, headers: Record<string, string>, content?: Uint8Array) =>
      kit.service.dispatch({ method, url: path, headers, body: content, address: '127.0.0.1' });
    const origin = 'https://app.example.com';
    const preflight = await ask('OPTIONS', { origin, 'access-control-request-method': 'PUT' });
    assert.equal([preflight.status, preflight.headers['Access-Control-Allow-Origin'], preflight.body], [204, '*', '']);
    assert.match(preflight.headers['Access-Control-Allow-Methods'] ?? '', /\bPUT\b/);
    assert.match(preflight.headers['Access-Control-Allow-Headers'] ?? '', /content-type/);
    assert.is(preflight.headers['Access-Control-Allow-Credentials'], undefined);
    const wrong = await ask('PUT', { origin, 'content-type': 'image/gif' }, bytes);
    assert.equal([wrong.status, wrong.headers['Access-Control-Allow-Origin']], [422, '*']);
    const upload = await ask('PUT', { origin, 'content-type': 'image/png' }, bytes);
    assert.equal([upload.status, upload.headers['Access-Control-Allow-Origin']], [200, '*']);
  });

  test('with S3, files go directly to and from the bucket, and no notification is needed to find an upload', async () => {
    const server = await startS3Server();
    // The signatures contain the real time.
    const otherService = await openAssetService(
      database,
      s3Assets({ bucket: 'files', region, endpoint: server.endpoint, credentials: s3Key }),
      {
        startAt: Date.now(),
      },
    );
    try {
      const bytes = files.png(30, 20, [['tEXt', 'Author\0Ada']]);
      const { body: pending } = await otherService.request('/v1/assets', {
        body: { name: 'Logo', contentType: 'image/png', bytes: bytes.length, sha256: sha256(bytes) },
      });
      const { url, headers } = pending.upload;
      nodeAssert.ok(url.startsWith(server.endpoint));
      const sent = await fetch(url, { method: 'PUT', headers, body: bytes });
      assert.is(sent.status, 200);
      otherService.advanceClock(2_000);
      await otherService.drain();
      const { body: asset } = await otherService.request(`/v1/assets/${pending.assetId}`);
      assert.equal([asset.status, asset.width, asset.bytes], ['ready', 30, files.png(30, 20).length]);
      const served = await fetch(asset.url);
      assert.equal([served.status, served.headers.get('content-type')], [200, 'image/png']);
      assert.ok(Buffer.from(await served.arrayBuffer()).equals(files.png(30, 20)));
      assert.equal([...server.objects.keys()], [`${otherService.workspaceId}/${asset.assetId}`]);
    } finally {
      await otherService.close();
      await server.stop();
    }
  });
});
