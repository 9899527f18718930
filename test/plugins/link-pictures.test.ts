// Pictures for link previews: publishing a page or a post draws a picture, and draws another if its visible content has changed.
// full-run: slow
import * as assert from 'uvu/assert';
import { noAssets } from '../../plugins/assets/no-assets.ts';
import { useRows } from '../../plugins/assets/tables.ts';
import { assetsPlugin } from '../../plugins/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { openPagesBench, type PagesBench, pageCalls, publicUrl } from '../support/pages-bench.ts';
import { bareStandardPlugins, withoutPlugin } from '../support/plugins.ts';
import { visit } from '../support/tracked-mail.ts';

await twoDatabases('link pictures', (test, database) => {
  let bench: PagesBench;
  test.before.each(async () => {
    bench = await openPagesBench(database);
  });
  test.after.each(() => bench.close());

  const { asset, patch, publish, read, ready, reading } = pageCalls(() => bench);
  const api = () => bench.service.as(bench.workspaceId);
  const pictureIn = (html: string): string | undefined => /property="og:image" content="([^"]+)"/.exec(html)?.[1];
  const pictureOf = async (path: string) => pictureIn((await visit(bench, `/p/${bench.workspaceId}${path}`)).text);
  const pictures = async () => (await api().assets.list({})).data.filter(({ tags }) => tags.includes('link-preview'));
  const media = async (url: string | undefined) =>
    bench.request(url?.replace(publicUrl, '') ?? '/media/none', { method: 'GET', key: '' });
  const publishAndDraw = async (id: string) => {
    await publish(id);
    await bench.drain();
  };

  test('a published page has a picture of its title with 1200 × 630 px, at a public address', async () => {
    const id = await ready();
    const { slug } = await read(id);
    await publish(id);
    assert.is(await pictureOf(`/p/${slug}`), undefined);
    await bench.drain();
    const [picture] = await pictures();
    assert.is(await pictureOf(`/p/${slug}`), `${publicUrl}/media/${picture?.assetId}`);
    assert.equal([picture?.contentType, picture?.width, picture?.height], ['image/png', 1_200, 630]);
    assert.is((await media(await pictureOf(`/p/${slug}`))).status, 200);
  });

  test('the picture is kept while the content is the same, and is replaced if the title changes', async () => {
    const id = await ready();
    const { slug } = await read(id);
    await publishAndDraw(id);
    const first = await pictureOf(`/p/${slug}`);
    await patch(id, { ctaLabel: 'Bake with us' });
    await publishAndDraw(id);
    assert.is(await pictureOf(`/p/${slug}`), first);
    await patch(id, { title: 'Six evenings of bread' });
    await publishAndDraw(id);
    assert.is.not(await pictureOf(`/p/${slug}`), first);
    assert.is((await pictures()).length, 1);
    assert.is((await media(first)).status, 404);
  });

  test('a page with its own picture shows this picture, and the drawn picture is removed', async () => {
    const id = await ready();
    const { slug } = await read(id);
    await publishAndDraw(id);
    await patch(id, { metadata: { ogImageUrl: 'https://cdn.example/bread.png' } });
    await publishAndDraw(id);
    assert.is(await pictureOf(`/p/${slug}`), 'https://cdn.example/bread.png');
    assert.equal(await pictures(), []);
  });

  test('an offline page keeps its picture for the next publication, and a deleted page does not', async () => {
    const id = await ready();
    await publishAndDraw(id);
    await api().pages.unpublish({ idOrSlug: id });
    assert.is((await pictures()).length, 1);
    await publishAndDraw(id);
    assert.is((await pictures()).length, 1);
    await api().pages.delete({ idOrSlug: id });
    await bench.drain();
    assert.equal(await pictures(), []);
  });

  test('a sandbox page has no picture', async () => {
    const { id } = (
      await bench.request('/v1/pages', { key: bench.testKey, body: { brief: 'Bread.', length: 'short' } })
    ).body;
    await bench.drain();
    await publish(id, {}, bench.testKey);
    await bench.drain();
    assert.equal(await pictures(), []);
  });

  test('a page with letters that the server cannot draw is published without a picture', async () => {
    const id = await ready();
    // Letters of the private use area: no font has them.
    await patch(id, { title: 'Bread \u{F0000}' });
    await publishAndDraw(id);
    assert.is((await read(id)).status, 'published');
    assert.equal(await pictures(), []);
  });

  /** Publishes a page for which no picture can be made. The page is published without one. */
  const publishWithoutPicture = async (options: Parameters<typeof openPagesBench>[1]) => {
    await bench.close();
    bench = await openPagesBench(database, options);
    const id = await ready();
    const { slug } = await read(id);
    await publish(id);
    const { failed } = await bench.service.drain();
    assert.is(failed, 0);
    assert.is((await read(id)).status, 'published');
    assert.is(await pictureOf(`/p/${slug}`), undefined);
  };

  test('without a store of assets a page is published without a picture', () =>
    publishWithoutPicture({ assets: noAssets() }));

  test('without the plugin designs a page is published without a picture', () =>
    publishWithoutPicture({ plugins: withoutPlugin(bareStandardPlugins, 'designs') }));

  test('a workspace with a full asset library publishes its pages without a picture', async () => {
    await publishWithoutPicture({
      plugins: bareStandardPlugins.map((plugin) =>
        plugin.id === 'assets' ? assetsPlugin({ limits: { assetBytes: 100 } }) : plugin,
      ),
    });
    assert.equal(await pictures(), []);
  });

  test('a post without a cover has a drawn picture, and a post with a cover shows its cover', async () => {
    const post = await api().blog.create({ title: 'A starter', body: 'Feed it twice a day.' });
    await api().blog.publish({ idOrSlug: post.id });
    await bench.drain();
    const [picture] = await pictures();
    assert.is(await pictureOf(`/blog/${post.slug}`), `${publicUrl}/media/${picture?.assetId}`);
    const cover = await asset();
    await api().blog.update({ idOrSlug: post.id, coverAssetId: cover });
    await api().blog.publish({ idOrSlug: post.id });
    await bench.drain();
    assert.is(await pictureOf(`/blog/${post.slug}`), `${publicUrl}/media/${cover}`);
    assert.equal(await pictures(), []);
    const uses = await reading((handle) => useRows.findIn(handle, 'user_id', [post.id]));
    assert.equal(
      uses.map(({ asset_id: used }) => used),
      [cover],
    );
  });

  test('the picture of a deleted post is removed', async () => {
    const post = await api().blog.create({ title: 'A starter', body: 'Feed it twice a day.' });
    await api().blog.publish({ idOrSlug: post.id });
    await bench.drain();
    await api().blog.delete({ idOrSlug: post.id });
    assert.equal(await pictures(), []);
  });
});
