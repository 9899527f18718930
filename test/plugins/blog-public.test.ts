// The public blog: the list, a post, the feed, previews, hidden posts, hostile Markdown.
// full-run: slow
import { parseRssFeed } from 'feedsmith';
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { visit } from '../support/tracked-mail.ts';

const host = 'blog.acme.example';

await twoDatabases('the public blog', (test, database) => {
  let bench: MailBench;
  test.before.each(async () => {
    bench = await openMailBench(database, { publicUrl: 'https://app.acme.example/hub' });
    await bench.service.as(bench.workspaceId).brand.create({ name: 'Acme' });
    await bench.service.workspaces.update(bench.workspaceId, { contentHost: host });
  });
  test.after.each(() => bench.close());

  const blog = () => bench.service.as(bench.workspaceId).blog;
  const get = (path: string, headers: Record<string, string> = {}) =>
    visit(bench, path, { headers: { host, ...headers } });
  async function post(title: string, body = 'Feed *it*.', more: object = {}) {
    const { id } = await blog().create({ title, body, ...more });
    return blog().publish({ idOrSlug: id });
  }

  test('a post is an article with its date, is cached for a minute, and gets 304 if it is unchanged', async () => {
    const { url } = await post('A starter', 'Feed **it**.\n\n| a | b |\n|---|---|\n| 1 | 2 |', { tags: ['bread'] });
    assert.is(url, `https://${host}/blog/a-starter`);
    const { status, text, headers } = await get('/blog/a-starter');
    assert.is(status, 200);
    for (const part of [
      '<html lang="en" dir="ltr">',
      '<h1>A starter</h1>',
      '<strong>it</strong>',
      '<table>',
      '<time datetime=',
      'og:type',
      '<li><a rel="tag" href="https://blog.acme.example/blog/tags/bread" dir="auto">bread</a></li>',
    ])
      assert.match(text, part);
    assert.is(headers['Cache-Control'], 'public, max-age=60');
    assert.is((await get('/blog/a-starter', { 'if-none-match': headers.ETag ?? '' })).status, 304);
  });

  test('the list has 20 posts on each page, and no page after the last', async () => {
    for (let count = 1; count <= 21; count += 1) await post(`Post ${count}`);
    const [first, second] = [await get('/blog'), await get('/blog?page=2')];
    assert.is(first.text.split('<article>').length - 1, 20);
    assert.is(second.text.split('<article>').length - 1, 1);
    assert.match(first.text, 'rel="next"');
    assert.match(second.text, 'rel="prev"');
    for (const page of ['3', '0', '-1', 'x', '99999999'])
      assert.is((await get(`/blog?page=${page}`)).status, 404, page);
  });

  test('the feed is RSS 2.0 with whole texts and absolute addresses', async () => {
    await post('A & B <starter>', 'Read [more](/p/course), or [this](#part).\n\n## Part\n\nText.');
    const { text, headers } = await get('/blog/feed.xml');
    assert.match(headers['Content-Type'] ?? '', 'application/rss+xml');
    const feed = parseRssFeed(text);
    const [item] = feed.items ?? [];
    assert.equal([item?.title, item?.link], ['A & B <starter>', `https://${host}/blog/a-b-starter`]);
    assert.match(item?.content?.encoded ?? '', `href="https://${host}/p/course"`);
    assert.ok(item?.pubDate !== undefined && item.guid?.value !== undefined);
  });

  test('an unknown post, a draft, an offline post and a sandbox post get the same answer', async () => {
    await blog().create({ title: 'Draft' });
    await post('Offline');
    await blog().unpublish({ idOrSlug: 'offline' });
    await bench.request('/v1/blog/posts', {
      key: bench.testKey,
      body: { title: 'Trial' },
      headers: { 'idempotency-key': 'trial' },
    });
    const answers = await Promise.all(
      ['unknown', 'draft', 'offline', 'trial'].map(async (slug) => {
        const { status, text } = await get(`/blog/${slug}`);
        return `${status} ${text}`;
      }),
    );
    assert.is(new Set(answers).size, 1);
    assert.match(answers[0] ?? '', /^404 /);
    assert.is((await get('/blog')).text.includes('Draft'), false);
  });

  test('an old slug redirects to the new one, and the sitemap has the list and the posts', async () => {
    const { id } = await post('Old name');
    await blog().update({ idOrSlug: id, slug: 'new-name' });
    await blog().publish({ idOrSlug: id });
    const redirect = await get('/blog/old-name');
    assert.equal([redirect.status, redirect.headers.Location], [301, `https://${host}/blog/new-name`]);
    const { text } = await get('/sitemap.xml');
    for (const path of ['/blog', '/blog/new-name']) assert.match(text, `<loc>https://${host}${path}</loc>`);
  });

  test('hostile Markdown stays text', async () => {
    const hostile = [
      '<script>alert(1)</script>',
      '[a](javascript:alert(1))',
      '![x](https://evil.example/x.png)',
      '[b](data:text/html,x)',
      '<img src=x onerror=alert(1)>',
      '"><svg onload=alert(1)>',
    ].join('\n\n');
    await post('Hostile', hostile, { excerpt: '"><script>', tags: ['"><b>'] });
    for (const path of ['/blog/hostile', '/blog']) {
      const { text, headers } = await get(path);
      assert.not.match(text, /<script|javascript:|evil\.example|<img src=x|<svg|data:text/);
      assert.not.match(headers['Content-Security-Policy'] ?? '', /unsafe|script-src/);
    }
  });

  test('a preview shows the working copy for a day, and is not cached', async () => {
    const { id } = await post('Public');
    await blog().update({ idOrSlug: id, body: 'Not yet public.' });
    const { previewUrl } = await blog().read({ idOrSlug: id });
    const path = new URL(previewUrl ?? '').pathname;
    const { text, headers } = await get(path);
    assert.match(text, 'Not yet public.');
    assert.equal([headers['Cache-Control'], headers['X-Robots-Tag']], ['no-store', 'noindex']);
    assert.not.match((await get('/blog/public')).text, 'Not yet public.');
    bench.advanceClock(25 * 3_600_000);
    assert.is((await get(path)).status, 404);
  });
});
