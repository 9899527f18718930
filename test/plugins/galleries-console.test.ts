// Lists with pictures in the console: as a table and as a gallery. The pictures are pages of the console, so only a person who may read
// the asset or the design sees them.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pdf, png } from '../support/asset-files.ts';
import { type ConsoleBench, openConsoleBench } from '../support/console-bench.ts';
import { writePage } from '../support/fill-placeholders.ts';

const test = suite<{ bench: ConsoleBench }>('galleries in the console');

test.before.each(async (context) => {
  context.bench = await openConsoleBench();
});
test.after.each(({ bench }) => bench.close());

const hostile = '"><script>alert(1)</script>';
const dataBase64 = png(4, 6).toString('base64');

test('the list of assets shows small pictures, its URL can choose the gallery view, and filtering and clearing keep this view', async ({
  bench,
}) => {
  const { assetId } = await bench.calls.assets.create({ name: hostile, dataBase64, alt: 'A "loaf"', tags: ['bread'] });
  await bench.drain();
  const list = (await bench.page('/assets?tag=bread')).text;
  const src = `assets/${assetId}/picture?side=live`;
  assert.match(list, `${src}" alt="A &quot;loaf&quot;" width="48" height="40" loading="lazy"`);
  assert.match(list, 'side=live&amp;tag=bread&amp;view=gallery"');
  const gallery = (await bench.page('/assets?tag=bread&view=gallery')).text;
  assert.match(gallery, `${src}" alt="A &quot;loaf&quot;" width="240" height="160" loading="lazy"`);
  assert.match(gallery, '<input type="hidden" name="view" value="gallery">');
  assert.match(gallery, 'aria-current="true">Gallery');
  assert.match(gallery, '&quot;&gt;&lt;script&gt;');
  for (const text of [list, gallery]) assert.not.match(text, '<script>alert');
  const empty = (await bench.page('/assets?tag=none&view=gallery')).text;
  assert.match(
    empty,
    /<div class="card empty">.*href="[^"]*view=gallery">Clear filters/s,
    'clearing the filters keeps the gallery view',
  );
});

test('the picture of an asset may be cached only by the browser of the person, and shown only by pages of this origin', async ({
  bench,
}) => {
  const { assetId } = await bench.calls.assets.create({ name: 'Loaf', dataBase64 });
  await bench.drain();
  const { status, headers } = await bench.page(`/assets/${assetId}/picture`);
  assert.is(status, 200);
  assert.is(headers['Content-Type'], 'image/png');
  assert.is(headers['Cache-Control'], 'private, no-cache');
  assert.is(headers['Cross-Origin-Resource-Policy'], 'same-origin');
  assert.is(headers['X-Content-Type-Options'], 'nosniff');
  assert.is(headers['Access-Control-Allow-Origin'], undefined);
  assert.match(headers['Content-Security-Policy'] ?? '', 'sandbox');
});

test('the picture is refused without a sign-in or scope, and is not found in another workspace or for another kind of file', async ({
  bench,
}) => {
  const { assetId } = await bench.calls.assets.create({ name: 'Loaf', dataBase64 });
  const document = await bench.calls.assets.create({ name: 'Paper', dataBase64: pdf().toString('base64') });
  const other = await bench.service.workspaces.create({
    name: 'Other',
    defaultFrom: { email: 'hello@other.example', name: 'Other' },
  });
  const foreignAsset = await bench.service.as(other.id).assets.create({ name: 'Theirs', dataBase64 });
  const design = await bench.service.as(other.id).designs.create({ name: 'Theirs', cropPresetId: 'og-image' });
  await bench.drain();
  const statusOf = async (path: string) => (await bench.page(path)).status;
  assert.is(await statusOf(`/assets/${foreignAsset.assetId}/picture`), 404);
  assert.is(await statusOf(`/assets/${document.assetId}/picture`), 404);
  assert.is(await statusOf(`/designs/${design.compositionId}/picture`), 404);
  bench.signIn.present = bench.member(['pages:read', 'compositions:read']);
  assert.is(await statusOf(`/assets/${assetId}/picture`), 403);
  bench.signIn.present = null;
  assert.is(await statusOf(`/assets/${assetId}/picture`), 401);
});

