// The routes of the QR designer: access, one workspace at a time, and previews that store nothing.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { MemberAccess, PageRequest, SignInNeeded } from '../../core/index.ts';
import { assetsFile } from '../../plugins/qr/browser/build.ts';
import { openQrBench, type QrBench } from '../support/qr-bench.ts';

const test = suite<{ bench: QrBench }>('routes of the QR designer');
test.before(async (context) => {
  context.bench = await openQrBench();
});
test.after(({ bench }) => bench.close());

const encodes = { kind: 'static', payload: 'https://shop.example/menu' } as const;
const inWorkspace = (bench: QrBench, path: string, workspace = bench.workspaceId): string =>
  `${path}?workspace=${workspace}`;

test('the page exists only if it is enabled, and only for this machine', async ({ bench }) => {
  assert.is((await bench.ask('')).status, 200);
  assert.is((await bench.ask('/workspaces', { address: '203.0.113.9' })).json.error.code, 'qr_designer_not_local');
  const cross = { headers: { 'sec-fetch-site': 'cross-site' } };
  assert.is((await bench.ask('/workspaces', cross)).json.error.code, 'qr_designer_cross_site');
  const without = await openQrBench({ designer: false });
  assert.is((await without.ask('')).status, 404);
  await without.close();
  const hidden = await openQrBench({ environment: 'production' });
  assert.is((await hidden.ask('/workspaces')).status, 404);
  await hidden.close();
});

type Rights = Omit<MemberAccess['workspaces'][number], 'id'>;

/** A designer in production, with a sign-in. `signIn.rights` are the rights of the member in the workspace. */
async function withSignIn(run: (bench: QrBench, signIn: { rights: Rights }) => Promise<void>): Promise<void> {
  const signIn: { rights: Rights } = { rights: { scopes: 'full' } };
  let workspaceId = '';
  const access = ({ cookies }: PageRequest): MemberAccess | SignInNeeded =>
    cookies['user'] === 'nobody'
      ? { signInUrl: 'https://sign-in.shop.example/' }
      : { member: 'u_ada', name: 'Ada', workspaces: [{ id: workspaceId, ...signIn.rights }] };
  const bench = await openQrBench({ environment: 'production', access });
  ({ workspaceId } = bench);
  try {
    await run(bench, signIn);
  } finally {
    await bench.close();
  }
}

test("the program's sign-in decides which workspaces a visitor sees", () =>
  withSignIn(async (bench) => {
    const signedOut = { cookie: 'user=nobody' };
    assert.is((await bench.ask('/workspaces', { headers: signedOut })).json.error.code, 'qr_designer_access_denied');
    const page = await bench.ask('', { headers: { ...signedOut, accept: 'text/html' } });
    assert.is(page.status, 303);
    assert.match(page.headers['Location'] ?? '', 'https://sign-in.shop.example/?return_to=');
    const { json } = await bench.ask('/workspaces', { address: '203.0.113.9' });
    assert.equal(
      json.data.map(({ id }: { id: string }) => id),
      [bench.workspaceId],
    );
    const foreign = inWorkspace(bench, '/designs', bench.foreignWorkspaceId);
    assert.is((await bench.ask(foreign)).json.error.code, 'workspace_not_found');
  }));

test('the designer needs links:read, and saving needs links:write', () =>
  withSignIn(async (bench, signIn) => {
    const { json: made } = await bench.ask(inWorkspace(bench, '/designs'), { body: { encodes } });
    signIn.rights = { scopes: ['links:read'] };
    const { json } = await bench.ask('/workspaces');
    assert.is(json.data[0].may_change, false);
    const { json: drawer } = await bench.ask(inWorkspace(bench, '/designs'));
    assert.equal([drawer.designs[0].qrId, drawer.logos], [made.qrId, []]);
    for (const path of ['/designs', `/designs/${made.qrId}`]) {
      const { json: refused } = await bench.ask(inWorkspace(bench, path), { body: { encodes } });
      assert.is(refused.error.code, 'insufficient_scope', path);
    }
    const picture = await bench.ask(inWorkspace(bench, `/designs/${made.qrId}/render`), { body: { format: 'svg' } });
    assert.is(picture.status, 200);
    signIn.rights = { scopes: ['sends:read'] };
    assert.is((await bench.ask('/workspaces')).json.error.code, 'qr_designer_scope_missing');
  }));

