// time-limit: 240
// Assets: the three ways to create one, who can read which files, and what prevents an asset from being deleted.
// full-run: slow
import * as nodeAssert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { type CaptureAssets, captureAssets } from '../../adapters/assets/capture.ts';
import { type AssetService, assetCalls, openAssetService } from '../support/asset-bench.ts';
import * as files from '../support/asset-files.ts';
import { twoDatabases } from '../support/databases.ts';

const hour = 3_600_000;
const address = '127.0.0.1';
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

await twoDatabases('assets', (test, database) => {
  let store: CaptureAssets;
  let kit: AssetService;
  test.before.each(async () => {
    store = captureAssets({ now: () => kit?.now() ?? Date.UTC(2026, 0, 1) });
    kit = await openAssetService(database, store);
  });
  test.after.each(() => kit.close());
  const { create, ready, read, remove, pathOf, get, put } = assetCalls(() => kit);

  test('a file in the body is ready at once: its size and hash are stored, its metadata is removed, and lists show it', async () => {
    const bytes = files.jpeg(6, 4, [files.exif(6)]);
    const asset = await ready(bytes, { name: '../../etc/pass\u202ewd', alt: 'Home', tags: ['home', 'home', 'x'] });
    assert.match(asset.assetId, /^asset_/);
    assert.equal(
      [asset.kind, asset.contentType, asset.width, asset.height, asset.status, asset.source, asset.sandbox],
      ['image', 'image/jpeg', 4, 6, 'ready', 'upload', false],
    );
    assert.equal([asset.alt, asset.tags, asset.error], ['Home', ['home', 'x'], null]);
    const { bytes: served, headers } = await get(asset.url);
    assert.not.match(served.toString('latin1'), /GPS/);
    assert.equal([served.length, sha256(served)], [asset.bytes, asset.sha256]);
    assert.is(headers['Content-Type'], 'image/jpeg');
    // The name is only a label: the store never receives it.
    assert.equal(store.keys(), [`${kit.workspaceId}/${asset.assetId}`]);
    const gif = await ready(files.gif());
    const listed = async (query: string) =>
      (await kit.request(`/v1/assets?${query}`)).body.data.map(({ assetId }: { assetId: string }) => assetId);
    assert.equal(await listed(''), [gif.assetId, asset.assetId]);
    assert.equal(await listed('kind=gif'), [gif.assetId]);
    assert.equal(await listed('tag=home'), [asset.assetId]);
    assert.equal(await listed('source=url'), []);
    const wrong = await create({ dataBase64: 'no base64!' });
    assert.equal([wrong.status, wrong.body.error.code], [422, 'asset_invalid']);
    // The text is read only up to its limit, and in one pass.
    const maxLength = Math.ceil((10 * 1_048_576 * 4) / 3) + 4;
    for (const [dataBase64, message] of [
      [`${'='.repeat(maxLength - 1)}A`, /not valid base64/],
      ['A'.repeat(maxLength + 1), /at most 10485760 bytes/],
      ['AAAA====', /not valid base64/],
    ] as const) {
      const call = kit.service.as(kit.workspaceId).assets.create({ name: 'Long', dataBase64 });
      await nodeAssert.rejects(call, { code: 'asset_invalid', message });
    }
    for (const body of [{}, { contentType: 'image/png' }, { dataBase64: 'AAAA', sourceUrl: 'https://x.example/a' }])
      assert.is((await create(body)).body.error.code, 'validation_failed');
    const both = await create({ dataBase64: files.png().toString('base64'), contentType: 'image/png' });
    assert.match(
      both.body.error.message,
      'contentType cannot be combined with dataBase64, which already determines it: leave it out.',
    );
  });

  test('a signed URL serves one file for 24 hours, with ranges, HEAD and ETag, and prevents the file from running scripts', async () => {
    const bytes = files.svg('<title>T</title>');
    const asset = await ready(bytes, { name: 'Löwe "1"' });
    const answer = await get(asset.url);
    assert.is(answer.status, 200);
    assert.ok(answer.bytes.equals(bytes));
    assert.is(answer.headers['X-Content-Type-Options'], 'nosniff');
    assert.match(answer.headers['Content-Security-Policy'] ?? '', /default-src 'none'.*sandbox/);
    assert.match(answer.headers['Content-Disposition'] ?? '', /^inline; filename=.*\.svg/);
    const part = await get(asset.url, { range: 'bytes=5-9' });
    assert.equal([part.status, part.bytes.toString()], [206, bytes.subarray(5, 10).toString()]);
    assert.is((await get(asset.url, { range: 'bytes=999999-' })).status, 416);
    const head = await get(asset.url, {}, 'HEAD');
    assert.equal([head.status, head.bytes.length, head.headers['Content-Length']], [200, 0, String(bytes.length)]);
    assert.is((await get(asset.url, { 'if-none-match': `"${asset.sha256}"` })).status, 304);
    const document = await ready(files.pdf(), { name: 'Terms' });
    assert.match((await get(document.url)).headers['Content-Disposition'] ?? '', /^attachment; filename="?Terms\.pdf/);
    // If any character is changed, the token is invalid. A token allows either reading or writing.
    const path = pathOf(asset.url);
    for (let at = '/assets/'.length; at < path.length; at += 7) {
      const replacement = path[at] === 'x' ? 'y' : 'x';
      assert.is((await get(path.slice(0, at) + replacement + path.slice(at + 1))).status, 404);
    }
    assert.is((await get(path.replace('/assets/r', '/assets/w'))).status, 404);
    kit.advanceClock(23 * hour);
    assert.is((await get(asset.url)).status, 200);
    kit.advanceClock(hour);
    assert.is((await get(asset.url)).status, 404);
    assert.is((await get((await read(asset.assetId)).url)).status, 200);
  });

  test('an upload is streamed, checked and made ready; a file that differs from the announced file fails', async () => {
    const film = files.movie({}, Buffer.alloc(30_000, 1));
    const announce = (body: object = {}) =>
      create({ contentType: 'video/mp4', bytes: film.length, sha256: sha256(film), ...body });
    const { status, body: pending } = await announce();
    assert.equal([status, pending.status, pending.url, pending.kind], [201, 'pending', null, 'video']);
    const { method, url, headers, expiresAt } = pending.upload;
    assert.is(method, 'PUT');
    assert.is(Date.parse(expiresAt), kit.now() + hour / 4);
    assert.is((await put(url, { 'Content-Type': 'text/html' }, film)).status, 422);
    assert.is((await put(url, headers, film.subarray(1))).status, 422);
    assert.is((await put(url, headers, Buffer.concat([film, film]))).status, 422);
    assert.equal(store.keys(), []);
    assert.is((await put(url, headers, film)).status, 200);
    await kit.drain();
    const asset = await read(pending.assetId);
    assert.equal(
      [asset.status, asset.width, asset.height, asset.durationMs, asset.sha256],
      ['ready', 640, 360, 2_000, sha256(film)],
    );
    assert.ok((await get(asset.url)).bytes.equals(film));
    // The checked file stays: the signed URL cannot overwrite it, and the store contains nothing else.
    assert.is((await put(url, headers, film)).status, 409);
    assert.equal(store.keys(), [`${kit.workspaceId}/${asset.assetId}`]);
    await remove(asset.assetId);

    const failed = async (body: object, bytes: Buffer) => {
      const { upload, assetId } = (await announce({ bytes: bytes.length, ...body })).body;
      assert.is((await put(upload.url, upload.headers, bytes)).status, 200);
      await kit.drain();
      const asset = await read(assetId);
      assert.equal([asset.status, asset.url], ['failed', null]);
      await remove(assetId);
      return asset.error;
    };
    assert.match(await failed({ sha256: sha256(Buffer.from('other')) }, film), /sha256/);
    assert.match(await failed({ sha256: undefined }, files.png()), /announced as video\/mp4/);
    assert.match(await failed({ sha256: undefined }, film.subarray(0, -30)), /broken/);
    await kit.drain();
    assert.equal(store.keys(), []);
    const idle = (await announce()).body;
    kit.advanceClock(hour / 4);
    assert.is((await put(idle.upload.url, idle.upload.headers, film)).status, 404);
    for (let turn = 0; turn < 40; turn += 1) {
      kit.advanceClock(30_000);
      await kit.drain();
    }
    assert.match((await read(idle.assetId)).error, /Nothing was uploaded/);
    const large = await create({ contentType: 'image/png', bytes: 26 * 1_048_576 });
    assert.equal([large.status, large.body.error.code], [422, 'asset_invalid']);
  });

  test('one job checks an upload; afterwards PUTs are refused and only the checked bytes are served', async () => {
    const inner = captureAssets();
    let whileChecked = async () => {};
    await kit.close();
    kit = await openAssetService(database, {
      ...inner,
      async copy(from, to, options) {
        await inner.copy(from, to, options);
        await whileChecked();
      },
    });
    const film = files.movie({}, Buffer.alloc(10_000, 1));
    const otherFilm = files.movie({}, Buffer.alloc(10_000, 2));
    const { assetId, upload } = (await create({ contentType: 'video/mp4', bytes: film.length })).body;
    const statuses: number[] = [];
    whileChecked = async () => {
      statuses.push((await put(upload.url, upload.headers, otherFilm)).status);
    };
    assert.is((await put(upload.url, upload.headers, film)).status, 200);
    // This PUT begins before the check and ends after it.
    async function* lateBytes() {
      yield otherFilm.subarray(0, 5_000);
      await kit.drain();
      yield otherFilm.subarray(5_000);
    }
    const headers = { 'content-type': 'video/mp4' };
    const url = pathOf(upload.url);
    const answer = await kit.service.dispatch({ method: 'PUT', url, headers, body: lateBytes(), address });
    assert.equal([answer.status, statuses], [409, [409, 409]]);
    await kit.drain();
    const asset = await read(assetId);
    assert.equal([asset.status, asset.sha256], ['ready', sha256(film)]);
    assert.ok((await get(asset.url)).bytes.equals(film));
    // If the asset is deleted while it is checked, the store keeps nothing.
    const deleted = (await create({ contentType: 'video/mp4', bytes: film.length })).body;
    await put(deleted.upload.url, deleted.upload.headers, film);
    whileChecked = async () => {
      await remove(deleted.assetId);
    };
    await kit.drain();
    assert.equal(
      inner.keys().filter((key) => key.includes(deleted.assetId)),
      [],
    );
  });

  test('a file is fetched from a URL through the address guard, with redirects; a failure has a reason', async () => {
    const bytes = files.png(30, 20);
    const server = createServer((request, response) => {
      const answers: Record<string, () => unknown> = {
        '/logo.png': () => response.setHeader('content-type', 'text/html').end(bytes),
        '/moved': () => response.writeHead(302, { location: '/logo.png' }).end(),
        '/loop': () => response.writeHead(302, { location: '/loop' }).end(),
        '/inside': () => response.writeHead(302, { location: 'http://10.0.0.1/secret' }).end(),
        '/page': () => response.end('<html>'),
        '/large': () => response.end(Buffer.alloc(26 * 1_048_576)),
        '/broken': () => response.writeHead(500).end(),
      };
      (answers[request.url ?? ''] ?? (() => response.writeHead(404).end()))();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://localhost:${(server.address() as AddressInfo).port}`;
    const fetched = async (path: string) => {
      const { status, body } = await create({ sourceUrl: `${base}${path}` });
      assert.equal([status, body.status, body.source, body.kind], [201, 'pending', 'url', null]);
      await kit.drain();
      return read(body.assetId);
    };
    try {
      for (const path of ['/logo.png', '/moved']) {
        const asset = await fetched(path);
        assert.equal([asset.status, asset.contentType, asset.width], ['ready', 'image/png', 30]);
        assert.ok((await get(asset.url)).bytes.equals(bytes));
      }
      // The bytes of a fetched file count as soon as its length is known.
      const film = { contentType: 'video/mp4', bytes: 40_000 - 2 * bytes.length };
      const { body: filling } = await create(film);
      const before = store.keys();
      const excess = await fetched('/logo.png');
      assert.equal([excess.status, excess.bytes], ['failed', null]);
      assert.match(excess.error, /more than 40000 bytes/);
      assert.equal(store.keys(), before);
      await remove(filling.assetId);
      const reasons = {
        '/loop': /five times/,
        '/inside': /public|https/,
        '/page': /does not have an accepted type/,
        '/large': /more than/,
        '/gone': /404/,
      };
      for (const [path, reason] of Object.entries(reasons)) {
        const asset = await fetched(path);
        assert.equal([path, asset.status], [path, 'failed']);
        assert.match(asset.error, reason);
      }
      const retry = await fetched('/broken');
      assert.is(retry.status, 'pending');
      kit.advanceClock(hour);
      for (let turn = 0; turn < 4; turn += 1) {
        await kit.drain();
        kit.advanceClock(hour);
      }
      assert.match((await read(retry.assetId)).error, /could not be fetched/);
      for (const sourceUrl of ['http://169.254.169.254/latest/meta-data', 'https://user:secret@example.com/a.png'])
        assert.is((await create({ sourceUrl })).body.error.code, 'asset_invalid');
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  test('a brand serves its logo from /media, prevents its deletion, and releases it', async () => {
    const logo = await ready(files.png(30, 20), { name: 'Logo' });
    const media = `/media/${logo.assetId}`;
    assert.is((await get(media)).status, 404);
    const brand = await kit.request('/v1/brand', {
      body: { name: 'Northwind', logos: { light: { assetId: logo.assetId } }, themes: [{ name: 'Winter' }] },
    });
    assert.is(brand.status, 201, JSON.stringify(brand.body));
    const asset = { url: `http://post.example${media}`, assetId: logo.assetId };
    assert.equal(brand.body.logos, { light: asset, dark: null, mark: null });
    assert.equal(brand.body.themes[0].logo, asset);
    const theme = await kit.service.core.services.brands;
    const served = await get(media);
    assert.is(served.status, 200);
    assert.match(served.headers['Cache-Control'] ?? '', /^public/);
    const openedDatabase = await kit.service.core.database();
    const shownTheme = await openedDatabase.read(kit.workspaceId, (handle) =>
      theme.theme(handle, brand.body.themes[0].id),
    );
    assert.equal(shownTheme?.logo, asset);
    const refusal = await remove(logo.assetId);
    assert.equal([refusal.status, refusal.body.error.code], [409, 'asset_in_use']);
    assert.match(refusal.body.error.message, new RegExp(`brand ${brand.body.id}`));
    // The theme still uses the logo after the brand has removed it.
    const patch = (body: object) => kit.request(`/v1/brand/${brand.body.id}`, { method: 'PATCH', body });
    await patch({ logos: { light: null } });
    assert.is((await remove(logo.assetId)).status, 409);
    await patch({ themes: [] });
    assert.is((await get(media)).status, 404);
    assert.is((await remove(logo.assetId)).status, 200);
    await kit.drain();
    assert.equal(store.keys(), []);
    const logoError = async (assetId: string) => {
      const answer = await patch({ logos: { dark: { assetId } } });
      return [answer.status, answer.body.error.details[0].path, answer.body.error.details[0].message];
    };
    assert.match((await logoError(logo.assetId)).join(' '), /^422 logos\.dark\.assetId There is no asset/);
    assert.match((await logoError((await ready(files.pdf())).assetId)).join(' '), /A logo is a picture/);
    assert.match((await logoError((await ready(files.gif(), {}, kit.testKey)).assetId)).join(' '), /sandbox key made/);
  });
});
