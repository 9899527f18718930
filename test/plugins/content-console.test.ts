// The pages of blog posts, lead magnets, designs, creations and the content plan in the console: who sees them, their contents, and their
// forms.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createFixtureKit } from '../../hosts/testing/fixture-kit.ts';
import { someNews } from '../../plugins/content-plan/news/schema.ts';
import { awaitingRun } from '../../plugins/content-plan/operations/fixture-rows.ts';
import { brokenCreation, draftedCreation } from '../../plugins/creations/operations/fixture-rows.ts';
import { type ConsoleBench, openConsoleBench } from '../support/console-bench.ts';
import { missingTexts } from '../support/fill-placeholders.ts';

const test = suite<{ bench: ConsoleBench }>('the content in the console');

test.before.each(async (context) => {
  context.bench = await openConsoleBench();
  await context.bench.calls.brand.create({ name: 'Bakery' });
});
test.after.each(({ bench }) => bench.close());

const hostile = '<b>Bold</b> & "more"';
const escaped = '&lt;b&gt;Bold&lt;/b&gt; &amp; &quot;more&quot;';

/** Returns a function that sends the form of an action of the page at `path`. */
const formSender =
  ({ post }: ConsoleBench, path: string) =>
  async (action: string, fields: Readonly<Record<string, string>> = {}) =>
    post(path, { action, key: `key-${action}`, ...fields });

/** Fails if a page shows the hostile text as HTML, or does not show it at all. */
async function expectEscaped({ page }: ConsoleBench, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const { status, text } = await page(path);
    assert.equal([status, text.includes(escaped), text.includes(hostile)], [200, true, false], path);
  }
}

/** The actions in the audit log that the person did at the console. */
async function actionsByPerson({ calls }: ConsoleBench, family: string): Promise<string[]> {
  const { data } = await calls.audit.list({ action: `${family}.*` });
  return data.filter(({ actor: by }) => by.user === 'u_sue').map(({ action }) => action);
}

test('a blog post is published, taken offline and deleted', async ({ bench }) => {
  assert.match((await bench.page('/blog')).text, 'A blog post is written in Markdown');
  const { id } = await bench.calls.blog.create({ title: hostile, body: hostile, tags: ['bread'], excerpt: hostile });
  await expectEscaped(bench, ['/blog', `/blog/${id}`]);
  const act = formSender(bench, `/blog/${id}`);
  assert.match((await bench.page(`/blog/${id}`)).text, 'it is a draft.');
  assert.is((await act('publish')).status, 303);
  assert.match((await bench.page(`/blog/${id}`)).text, 'The post is public.');
  assert.match((await bench.page('/blog?status=published&tag=bread')).text, escaped);
  assert.match((await bench.page('/blog?tag=cake')).text, 'No post matches these filters.');
  assert.is((await act('unpublish')).status, 303);
  assert.match((await bench.page(`/blog/${id}`)).text, 'The post is offline.');
  assert.match((await act('delete')).text, 'The post was deleted.');
  assert.is((await bench.page(`/blog/${id}`)).status, 404);
  assert.equal(await actionsByPerson(bench, 'blog'), ['blog.post.delete', 'blog.post.unpublish', 'blog.post.publish']);
});

test('a person without the right to publish a post asks for an approval', async ({ bench }) => {
  const { id } = await bench.calls.blog.create({ title: 'Rye', body: 'Bread.' });
  bench.signIn.present = bench.member(['pages:read', 'approvals:submit', 'approvals:read']);
  assert.is((await formSender(bench, `/blog/${id}`)('ask')).status, 303);
  const { approval } = await bench.calls.blog.read({ idOrSlug: id });
  assert.match(
    (await bench.page(`/blog/${id}`)).text,
    `approvals/${approval?.requestId}?side=live">Waits for a decision`,
  );
});

