// time-limit: 240
// Compositions: sizes, the contents of a new composition, composing from a brief, changes and versions, sides, thumbnails, erasure.
// full-run: slow
import sharp from 'sharp';
import * as assert from 'uvu/assert';
import { bodyBytes } from '../../hosts/testing/body-bytes.ts';
import type { ComposerAdapter, ComposeTask } from '../../plugins/templates/port/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { type DesignsBench, openDesignsBench } from '../support/designs-bench.ts';

/** Returns the answers that the test sets, one after the other, and then the answers of the embedded composer. */
class ScriptedComposer implements ComposerAdapter {
  readonly id = 'scripted';
  readonly tasks: ComposeTask[] = [];
  readonly answers: unknown[] = [];

  async compose(task: ComposeTask): Promise<unknown> {
    this.tasks.push(task);
    return this.answers.length === 0 ? task.embedded() : this.answers.shift();
  }
}

const from = { defaultFrom: { email: 'hello@acme.example', name: 'Acme' } };
const box = { x: 0, y: 0, width: 100, height: 100 };
const title = { id: 'title', kind: 'text', text: 'Hello', ...box, size: 20 };

await twoDatabases('designs', (test, database) => {
  const composer = new ScriptedComposer();
  let bench: DesignsBench;
  test.before(async () => {
    bench = await openDesignsBench(database, { composer });
  });
  test.after(() => bench.close());
  test.before.each(() => {
    composer.tasks.length = 0;
    composer.answers.length = 0;
  });

  const refusal = async (body: object, path = '/v1/compositions', method = 'POST') => {
    const { status, body: answer } = await bench.call(path, method, body);
    return [status, answer.error.code, answer.error.details?.map(({ path: at }: { path: string }) => at)];
  };

  test('there are sixteen named sizes, each with its channel', async () => {
    const { data } = (await bench.request('/v1/compositions/sizes')).body;
    assert.is(data.length, 16);
    const words = data.map((size: Record<string, unknown>) => `${size.cropPresetId} ${size.width}×${size.height}`);
    assert.is(
      words.join(', '),
      'ig-square 1080×1080, ig-portrait 1080×1350, ig-story 1080×1920, x-post 1600×900, x-header 1500×500, li-post 1200×627, li-square 1200×1200, li-cover 1128×191, fb-post 1200×630, fb-cover 820×312, pin 1000×1500, yt-thumbnail 1280×720, yt-banner 2560×1440, tiktok 1080×1920, og-image 1200×630, email-hero 1200×600',
    );
    assert.ok(data.every(({ channelId, name }: Record<string, string>) => channelId !== '' && name !== ''));
  });

  test('without a size a composition is a square, and without a brief it is empty and free', async () => {
    const before = await bench.balance();
    const created = await bench.create({});
    assert.equal([created.width, created.height, created.cropPresetId], [1_080, 1_080, 'ig-square']);
    assert.equal([created.name, created.layers, created.version, created.sandbox], ['Instagram square', [], 1, false]);
    const customSize = await bench.create({ width: 16, height: 8_192, name: 'Ribbon' });
    assert.equal(
      [customSize.width, customSize.height, customSize.cropPresetId, customSize.name],
      [16, 8_192, null, 'Ribbon'],
    );
    assert.is(await bench.balance(), before);
    assert.equal((await bench.request(`/v1/compositions/${customSize.compositionId}`)).body, customSize);
  });

  test('a size is a name, or a width and a height from 16 to 8,192', async () => {
    const invalid = (path: string) => [422, 'validation_failed', [path]];
    assert.equal(await refusal({ cropPresetId: 'ig-square', width: 100, height: 100 }), invalid('cropPresetId'));
    assert.equal(await refusal({ cropPresetId: 'ig-square', width: 100 }), invalid('cropPresetId'));
    assert.equal(await refusal({ width: 100 }), invalid('height'));
    assert.equal(await refusal({ height: 100 }), invalid('width'));
    assert.equal(await refusal({ cropPresetId: 'ig-round' }), invalid('cropPresetId'));
    assert.equal(await refusal({ width: 15, height: 100 }), invalid('width'));
    assert.equal(await refusal({ width: 100, height: 8_193 }), invalid('height'));
    assert.equal(await refusal({ brief: '  ' }), invalid('brief'));
    assert.equal((await refusal({ brandId: 'brd_00000000000000000000000000' })).slice(0, 2), [404, 'brand_not_found']);
  });

  test('a brief is composed in the style of the brand for 3 credits; a dry run and the sandbox are free', async () => {
    const logo = await bench.asset(
      await sharp({ create: { width: 80, height: 40, channels: 3, background: '#ff0000' } })
        .png()
        .toBuffer(),
    );
    const brand = (
      await bench.call('/v1/brand', 'POST', {
        name: 'Northwind',
        palette: { primary: '#1c5a44', accent: '#f2b441' },
        logos: { dark: { assetId: logo }, light: { url: 'https://shop.example/logo.png' } },
      })
    ).body;
    const before = await bench.balance();
    const brief = 'Make a banner about our spring sale: 20% off all chairs until Sunday.';
    const created = await bench.create({ brief, cropPresetId: 'x-post' });
    assert.is(before - (await bench.balance()), 3);
    assert.equal([created.name, created.brandId], ['Our spring sale', brand.id]);
    const [ground] = created.layers;
    assert.equal([ground.kind, ground.fill, ground.width, ground.height], ['shape', '#1c5a44', 1_600, 900]);
    const texts = created.layers.filter(({ kind }: { kind: string }) => kind === 'text');
    assert.equal(
      texts.map(({ text }: { text: string }) => text),
      ['Our spring sale', '20% off all chairs until Sunday'],
    );
    assert.equal(created.layers.at(-1).variant, 'dark');
    assert.ok(created.layers.every(({ id }: { id: string }) => /^lay_[0-9A-Z]{26}$/.test(id)));
    assert.is(composer.tasks[0]?.kind, 'composition');
    assert.match(composer.tasks[0]?.instructions ?? '', 'Logos of the brand: dark.');
    assert.not.match(composer.tasks[0]?.instructions ?? '', 'spring sale');
    assert.is((await bench.render(created.compositionId, { format: 'png' })).status, 200);
    const second = await bench.create({ brief, cropPresetId: 'x-post' });
    const plain = (layers: object[]) => layers.map((layer) => ({ ...layer, id: '' }));
    assert.equal(plain(second.layers), plain(created.layers));
    await bench.call('/v1/compositions', 'POST', { brief }, { headers: { 'dry-run': 'true' } });
    await bench.create({ brief }, { key: bench.testKey });
    assert.is(before - (await bench.balance()), 6);
  });

  test('an invalid answer is requested again, and then refused without a charge', async () => {
    const before = await bench.balance();
    const { id: _, ...off } = { ...title, x: 2_000 };
    composer.answers.push({ name: 'No ground', layers: [off] }, 'words', { name: '', layers: [] });
    const refusal = await bench.call('/v1/compositions', 'POST', { brief: 'We open on Sundays.' });
    assert.equal([refusal.status, refusal.body.error.code], [502, 'compose_failed']);
    assert.match(composer.tasks[1]?.prompt ?? '', 'layers.0: must be a rect with a fill that covers the whole canvas.');
    assert.is(await bench.balance(), before);
  });

  test('without credits the composer is not called and nothing is stored', async () => {
    const credits = await bench.balance();
    const created = await bench.call('/v1/compositions', 'POST', { brief: 'Spend.' }, { key: bench.testKey });
    assert.is(created.status, 201);
    const poor = await bench.service.workspaces.create({ ...from, name: 'Poor', plan: 'pro' });
    composer.tasks.length = 0;
    try {
      await bench.service.as(poor.id).designs.create({ brief: 'We open on Sundays.' });
      assert.unreachable('it was created without credits');
    } catch (error) {
      assert.is((error as { code?: string }).code, 'credits_exhausted');
    }
    assert.is(composer.tasks.length, 0);
    assert.is(await bench.balance(), credits);
  });

  test('PATCH replaces layers and keeps their ids, and only a change raises the version', async () => {
    const { compositionId: id } = await bench.create({});
    const first = (await bench.change(id, { layers: [title, { ...title, id: undefined, text: 'Two' }] })).body;
    assert.equal([first.version, first.layers.length, first.layers[0].id], [2, 2, 'title']);
    const [, second] = first.layers;
    assert.match(second.id, /^lay_/);
    assert.equal([second.rotation, second.opacity, second.weight, second.align], [0, 1, 400, 'left']);
    const same = (await bench.change(id, { layers: first.layers, name: first.name })).body;
    assert.equal(same, first);
    const change = (await bench.change(id, { layers: [second], name: 'One', expectedVersion: 2 })).body;
    assert.equal([change.version, change.layers, change.name], [3, [second], 'One']);
    const staleChange = await bench.change(id, { name: 'Late', expectedVersion: 2 });
    assert.equal([staleChange.status, staleChange.body.error.code], [412, 'version_conflict']);
    const byHeader = await bench.change(id, { name: 'Late' }, { headers: { 'if-match': '"2"' } });
    assert.is(byHeader.status, 412);
    const { status } = await bench.change(id, { width: 100 });
    assert.is(status, 422);
  });

  test('each error in a layer is reported with its path', async () => {
    const { compositionId } = await bench.create({});
    const faults = async (...layers: object[]) =>
      (await refusal({ layers }, `/v1/compositions/${compositionId}`, 'PATCH')).at(-1);
    assert.equal(await faults(title, { ...title, id: 'b', colour: 'red', align: 'justify' }), [
      'layers.1.colour',
      'layers.1.align',
    ]);
    assert.equal(await faults({ ...title, fill: '#ffffff' }), ['layers.0.fill']);
    assert.equal(await faults({ kind: 'shape', shape: 'rect', ...box }), ['layers.0.fill']);
    assert.equal(await faults({ kind: 'shape', shape: 'line', ...box, fill: '#ffffff' }), ['layers.0.stroke']);
    assert.equal(await faults({ kind: 'video', ...box }), ['layers.0.kind']);
    assert.equal(await faults(title, title), ['layers.1.id']);
    const assetId = 'asset_00000000000000000000000000';
    assert.equal(await faults({ kind: 'image', ...box, assetId }), ['layers.0.assetId']);
    assert.equal(await faults({ kind: 'qr', ...box, qrId: 'qr_00000000000000000000000000' }), ['layers.0.qrId']);
    assert.equal(await faults(...Array.from({ length: 101 }, () => ({ ...title, id: undefined }))), ['layers']);
    const long = { ...title, id: undefined, text: 'x'.repeat(5_000) };
    assert.equal(await faults(long, long, long, long, long), ['layers']);
  });

  test('the sandbox has its own compositions, and only the first deletion succeeds', async () => {
    const created = await bench.create({}, { key: bench.testKey });
    assert.is(created.sandbox, true);
    const path = `/v1/compositions/${created.compositionId}`;
    assert.is((await bench.request(path)).status, 404);
    assert.is((await bench.call(path, 'DELETE', undefined, { key: bench.testKey })).status, 200);
    const secondDeletion = await bench.call(path, 'DELETE', undefined, { key: bench.testKey });
    assert.equal([secondDeletion.status, secondDeletion.body.error.code], [404, 'composition_not_found']);
  });

  test('a thumbnail can be read without a key, but only for its version', async () => {
    const { compositionId } = await bench.create({ cropPresetId: 'li-cover' });
    const layers = [{ kind: 'shape', shape: 'rect', x: 0, y: 0, width: 1_128, height: 191, fill: '#0000ff' }];
    const { thumbnailUrl } = (await bench.change(compositionId, { layers })).body;
    assert.ok(thumbnailUrl.startsWith('https://api.shop.example/thumbnails/'), thumbnailUrl);
    const get = async (url: string, headers: Record<string, string> = {}) => {
      const request = { method: 'GET', url: new URL(url).pathname, headers, body: undefined, address: '127.0.0.1' };
      const answer = await bench.service.dispatch(request);
      return { ...answer, bytes: await bodyBytes(answer.body) };
    };
    const answer = await get(thumbnailUrl);
    assert.equal([answer.status, answer.headers['Content-Type']], [200, 'image/webp']);
    const { width, height } = await sharp(answer.bytes).metadata();
    assert.equal([width, height], [480, 81]);
    const { ETag: etag = '' } = answer.headers;
    assert.is((await get(thumbnailUrl, { 'if-none-match': etag })).status, 304);
    assert.is((await get(`${thumbnailUrl.slice(0, -1)}${thumbnailUrl.endsWith('A') ? 'Q' : 'A'}`)).status, 404);
    const next = (await bench.change(compositionId, { name: 'New' })).body.thumbnailUrl;
    assert.is((await get(thumbnailUrl)).status, 404);
    assert.is((await get(next)).status, 200);
    const sandbox = await bench.create({}, { key: bench.testKey });
    assert.is((await get(sandbox.thumbnailUrl)).status, 200);
  });

  test('a workspace has at most 5,000 compositions: limit_reached for the next', async () => {
    const full = await bench.service.workspaces.create({ ...from, name: 'Full', plan: 'pro' });
    const owner = bench.service.as(full.id);
    const { compositionId } = await owner.designs.create({});
    const { driver, prefix } = await bench.service.core.database();
    const columns =
      'workspace_id, sandbox, name, width, height, crop_preset_id, brand_id, layers, version, created_at, updated_at';
    const numbers = Array.from(
      { length: 4_999 },
      (_, index) => `select '${`cmp_F${String(index).padStart(25, '0')}`}' as new_id`,
    );
    for (let at = 0; at < numbers.length; at += 400) {
      const some = numbers.slice(at, at + 400).join(' union all ');
      const sql = `insert into ${prefix}compositions (id, ${columns}) select ids.new_id, ${columns} from ${prefix}compositions, (${some}) ids where id = '${compositionId}'`;
      await driver.transact((connection) => connection.query({ sql, parameters: [] }));
    }
    try {
      await owner.designs.create({});
      assert.unreachable('there is one composition too many');
    } catch (error) {
      assert.is((error as { code?: string }).code, 'limit_reached');
    }
  });

  test('an erased address is removed from the texts of compositions', async () => {
    const { compositionId } = await bench.create({ name: 'For Ada' });
    await bench.change(compositionId, { layers: [{ ...title, text: 'Write to ada@people.example today' }] });
    await bench.service.personalData.erase(bench.workspaceId, { email: 'ada@people.example' });
    const [layer] = (await bench.request(`/v1/compositions/${compositionId}`)).body.layers;
    assert.not.match(layer.text, 'ada@people.example');
    assert.match(layer.text, 'Write to');
  });
});
