// The pages of landing pages in the console: who sees them, their contents, and their actions.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ConsoleBench, openConsoleBench } from '../support/console-bench.ts';
import { missingTexts } from '../support/fill-placeholders.ts';
import { form, signedTimeIn } from '../support/list-bench.ts';
import { email, name } from '../support/page-forms-bench.ts';
import { visit } from '../support/tracked-mail.ts';

const test = suite<{ bench: ConsoleBench }>('the pages of landing pages');

test.before.each(async (context) => {
  context.bench = await openConsoleBench();
  await context.bench.calls.brand.create({ name: 'Bakery' });
});
test.after.each(({ bench }) => bench.close());

const hostile = '<b>Bake</b> & "more"';
const escaped = '&lt;b&gt;Bake&lt;/b&gt; &amp; &quot;more&quot;';

/** Builds a page with hostile texts and a form. Returns its id. */
async function buildPage({ calls, drain }: ConsoleBench, slug: string): Promise<string> {
  const { id } = await calls.pages.create({ brief: 'A page for our course.', slug, length: 'short' });
  await drain();
  await calls.pages.update({
    idOrSlug: id,
    title: hostile,
    metadata: { description: hostile },
    sections: [
      {
        kind: 'lead_form',
        heading: hostile,
        form: { formId: 'signup', fields: [{ ...email }, { ...name }], consentText: hostile },
      },
    ],
  });
  return id;
}

/** Sends the form as a visitor. */
async function send(bench: ConsoleBench, slug: string, fields: Readonly<Record<string, string>>) {
  const path = `/p/${bench.workspaceId}/p/${slug}/forms/signup`;
  const at = signedTimeIn((await visit(bench, path, form({}))).text);
  bench.advanceClock(3_000);
  assert.is((await visit(bench, path, form({ ...fields, shown_at: at }))).status, 303);
}

test('a page is built from a brief, is shown in each state, and can be found by its state', async ({ bench }) => {
  assert.match((await bench.page('/pages')).text, 'A landing page is built from a brief');
  const creation = await bench.post('/pages', {
    action: 'create',
    key: 'k1',
    brief: 'A page for our sourdough course.',
    slug: 'course',
  });
  assert.is(creation.status, 303);
  const [page] = (await bench.calls.pages.list()).data;
  assert.match(creation.headers['Location'] ?? '', `pages/${page?.id}`);
  const building = await bench.page(`/pages/${page?.id}`);
  assert.match(building.text, 'The page is being built.');
  assert.is(building.headers['Refresh'], '5');
  assert.not.match(building.text, 'value="publish"');
  await bench.drain();
  const { text, headers } = await bench.page('/pages/course');
  assert.match(text, 'Nobody sees the page yet: it is a draft.');
  assert.is(headers['Refresh'], undefined);
  const missing = missingTexts(text);
  assert.ok(missing.length > 3, 'a brief of one sentence leaves placeholders');
  const refusal = await bench.post('/pages/course', { action: 'publish', key: 'early' });
  assert.is(refusal.status, 422);
  assert.match(refusal.text, 'Nothing was changed.');
  const words = Object.fromEntries(missing.map((name) => [name, 'Bread with a crust.']));
  assert.is((await bench.post('/pages/course', { action: 'write', key: 'words', ...words })).status, 303);
  assert.equal(missingTexts((await bench.page('/pages/course')).text), []);
  assert.match((await bench.page('/pages?status=draft&build=ready')).text, `pages/${page?.id}?side=live`);
  assert.match((await bench.page('/pages?status=published')).text, 'No page matches these filters.');
  assert.match((await bench.page('/pages?side=sandbox')).text, 'A landing page is built from a brief');
  assert.is((await bench.post('/pages/course', { action: 'publish', key: 'now' })).status, 303);
  assert.match((await visit(bench, `/p/${bench.workspaceId}/p/course`)).text, 'Bread with a crust.');
});

