// time-limit: 240
// Creations from the brief to the last item: every state, the credits, crashes between writing and storing.
// full-run: slow
import * as assert from 'uvu/assert';
import { createFixtureKit } from '../../hosts/testing/fixture-kit.ts';
import type { TestService } from '../../hosts/testing/test-service.ts';
import { twoDatabases } from '../support/databases.ts';
import { writePage } from '../support/fill-placeholders.ts';
import { noRateLimits } from '../support/mail-bench.ts';
import { migratedTestService } from '../support/migrated-tables.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { crashesAt, WatchedComposer } from '../support/watched-composer.ts';

const brief = 'Our sourdough course for beginners starts in March. Six evenings. Book at https://example.com/course.';
const day = 86_400_000;

interface Item {
  readonly itemId: string;
  readonly kind: string;
  readonly status: string;
  readonly target: { readonly kind: string; readonly id: string } | null;
  readonly error: string | null;
}

await twoDatabases('creations', (test, database) => {
  let bench: TestService<(typeof bareStandardPlugins)[number]['id']>;
  let composer: WatchedComposer;
  let crashes: string[] = [];
  let calls = 0;
  test.before.each(async () => {
    composer = new WatchedComposer();
    crashes = [];
    bench = await migratedTestService(database, {
      plugins: bareStandardPlugins,
      composer,
      publicUrl: 'https://app.bakery.example',
      logger: { debug() {}, info() {}, warn() {}, error() {} },
      plans: { pro: { ...noRateLimits, monthlyCredits: 0 } },
      onPhase: (phase) => crashesAt(crashes)(phase),
    });
    await bench.service.as(bench.workspaceId).brand.create({ name: 'Northwind' });
  });
  test.after.each(() => bench.close());

  const call = (path: string, method = 'GET', body?: object, key?: string) => {
    calls += 1;
    return bench.request(`/v1/creations${path}`, {
      method,
      ...(body === undefined ? {} : { body }),
      ...(key === undefined ? {} : { key }),
      headers: { 'idempotency-key': `creation-${calls}` },
    });
  };
  const spawn = async (body: object = {}): Promise<string> =>
    (await call('', 'POST', { brief, name: 'Spring course', channels: ['email'], ...body })).body.creationId;
  const read = async (id: string) => (await call(`/${id}?detail=full`)).body;
  const approve = (id: string, body: object = {}) => call(`/${id}/approve-strategy`, 'POST', body);
  const balance = async (): Promise<number> => (await bench.request('/v1/workspace')).body.usage.credits_balance;
  const drafted = async (body: object = {}): Promise<string> => {
    const id = await spawn(body);
    await bench.drain();
    return id;
  };
  const itemOf = (creation: { items: readonly Item[] }, kind: string): Item => {
    const found = creation.items.find((item) => item.kind === kind);
    if (found === undefined) throw new Error(`The creation has no ${kind}.`);
    return found;
  };
  const approvalByPeople = (required: boolean) =>
    bench.service.as(bench.workspaceId).marketing.defaultsSet({ approvalRequired: required });

  test('drafting a strategy from a brief is free, and its approval builds drafts of every kind', async () => {
    const before = await balance();
    const id = await spawn();
    assert.is((await read(id)).status, 'drafting_strategy');
    await bench.drain();
    const draft = await read(id);
    assert.equal([draft.status, draft.credits], ['awaiting_approval', { price: 6, charged: 0 }]);
    assert.equal(
      draft.items.map(({ kind }: Item) => kind),
      ['link', 'email_template', 'planned_email'],
    );
    assert.is(await balance(), before);
    assert.is((await approve(id)).status, 200);
    await bench.drain();
    const creation = await read(id);
    assert.equal(
      creation.items.map(({ status }: Item) => status),
      ['built', 'built', 'built'],
    );
    assert.equal([creation.status, creation.credits], ['ready', { price: 6, charged: 6 }]);
    assert.is(await balance(), before - 6);
    const as = bench.service.as(bench.workspaceId);
    const link = await as.links.read({ linkId: itemOf(creation, 'link').target?.id ?? '' });
    assert.equal([link.destinationUrl, link.utm?.campaign], ['https://example.com/course', creation.utmCampaign]);
    const key = itemOf(creation, 'email_template').target?.id ?? '';
    assert.is((await as.templates.read({ key })).status, 'draft');
    const planned = await as.campaigns.plannedRead({ campaignId: itemOf(creation, 'planned_email').target?.id ?? '' });
    assert.equal([planned.templateKey, planned.creationId], [key, id]);
  });

  test('a page is built by its own area, which charges once, and publishing the page makes the creation live', async () => {
    const before = await balance();
    const id = await drafted({ channels: ['page'], brief: 'Our course for beginners starts in March.' });
    await approve(id);
    await bench.drain();
    const creation = await read(id);
    const page = itemOf(creation, 'page');
    assert.equal([creation.status, page.status, creation.credits.charged], ['ready', 'built', 20]);
    assert.is(await balance(), before - 20);
    const idOrSlug = page.target?.id ?? '';
    const program = bench.service.as(bench.workspaceId);
    await writePage(program, idOrSlug);
    await program.pages.publish({ idOrSlug });
    await bench.drain();
    assert.is((await read(id)).status, 'live');
    assert.is((await call(`/${id}/cancel`, 'POST')).status, 409);
    bench.advanceClock(60 * day);
    await bench.drain();
    assert.is((await read(id)).status, 'completed');
  });

  test('a post without an account is skipped with the reason', async () => {
    const id = await drafted({ channels: ['x'] });
    await approve(id);
    await bench.drain();
    const creation = await read(id);
    const posts = creation.items.filter(({ kind }: Item) => kind === 'social_post');
    assert.ok(posts.length > 0 && posts.every(({ status }: Item) => status === 'skipped'));
    assert.match(posts[0].error, 'No account is connected for x');
    assert.is(creation.status, 'ready');
  });

  test('without enough credits nothing is reserved, and the creation does not change', async () => {
    const id = await drafted();
    const { price } = (await read(id)).credits;
    const credits = await balance();
    await createFixtureKit(bench).write((ctx) => ctx.charge(credits - price + 1, 'spent elsewhere'));
    const { status, body } = await approve(id);
    assert.equal([status, body.error.code], [402, 'credits_exhausted']);
    assert.is((await read(id)).status, 'awaiting_approval');
    assert.is(await balance(), price - 1);
  });

  test('edits can change texts and dates, and remove items', async () => {
    const id = await drafted();
    const { items } = await read(id);
    const [link, template, planned] = items;
    const at = new Date(bench.now() + 40 * day).toISOString();
    const edits = {
      summary: 'Another idea.',
      items: [
        { itemId: link.itemId, skip: true },
        { itemId: planned.itemId, at, purpose: 'The last places.' },
      ],
    };
    assert.is((await approve(id, { edits })).status, 200);
    await bench.drain();
    const creation = await read(id);
    assert.is(creation.strategy.summary, 'Another idea.');
    assert.equal(
      creation.items.map(({ status }: Item) => status),
      ['skipped', 'built', 'built'],
    );
    assert.is(creation.items.find(({ itemId }: Item) => itemId === planned.itemId).at, at);
    assert.is(creation.credits.charged, 5);
    assert.ok(template);
    const otherCreation = await drafted();
    assert.is((await approve(otherCreation, { edits: { items: [{ itemId: link.itemId, skip: true }] } })).status, 404);
    assert.is((await approve(otherCreation, { edits: { summary: '' } })).status, 422);
    assert.is(
      (await approve(otherCreation, { edits: { channels: [] } })).status,
      422,
      'its items are on the removed channel',
    );
  });

  test('a strategy that is sent back for revision is drafted again, at most five times; a final rejection ends the creation', async () => {
    const id = await drafted();
    assert.is((await call(`/${id}/reject-strategy`, 'POST', { revise: true })).status, 422, 'a comment is needed');
    for (let revision = 1; revision <= 5; revision += 1) {
      const { body } = await call(`/${id}/reject-strategy`, 'POST', { revise: true, comment: 'Shorter.' });
      assert.equal([body.status, body.revision], ['drafting_strategy', revision]);
      await bench.drain();
      assert.is((await read(id)).status, 'awaiting_approval');
    }
    assert.is((await call(`/${id}/reject-strategy`, 'POST', { revise: true, comment: 'Again.' })).status, 409);
    assert.match(composer.tasks.at(-1)?.prompt ?? '', 'Shorter.');
    assert.is((await call(`/${id}/reject-strategy`, 'POST', {})).body.status, 'rejected');
    assert.is((await approve(id)).status, 409);
    assert.is((await call(`/${id}/cancel`, 'POST')).status, 409);
  });

  test('a strategy that cannot be drafted fails, and can be drafted again', async () => {
    composer.answer = () => ({ nonsense: true });
    const id = await drafted();
    const afterFailure = await read(id);
    assert.is(afterFailure.status, 'failed');
    assert.match(afterFailure.error, 'the strategy');
    composer.answer = (task) => task.embedded();
    await call(`/${id}/reject-strategy`, 'POST', { revise: true, comment: 'Once more.' });
    await bench.drain();
    assert.is((await read(id)).status, 'awaiting_approval');
    composer.answer = () => ({ nonsense: true });
    await call(`/${id}/reject-strategy`, 'POST', { revise: true, comment: 'Shorter.' });
    await bench.drain();
    assert.is((await read(id)).status, 'failed');
    composer.answer = (task) => task.embedded();
    const revision = await call(`/${id}/reject-strategy`, 'POST', { revise: true, comment: 'Once more.' });
    assert.is(revision.status, 200, 'after a failed redraft the item can be drafted again');
  });

  test('a failed item fails the items that need it, does not affect the others, and can be built again with them', async () => {
    const id = await drafted();
    composer.answer = (task) => (task.kind === 'template' ? { nonsense: true } : task.embedded());
    await approve(id);
    await bench.drain();
    const afterFailure = await read(id);
    assert.equal(
      afterFailure.items.map(({ status }: Item) => status),
      ['built', 'failed', 'failed'],
    );
    assert.equal([afterFailure.status, afterFailure.credits.charged], ['partially_ready', 1]);
    const [template, planned] = [itemOf(afterFailure, 'email_template'), itemOf(afterFailure, 'planned_email')];
    assert.match(planned.error ?? '', `It needs the email_template ${template.itemId}`);
    const earlyRetry = await call(`/${id}/items/${planned.itemId}/retry`, 'POST');
    assert.is(earlyRetry.status, 409, 'an item cannot be built before the items that it needs');
    composer.answer = (task) => task.embedded();
    assert.is((await call(`/${id}/items/${template.itemId}/retry`, 'POST')).status, 202);
    await bench.drain();
    const creation = await read(id);
    assert.equal([creation.status, creation.credits.charged], ['ready', 6]);
  });

  test('a link is built only if the approver may create links', async () => {
    const id = await drafted();
    const { secret } = await bench.service.keys.create({
      workspaceId: bench.workspaceId,
      name: 'campaigns only',
      scopes: ['campaigns:write'],
    });
    assert.is((await call(`/${id}/approve-strategy`, 'POST', {}, secret)).status, 200);
    await bench.drain();
    const link = itemOf(await read(id), 'link');
    assert.is(link.status, 'failed');
    assert.match(link.error ?? '', 'links:write');
  });

  test('a crash between writing and storing the texts leaves one object and one charge', async () => {
    const before = await balance();
    const id = await drafted();
    crashes = ['creation.item_written', 'creation.item_written'];
    await approve(id);
    await bench.drain();
    bench.advanceClock(120_000);
    await bench.drain();
    bench.advanceClock(120_000);
    await bench.drain();
    const creation = await read(id);
    assert.equal([creation.status, crashes], ['ready', []]);
    assert.is(await balance(), before - 6);
    const as = bench.service.as(bench.workspaceId);
    assert.is((await as.links.list({})).data.length, 1);
    assert.is(
      (await as.templates.list({ status: 'draft' })).data.filter(({ name }) => name.startsWith('Spring')).length,
      1,
    );
  });

  test('without human approval, a creation is approved in the name of the requester, unless a policy or missing credits prevent it', async () => {
    await approvalByPeople(false);
    const id = await drafted();
    await bench.drain();
    assert.is((await read(id)).status, 'ready');
    const as = bench.service.as(bench.workspaceId);
    await as.approvals.policySet({ surfaceKind: 'creation_strategy', required: true });
    const heldCreation = await drafted();
    const waiting = await read(heldCreation);
    assert.is(waiting.status, 'awaiting_approval');
    assert.match(waiting.error, 'policy');
    const answer = await approve(heldCreation);
    assert.equal([answer.status, answer.body.approval.status], [202, 'pending']);
    assert.is((await read(heldCreation)).status, 'awaiting_approval');
  });

  test('a canceled creation builds nothing more, and its reserved credits are returned', async () => {
    const before = await balance();
    const id = await drafted();
    await approve(id);
    assert.is(await balance(), before - 6, 'held');
    const { body } = await call(`/${id}/cancel`, 'POST');
    assert.is(body.status, 'canceled');
    assert.is((await call(`/${id}/cancel`, 'POST')).status, 200, 'again');
    await bench.drain();
    assert.is(await balance(), before);
    assert.is((await bench.service.as(bench.workspaceId).links.list({})).data.length, 0);
  });

  test('a sandbox creation is free, and items whose kind has no sandbox side are skipped', async () => {
    const { body } = await call('', 'POST', { brief, channels: ['email', 'page'] }, bench.testKey);
    await bench.drain();
    await call(`/${body.creationId}/approve-strategy`, 'POST', {}, bench.testKey);
    await bench.drain();
    const creation = (await call(`/${body.creationId}?detail=full`, 'GET', undefined, bench.testKey)).body;
    assert.equal([creation.status, creation.credits, creation.sandbox], ['ready', { price: 0, charged: 0 }, true]);
    assert.is(itemOf(creation, 'email_template').status, 'skipped');
    assert.is(itemOf(creation, 'page').status, 'built');
    assert.is((await call(`/${body.creationId}`)).status, 404, 'it is not on the live side');
  });

  test('an item whose object was deleted is skipped', async () => {
    const id = await drafted({ channels: ['page'] });
    await approve(id);
    await bench.drain();
    const page = itemOf(await read(id), 'page');
    await bench.service.as(bench.workspaceId).pages.delete({ idOrSlug: page.target?.id ?? '' });
    assert.is(itemOf(await read(id), 'page').status, 'skipped');
  });

  test('a workspace can have five creations at a time: limit_reached for the sixth', async () => {
    for (let count = 0; count < 5; count += 1) await spawn();
    const { status, body } = await call('', 'POST', { brief });
    assert.equal([status, body.error.code], [409, 'limit_reached']);
    await bench.drain();
    assert.is((await call('', 'POST', { brief })).status, 201, 'creations that wait for approval do not count');
  });

  test('errors name the invalid field and value', async () => {
    const refused = async (body: object) => (await call('', 'POST', { brief, ...body })).body.error;
    assert.match(
      (await refused({ channels: ['emial'] })).message,
      /emial.*Did you mean email\?.*Available: email, page, blog/,
    );
    const now = bench.now();
    const startsAt = new Date(now + day).toISOString();
    assert.match((await refused({ startsAt, endsAt: new Date(now + 200 * day).toISOString() })).message, '180 days');
    assert.match((await refused({ startsAt: new Date(now - day).toISOString() })).message, 'startsAt');
    assert.is((await refused({ icpId: 'icp_00000000000000000000000000' })).code, 'icp_not_found');
  });

  test('the events of a creation contain its summary', async () => {
    const types: string[] = [];
    for (const type of ['creation.strategy_ready', 'creation.ready'] as const)
      bench.service.on(type, ({ data }) => void types.push(`${type} ${data.status} ${data.itemCounts.built}`));
    const id = await drafted();
    await approve(id);
    await bench.drain();
    assert.equal(types, ['creation.strategy_ready awaiting_approval 0', 'creation.ready ready 3']);
  });
});
