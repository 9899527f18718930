// The pages of short links in the console: who sees them, their contents, and archiving.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openLinksConsole } from '../support/links-console-bench.ts';
import { pageRequester } from '../support/page-requester.ts';

const test = suite<{ bench: Awaited<ReturnType<typeof openLinksConsole>> }>('the pages of links');

test.before(async (context) => {
  context.bench = await openLinksConsole();
});
test.after(({ bench }) => bench.close());

/** The pictures of a page as SVG. */
const picturesIn = (text: string): string[] =>
  [...text.matchAll(/src="data:image\/svg\+xml;base64,([^"]+)"/g)].map(([, picture = '']) =>
    Buffer.from(picture, 'base64').toString('utf8'),
  );

test('the list shows links with their clicks, and a part of a slug finds its link', async ({ bench }) => {
  const { text } = await bench.page('/links');
  assert.match(text, `links/${bench.link.linkId}?side=live">&lt;b&gt;Spring&lt;/b&gt; sale</a>`);
  assert.match(text, `links/${bench.plain.linkId}?side=live">try</a>`);
  const results = (await bench.page('/links?search=TRY')).text;
  assert.match(results, bench.plain.linkId);
  assert.not.match(results, bench.link.linkId);
  assert.match((await bench.page('/links?search=none')).text, 'No link matches these filters.');
  assert.match((await bench.page('/links?side=sandbox')).text, 'Create the first one through the API.');
});

test('a link has charts of its clicks, and tables with the same figures', async ({ bench }) => {
  const page = await bench.page(`/links/${bench.link.linkId}?days=7`);
  const { cards } = await bench.links.analytics({ linkId: bench.link.linkId, days: 7 });
  const rowsOf = (key: string) => cards.find(({ cardKey }) => cardKey === key)?.rows ?? [];
  const [byDay] = picturesIn(page.text);
  const total = rowsOf('timeseries').reduce((sum, { clicks }) => sum + clicks, 0);
  assert.ok(total > 0);
  assert.match(byDay ?? '', `${total} clicks in 7 days.`);
  for (const { value, clicks } of [...rowsOf('timeseries'), ...rowsOf('countries')])
    assert.match(page.text, new RegExp(`${value}</span>(?:</span>)?</td><td[^>]*><span>${clicks}</span>`));
  assert.match(page.text, /<h2>Countries<\/h2>[\s\S]*AT[\s\S]*<h2>Referrers<\/h2>[\s\S]*direct/);
  assert.match(page.text, 'source: newsletter, campaign: spring');
  assert.match(page.headers['Content-Security-Policy'] ?? '', "img-src 'self' data:");
  assert.match((await bench.page(`/links/${bench.plain.linkId}`)).text, 'Nobody followed the link in these days.');
  assert.is((await bench.page('/links/lnk_gone')).status, 404);
});

test('a person with the scope can archive a link, and then the list shows it only on request', async ({ bench }) => {
  const path = `/links/${bench.plain.linkId}`;
  bench.person.scopes = ['links:read'];
  assert.not.match((await bench.page(path)).text, 'value="archive"');
  assert.is((await bench.post(path, { action: 'archive', key: 'a' })).status, 422);
  bench.person.scopes = 'full';
  assert.match((await bench.page(path)).text, 'its slug stays taken');
  assert.is((await bench.post(path, { action: 'archive', key: 'b' })).status, 303);
  assert.is((await bench.links.read({ linkId: bench.plain.linkId })).status, 'archived');
  assert.not.match((await bench.page(path)).text, 'value="archive"');
  assert.not.match((await bench.page('/links')).text, bench.plain.linkId);
  assert.match((await bench.page('/links?archived=yes')).text, bench.plain.linkId);
});

test('without the scope there is no page, and the old address redirects to the new one', async ({ bench }) => {
  bench.person.scopes = ['workspace:read'];
  for (const path of ['/links', `/links/${bench.link.linkId}`]) assert.is((await bench.page(path)).status, 403, path);
  bench.person.scopes = 'full';
  const ask = pageRequester(bench.service, '/links-console');
  const pageOf = async (query: string) =>
    new URL((await ask(query)).headers['Location'] ?? '', 'http://localhost/links-console').searchParams.get('page');
  assert.is(await pageOf(''), 'links');
  assert.is(await pageOf(`?link=${bench.link.linkId}`), `links/${bench.link.linkId}`);
});

test.run();
