// time-limit: 240
// Lead magnets: states, builds with crashes, prices, exports, gifts, sides, dry runs, deletion.
// full-run: slow
import * as assert from 'uvu/assert';
import { createFixtureKit } from '../../hosts/testing/fixture-kit.ts';
import type { TestService } from '../../hosts/testing/test-service.ts';
import { leadMagnetRows } from '../../plugins/lead-magnets/tables.ts';
import { twoDatabases } from '../support/databases.ts';
import { noRateLimits } from '../support/mail-bench.ts';
import { migratedTestService } from '../support/migrated-tables.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

const publicUrl = 'https://app.bakery.example';
const brief = 'A guide for people who bake their first bread. A starter needs a week. Bread needs time.';
const chapters = [{ heading: 'Your starter', summary: 'Flour and water.', text: '- [ ] Feed it **daily**.' }];
const day = 86_400_000;

await twoDatabases('lead magnets', (test, database) => {
  let bench: TestService<(typeof bareStandardPlugins)[number]['id']>;
  let crashes: string[] = [];
  let calls = 0;
  test.before.each(async () => {
    crashes = [];
    bench = await migratedTestService(database, {
      plugins: bareStandardPlugins,
      publicUrl,
      logger: { debug() {}, info() {}, warn() {}, error() {} },
      plans: { pro: { ...noRateLimits, monthlyCredits: 0 } },
      onPhase: (phase) => {
        if (crashes[0] !== phase) return;
        crashes.shift();
        throw new Error(`crash at ${phase}`);
      },
    });
  });
  test.after.each(() => bench.close());

  const call = (path: string, method: string, body?: object, key = bench.liveKey, headers: object = {}) => {
    calls += 1;
    const input = body === undefined ? {} : { body };
    const all = { 'idempotency-key': `magnet-${calls}`, ...headers };
    return bench.request(`/v1/lead-magnets${path}`, { method, ...input, key, headers: all });
  };
  const create = async (body: object = {}, key?: string) =>
    (await call('', 'POST', { title: 'Sourdough', ...body }, key)).body;
  const readMagnet = async (id: string, key?: string) => (await call(`/${id}`, 'GET', undefined, key)).body;
  const balance = async (): Promise<number> => (await bench.request('/v1/workspace')).body.usage.credits_balance;
  const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
    status,
    body.error?.code,
  ];
  const exportMagnet = (id: string, key?: string) => call(`/${id}/export`, 'POST', {}, key);

  test('a draft is composed: it is queued, then ready, and its price is charged once despite crashes', async () => {
    const { id, status, coverPages, format } = await create({ brief });
    assert.equal([status, coverPages, format], ['draft', 1, 'guide']);
    assert.equal(codeOf(await exportMagnet(id)), [409, 'state_conflict']);
    const before = await balance();
    crashes = ['lead_magnets.outline_composed', 'lead_magnets.chapter_composed'];
    const answer = await call(`/${id}/compose`, 'POST', {});
    assert.equal([answer.status, answer.body.status], [202, 'queued']);
    assert.is(await balance(), before - 20);
    assert.equal(codeOf(await call(`/${id}`, 'PATCH', { title: 'X' })), [409, 'state_conflict']);
    assert.equal(codeOf(await call(`/${id}/compose`, 'POST', {})), [409, 'state_conflict']);
    for (let attempts = 0; attempts < 3; attempts += 1) {
      await bench.drain();
      bench.advanceClock(360_000);
    }
    assert.equal(crashes, []);
    const ready = await readMagnet(id);
    assert.equal([ready.status, ready.progress.phase, ready.error], ['ready', 'done', null]);
    assert.is(new Set(ready.chapters.map(({ heading }: { heading: string }) => heading)).size, ready.chapters.length);
    assert.is(await balance(), before - 20);
    assert.is((await bench.events('lead_magnet.ready')).length, 1);

    const secondAnswer = await call(`/${id}/compose`, 'POST', { brief: 'A guide to rye bread. Rye is patient.' });
    assert.equal([secondAnswer.body.status, secondAnswer.body.chapters], ['building', ready.chapters]);
    bench.advanceClock(31 * 60_000);
    await bench.drain();
    const afterFailure = await readMagnet(id);
    assert.equal([afterFailure.status, afterFailure.chapters], ['ready', ready.chapters], 'the old text is kept');
    assert.match(afterFailure.error, '30 minutes');
    assert.is(await balance(), before - 20);
    assert.is((await bench.events('lead_magnet.failed')).length, 1);
  });

  test('without a brief no text is composed', async () => {
    const answer = await call(`/${(await create()).id}/compose`, 'POST', {});
    assert.equal([...codeOf(answer), answer.body.error.details[0].path], [422, 'validation_failed', 'brief']);
  });

  test('chapters of the author are ready at once, and an export costs 5 credits once for each content', async () => {
    const { id, status, contentHash } = await create({ chapters });
    assert.is(status, 'ready');
    const before = await balance();
    const dry = await call(`/${id}/export`, 'POST', {}, bench.liveKey, { 'dry-run': 'true' });
    assert.is(await balance(), before, JSON.stringify(dry.body));
    const [one, two] = await Promise.all([exportMagnet(id), exportMagnet(id)]);
    assert.equal([one.status, two.status, one.body.assetId], [200, 200, two.body.assetId]);
    assert.equal([one.body.creditsCharged, two.body.creditsCharged].sort(), [0, 5]);
    assert.is(await balance(), before - 5);
    assert.is(one.body.contentHash, contentHash);
    assert.is((await exportMagnet(id)).body.creditsCharged, 0);
    const asset = (await bench.request(`/v1/assets/${one.body.assetId}`)).body;
    assert.equal([asset.source, asset.kind, asset.contentType], ['export', 'document', 'application/pdf']);
    const { body } = await call(`/${id}`, 'PATCH', { coverPages: 2 });
    assert.is.not(body.contentHash, body.lastExport.contentHash);
    const next = (await exportMagnet(id)).body;
    assert.is(next.creditsCharged, 5);
    assert.is.not(next.assetId, one.body.assetId);
    await bench.service.as(bench.workspaceId).brand.create({ name: 'Northwind' });
    assert.is((await exportMagnet(id)).body.creditsCharged, 5, 'the look of the brand is part of the content');
    assert.is((await call(`/${id}`, 'PATCH', { chapters: [] })).body.status, 'draft');
  });

  test('a sandbox key works on its own side, without a price', async () => {
    const before = await balance();
    const { id, sandbox } = await create({ chapters }, bench.testKey);
    assert.is(sandbox, true);
    assert.is((await exportMagnet(id, bench.testKey)).body.creditsCharged, 0);
    assert.is(await balance(), before);
    assert.equal(codeOf(await call(`/${id}`, 'GET')), [404, 'lead_magnet_not_found']);
  });

  test('a gift link downloads the latest export for 7 days', async () => {
    const { id } = await create({ chapters });
    const workspace = { id: bench.workspaceId } as never;
    const giftUrl = async () =>
      (await bench.service.core.database()).read(bench.workspaceId, (handle) =>
        bench.service.core.services.leadMagnets.giftUrl(handle.onSide(false), workspace, id),
      );
    assert.is(await giftUrl(), undefined, 'there is no export yet');
    await exportMagnet(id);
    const url = (await giftUrl()) ?? '';
    const get = async (address: string) => bench.request(address.slice(publicUrl.length), { key: '' });
    const answer = await get(url);
    assert.is(answer.status, 200);
    assert.is((await get(`${url.slice(0, -1)}x`)).status, 404);
    bench.advanceClock(7 * day + 1_000);
    assert.is((await get(url)).status, 410);
    const fresh = (await giftUrl()) ?? '';
    assert.is((await call(`/${id}`, 'DELETE')).status, 200);
    assert.equal(codeOf(await call(`/${id}`, 'DELETE')), [404, 'lead_magnet_not_found']);
    assert.is((await get(fresh)).status, 410);
  });

  test('deleting a lead magnet ends its build and returns its credits', async () => {
    const before = await balance();
    const { id } = await create({ brief });
    await call(`/${id}/compose`, 'POST', {});
    await call(`/${id}`, 'DELETE');
    assert.is(await balance(), before);
    await bench.drain();
    assert.is((await bench.events('lead_magnet.ready')).length, 0);
  });

  test('too many simultaneous builds are refused, and so are too many lead magnets', async () => {
    const { id } = await create({ chapters });
    const answers = await Promise.all(Array.from({ length: 6 }, () => exportMagnet(id)));
    const codes = answers.map((answer) => codeOf(answer)[1]);
    assert.ok(codes.includes('lead_magnet_export_busy'), JSON.stringify(codes));
    assert.ok(codes.includes(undefined));
    await createFixtureKit(bench).write(async ({ trx, newId }) => {
      const row = await leadMagnetRows.find(trx, id);
      if (row === undefined) throw new Error('The lead magnet is missing.');
      for (let count = 1; count < 1_000; count += 1) await leadMagnetRows.insert(trx, { ...row, id: newId('lm') });
    });
    assert.equal(codeOf(await call('', 'POST', { title: 'One more' })), [409, 'limit_reached']);
  });

  test('without credits neither a build nor an export begins', async () => {
    const { id } = await create({ brief, chapters });
    const credits = await balance();
    await createFixtureKit(bench).write((ctx) => ctx.charge(credits - 3, 'spent elsewhere'));
    for (const path of ['compose', 'export']) {
      const answer = await call(`/${id}/${path}`, 'POST', {});
      assert.equal(codeOf(answer), [402, 'credits_exhausted'], path);
    }
    assert.is(await balance(), 3);
  });
});