test('a member who may see only the sandbox reads and creates designs in the sandbox', () =>
  withSignIn(async (bench, signIn) => {
    const { json: live } = await bench.ask(inWorkspace(bench, '/designs'), { body: { encodes } });
    signIn.rights = { scopes: 'full', sides: ['sandbox'] };
    const path = inWorkspace(bench, `/designs/${live.qrId}`);
    assert.is((await bench.ask(path, { body: { encodes } })).json.error.code, 'qr_not_found');
    const { json: made } = await bench.ask(inWorkspace(bench, '/designs'), { body: { encodes } });
    assert.is(made.sandbox, true);
    const { json: drawer } = await bench.ask(inWorkspace(bench, '/designs'));
    assert.equal(
      drawer.designs.map(({ qrId }: { qrId: string }) => qrId),
      [made.qrId],
    );
  }));

test('a preview is drawn and checked for readability, and stores nothing', async ({ bench }) => {
  const preview = async (body: object) => (await bench.ask(inWorkspace(bench, '/preview'), { body })).json;
  const good = await preview({ encodes, style: { dots: 'rounded' }, frame: { kind: 'bubble', text: 'Hi' } });
  assert.equal([good.readable, good.payload], [true, encodes.payload]);
  assert.match(good.svg, /^<svg /);
  const pale = await preview({ encodes, style: { foreground: '#eeeeee' } });
  assert.is(pale.readable, false);
  assert.match(pale.message, 'colours are too much alike');
  assert.is(pale.isComplete, true);
  const half = await preview({ encodes: { kind: 'wifi', ssid: '', encryption: 'WPA', password: 'x' } });
  assert.equal([half.readable, half.isComplete], [false, false]);
  assert.match(half.message, 'encodes.ssid');
  assert.is((await preview({ encodes: { kind: 'shortLink' } })).message, 'Choose a link.');
  assert.equal((await bench.request('/v1/qr')).body.data, []);
});

test('a design can be stored, changed and exported, but only in its own workspace', async ({ bench }) => {
  const { json: created } = await bench.ask(inWorkspace(bench, '/designs'), { body: { encodes, label: 'Door' } });
  const path = `/designs/${created.qrId}`;
  await bench.ask(inWorkspace(bench, path), { body: { encodes, label: 'Gate', style: { margin: 2 } } });
  const { json: drawer } = await bench.ask(inWorkspace(bench, '/designs'));
  assert.equal([drawer.designs[0].label, drawer.designs[0].style.margin], ['Gate', 2]);
  const { json: exported } = await bench.ask(inWorkspace(bench, `${path}/render`), { body: { format: 'pdf' } });
  assert.equal([exported.contentType, exported.filename], ['application/pdf', 'Gate.pdf']);
  assert.is(Buffer.from(exported.dataBase64, 'base64').toString('latin1', 0, 5), '%PDF-');
  const foreignPath = inWorkspace(bench, path, bench.foreignWorkspaceId);
  assert.is((await bench.ask(foreignPath, { body: { encodes } })).json.error.code, 'qr_not_found');
});

test('a sandbox design stays on the sandbox side', async ({ bench }) => {
  const { body } = await bench.request('/v1/qr', { key: bench.testKey, body: { encodes } });
  const { json } = await bench.ask(inWorkspace(bench, `/designs/${body.qrId}`), { body: { encodes, label: 'Trial' } });
  assert.equal([json.sandbox, json.label], [true, 'Trial']);
});

test('the page offers the existing links and logos', async ({ bench }) => {
  const calls = bench.service.as(bench.workspaceId);
  const { linkId } = await calls.links.create({ destinationUrl: 'https://shop.example', label: 'Menu' });
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const { assetId } = await calls.assets.create({ name: 'Mark', dataBase64: pixel });
  const { json } = await bench.ask(inWorkspace(bench, '/designs'));
  assert.equal([json.links, json.logos], [[{ id: linkId, name: 'Menu' }], [{ id: assetId, name: 'Mark' }]]);
});

test('a preview reports that a logo does not exist', async ({ bench }) => {
  const body = { encodes, style: { logoAssetId: 'asset_00000000000000000000000000' } };
  const { json } = await bench.ask(inWorkspace(bench, '/preview'), { body });
  assert.equal([json.readable, json.isComplete], [false, true]);
  assert.match(json.message, /There is no asset/);
});

test("the page's files are up to date (npx tsx plugins/qr/browser/build.ts), small, and name no other host", async () => {
  const generated = await readFile(join(import.meta.dirname, '../../plugins/qr/assets.gen.ts'), 'utf8');
  assert.is(generated, await assetsFile());
  assert.ok(gzipSync(generated).length < 16_000);
  assert.not.match(generated.replaceAll('http://www.w3.org/', ''), /https?:\/\/(?!example\.com)/);
});

test.run();
