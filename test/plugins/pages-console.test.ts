// The pages of landing pages in the console: who sees them, what they show, and their actions.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ConsoleBench, openConsoleBench } from '../support/console-bench.ts';
import { form, signedTimeIn } from '../support/list-bench.ts';
import { email, name } from '../support/page-forms-bench.ts';
import { visit } from '../support/tracked-mail.ts';
import { missingTexts } from '../support/written.ts';

const test = suite<{ bench: ConsoleBench }>('the pages of landing pages');

test.before.each(async (context) => {
  context.bench = await openConsoleBench();
  await context.bench.calls.brand.create({ name: 'Bakery' });
});
test.after.each(({ bench }) => bench.close());

const hostile = '<b>Bake</b> & "more"';
const escaped = '&lt;b&gt;Bake&lt;/b&gt; &amp; &quot;more&quot;';

/** A page that is built, with hostile texts and a form. */
async function builtPage({ calls, drain }: ConsoleBench, slug: string): Promise<string> {
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

test('a page is built from a brief, shown in its states, and found by them', async ({ bench }) => {
  assert.match((await bench.page('/pages')).text, 'A landing page is built from a brief');
  const made = await bench.post('/pages', {
    action: 'create',
    key: 'k1',
    brief: 'A page for our sourdough course.',
    slug: 'course',
  });
  assert.is(made.status, 303);
  const [page] = (await bench.calls.pages.list()).data;
  const building = await bench.page(`/pages/${page?.id}`);
  assert.match(building.text, 'The page is being built.');
  assert.is(building.headers['Refresh'], '5');
  assert.not.match(building.text, 'value="publish"');
  await bench.drain();
  const { text, headers } = await bench.page('/pages/course');
  assert.match(text, 'Nobody sees the page yet: it is a draft.');
  assert.is(headers['Refresh'], undefined);
  const missing = missingTexts(text);
  assert.ok(missing.length > 3, 'a brief of one sentence leaves words to write');
  const early = await bench.post('/pages/course', { action: 'publish', key: 'early' });
  assert.is(early.status, 422);
  assert.match(early.text, 'Nothing was changed.');
  const words = Object.fromEntries(missing.map((name) => [name, 'Bread with a crust.']));
  assert.is((await bench.post('/pages/course', { action: 'write', key: 'words', ...words })).status, 303);
  assert.equal(missingTexts((await bench.page('/pages/course')).text), []);
  assert.match((await bench.page('/pages?status=draft&build=ready')).text, `pages/${page?.id}?side=live`);
  assert.match((await bench.page('/pages?status=published')).text, 'No page matches these filters.');
  assert.match((await bench.page('/pages?side=sandbox')).text, 'A landing page is built from a brief');
  assert.is((await bench.post('/pages/course', { action: 'publish', key: 'now' })).status, 303);
  assert.match((await visit(bench, `/p/${bench.workspaceId}/p/course`)).text, 'Bread with a crust.');
});

test('a page is published, changed, rolled back, taken offline and deleted, each time by the person', async ({
  bench,
}) => {
  const id = await builtPage(bench, 'course');
  const path = `/pages/${id}`;
  const act = async (action: string, fields: Readonly<Record<string, string>> = {}) =>
    bench.post(path, { action, key: `key-${action}`, ...fields });
  assert.is((await act('publish')).status, 303);
  assert.match((await bench.page(path)).text, 'Visitors see version 1.');
  await bench.calls.pages.update({ idOrSlug: id, title: 'Second' });
  const changed = (await bench.page(path)).text;
  assert.match(changed, 'The working copy differs from it.');
  assert.not.match(changed, 'value="rollBack"');
  await bench.calls.pages.publish({ idOrSlug: id });
  assert.match((await bench.page(path)).text, /name="action" value="rollBack">.*name="version" value="1"/);
  assert.is((await act('rollBack', { version: '1' })).status, 303);
  const { version, status } = await bench.calls.pages.read({ idOrSlug: id });
  assert.equal([version, status], [3, 'published']);
  const refused = await bench.post(path, { action: 'rollBack', key: 'k9', version: '77' });
  assert.equal([refused.status, refused.text.includes('Nothing was changed.')], [422, true]);
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

test('who may not publish asks for an approval, which the page then leads to', async ({ bench }) => {
  const id = await builtPage(bench, 'course');
  bench.signIn.present = bench.member(['pages:read', 'approvals:submit', 'approvals:read']);
  const { text } = await bench.page(`/pages/${id}`);
  assert.not.match(text, /value="(publish|unpublish|compose|delete)"/);
  const asked = await bench.post(`/pages/${id}`, { action: 'ask', key: 'k', note: 'Please.' });
  assert.is(asked.status, 303);
  const { approval } = await bench.calls.pages.read({ idOrSlug: id });
  const waiting = (await bench.page(`/pages/${id}`)).text;
  assert.match(waiting, `approvals/${approval?.requestId}?side=live">Waits for a decision`);
  assert.not.match(waiting, 'value="ask"');
  assert.is((await bench.post(`/pages/${id}`, { action: 'publish', key: 'k2' })).status, 422);
});

test('what visitors sent is listed, trapped forms are marked, and confirmed people lead to their contact', async ({
  bench,
}) => {
  const id = await builtPage(bench, 'course');
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
  const trapped = (await bench.page(`${path}?status=trapped`)).text;
  assert.equal([trapped.includes('cy@example.com'), trapped.includes('bea@example.com')], [true, false]);
  assert.match((await bench.page(`${path}?form=other`)).text, 'No submission matches these filters.');
  bench.signIn.present = bench.member(['pages:read']);
  assert.is((await bench.page(path)).status, 403);
  assert.not.match((await bench.page(`/pages/${id}`)).text, '/submissions');
});

test('texts of people are escaped', async ({ bench }) => {
  const id = await builtPage(bench, 'course');
  await bench.calls.pages.publish({ idOrSlug: id });
  for (const path of ['/pages', `/pages/${id}`, `/pages/${id}/submissions`]) {
    const { text } = await bench.page(path);
    assert.equal([text.includes(escaped), text.includes(hostile)], [true, false], path);
  }
});

test('without the scope there is no page, and pages of another workspace do not exist', async ({ bench }) => {
  const other = bench.service.as(bench.foreignWorkspaceId);
  await other.brand.create({ name: 'Theirs' });
  const { id } = await other.pages.create({ brief: 'Theirs.', slug: 'theirs' });
  for (const path of [`/pages/${id}`, '/pages/theirs', `/pages/${id}/submissions`])
    assert.is((await bench.page(path)).status, 404, path);
  for (const action of ['publish', 'unpublish', 'compose', 'delete', 'ask'])
    assert.is((await bench.post(`/pages/${id}`, { action, key: action, brief: 'Mine.' })).status, 404, action);
  bench.signIn.present = bench.member(['contacts:read']);
  for (const path of ['/pages', `/pages/${id}`]) assert.is((await bench.page(path)).status, 403, path);
});

test.run();