test('a design shows its picture in the list, in the gallery and on its page', async ({ bench }) => {
  const { compositionId } = await bench.calls.designs.create({ name: hostile, cropPresetId: 'og-image' });
  const src = `designs/${compositionId}/picture?side=live`;
  for (const path of ['/designs', '/designs?view=gallery', `/designs/${compositionId}`]) {
    const { text } = await bench.page(path);
    assert.match(text, src);
    assert.match(text, 'alt="The design &quot;&gt;&lt;script&gt;');
    assert.not.match(text, '<script>alert');
  }
  const { status, headers } = await bench.page(`/designs/${compositionId}/picture`);
  assert.equal([status, headers['Content-Type']], [200, 'image/webp']);
  assert.is((await bench.page(`/designs/${compositionId}/picture?side=sandbox`)).status, 404);
});

test('a post shows its cover, or a neutral tile if it has no cover or the person may not read assets', async ({
  bench,
}) => {
  const { assetId } = await bench.calls.assets.create({ name: 'Loaf', dataBase64 });
  await bench.drain();
  await bench.calls.blog.create({ title: hostile, body: 'Bread.', coverAssetId: assetId });
  const { text } = await bench.page('/blog?view=gallery');
  assert.match(text, `assets/${assetId}/picture?side=live" alt="The cover of &quot;&gt;&lt;script&gt;`);
  assert.not.match(text, 'picture none');
  bench.signIn.present = bench.member(['pages:read']);
  const plain = (await bench.page('/blog?view=gallery')).text;
  assert.not.match(plain, assetId);
  assert.match(plain, 'picture none');
});

test('a published page shows the picture of its link previews', async ({ bench }) => {
  await bench.calls.brand.create({ name: 'Bakery' });
  const { id } = await bench.calls.pages.create({ brief: 'A page for our course.', slug: 'course', length: 'short' });
  await bench.drain();
  await writePage(bench.calls, id);
  assert.match((await bench.page('/pages?view=gallery')).text, 'picture none');
  await bench.calls.pages.publish({ idOrSlug: id });
  await bench.drain();
  const { ogAssetId } = await bench.calls.pages.read({ idOrSlug: id });
  assert.match((await bench.page('/pages?view=gallery')).text, `assets/${ogAssetId}/picture?side=live`);
  assert.is((await bench.page(`/assets/${ogAssetId}/picture`)).status, 200);
});

test('published templates are shown as small mails, drafts and lead magnets as neutral tiles', async ({ bench }) => {
  await bench.calls.templates.create({
    key: 'draft_only',
    name: 'Draft',
    mode: 'html',
    subject: 'x',
    body: '<p>x</p>',
  });
  const { text } = await bench.page('/templates?view=gallery');
  assert.match(text, /<span class="picture" inert><iframe src="[^"]*order_receipt\/preview\?side=live"[^>]* sandbox/);
  assert.not.match(text, 'draft_only/preview');
  assert.match(text, 'picture none');
  assert.not.match((await bench.page('/templates')).text, '<iframe');
  await bench.calls.leadMagnets.create({ title: 'Guide' });
  assert.match((await bench.page('/lead-magnets?view=gallery')).text, 'picture none');
});

test('a post is written from a brief, and the console then opens the post', async ({ bench }) => {
  assert.match((await bench.page('/blog')).text, 'New post from a brief');
  const creation = await bench.post('/blog', {
    action: 'compose',
    key: 'k1',
    brief: 'Why rye bread keeps.',
    title: hostile,
  });
  assert.is(creation.status, 303);
  const [post] = (await bench.calls.blog.list()).data;
  assert.match(creation.headers['Location'] ?? '', `blog/${post?.id}`);
  assert.is(post?.title, hostile);
  const refused = await bench.post('/blog', { action: 'compose', key: 'k2', brief: ' ' });
  assert.is(refused.status, 422);
  bench.signIn.present = bench.member(['pages:read']);
  assert.not.match((await bench.page('/blog')).text, 'New post from a brief');
});

test.run();