test('a page can be published, changed, rolled back, taken offline and deleted, and the audit names the person each time', async ({
  bench,
}) => {
  const id = await buildPage(bench, 'course');
  const path = `/pages/${id}`;
  const act = async (action: string, fields: Readonly<Record<string, string>> = {}) =>
    bench.post(path, { action, key: `key-${action}`, ...fields });
  assert.is((await act('publish')).status, 303);
  assert.match((await bench.page(path)).text, 'Visitors see version 1.');
  await bench.calls.pages.update({ idOrSlug: id, title: 'Second' });
  const pageText = (await bench.page(path)).text;
  assert.match(pageText, 'The working copy differs from it.');
  assert.not.match(pageText, 'value="rollBack"');
  await bench.calls.pages.publish({ idOrSlug: id });
  assert.match((await bench.page(path)).text, /name="action" value="rollBack">.*name="version" value="1"/);
  assert.is((await act('rollBack', { version: '1' })).status, 303);
  const { version, status } = await bench.calls.pages.read({ idOrSlug: id });
  assert.equal([version, status], [3, 'published']);
  const refusal = await bench.post(path, { action: 'rollBack', key: 'k9', version: '77' });
  assert.equal([refusal.status, refusal.text.includes('Nothing was changed.')], [422, true]);
  assert.is((await act('unpublish')).status, 303);
  assert.match((await bench.page(path)).text, 'Visitors see nothing: the page is offline.');
  assert.is((await act('compose', { brief: 'A page for our second course.' })).status, 303);
  assert.match((await bench.page(path)).text, /Building[\s\S]*<dt>Progress<\/dt>/);
  await bench.drain();
  assert.match((await act('delete')).text, 'The page was deleted.');
  assert.is((await bench.page(path)).status, 404);
  const { data } = await bench.calls.audit.list({ action: 'page.*' });
  const byPerson = data.filter(({ actor }) => actor.user === 'u_sue').map(({ action }) => action);
  assert.equal(byPerson, ['page.delete', 'page.compose', 'page.unpublish', 'page.publish', 'page.publish']);
});

test('a person who may not publish asks for an approval, and then the page links to the request', async ({ bench }) => {
  const id = await buildPage(bench, 'course');
  bench.signIn.present = bench.member(['pages:read', 'approvals:submit', 'approvals:read']);
  const { text } = await bench.page(`/pages/${id}`);
  assert.not.match(text, /value="(publish|unpublish|compose|delete)"/);
  const request = await bench.post(`/pages/${id}`, { action: 'ask', key: 'k', note: 'Please.' });
  assert.is(request.status, 303);
  const { approval } = await bench.calls.pages.read({ idOrSlug: id });
  const waiting = (await bench.page(`/pages/${id}`)).text;
  assert.match(waiting, `approvals/${approval?.requestId}?side=live">Waits for a decision`);
  assert.not.match(waiting, 'value="ask"');
  assert.is((await bench.post(`/pages/${id}`, { action: 'publish', key: 'k2' })).status, 422);
});

