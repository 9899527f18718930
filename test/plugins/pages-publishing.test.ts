// time-limit: 240
// Pages: the version that visitors see, versions, assets and lists in use, deletion, the sandbox.
// full-run: slow
import * as assert from 'uvu/assert';
import { createFixtureKit } from '../../hosts/testing/fixture-kit.ts';
import { pageRows, versionRows } from '../../plugins/pages/tables.ts';
import { twoDatabases } from '../support/databases.ts';
import { withFilledPlaceholders } from '../support/fill-placeholders.ts';
import { brief, day, openPagesBench, type PagesBench, pageCalls, publicUrl } from '../support/pages-bench.ts';

await twoDatabases('published pages', (test, database) => {
  let bench: PagesBench;
  test.before.each(async () => {
    bench = await openPagesBench(database);
  });
  test.after.each(() => bench.close());

  const {
    call,
    create,
    read,
    full,
    patch,
    publish,
    balance,
    faultOf,
    codeOf,
    ready,
    services,
    reading,
    atSlug,
    asset,
  } = pageCalls(() => bench);

  test('a page whose Markdown links to a missing section cannot be published', async () => {
    const id = await ready();
    const text = 'See [the dates](#sec_gone).';
    await createFixtureKit(bench).write(async ({ trx }) => {
      const row = await pageRows.find(trx, id);
      const [hero, ...rest] = row?.sections ?? [];
      if (hero !== undefined) await pageRows.update(trx, id, { sections: [{ ...hero, text }, ...rest] });
    });
    const answer = await publish(id);
    assert.equal([...codeOf(answer), faultOf(answer)], [422, 'validation_failed', 'sections.0.text']);
    const sections = (await full(id)).map(({ id: kept }, index) =>
      index === 0 ? { id: kept, kind: 'hero', heading: 'Bread' } : { id: kept },
    );
    assert.is((await patch(id, { sections })).status, 200);
    assert.is((await publish(id)).status, 200);
  });

  test('only publishing changes what visitors see', async () => {
    const id = await ready({ slug: 'course' });
    assert.is(await atSlug('course'), undefined);
    const { body: published } = await publish(id);
    assert.equal(
      [published.status, published.version, published.draft, published.url],
      ['published', 1, false, `${publicUrl}/p/${bench.workspaceId}/p/course`],
    );
    assert.equal((await publish('course')).body.version, 1, 'without a change the version stays the same');
    assert.equal((await bench.events('page.published')).length, 1);
    const titleAt = async (slug: string) => {
      const page = await atSlug(slug);
      return page !== undefined && 'view' in page ? page.view.content.title : page?.movedTo;
    };
    assert.is(await titleAt('course'), 'Our sourdough course');
    const changedPage = (await patch(id, { title: 'Baking for all', metadata: { noindex: true } })).body;
    assert.equal([changedPage.draft, changedPage.version, changedPage.metadata.noindex], [true, 1, true]);
    assert.is(await titleAt('course'), 'Our sourdough course');
    assert.is((await patch(id, { title: 'Our sourdough course', metadata: { noindex: false } })).body.draft, false);
    await patch(id, { title: 'Baking for all', slug: 'baking' });
    assert.is(await titleAt('course'), 'Our sourdough course', 'the address is published, too');
    assert.is(await titleAt('baking'), undefined);
    assert.equal(
      codeOf(await call('', 'POST', { brief, slug: 'course' })),
      [409, 'slug_taken'],
      'visitors still see the page at its old address',
    );
    const second = (await publish(id)).body;
    assert.equal([second.version, second.slug], [2, 'baking']);
    assert.equal([await titleAt('baking'), await titleAt('course')], ['Baking for all', 'baking']);
    bench.advanceClock(401 * day);
    assert.is(await titleAt('course'), undefined);
    await bench.drain();
    assert.is((await create({ slug: 'course' })).slug, 'course');
  });

  test('an old slug can be reused and then shows the page that is published at it', async () => {
    const id = await ready({ slug: 'one' });
    await publish(id);
    await patch(id, { slug: 'two' });
    await publish(id);
    const otherPage = await ready({ slug: 'one' });
    const before = await atSlug('one');
    assert.equal(before, { movedTo: 'two' });
    await publish(otherPage);
    const page = await atSlug('one');
    assert.ok(page !== undefined && 'view' in page && page.view.page.id === otherPage);
    await call(`/${otherPage}`, 'DELETE');
    assert.is(await atSlug('one'), undefined);
  });

  test('republishing an older version creates a new version and keeps the working copy', async () => {
    const id = await ready({ slug: 'course' });
    await publish(id);
    for (const title of ['Second', 'Third']) {
      await patch(id, { title });
      await publish(id);
    }
    await patch(id, { title: 'Fourth', slug: 'later' });
    const back = (await publish(id, { version: 1 })).body;
    assert.equal([back.version, back.draft, back.title, back.slug], [4, true, 'Fourth', 'later']);
    const response = await atSlug('course');
    assert.ok(response !== undefined && 'view' in response && response.view.content.title === 'Our sourdough course');
    assert.is((await publish(id, { version: 4 })).body.version, 4, 'visitors already see this version');
    assert.equal(codeOf(await publish(id, { version: 9 })), [404, 'page_version_not_found']);
    const { data } = (await call(`/${id}/versions`, 'GET')).body;
    assert.equal(
      data.map(({ version, title, current }: Record<string, unknown>) => [version, title, current]),
      [
        [4, 'Our sourdough course', true],
        [3, 'Third', false],
        [2, 'Second', false],
        [1, 'Our sourdough course', false],
      ],
    );
    assert.is(data[0].contentHash, data[3].contentHash);
    const { data: page, next_cursor: cursor } = (await call(`/${id}/versions?limit=3`, 'GET')).body;
    assert.is(page.length, 3);
    assert.is((await call(`/${id}/versions?limit=3&cursor=${cursor}`, 'GET')).body.data[0].version, 1);
    assert.equal(codeOf(await call(`/${id}/versions`, 'GET', undefined, bench.testKey)), [404, 'page_not_found']);
  });

  test('a version that links to a missing section cannot be published again', async () => {
    const id = await ready();
    await publish(id);
    await createFixtureKit(bench).write(async ({ trx }) => {
      const version = await versionRows.findBy(trx, { page_id: id, version: 1 });
      if (version === undefined) throw new Error('The version is missing.');
      const sections = version.content.sections.filter(({ form }) => form === undefined);
      await versionRows.change(trx, version, { content: { ...version.content, sections } });
    });
    await patch(id, { title: 'Second' });
    await publish(id);
    const answer = await publish(id, { version: 1 });
    assert.equal([...codeOf(answer), faultOf(answer)], [422, 'validation_failed', 'sections.0.cta.href']);
    assert.is((await read(id)).version, 2);
  });

  test('only the last 50 versions are kept', async () => {
    const id = await ready();
    for (let number = 1; number <= 52; number += 1) {
      await patch(id, { title: `Title ${number}` });
      await publish(id);
    }
    const { data } = (await call(`/${id}/versions?limit=100`, 'GET')).body;
    assert.equal([data.length, data[0].version, data[49].version], [50, 52, 3]);
    assert.equal(codeOf(await publish(id, { version: 2 })), [404, 'page_version_not_found']);
  });

  test('other plugins can list the pages published in a period', async () => {
    const [first, second] = [await ready({ slug: 'first' }), await ready({ slug: 'second' })];
    const from = bench.now();
    await publish(second);
    bench.advanceClock(1_000);
    await publish(first);
    const between = (start: number, end: number) =>
      reading((handle) => services().pages.publishedBetween(handle, { from: start, until: end, limit: 9 }));
    const slugsOf = (pageList: readonly { slug: string }[]) => pageList.map(({ slug }) => slug);
    assert.equal(slugsOf(await between(from, from + 2_000)), ['second', 'first']);
    assert.equal(slugsOf(await between(from + 1, from + 2_000)), ['first']);
    await call(`/${first}/unpublish`, 'POST');
    assert.equal(await between(from + 1, from + 2_000), []);
  });

  test('unpublishing hides a page, a second unpublishing has no effect, and publishing shows the page again', async () => {
    const id = await ready({ slug: 'course' });
    await publish(id);
    const off = (await call(`/${id}/unpublish`, 'POST')).body;
    assert.equal([off.status, off.version, off.url, off.draft], ['unpublished', 1, null, false]);
    assert.is(await atSlug('course'), undefined);
    assert.is((await call(`/${id}/unpublish`, 'POST')).status, 200);
    assert.is((await bench.events('page.unpublished')).length, 1);
    const republished = (await publish(id)).body;
    assert.equal([republished.status, republished.version], ['published', 1]);
    assert.is((await bench.events('page.published')).length, 2);
  });

  test('assets of a published page are public and cannot be deleted until the page no longer shows them', async () => {
    const id = await ready();
    const assetId = await asset();
    const remove = () => bench.request(`/v1/assets/${assetId}`, { method: 'DELETE' });
    const unknown = await patch(id, {
      sections: [{ kind: 'hero', heading: 'Bread', imageAssetId: 'asset_01ARZ3NDEKTSV4RRFFQ69G5FAV' }],
    });
    assert.is(faultOf(unknown), 'sections.0.imageAssetId');
    await patch(id, { sections: [{ kind: 'hero', heading: 'Bread', imageAssetId: assetId }] });
    await publish(id);
    assert.equal(codeOf(await remove()), [409, 'asset_in_use']);
    assert.is((await bench.request(`/media/${assetId}`, { key: '' })).status, 200);
    await call(`/${id}/unpublish`, 'POST');
    assert.is((await bench.request(`/media/${assetId}`, { key: '' })).status, 404);
    await publish(id);
    await patch(id, { sections: [{ kind: 'hero', heading: 'Bread' }] });
    assert.equal(codeOf(await remove()), [409, 'asset_in_use'], 'visitors can still see the asset');
    await publish(id);
    assert.is((await remove()).status, 200);
    assert.equal(codeOf(await publish(id, { version: 1 })), [404, 'asset_not_found']);
  });

  test('a list that a published form names cannot be deleted', async () => {
    const { lists } = bench.service.as(bench.workspaceId);
    const { listId } = await lists.create({ name: 'News' });
    const id = await ready({ slug: 'course' });
    const form = { formId: 'news', fields: [{ name: 'email', type: 'email', label: 'Email' }], listId };
    await patch(id, { sections: [{ kind: 'newsletter', form }] });
    await publish(id);
    const refusal = await bench.request(`/v1/lists/${listId}`, { method: 'DELETE' });
    assert.equal(codeOf(refusal), [409, 'list_in_use']);
    assert.match(refusal.body.error.message, 'page course');
    await call(`/${id}/unpublish`, 'POST');
    assert.is((await bench.request(`/v1/lists/${listId}`, { method: 'DELETE' })).status, 200);
    const unknown = await patch(id, { sections: [{ kind: 'newsletter', form }] });
    assert.is(faultOf(unknown), 'sections.0.form.listId');
  });

  test('deleting a published page needs the publish scope, and a second deletion gets 404', async () => {
    const id = await ready({ slug: 'course' });
    await publish(id);
    const writer = await bench.keyWith(['pages:write']);
    assert.equal(codeOf(await call(`/${id}`, 'DELETE', undefined, writer)), [403, 'insufficient_scope']);
    const { id: draft } = await create();
    const before = await balance();
    assert.equal((await call(`/${draft}`, 'DELETE', undefined, writer)).body, { id: draft, deleted: true });
    assert.is(await balance(), before + 20, 'a build that ends with the deletion of its page costs nothing');
    await bench.drain();
    assert.equal((await call('/course', 'DELETE')).body, { id, deleted: true });
    assert.equal(codeOf(await call(`/${id}`, 'DELETE')), [404, 'page_not_found']);
    assert.is(await atSlug('course'), undefined);
    assert.is((await bench.events('page.unpublished')).length, 1);
    assert.is((await create({ slug: 'course' })).slug, 'course');
  });

  test('sandbox pages can be published on their side, but are never public', async () => {
    const { id } = await create({ slug: 'tried' }, bench.testKey);
    await bench.drain();
    const { title, sections } = withFilledPlaceholders(
      (await call(`/${id}?sections=full`, 'GET', undefined, bench.testKey)).body,
    );
    await call(`/${id}`, 'PATCH', { title, sections }, bench.testKey);
    const { body } = await publish(id, {}, bench.testKey);
    assert.equal([body.status, body.sandbox, body.url], ['published', true, null]);
    assert.match(body.previewUrl, `${publicUrl}/p/${bench.workspaceId}/p/preview/`);
    assert.is(await atSlug('tried'), undefined);
    assert.equal(codeOf(await call(`/${id}`, 'GET')), [404, 'page_not_found']);
  });

  test('erasing a person removes their address from pages', async () => {
    const id = await ready({ headlineAngle: 'Ask ada@example.com' });
    await patch(id, { sections: [{ kind: 'richtext', text: 'Write to Ada@Example.com.' }] });
    await publish(id);
    await bench.service.personalData.erase(bench.workspaceId, { email: 'ada@example.com' });
    await bench.drain();
    const allTexts = JSON.stringify([await full(id), await read(id), (await call(`/${id}/versions`, 'GET')).body]);
    assert.ok(!/ada@example/i.test(allTexts), allTexts);
    const page = await atSlug((await read(id)).slug);
    assert.ok(page !== undefined && !/ada@example/i.test(JSON.stringify(page)));
  });
});
