// Public pages: their URLs, caching, pages that visitors cannot see, and hostile texts.
// full-run: slow
import { parse } from 'parse5';
import * as assert from 'uvu/assert';
import { png } from '../support/asset-files.ts';
import { twoDatabases } from '../support/databases.ts';
import { writePage } from '../support/fill-placeholders.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { everySection } from '../support/page-sections.ts';
import { visit } from '../support/tracked-mail.ts';

const host = 'pages.acme.example';

await twoDatabases('public pages', (test, database) => {
  let bench: MailBench;
  test.before.each(async () => {
    bench = await openMailBench(database, { publicUrl: 'https://app.acme.example/hub' });
    await bench.service.as(bench.workspaceId).brand.create({ name: 'Acme' });
  });
  test.after.each(() => bench.close());

  const program = () => bench.service.as(bench.workspaceId);
  const onHost = (path: string, headers: Record<string, string> = {}) =>
    visit(bench, path, { headers: { host, ...headers } });
  const below = (path: string) => `/p/${bench.workspaceId}${path}`;

  async function publish(slug: string, sections?: readonly object[]): Promise<string> {
    const { pages } = program();
    const { id } = await pages.create({ brief: 'A page for our sourdough course.', slug, length: 'short' });
    await bench.drain();
    if (sections === undefined) await writePage(program(), id);
    else await pages.update({ idOrSlug: id, sections: sections as never });
    await pages.publish({ idOrSlug: id });
    return id;
  }

  test('without a content host a page is sandboxed and not indexed; with a content host its URL redirects there', async () => {
    await publish('course');
    const first = await visit(bench, below('/p/course'));
    assert.is(first.status, 200);
    assert.is(first.headers['X-Robots-Tag'], 'noindex');
    assert.match(first.headers['Content-Security-Policy'] ?? '', 'sandbox allow-forms');
    await bench.service.workspaces.update(bench.workspaceId, { contentHost: host });
    const redirect = await visit(bench, below('/p/course?a=1'));
    assert.equal([redirect.status, redirect.headers.Location], [301, `https://${host}/p/course?a=1`]);
    const hostedPage = await onHost('/p/course');
    assert.is(hostedPage.status, 200);
    assert.is(hostedPage.headers['X-Robots-Tag'], undefined);
    assert.match(hostedPage.text, `<link rel="canonical" href="https://${host}/p/course">`);
    assert.is((await program().pages.read({ idOrSlug: 'course' })).url, `https://${host}/p/course`);
  });

  test('browsers cache a page for a minute, and an unchanged page gets 304', async () => {
    await publish('course');
    const { headers } = await visit(bench, below('/p/course'));
    assert.is(headers['Cache-Control'], 'public, max-age=60');
    const unchanged = await visit(bench, below('/p/course'), { headers: { 'if-none-match': headers.ETag ?? '' } });
    assert.equal([unchanged.status, unchanged.text], [304, '']);
    await program().pages.update({ idOrSlug: 'course', title: 'Not yet public' });
    assert.not.match((await visit(bench, below('/p/course'))).text, 'Not yet public');
    await program().pages.publish({ idOrSlug: 'course' });
    assert.match((await visit(bench, below('/p/course'))).text, 'Not yet public');
  });

  test('unknown, draft, offline and sandbox pages get the same 404, and so do pages of other workspaces', async () => {
    await publish('offline');
    await program().pages.unpublish({ idOrSlug: 'offline' });
    await program().pages.create({ brief: 'Not public.', slug: 'draft' });
    await bench.request('/v1/pages', {
      key: bench.testKey,
      body: { brief: 'In the sandbox.', slug: 'trial' },
      headers: { 'idempotency-key': 'trial' },
    });
    await bench.drain();
    const answers = await Promise.all(
      ['unknown', 'offline', 'draft', 'trial'].map(async (slug) => (await visit(bench, below(`/p/${slug}`))).text),
    );
    assert.is(new Set(answers).size, 1);
    assert.is((await visit(bench, below('/p/unknown'))).status, 404);
    const otherWorkspace = await bench.service.workspaces.create({
      name: 'Other',
      defaultFrom: { email: 'a@example.com', name: 'Other' },
    });
    await publish('ours');
    assert.is((await visit(bench, `/p/${otherWorkspace.id}/p/ours`)).status, 404);
  });

  test('the old URL of a published page redirects to the new one and keeps the query', async () => {
    await publish('old');
    await program().pages.update({ idOrSlug: 'old', slug: 'new' });
    assert.is((await visit(bench, below('/p/old'))).status, 200, 'the new address is not valid before it is published');
    await program().pages.publish({ idOrSlug: 'new' });
    const redirect = await visit(bench, below('/p/old?utm_source=x'));
    assert.equal([redirect.status, redirect.headers.Location], [301, 'new?utm_source=x']);
  });

  test('a preview shows the working copy for a day, also of a sandbox page', async () => {
    const pathOf = (url: string | null) => new URL(url ?? '').pathname.replace(/^\/hub/, '');
    await publish('course');
    await program().pages.update({ idOrSlug: 'course', title: 'Not yet public' });
    const { previewUrl } = await program().pages.read({ idOrSlug: 'course' });
    const preview = await visit(bench, pathOf(previewUrl));
    assert.match(preview.text, 'Not yet public');
    assert.equal([preview.headers['Cache-Control'], preview.headers['X-Robots-Tag']], ['no-store', 'noindex']);
    const { body } = await bench.request('/v1/pages', {
      key: bench.testKey,
      body: { brief: 'In the sandbox.', slug: 'trial' },
      headers: { 'idempotency-key': 'trial' },
    });
    await bench.drain();
    assert.is((await visit(bench, pathOf(body.previewUrl))).status, 200);
    bench.advanceClock(25 * 3_600_000);
    assert.is((await visit(bench, pathOf(previewUrl))).status, 404, 'the preview has expired');
    assert.is((await visit(bench, `${pathOf(previewUrl)}x`)).status, 404, 'changed');
  });

  test('the sitemap lists indexable pages, but only on the content host', async () => {
    await publish('course');
    await publish('hidden');
    await program().pages.update({ idOrSlug: 'hidden', metadata: { noindex: true } });
    await program().pages.publish({ idOrSlug: 'hidden' });
    await bench.service.workspaces.update(bench.workspaceId, { contentHost: host });
    const { text, headers } = await onHost('/sitemap.xml');
    assert.match(headers['Content-Type'] ?? '', 'application/xml');
    assert.match(text, `<loc>https://${host}/p/course</loc>`);
    assert.not.match(text, 'hidden');
    assert.match((await onHost('/robots.txt')).text, `Sitemap: https://${host}/sitemap.xml`);
    assert.is((await visit(bench, '/sitemap.xml', { headers: { host: 'app.acme.example' } })).status, 404);
  });

  test('hostile texts stay plain text in every kind of section', async () => {
    const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>';
    const { assets } = program();
    const { assetId } = await assets.create({ name: 'a.png', alt: hostile, dataBase64: png().toString('base64') });
    const texts = (value: unknown, key = ''): unknown => {
      if (Array.isArray(value)) return value.map((one) => texts(one, key));
      if (typeof value === 'object' && value !== null)
        return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, texts(one, name)]));
      const free = [
        'heading',
        'text',
        'title',
        'value',
        'values',
        'columns',
        'label',
        'consentText',
        'thanks',
        'options',
      ];
      return free.includes(key) ? `${hostile}${String(value)}`.slice(0, 75) : value;
    };
    await publish('hostile', texts(everySection(assetId)) as object[]);
    await program().pages.update({ idOrSlug: 'hostile', title: hostile, metadata: { description: hostile } });
    await program().pages.publish({ idOrSlug: 'hostile' });
    const { text, headers } = await visit(bench, below('/p/hostile'));
    const bad: string[] = [];
    const walk = (node: {
      nodeName: string;
      attrs?: { name: string; value: string }[];
      childNodes?: unknown[];
    }): void => {
      for (const { name, value } of node.attrs ?? [])
        if (name.startsWith('on') || /^\s*javascript:/i.test(value)) bad.push(`${node.nodeName} ${name}`);
      if (node.nodeName === 'img' && node.attrs?.some(({ name, value }) => name === 'src' && value === 'x'))
        bad.push('a picture of a text');
      for (const child of node.childNodes ?? []) walk(child as never);
    };
    walk(parse(text) as never);
    assert.equal(bad, []);
    assert.is(text.split('<script').length - 1, 1, "the page has only the service's own script");
    assert.not.match(headers['Content-Security-Policy'] ?? '', 'unsafe');
    assert.ok(Buffer.byteLength(text) < 100_000, `${Buffer.byteLength(text)} bytes`);
  });

  test('only a page with a video may use frames, and plain pages load no scripts', async () => {
    await publish('plain');
    await publish('film', [{ kind: 'video', url: 'https://vimeo.com/76979871' }]);
    const policyOf = async (slug: string) =>
      (await visit(bench, below(`/p/${slug}`))).headers['Content-Security-Policy'] ?? '';
    assert.not.match(await policyOf('plain'), 'frame-src');
    assert.not.match(await policyOf('plain'), 'script-src');
    assert.match(await policyOf('film'), 'frame-src https://www.youtube-nocookie.com https://player.vimeo.com');
    assert.match((await visit(bench, below('/p/film'))).text, 'data-embed="https://player.vimeo.com/video/76979871');
  });
});