test('submissions of visitors are listed, trapped forms are marked, and confirmed people have a link to their contact', async ({
  bench,
}) => {
  const id = await buildPage(bench, 'course');
  await bench.calls.pages.publish({ idOrSlug: id });
  const path = `/pages/${id}/submissions`;
  assert.match((await bench.page(path)).text, 'Nobody has sent a form of this page yet.');
  await send(bench, 'course', { email: 'bea@example.com', name: hostile });
  await send(bench, 'course', { email: 'cy@example.com', name: 'Cy', more_details: 'Acme' });
  const { text } = await bench.page(path);
  assert.match(text, /bea@example\.com[\s\S]*Not confirmed/);
  assert.match(text, /cy@example\.com[\s\S]*?pill bad">Trapped/);
  assert.match(text, `<dt>name</dt><dd dir="auto">${escaped}</dd>`);
  assert.match(text, `Agreed to: ${escaped}`);
  const trappedPage = (await bench.page(`${path}?status=trapped`)).text;
  assert.equal([trappedPage.includes('cy@example.com'), trappedPage.includes('bea@example.com')], [true, false]);
  assert.match((await bench.page(`${path}?form=other`)).text, 'No submission matches these filters.');
  bench.signIn.present = bench.member(['pages:read']);
  assert.is((await bench.page(path)).status, 403);
  assert.not.match((await bench.page(`/pages/${id}`)).text, '/submissions');
});

test('texts of visitors are escaped', async ({ bench }) => {
  const id = await buildPage(bench, 'course');
  await bench.calls.pages.publish({ idOrSlug: id });
  for (const path of ['/pages', `/pages/${id}`, `/pages/${id}/submissions`]) {
    const { text } = await bench.page(path);
    assert.equal([text.includes(escaped), text.includes(hostile)], [true, false], path);
  }
});

test('without the scope there is no page, and pages of another workspace are not found', async ({ bench }) => {
  const foreign = bench.service.as(bench.foreignWorkspaceId);
  await foreign.brand.create({ name: 'Theirs' });
  const { id } = await foreign.pages.create({ brief: 'Theirs.', slug: 'theirs' });
  for (const path of [`/pages/${id}`, '/pages/theirs', `/pages/${id}/submissions`])
    assert.is((await bench.page(path)).status, 404, path);
  for (const action of ['publish', 'unpublish', 'compose', 'delete', 'ask'])
    assert.is((await bench.post(`/pages/${id}`, { action, key: action, brief: 'Mine.' })).status, 404, action);
  bench.signIn.present = bench.member(['contacts:read']);
  for (const path of ['/pages', `/pages/${id}`]) assert.is((await bench.page(path)).status, 403, path);
});

test('a person compares two versions of a page, and can roll back to one of them', async ({ bench }) => {
  const { calls } = bench;
  const id = await buildPage(bench, 'course');
  const path = `/pages/${id}/versions`;
  assert.match((await bench.page(path)).text, 'No version was published yet.');
  await calls.pages.publish({ idOrSlug: id });
  await calls.pages.update({ idOrSlug: id, title: 'Second', metadata: { language: 'ar' } });
  const working = (await bench.page(path)).text;
  assert.match(working, 'From version 1 to working copy');
  assert.match(working, '<h3 dir="auto">Title</h3>');
  assert.match(working, '<ins>Second</ins>');
  assert.match(working, /Language<\/h3><pre dir="auto">(?:<del>en<\/del>)?<ins>ar<\/ins>/);
  assert.not.match(working, hostile);
  assert.not.match(working, 'Section: ');
  assert.is((await bench.post(`/pages/${id}`, { action: 'publish', key: 'k1' })).status, 303);
  const [section] = (await calls.pages.read({ idOrSlug: id, sections: 'full' })).sections;
  await calls.pages.update({ idOrSlug: id, sections: [{ ...section, heading: hostile, text: 'Bread.' }] as never });
  await calls.pages.publish({ idOrSlug: id });
  const published = (await bench.page(path)).text;
  assert.match(published, 'From version 2 to version 3');
  assert.match(published, `Section: ${escaped}`);
  assert.match(published, /<ins>\+ {3}&quot;text&quot;: &quot;Bread\.&quot;/);
  assert.match(published, 'u_sue');
  assert.match((await bench.page(`${path}?before=1&after=2`)).text, '<ins>Second</ins>');
  assert.is((await bench.page(`${path}?before=7&after=2`)).status, 404);
  assert.is((await bench.post(path, { action: 'rollBack', key: 'k2', version: '1' })).status, 303);
  const { version } = await calls.pages.read({ idOrSlug: id });
  assert.is(version, 4);
  assert.is((await calls.pages.read({ idOrSlug: id, version: 4 })).title, hostile);
  bench.signIn.present = bench.member(['pages:read']);
  assert.not.match((await bench.page(path)).text, 'method="post"');
  bench.signIn.present = bench.member(['templates:read']);
  assert.is((await bench.page(path)).status, 403);
});

test.run();