test('a lead magnet is created, written, exported and deleted', async ({ bench }) => {
  assert.match((await bench.page('/lead-magnets')).text, 'A lead magnet is a PDF');
  const fields = { title: hostile, format: 'checklist', brief: 'A guide for people who bake.' };
  assert.is((await formSender(bench, '/lead-magnets')('create', fields)).status, 303);
  const [created] = (await bench.calls.leadMagnets.list()).data;
  assert.equal([created?.format, created?.status], ['checklist', 'draft']);
  const path = `/lead-magnets/${created?.id}`;
  await expectEscaped(bench, ['/lead-magnets', path]);
  const act = formSender(bench, path);
  assert.is((await act('compose', { brief: 'A guide for people who bake.', tone: 'calm' })).status, 303);
  const building = await bench.page(path);
  assert.match(building.text, 'The chapters are being written.');
  assert.is(building.headers['Refresh'], '5');
  await bench.drain();
  const ready = await bench.page(path);
  assert.match(ready.text, /pill good">Ready[\s\S]*The text \(Markdown\)/);
  assert.match((await bench.page('/lead-magnets?status=ready')).text, escaped);
  assert.match((await bench.page('/lead-magnets?status=failed')).text, 'No lead magnet matches this filter.');
  const refusal = await act('export');
  assert.is(refusal.status, 422);
  assert.match(refusal.text, 'Nothing was changed.');
  assert.match(ready.text, 'must still be written before it can be public.');
  const missing = missingTexts(ready.text);
  assert.ok(missing.length > 1);
  const [first = '', ...others] = missing;
  assert.is((await act('write', { [first]: `<b>$& ${hostile}</b>` })).status, 303);
  assert.equal(missingTexts((await bench.page(path)).text), others);
  assert.is(
    (await act('write', { key: 'others', ...Object.fromEntries(others.map((name) => [name, 'Water and flour.'])) }))
      .status,
    303,
  );
  assert.not.match((await bench.page(path)).text, 'must still be written');
  const { title, chapters } = await bench.calls.leadMagnets.read({ id: created?.id ?? '' });
  assert.match(JSON.stringify({ title, chapters }), JSON.stringify(`<b>$& ${hostile}</b>`).slice(1, -1));
  assert.is((await act('export')).status, 303);
  const { lastExport } = await bench.calls.leadMagnets.read({ id: created?.id ?? '' });
  assert.match((await bench.page(path)).text, `assets/${lastExport?.assetId}?side=live`);
  assert.match((await act('delete')).text, 'The lead magnet was deleted.');
  assert.is((await bench.page(path)).status, 404);
});

test('a design shows its layers, and can be deleted', async ({ bench }) => {
  assert.match((await bench.page('/designs')).text, 'A design is a picture of layers');
  const { compositionId } = await bench.calls.designs.create({ name: hostile, cropPresetId: 'og-image' });
  const box = { x: 10, y: 20, width: 300, height: 60 };
  await bench.calls.designs.update({ compositionId, layers: [{ kind: 'text', text: hostile, size: 20, ...box }] });
  const path = `/designs/${compositionId}`;
  await expectEscaped(bench, ['/designs', path]);
  assert.match((await bench.page(path)).text, /10, 20<[\s\S]*300 × 60/);
  assert.match((await formSender(bench, path)('delete')).text, 'The design was deleted.');
  assert.is((await bench.page(path)).status, 404);
});

test('a creation is started, its strategy is revised and approved, and its items link to the built objects', async ({
  bench,
}) => {
  assert.match((await bench.page('/creations')).text, 'A creation is a campaign over several channels');
  const brief = 'Our sourdough course for beginners starts in March. Six evenings. Book at https://example.com/course.';
  assert.is((await formSender(bench, '/creations')('spawn', { brief, name: hostile })).status, 303);
  const [created] = (await bench.calls.creations.list()).data;
  const path = `/creations/${created?.creationId}`;
  const act = formSender(bench, path);
  assert.is((await bench.page(path)).headers['Refresh'], '5');
  await bench.drain();
  await expectEscaped(bench, ['/creations', path]);
  assert.is((await act('revise', { comment: 'Fewer posts.' })).status, 303);
  await bench.drain();
  const strategyPage = (await bench.page(path)).text;
  assert.match(
    strategyPage,
    /Waiting for approval[\s\S]*<h2>Strategy<\/h2>[\s\S]*<dt>Drafted again<\/dt><dd dir="auto">1</,
  );
  assert.is((await act('approve', { note: 'Go.' })).status, 303);
  await bench.drain();
  const { items = [] } = await bench.calls.creations.read({ creationId: created?.creationId ?? '', detail: 'full' });
  const buildPage = (await bench.page(path)).text;
  const page = items.find(({ target }) => target?.kind === 'page' || target?.kind === 'email_template');
  const folder = page?.target?.kind === 'page' ? 'pages' : 'templates';
  assert.match(buildPage, new RegExp(`${folder}/${page?.target?.id}\\?side=live`));
  assert.match((await bench.page('/creations?status=canceled')).text, 'No creation matches this filter.');
  assert.is((await act('cancel')).status, 303);
  assert.match((await bench.page('/creations?status=canceled')).text, escaped);
});

test('a strategy can be rejected, and a failed item can be built again', async ({ bench }) => {
  const kit = createFixtureKit(bench);
  const drafted = await draftedCreation(kit, bench.workspaceId);
  assert.is((await formSender(bench, `/creations/${drafted}`)('reject', { comment: 'No.' })).status, 303);
  assert.is((await bench.calls.creations.read({ creationId: drafted })).status, 'rejected');
  assert.not.match((await bench.page(`/creations/${drafted}`)).text, 'method="post"');
  const { creationId, itemId } = await brokenCreation(kit, bench.workspaceId);
  const path = `/creations/${creationId}`;
  assert.match((await bench.page(path)).text, `name="itemId" value="${itemId}"`);
  assert.is((await formSender(bench, path)('retry', { itemId })).status, 303);
  assert.equal((await actionsByPerson(bench, 'creation')).sort(), ['creation.reject_strategy', 'creation.retry_item']);
});

test('a person requests the plan of a week, and decides on its proposals one after the other', async ({ bench }) => {
  assert.match((await bench.page('/content-plan')).text, 'The plan of a week proposes themes and slots');
  const refusal = await formSender(bench, '/content-plan')('plan', { weekOf: 'next week' });
  assert.equal([refusal.status, refusal.text.includes('This is not a Monday')], [422, true]);
  const kit = createFixtureKit(bench);
  const runId = await awaitingRun(kit, bench.workspaceId);
  const { gates, weekOf } = await bench.calls.contentPlan.runRead({ runId });
  const path = `/content-plan/${runId}`;
  const list = (await bench.page(`/content-plan?status=awaiting_decision&week=${weekOf}`)).text;
  assert.match(list, `content-plan/${runId}?side=live">Week of ${weekOf}`);
  assert.match((await bench.page('/content-plan?status=expired')).text, 'No plan matches these filters.');
  assert.match((await bench.page(path)).text, /<h2>Themes <span class="pill wait">Waits for a decision/);
  const act = formSender(bench, path);
  const [gate = 'themes'] = gates.map((one) => one.gate);
  assert.is((await act('revise', { gate, comment: hostile })).status, 303);
  await bench.drain();
  await expectEscaped(bench, [path]);
  assert.is((await act('approve', { gate })).status, 303);
  assert.match((await bench.page(path)).text, /<h2>Themes <span class="pill good">Approved/);
  const lateAnswer = await bench.post(path, { action: 'approve', key: 'again', gate });
  assert.equal([lateAnswer.status, lateAnswer.text.includes('Nothing was changed.')], [422, true]);
  await bench.drain();
  assert.is((await act('reject', { gate: 'slots', comment: 'No.' })).status, 303);
  assert.is((await bench.calls.contentPlan.runRead({ runId })).status, 'rejected');
});

test('a person votes on market news', async ({ bench }) => {
  assert.match((await bench.page('/market-news')).text, 'There is no news.');
  const newsId = await someNews(createFixtureKit(bench), bench.workspaceId);
  assert.match((await bench.page('/market-news')).text, /Rye is scarce[\s\S]*Grain today/);
  assert.is((await formSender(bench, '/market-news')('vote', { newsId, vote: 'up' })).status, 303);
  assert.match((await bench.page('/market-news')).text, /<option value="up" selected>/);
  assert.is((await bench.calls.contentPlan.news()).data[0]?.score, 1);
});

test('each page needs its scope, each form needs the scope of its operation, and other workspaces are not found', async ({
  bench,
}) => {
  const other = bench.service.as(bench.foreignWorkspaceId);
  const kit = createFixtureKit(bench);
  const post = await other.blog.create({ title: 'Theirs', body: 'Theirs.' });
  const magnet = await other.leadMagnets.create({ title: 'Theirs' });
  const design = await other.designs.create({ name: 'Theirs' });
  const foreign = [
    [`/blog/${post.id}`, 'publish'],
    [`/lead-magnets/${magnet.id}`, 'compose'],
    [`/designs/${design.compositionId}`, 'delete'],
    [`/creations/${await draftedCreation(kit, bench.foreignWorkspaceId)}`, 'approve'],
    [`/content-plan/${await awaitingRun(kit, bench.foreignWorkspaceId)}`, 'approve'],
  ] as const;
  for (const [path, action] of foreign) {
    assert.is((await bench.page(path)).status, 404, path);
    assert.is((await formSender(bench, path)(action, { gate: 'themes', brief: 'Mine.' })).status, 404, path);
  }
  const ownPost = await bench.calls.blog.create({ title: 'Ours', body: 'Ours.' });
  bench.signIn.present = bench.member(['pages:read', 'campaigns:read', 'compositions:read']);
  for (const path of [
    '/blog',
    `/blog/${ownPost.id}`,
    '/lead-magnets',
    '/designs',
    '/creations',
    '/content-plan',
    '/market-news',
  ])
    assert.not.match((await bench.page(path)).text, 'method="post"', path);
  assert.is((await formSender(bench, `/blog/${ownPost.id}`)('publish')).status, 422);
  bench.signIn.present = bench.member(['contacts:read']);
  for (const path of ['/blog', '/lead-magnets', '/designs', '/creations', '/content-plan', '/market-news'])
    assert.is((await bench.page(path)).status, 403, path);
});

test.run();
