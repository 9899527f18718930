// Texts that become pages, posts, feeds and PDFs: a text that is too complex is refused, the error names its path, and the output stays
// small. Also titles, names and slugs in many scripts.
// full-run: slow
import { parseRssFeed } from 'feedsmith';
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { writePage } from '../support/fill-placeholders.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { pathologicalTexts } from '../support/pathological-markdown.ts';
import { visit } from '../support/tracked-mail.ts';

const host = 'site.acme.example';
const table = `${'|a'.repeat(2_400)}|\n${'|-'.repeat(2_400)}|\n${'a\n'.repeat(2_600)}`.slice(0, 19_602);

await twoDatabases('rendered texts', (test, database) => {
  let bench: MailBench;
  test.before.each(async () => {
    bench = await openMailBench(database, { publicUrl: 'https://app.acme.example' });
    await bench.service.workspaces.update(bench.workspaceId, { contentHost: host });
  });
  test.after.each(() => bench.close());
  let calls = 0;
  const call = (path: string, method: string, body: object) => {
    calls += 1;
    return bench.request(path, { method, body, headers: { 'idempotency-key': `given-${calls}` } });
  };
  const program = () => bench.service.as(bench.workspaceId);
  const get = (path: string) => visit(bench, path, { headers: { host } });
  const faultOf = ({
    status,
    body,
  }: {
    status: number;
    body: { error: { details?: { path: string; code: string }[] } };
  }) => [status, body.error.details?.[0]?.path, body.error.details?.[0]?.code];
  async function builtPage(name = 'Acme', brief = 'A page for our course.'): Promise<string> {
    if ((await program().brand.list({})).data.length === 0) await program().brand.create({ name });
    const { id } = await program().pages.create({ brief, length: 'short' });
    await bench.drain();
    assert.is((await program().pages.read({ idOrSlug: id })).composeStatus, 'ready');
    return id;
  }

  test('a table that would become megabytes is refused in each text of a page, a post and a chapter, and the error names its path', async () => {
    const id = await builtPage();
    const fields = [{ name: 'message', type: 'text', label: 'Message' }];
    // Short texts have a lower limit.
    const small = table.slice(0, 1_990);
    for (const [section, path, code] of [
      [{ kind: 'richtext', text: table }, 'sections.0.text', 'too_complex'],
      [{ kind: 'richtext', heading: 'x', text: `${'> '.repeat(900)}a` }, 'sections.0.text', 'too_complex'],
      [
        { kind: 'faq', items: [{ title: 'x', text: `${'> '.repeat(900)}a` }] },
        'sections.0.items.0.text',
        'too_complex',
      ],
      [
        { kind: 'contact', form: { formId: 'f', fields, thanks: `${'> '.repeat(900)}a` } },
        'sections.0.form.thanks',
        'too_complex',
      ],
      [{ kind: 'richtext', text: '# a\n'.repeat(5_000) }, 'sections', 'too_big'],
    ] as const)
      assert.equal(faultOf(await call(`/v1/pages/${id}`, 'PATCH', { sections: [section] })), [422, path, code]);
    assert.is((await call(`/v1/pages/${id}`, 'PATCH', { sections: [{ kind: 'richtext', text: small }] })).status, 200);
    assert.equal(faultOf(await call('/v1/blog/posts', 'POST', { title: 'x', body: table })), [
      422,
      'body',
      'too_complex',
    ]);
    const chapters = [{ heading: 'One' }, { heading: 'Two', text: table }];
    assert.equal(faultOf(await call('/v1/lead-magnets', 'POST', { title: 'x', chapters })), [
      ...[422, 'chapters.1.text', 'too_complex'],
    ]);
  });

  test('the output of a page stays small with any pathological text', async () => {
    const id = await builtPage();
    await writePage(program(), id);
    const { url } = await program().pages.publish({ idOrSlug: id });
    for (const [name, text] of pathologicalTexts(2_000)) {
      const answer = await call(`/v1/pages/${id}`, 'PATCH', {
        sections: [{ kind: 'richtext', text: `${text}\n\nEnd` }],
      });
      assert.ok([200, 422].includes(answer.status), `${name}: ${JSON.stringify(answer.body).slice(0, 200)}`);
      if (answer.status === 422) continue;
      await program().pages.publish({ idOrSlug: id });
      const page = await get(new URL(url ?? '').pathname);
      assert.is(page.status, 200, name);
      assert.ok(page.text.length < 100_000, `${name}: ${page.text.length}`);
    }
  });

  test('headings in texts are one level below the headings of their sections', async () => {
    const id = await builtPage();
    const sections = [
      { kind: 'hero', heading: 'First' },
      { kind: 'richtext', heading: 'With', text: '### Inner\n\n#### Deeper' },
      { kind: 'richtext', text: '### Alone' },
      { kind: 'features', heading: 'Points', items: [{ title: 'One', text: '# Of one' }] },
    ];
    assert.is((await call(`/v1/pages/${id}`, 'PATCH', { sections })).status, 200);
    const { url } = await program().pages.publish({ idOrSlug: id });
    const { text } = await get(new URL(url ?? '').pathname);
    const levels = [...text.matchAll(/<h(\d)[^>]*>([^<]*)</g)].map(([, level, words]) => `${level} ${words}`);
    assert.equal(levels, ['1 First', '2 With', '3 Inner', '4 Deeper', '2 Alone', '2 Points', '3 One', '4 Of one']);
  });

  test('a brand name may have 200 characters, and a page from a Japanese brief has the quoted name and the price', async () => {
    const id = await builtPage(
      '株式会社'.repeat(50),
      'パン教室「夜のパン」のページを作ってください。料金は12,000円です。温かく、素朴に。',
    );
    const { title, slug, metadata, sections } = await program().pages.read({ idOrSlug: id, sections: 'full' });
    assert.equal([title, slug, metadata.language], ['夜のパン', '夜のパン', 'ja']);
    assert.match(JSON.stringify(sections), '12,000円');
    assert.not.match(JSON.stringify(sections), /ページを作って|素朴に/);
  });

  test('slugs may have letters and digits of all scripts, are percent-encoded in URLs, and redirect after a change', async () => {
    await program().brand.create({ name: 'Acme' });
    for (const [title, slug] of [
      ['İyi günler, ılık ışık', 'iyi-gunler-ilik-isik'],
      ['日本語の見出し', '日本語の見出し'],
      ['مرحبا بالعالم', 'مرحبا-بالعالم'],
      ['ゼ'.normalize('NFD'), 'ゼ'],
      ['🙏🏽', 'post'],
    ] as const) {
      const { id } = await program().blog.create({ title, body: 'Text.' });
      const post = await program().blog.publish({ idOrSlug: id });
      assert.is(post.slug, slug);
      assert.is(post.url, `https://${host}/blog/${encodeURIComponent(slug)}`);
      for (const form of ['NFC', 'NFD'] as const)
        assert.is((await get(`/blog/${encodeURIComponent(slug.normalize(form))}`)).status, 200, `${slug} ${form}`);
      assert.is((await program().blog.read({ idOrSlug: slug })).id, id);
    }
    const [moved] = (await program().blog.list({ limit: 1 })).data;
    await program().blog.update({ idOrSlug: moved?.id ?? '', slug: '新しい-名前' });
    await program().blog.publish({ idOrSlug: moved?.id ?? '' });
    const old = await get('/blog/post');
    assert.equal(
      [old.status, old.headers['Location']],
      [301, `https://${host}/blog/${encodeURIComponent('新しい-名前')}`],
    );
    assert.match((await get('/sitemap.xml')).text, encodeURIComponent('新しい-名前'));
    for (const slug of ['Abc', 'a_b', '-a', 'a-', 'a b', '🙏', 'あ'.repeat(81), ''])
      assert.equal(
        faultOf(await call('/v1/blog/posts', 'POST', { title: 'x', slug })).slice(0, 2),
        [422, 'slug'],
        slug,
      );
    const id = await builtPage();
    await program().pages.update({ idOrSlug: id, slug: 'パン教室' });
    await writePage(program(), id);
    const page = await program().pages.publish({ idOrSlug: id });
    assert.is(page.url, `https://${host}/p/${encodeURIComponent('パン教室')}`);
    assert.is((await get(`/p/${encodeURIComponent('パン教室')}`)).status, 200);
  });

  test('the feed has a size limit, and its descriptions are HTML-escaped once', async () => {
    await program().brand.create({ name: 'Acme' });
    const long = 'Words & more <b>words</b>. '.repeat(3_500).slice(0, 95_000);
    for (let count = 1; count <= 7; count += 1) {
      const excerpt = count === 7 ? 'Use <b> & "quotes" 🙏🏽 ]]> now' : undefined;
      const { id } = await program().blog.create({ title: `Post ${count}`, body: long, excerpt });
      await program().blog.publish({ idOrSlug: id });
    }
    const { text } = await get('/blog/feed.xml');
    assert.ok(text.length < 700_000, String(text.length));
    const { items = [] } = parseRssFeed(text);
    assert.is(items.length, 7);
    assert.is(items[0]?.description, 'Use &lt;b&gt; &amp; &quot;quotes&quot; 🙏🏽 ]]&gt; now');
    assert.ok(items[0]?.content?.encoded !== undefined);
    assert.is(items.at(-1)?.content?.encoded, undefined, 'the feed has no room for the oldest posts');
  });

  test('a link inside a link has no unsafe target in posts, pages and feeds', async () => {
    const id = await builtPage();
    const text = '[our <javascript:alert(1)> story](https://ok.test) [a <ms-settings:x> b](https://ok.test)';
    const { id: post } = await program().blog.create({ title: 'Links', body: text });
    await program().blog.publish({ idOrSlug: post });
    assert.is((await call(`/v1/pages/${id}`, 'PATCH', { sections: [{ kind: 'richtext', text }] })).status, 200);
    await writePage(program(), id);
    const { url } = await program().pages.publish({ idOrSlug: id });
    for (const path of ['/blog/links', '/blog/feed.xml', new URL(url ?? '').pathname])
      assert.not.match((await get(path)).text, /href="(?:javascript|ms-settings)/, path);
  });
});
