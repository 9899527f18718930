// The parts of the public blog around the texts of posts: languages, pages of tags, the previous and the next post, related posts,
// the subscribe form, headings, and addresses in every script.
// full-run: slow
// time-limit: 240
import * as assert from 'uvu/assert';
import { blogPlugin } from '../../plugins/blog/index.ts';
import { tagSlug } from '../../plugins/blog/tags.ts';
import { twoDatabases } from '../support/databases.ts';
import { form, signedTimeIn } from '../support/list-bench.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { visit } from '../support/tracked-mail.ts';

const host = 'blog.acme.example';

await twoDatabases('the public blog around its posts', (test, database) => {
  let bench: MailBench;
  let listId: string | undefined;
  test.before.each(async () => {
    listId = undefined;
    const blogWithForm = blogPlugin({ subscribeList: () => listId });
    bench = await openMailBench(database, {
      publicUrl: 'https://app.acme.example/hub',
      plugins: bareStandardPlugins.map((plugin) => (plugin.id === 'blog' ? blogWithForm : plugin)),
    });
    await bench.service.as(bench.workspaceId).brand.create({ name: 'Acme' });
    await bench.service.workspaces.update(bench.workspaceId, { contentHost: host });
  });
  test.after.each(() => bench.close());

  const blog = () => bench.service.as(bench.workspaceId).blog;
  const get = (path: string, headers: Record<string, string> = {}) =>
    visit(bench, path, { headers: { host, ...headers } });
  const draft = async (title: string, more: object = {}) =>
    (await blog().create({ title, body: 'Feed *it*.', ...more })).id;
  /** Publishes a post one minute after the previous post. */
  async function post(title: string, more: object = {}) {
    bench.advanceClock(60_000);
    return blog().publish({ idOrSlug: await draft(title, more) });
  }
  const pathOf = (url: string | null): string => new URL(url ?? '').pathname;
  const titlesIn = (text: string): string[] =>
    [...text.matchAll(/<h2><a href="[^"]*">([^<]*)/g)].map(([, title = '']) => title);
  const relatedIn = (text: string): string[] => {
    const [section = ''] = /<section class="related">[\s\S]*?<\/section>/.exec(text) ?? [];
    return [...section.matchAll(/<li><a [^>]*>([^<]*)/g)].map(([, title = '']) => title);
  };
  const neighborIn = (text: string, rel: 'prev' | 'next'): string | undefined =>
    new RegExp(`<a rel="${rel}" [^>]*>([^<]*)`).exec(text)?.[1];

  test('a post without a language has the language of the blog; a post with a language has the words, dates and direction of that language', async () => {
    await post('Plain');
    const arabic = await post('خميرة', { language: 'ar', tags: ['خبز'] });
    const german = await post('Sauerteig', { language: 'de-at', tags: ['Brot'] });
    assert.equal([(await blog().read({ idOrSlug: 'plain' })).language, german.language], [null, 'de-AT']);
    const arabicPage = await get(pathOf(arabic.url));
    for (const part of [
      '<html lang="ar" dir="rtl">',
      '<article class="post" lang="ar" dir="rtl">',
      'المقال السابق',
      'aria-label="الوسوم"',
      `hreflang="en" lang="en" dir="ltr">Plain</a>`,
      `hreflang="de-AT" lang="de-AT" dir="ltr">Sauerteig</a>`,
    ])
      assert.match(arabicPage.text, part);
    const { text } = await get('/blog/sauerteig');
    assert.match(text, '<html lang="de-AT" dir="ltr">');
    const date = new Intl.DateTimeFormat('de-AT', { dateStyle: 'long', timeZone: 'UTC' });
    assert.match(text, date.format(Date.parse(german.publishedAt ?? '')));
    assert.match(text, 'Vorheriger Beitrag');
    const list = (await get('/blog')).text;
    assert.match(list, '<html lang="en" dir="ltr">');
    assert.match(list, '<article lang="ar" dir="rtl">');
    assert.match(list, '<article>');
    assert.match(list, '1 Min. Lesezeit');
    assert.match(list, '1 min read');
  });

  test('a new language changes the working copy, and null restores the language of the blog', async () => {
    const { id } = await post('Changed', { language: 'ja' });
    assert.is((await blog().update({ idOrSlug: id, language: 'fr' })).draft, true);
    assert.match((await get('/blog/changed')).text, 'lang="ja"');
    await blog().publish({ idOrSlug: id });
    assert.match((await get('/blog/changed')).text, '<html lang="fr"');
    assert.is((await blog().update({ idOrSlug: id, language: null })).language, null);
    await blog().publish({ idOrSlug: id });
    assert.match((await get('/blog/changed')).text, '<html lang="en"');
    const refused = await bench.request('/v1/blog/posts', {
      body: { title: 'x', language: 'not a language' },
      headers: { 'idempotency-key': 'language' },
    });
    assert.equal([refused.status, refused.body.error.code], [422, 'validation_failed']);
  });

  test('a post composed from a brief has the language of the brief, unless the call names a language', async () => {
    const brief = 'Ein Beitrag über unseren neuen Laden. Wir öffnen am 3. Mai und freuen uns auf Sie.';
    assert.is((await blog().create({ brief, title: 'Laden' })).language, 'de');
    assert.is((await blog().create({ brief, title: 'Laden', language: 'nl' })).language, 'nl');
  });

  test('each tag has a page with its own title and address, further pages, and an entry in the sitemap', async () => {
    for (let count = 1; count <= 21; count += 1) await post(`Loaf ${count}`, { tags: ['Rye Bread'] });
    await post('Other', { tags: ['wheat'] });
    const { text } = await get('/blog/loaf-1');
    assert.match(text, `<a rel="tag" href="https://${host}/blog/tags/rye-bread" dir="auto">Rye Bread</a>`);
    const [first, second] = [await get('/blog/tags/rye-bread'), await get('/blog/tags/rye-bread?page=2')];
    assert.match(first.text, '<h1><bdi>Tagged “<bdi>Rye Bread</bdi>”</bdi></h1>');
    assert.match(first.text, '<title>Tagged “Rye Bread” · Acme</title>');
    assert.match(first.text, `<link rel="canonical" href="https://${host}/blog/tags/rye-bread">`);
    assert.match(second.text, `<link rel="canonical" href="https://${host}/blog/tags/rye-bread?page=2">`);
    assert.equal([titlesIn(first.text).length, titlesIn(second.text)], [20, ['Loaf 1']]);
    assert.is(titlesIn(first.text)[0], 'Loaf 21');
    for (const path of ['rye-bread?page=3', 'rye-bread?page=0', 'none', '%F0%9F%8D%9E', 'rye%00bread', '%ff'])
      assert.ok([400, 404].includes((await get(`/blog/tags/${path}`)).status), path);
    for (const path of ['/blog/loaf%001', '/loaf%001']) assert.is((await get(path)).status, 404, path);
    const sitemap = (await get('/sitemap.xml')).text;
    for (const tag of ['rye-bread', 'wheat']) assert.match(sitemap, `<loc>https://${host}/blog/tags/${tag}</loc>`);
  });

  test('no tag stays after its last post, and an erased address leaves the tags of posts and their pages', async () => {
    const address = 'ada@people.example';
    const { id } = await post('Ada', { tags: [`Ask ${address}`, 'rye'] });
    await post('Only here', { tags: ['spelt'] });
    const rows = async (table: 'blog_tags' | 'blog_public_tags') =>
      (await bench.service.core.database()).read(bench.workspaceId, (handle) =>
        handle.onSide(false).db.selectFrom(table).selectAll().execute(),
      );
    const pageOf = (tag: string) => get(`/blog/tags/${encodeURIComponent(tagSlug(tag))}`);
    assert.is((await pageOf(`Ask ${address}`)).status, 200);
    await bench.service.personalData.erase(bench.workspaceId, { email: address });
    const { tags } = await blog().read({ idOrSlug: id });
    assert.equal([tags.length, tags[1]], [2, 'rye']);
    assert.not.match(JSON.stringify([tags, await rows('blog_tags')]), address);
    assert.is((await pageOf(`Ask ${address}`)).status, 404);
    assert.equal(titlesIn((await pageOf(tags[0] ?? '')).text), ['Ada']);
    const filtered = (await rows('blog_tags')).flatMap((row) => ('tag' in row ? [row.tag] : []));
    assert.ok(filtered.includes(tags[0] ?? ''), 'the filter knows the tag as the post has it');
    for (const { id: each } of (await blog().list({})).data) await blog().delete({ idOrSlug: each });
    assert.equal([await rows('blog_tags'), await rows('blog_public_tags')], [[], []]);
    assert.is((await pageOf('spelt')).status, 404);
  });

  test('tags in every script have an address, and tags that look alike share a page', async () => {
    const tags = ['日本語', 'خبز', 'Käse', 'C++', 'C#', '🍞', 'می‌خواهم', 'straße', 'ไทย', 'हिन्दी'];
    await post('Scripts', { tags });
    await post('Alike', { tags: ['KÄSE', 'ｃ＋＋', 'news\u202e'] });
    const { text } = await get('/blog/scripts');
    const urls = [...text.matchAll(/<a rel="tag" href="([^"]*)"/g)].map(([, url = '']) => url);
    assert.is(new Set(urls).size, tags.length, 'C++, C# and an emoji have pages of their own');
    const sitemap = (await get('/sitemap.xml')).text;
    for (const [index, url] of urls.entries()) {
      assert.match(url, /^[\x21-\x7e]+$/);
      const page = await get(pathOf(url));
      assert.is(page.status, 200, tags[index]);
      assert.match(page.text, `<link rel="canonical" href="${url}">`);
      assert.match(sitemap, `<loc>${url}</loc>`);
      // Some programs send a letter and its mark as two characters.
      const decomposed = encodeURI(decodeURI(pathOf(url)).normalize('NFD'));
      assert.is((await get(decomposed)).status, 200, `${tags[index]} with separate marks`);
    }
    assert.equal(titlesIn((await get(`/blog/tags/${encodeURIComponent('käse')}`)).text), ['Alike', 'Scripts']);
    assert.equal(titlesIn((await get(`/blog/tags/${tagSlug('C++')}`)).text), ['Alike', 'Scripts']);
    assert.equal(titlesIn((await get(`/blog/tags/${tagSlug('C#')}`)).text), ['Scripts']);
    assert.is(tagSlug('news'), tagSlug('news\u202e'));
    assert.is.not(tagSlug('schön'), tagSlug('schon'));
  });

  test('a post in any script has the same address in its route, canonical link, sitemap and feed', async () => {
    const feed = async () => (await get('/blog/feed.xml')).text;
    for (const [title, slug] of [
      ['サワードウの育て方', 'サワードウの育て方'],
      ['خميرة الخبز', 'خميرة-الخبز'],
      ['Größe und Maß', 'grosse-und-mass'],
      ['🍞🍞', 'post'],
      ['हिन्दी में', 'हिन्दी-में'],
    ] as const) {
      const { url, slug: made } = await post(title);
      assert.is(made, slug);
      assert.is(url, `https://${host}/blog/${encodeURIComponent(slug)}`);
      for (const form of ['NFC', 'NFD'] as const) {
        const { status, text } = await get(`/blog/${encodeURIComponent(slug.normalize(form))}`);
        assert.is(status, 200, `${title} ${form}`);
        assert.match(text, `<link rel="canonical" href="${url}">`);
      }
      assert.match((await get('/sitemap.xml')).text, `<loc>${url}</loc>`);
      assert.match(await feed(), `<link>${url}</link>`);
    }
  });

  test('a post leads to the posts published directly before and after it', async () => {
    for (const title of ['One', 'Two', 'Three']) await post(title);
    await draft('Never public');
    const around = async (slug: string) => {
      const { text } = await get(`/blog/${slug}`);
      return [neighborIn(text, 'prev'), neighborIn(text, 'next')];
    };
    assert.equal(await around('one'), [undefined, 'Two']);
    assert.equal(await around('two'), ['One', 'Three']);
    assert.equal(await around('three'), ['Two', undefined]);
    await blog().unpublish({ idOrSlug: 'two' });
    assert.equal(await around('one'), [undefined, 'Three']);
    assert.equal(await around('three'), ['One', undefined]);
  });

  test('posts of the same moment have a fixed order', async () => {
    const ids = await Promise.all(['A', 'B', 'C'].map((title) => draft(title)));
    for (const idOrSlug of ids) await blog().publish({ idOrSlug });
    const pages = await Promise.all(['a', 'b', 'c'].map(async (slug) => (await get(`/blog/${slug}`)).text));
    const pairs = pages.map((text) => [neighborIn(text, 'prev'), neighborIn(text, 'next')]);
    assert.is(pairs.filter(([previous]) => previous === undefined).length, 1);
    assert.is(pairs.filter(([, next]) => next === undefined).length, 1);
    assert.equal(new Set(pairs.flat()), new Set([undefined, 'A', 'B', 'C']));
  });

  test('related posts are posts with the same tags, then the newest posts, and never the post itself', async () => {
    await post('Both tags', { tags: ['rye', 'oven'] });
    await post('One tag', { tags: ['Rye'] });
    for (const title of ['Old', 'Newer', 'Newest']) await post(title);
    await post('Shown', { tags: ['rye', 'oven'] });
    assert.equal(relatedIn((await get('/blog/shown')).text), ['Both tags', 'One tag', 'Newest']);
    assert.equal(relatedIn((await get('/blog/newest')).text), ['Shown', 'Newer', 'Old']);
  });

  test('the blog never shows drafts, unpublished changes, offline, deleted or sandbox posts, or posts of other workspaces', async () => {
    await post('Shown', { tags: ['secret'] });
    const offline = await post('Offline post', { tags: ['secret'] });
    const deleted = await post('Deleted post', { tags: ['secret', 'gone'] });
    await draft('Draft post', { tags: ['secret', 'veiled'] });
    await blog().unpublish({ idOrSlug: offline.id });
    await blog().delete({ idOrSlug: deleted.id });
    await blog().update({ idOrSlug: 'shown', tags: ['secret', 'later'], title: 'Changed title', body: 'Changed text' });
    const trial = { title: 'Trial post', body: 'x', tags: ['secret', 'trial'], slug: 'trial' };
    const test = { key: bench.testKey, headers: { 'idempotency-key': 'trial' } };
    await bench.request('/v1/blog/posts', { ...test, body: trial });
    await bench.request('/v1/blog/posts/trial/publish', {
      ...{ key: bench.testKey, body: {}, headers: { 'idempotency-key': 'trial-2' } },
    });
    const other = await bench.service.workspaces.create({
      name: 'Other',
      defaultFrom: { email: 'a@b.example', name: 'B' },
    });
    const foreign = bench.service.as(other.id).blog;
    const { id } = await foreign.create({ title: 'Foreign post', body: 'x', tags: ['secret', 'foreign'] });
    await foreign.publish({ idOrSlug: id });
    for (const path of ['/blog', '/blog/shown', '/blog/tags/secret', '/blog/feed.xml', '/sitemap.xml']) {
      const { status, text } = await get(path);
      assert.is(status, 200, path);
      assert.not.match(text, /offline|deleted|draft|trial|foreign|veiled|gone|later|changed t/i, path);
    }
    for (const tag of ['gone', 'veiled', 'later', 'trial', 'foreign'])
      assert.is((await get(`/blog/tags/${tag}`)).status, 404, tag);
    await blog().publish({ idOrSlug: 'shown' });
    assert.equal(titlesIn((await get('/blog/tags/later')).text), ['Changed title']);
    await blog().unpublish({ idOrSlug: 'shown' });
    assert.is((await get('/blog/tags/later')).status, 404);
  });

  test('each page has one h1, and the headings of a text skip no level', async () => {
    await post('Levels', { body: '### A\n\n###### B\n\n# C\n\n#### D', tags: ['x'] });
    await post('After');
    for (const path of ['/blog', '/blog/levels', '/blog/tags/x']) {
      const levels = [...(await get(path)).text.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
      assert.is(levels.filter((level) => level === 1).length, 1, path);
      for (const [index, level] of levels.entries()) {
        const before = index === 0 ? 0 : (levels[index - 1] ?? 0);
        assert.ok(level <= before + 1, `${path}: ${levels.join(' ')}`);
      }
    }
  });

  test('a blog with a list has a subscribe form in the language of the post, and its subscribers confirm by mail', async () => {
    await post('Sauerteig', { language: 'de', tags: ['Brot'] });
    assert.not.match((await get('/blog/sauerteig')).text, '<form');
    const { lists } = bench.service.as(bench.workspaceId);
    const list = await lists.create({ name: 'News <b>', optin: 'double', visibility: 'public' });
    listId = list.listId;
    for (const [path, base] of [
      ['/blog', ''],
      ['/blog/sauerteig', '../'],
      ['/blog/tags/brot', '../../'],
    ] as const) {
      const { text, headers } = await get(path);
      const language = path === '/blog/sauerteig' ? 'de' : 'en';
      assert.match(text, `action="${base}lists/${listId}?language=${language}#fault"`);
      assert.match(headers['Content-Security-Policy'] ?? '', "form-action 'self'");
      const again = await get(path, { 'if-none-match': headers.ETag ?? '' });
      assert.is(again.status, 304, 'the page has the same bytes for some minutes');
    }
    const { text } = await get('/blog/sauerteig');
    assert.match(text, 'Per E-Mail abonnieren');
    assert.match(text, 'News &lt;b&gt;');
    const at = signedTimeIn(text);
    bench.advanceClock(3_000);
    const send = (fields: object) => {
      const { headers, ...request } = form({ shown_at: at, ...fields });
      const to = `/lists/${listId}?language=de`;
      return visit(bench, to, { ...request, headers: { ...headers, host, 'accept-language': 'fr' } });
    };
    const trapped = await send({ email: 'bot@example.org', more_details: 'buy' });
    const sent = await send({ email: 'Grace@Example.org' });
    for (const answer of [trapped, sent])
      assert.equal([answer.status, answer.headers['Location']], [303, '?sent&language=de']);
    assert.match((await send({ email: 'nobody' })).text, 'Das ist keine E-Mail-Adresse');
    await bench.drain();
    const mails = await bench.received();
    assert.equal(
      mails.map(({ to }) => to?.[0]?.address?.toLowerCase()),
      ['grace@example.org'],
    );
    assert.equal((await bench.request('/v1/contacts')).body.data, [], 'nobody is a contact before the confirmation');
  });

  test('the blog has no subscribe form if its list is private, deleted or of another workspace', async () => {
    await post('Shown');
    const other = await bench.service.workspaces.create({
      name: 'Other',
      defaultFrom: { email: 'a@b.example', name: 'B' },
    });
    const foreign = await bench.service.as(other.id).lists.create({ name: 'Foreign', visibility: 'public' });
    const hidden = await bench.service.as(bench.workspaceId).lists.create({ name: 'Hidden', visibility: 'private' });
    for (const id of [foreign.listId, hidden.listId, 'lst_01ARZ3NDEKTSV4RRFFQ69G5FAV', '"><script>']) {
      listId = id;
      const { status, text, headers } = await get('/blog/shown');
      assert.equal([status, text.includes('<form')], [200, false], id);
      assert.match(headers['Content-Security-Policy'] ?? '', "form-action 'none'");
    }
  });

  test('a preview has the language of the working copy, and no form', async () => {
    const { lists } = bench.service.as(bench.workspaceId);
    listId = (await lists.create({ name: 'News', visibility: 'public' })).listId;
    const { previewUrl } = await blog().create({ title: 'Entwurf', body: 'x', language: 'de' });
    const { text } = await get(pathOf(previewUrl));
    assert.match(text, '<html lang="de"');
    assert.not.match(text, '<form');
  });
});
