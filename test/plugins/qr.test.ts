// time-limit: 240
// QR designs: payloads, prices, logos and exports in the asset library, tools, erasure.
// full-run: slow
import sharp from 'sharp';
import * as assert from 'uvu/assert';
import { createTestService, type TestService } from '../../hosts/testing/test-service.ts';
import { assetsPlugin } from '../../plugins/assets/index.ts';
import { linksPlugin } from '../../plugins/links/index.ts';
import { qrPlugin } from '../../plugins/qr/index.ts';
import { workspacePlugin } from '../../plugins/workspace/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { noRateLimits } from '../support/mail-bench.ts';
import { migratedTestService } from '../support/migrated-tables.ts';
import { hasZbar, readWithZbar } from '../support/qr-grid.ts';

const zbar = await hasZbar();
const plans = { pro: { ...noRateLimits, monthlyCredits: 0 } };
const plugins = [workspacePlugin(), linksPlugin(), assetsPlugin(), qrPlugin()];
const text = { kind: 'static', payload: 'https://shop.example/menu' };
const picture = (side: number) => sharp({ create: { width: side, height: side, channels: 3, background: '#ab2a2d' } });

await twoDatabases('QR designs', (test, database) => {
  let bench: TestService<'workspace' | 'links' | 'assets' | 'qr'>;
  let calls = 0;
  test.before(async () => {
    bench = await migratedTestService(database, { plugins, plans, publicUrl: 'https://api.shop.example' });
  });
  test.after(() => bench.close());

  const call = (path: string, method: string, body: object, options: { key?: string; headers?: object } = {}) => {
    calls += 1;
    const headers = { 'idempotency-key': `qr-${calls}`, ...options.headers };
    return bench.request(path, { method, body, ...options, headers });
  };
  const create = async (body: object) => (await call('/v1/qr', 'POST', { encodes: text, ...body })).body;
  const render = (qrId: string, body: object, options?: { key?: string; headers?: object }) =>
    call(`/v1/qr/${qrId}/render`, 'POST', body, options);
  const balance = async (): Promise<number> => (await bench.request('/v1/workspace')).body.usage.credits_balance;
  const asset = async (bytes: Buffer): Promise<string> =>
    (await call('/v1/assets', 'POST', { name: 'Logo', dataBase64: bytes.toString('base64') })).body.assetId;

  test('a new design has a value for every default, and a change merges its style', async () => {
    const created = await create({});
    assert.equal(created.style, {
      foreground: '#000000',
      background: '#ffffff',
      dots: 'square',
      corners: 'square',
      eyes: null,
      errorCorrection: 'M',
      margin: 4,
      logoAssetId: null,
      gradient: null,
    });
    assert.equal([created.frame, created.label, created.tags], [{ kind: 'none', text: null, colour: null }, null, []]);
    const path = `/v1/qr/${created.qrId}`;
    await call(path, 'PATCH', { style: { eyes: '#112233', dots: 'dots' }, label: 'Door' });
    const updated = (await call(path, 'PATCH', { style: { eyes: null }, frame: { kind: 'bubble', text: 'Hi' } })).body;
    assert.equal([updated.style.dots, updated.style.eyes, updated.label], ['dots', null, 'Door']);
    const back = (await call(path, 'PATCH', { style: null, frame: null, label: null })).body;
    assert.equal([back.style, back.frame, back.label], [created.style, created.frame, null]);
    assert.equal((await bench.request(path)).body, back);
  });

  test('a frame with text requires a text with available letters, and other frames refuse a text', async () => {
    const refusal = async (frame: object) => {
      const { status, body } = await call('/v1/qr', 'POST', { encodes: text, frame });
      assert.is(status, 422);
      return [body.error.details[0].path, body.error.details[0].message];
    };
    assert.equal(await refusal({ kind: 'bubble' }), ['frame.text', 'The frame bubble needs a text, such as Scan me.']);
    assert.equal(await refusal({ kind: 'border', text: 'Hi' }), [
      'frame.text',
      'The frame border has no text. Leave it out.',
    ]);
    assert.match(
      (await refusal({ kind: 'bubble', text: 'скан' }))[1],
      'The letters с, к, а, н are not available in frames',
    );
  });

  test('a short link is encoded with ?s=qr, and a link of another workspace is not found', async () => {
    const link = (await call('/v1/links', 'POST', { destinationUrl: 'https://shop.example/menu' })).body;
    const design = await create({ encodes: { kind: 'shortLink', linkId: link.linkId } });
    assert.is(design.payload, `${link.redirectUrl}?s=qr`);
    const { bytes } = await render(design.qrId, { format: 'png' }, { headers: { accept: 'image/png' } });
    if (zbar) assert.is((await readWithZbar([bytes], 'png'))[0]?.trim(), design.payload);
    const foreignLink = await bench.service
      .as(bench.foreignWorkspaceId)
      .links.create({ destinationUrl: 'https://other.example' });
    const refusal = await call('/v1/qr', 'POST', { encodes: { kind: 'shortLink', linkId: foreignLink.linkId } });
    assert.equal([refusal.status, refusal.body.error.code], [404, 'link_not_found']);
    const inSandbox = await call('/v1/qr', 'POST', { encodes: design.encodes }, { key: bench.testKey });
    assert.equal([inSandbox.status, inSandbox.body.error.code], [404, 'link_not_found']);
  });

  test('a design costs 1 credit, a print 2, a PDF 5, and a refusal or a replay costs nothing', async () => {
    const start = await balance();
    const { qrId } = await create({});
    assert.is(await balance(), start - 1);
    for (const format of ['svg', 'png', 'webp']) {
      const { status, body } = await render(qrId, { format });
      assert.equal([status, body.creditsCharged], [200, 0]);
    }
    assert.is(await balance(), start - 1);
    const print = await render(qrId, { format: 'png-print' }, { headers: { 'idempotency-key': 'print' } });
    assert.equal([print.body.creditsCharged, print.body.width, print.body.contentType], [2, 1_181, 'image/png']);
    const replay = await render(qrId, { format: 'png-print' }, { headers: { 'idempotency-key': 'print' } });
    assert.is(replay.headers['Idempotent-Replay'], 'true');
    assert.is(replay.body.dataBase64, print.body.dataBase64);
    assert.is(await balance(), start - 3);
    await render(qrId, { format: 'pdf' });
    assert.is(await balance(), start - 8);
    const dry = await render(qrId, { format: 'pdf' }, { headers: { 'dry-run': 'true' } });
    assert.is(dry.status, 200);
    await call(`/v1/qr/${qrId}`, 'PATCH', { style: { margin: 0 }, frame: { kind: 'border' } });
    const refusal = await render(qrId, { format: 'pdf' });
    assert.equal([refusal.status, refusal.body.error.code], [422, 'qr_unreadable']);
    const sandbox = await call('/v1/qr', 'POST', { encodes: text }, { key: bench.testKey });
    await render(sandbox.body.qrId, { format: 'pdf' }, { key: bench.testKey });
    assert.is(await balance(), start - 8);
  });

  test('colours that cannot be scanned are refused before anything is stored or charged', async () => {
    const start = await balance();
    const { status, body } = await call('/v1/qr', 'POST', { encodes: text, style: { foreground: '#ffcc00' } });
    assert.equal([status, body.error.code], [422, 'qr_unreadable']);
    assert.equal([body.error.details[0].path, body.error.details[0].code], ['style.foreground', 'contrast']);
    assert.is(await balance(), start);
  });

  test('an export is saved to the asset library with its tags, if the key may write to it', async () => {
    const { qrId } = await create({ label: 'Table 4/5' });
    const { status, body } = await render(qrId, { format: 'svg', saveToAssets: true });
    assert.is(status, 200);
    const savedAsset = (await bench.request(`/v1/assets/${body.assetId}`)).body;
    assert.equal(
      [savedAsset.name, savedAsset.tags, savedAsset.contentType],
      ['Table 4 5.svg', ['qr', 'qr-code'], 'image/svg+xml'],
    );
    const pdf = (await render(qrId, { format: 'pdf', saveToAssets: true })).body;
    const document = (await bench.request(`/v1/assets/${pdf.assetId}`)).body;
    assert.equal([document.contentType, document.bytes], ['application/pdf', pdf.bytes]);
    const reader = await bench.keyWith(['links:read']);
    assert.is((await render(qrId, { format: 'svg' }, { key: reader })).status, 200);
    const refusal = await render(qrId, { format: 'svg', saveToAssets: true }, { key: reader });
    assert.equal([refusal.status, refusal.body.error.code], [403, 'insufficient_scope']);
    assert.match(refusal.body.error.message, 'links:write');
  });

  test('a logo comes from the asset library, raises the error correction, and can be deleted', async () => {
    const logoAssetId = await asset(await picture(200).png().toBuffer());
    const { qrId, style } = await create({ style: { logoAssetId } });
    assert.is(style.errorCorrection, 'H');
    const { bytes, status } = await render(qrId, { format: 'png' }, { headers: { accept: 'image/*' } });
    assert.is(status, 200);
    const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    const middle = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * info.channels;
    assert.equal([...data.subarray(middle, middle + 3)], [171, 42, 45]);
    await call(`/v1/qr/${qrId}`, 'PATCH', { style: { errorCorrection: 'L' } });
    const tooBig = await render(qrId, { format: 'png' });
    assert.equal([tooBig.status, tooBig.body.error.details[0].code], [422, 'logo_too_big']);
    // A design does not prevent the deletion of its logo. Without the logo, rendering fails, but changes still work.
    assert.is((await bench.request(`/v1/assets/${logoAssetId}`, { method: 'DELETE' })).status, 200);
    await bench.drain();
    const without = await render(qrId, { format: 'png' });
    assert.equal([without.status, without.body.error.code], [422, 'qr_logo_invalid']);
    assert.is((await call(`/v1/qr/${qrId}`, 'PATCH', { label: 'Door' })).status, 200);
    await call(`/v1/qr/${qrId}`, 'PATCH', { style: { logoAssetId: null } });
    assert.is((await render(qrId, { format: 'png' })).status, 200);
  });

  test('an asset that cannot be a logo is refused: qr_logo_invalid', async () => {
    const wide = await asset(await picture(5_000).png().toBuffer());
    const { qrId } = await create({ style: { logoAssetId: wide } });
    const { status, body } = await render(qrId, { format: 'png' });
    assert.equal([status, body.error.code], [422, 'qr_logo_invalid']);
    assert.match(body.error.message, 'at most 4096 px');
    const document = await asset(
      Buffer.from((await render((await create({})).qrId, { format: 'pdf' })).body.dataBase64, 'base64'),
    );
    const refusal = await call('/v1/qr', 'POST', { encodes: text, style: { logoAssetId: document } });
    assert.equal([refusal.status, refusal.body.error.details[0].path], [422, 'style.logoAssetId']);
  });

  test('tools return pictures as images and a PDF as a resource, without the bytes in the JSON', async () => {
    const { qrId } = await create({});
    const tool = async (args: object) => {
      const body = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'render_qr_design', arguments: { qrId, ...args } },
      };
      return (await bench.request('/v1/mcp', { body })).body.result;
    };
    const png = await tool({ format: 'png' });
    const image = png.content.find((block: { type: string }) => block.type === 'image');
    assert.is(image.mimeType, 'image/png');
    assert.is(Buffer.from(image.data, 'base64').toString('latin1', 1, 4), 'PNG');
    assert.is(png.structuredContent.dataBase64, null);
    const pdf = await tool({ format: 'pdf' });
    const page = pdf.content.find((block: { type: string }) => block.type === 'resource');
    assert.is(page.resource.mimeType, 'application/pdf');
  });

  test('erasing a person deletes the contact cards that contain their address', async () => {
    const card = { kind: 'vcard', firstName: 'Ada', lastName: 'Lovelace', emails: ['Ada@Example.com'], phones: [] };
    const logoAssetId = await asset(await picture(200).png().toBuffer());
    const { qrId } = await create({ encodes: card, style: { logoAssetId } });
    const otherCard = await create({ encodes: { ...card, emails: ['grace@example.com'] } });
    const exported = await bench.service.personalData.export(bench.workspaceId, { email: 'ada@example.com' });
    assert.match(JSON.stringify(exported), qrId);
    await bench.service.personalData.erase(bench.workspaceId, { email: 'ada@example.com' });
    assert.is((await bench.request(`/v1/qr/${qrId}`)).status, 404);
    assert.is((await bench.request(`/v1/qr/${otherCard.qrId}`)).status, 200);
    // The deleted design no longer uses its logo.
    assert.is((await bench.request(`/v1/assets/${logoAssetId}`, { method: 'DELETE' })).status, 200);
  });

  test('if the asset library is full, the call fails with limit_reached, and the render is not charged', async () => {
    const full = await migratedTestService(database, {
      plugins: [workspacePlugin(), linksPlugin(), assetsPlugin({ limits: { assetBytes: 10 } }), qrPlugin()],
      plans,
    });
    try {
      const credits = async () => (await full.request('/v1/workspace')).body.usage.credits_balance;
      const { qrId } = (await full.request('/v1/qr', { body: { encodes: text } })).body;
      const before = await credits();
      const { body } = await full.request(`/v1/qr/${qrId}/render`, { body: { format: 'pdf', saveToAssets: true } });
      assert.equal([body.error.code, await credits()], ['limit_reached', before]);
    } finally {
      await full.close();
    }
  });
});

await twoDatabases('QR designs without an asset library', (test, database) => {
  test('a logo or export needs the asset library: qr_assets_missing', async () => {
    const bare = await createTestService({
      storage: database.createStorage(),
      tablePrefix: database.newPrefix(),
      plugins: [linksPlugin(), qrPlugin()],
    });
    try {
      const logo = { logoAssetId: 'asset_00000000000000000000000000' };
      const refusal = await bare.request('/v1/qr', { body: { encodes: text, style: logo } });
      assert.equal([refusal.status, refusal.body.error.code], [501, 'qr_assets_missing']);
      const { qrId } = (await bare.request('/v1/qr', { body: { encodes: text } })).body;
      assert.is((await bare.request(`/v1/qr/${qrId}/render`, { body: { format: 'svg' } })).status, 200);
      const save = { format: 'svg', saveToAssets: true };
      const { body } = await bare.request(`/v1/qr/${qrId}/render`, { body: save });
      assert.is(body.error.code, 'qr_assets_missing');
    } finally {
      await bare.close();
    }
  });
});
