// The sender's name on every page and mail that visitors get: short links, refusals, forms that are sent too often, confirmations.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { form, listCalls, signedTimeIn } from '../support/list-bench.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { formCalls } from '../support/page-forms-bench.ts';
import { publicUrl, visit } from '../support/tracked-mail.ts';

const host = 'news.acme.example';
const asBrowser = { accept: 'text/html', 'accept-language': 'ja' };

async function rejects(work: () => Promise<unknown>, what: string): Promise<void> {
  const failed = await work().then(
    () => false,
    () => true,
  );
  assert.ok(failed, what);
}

await twoDatabases('the appearance of pages for visitors', (test, database) => {
  let bench: MailBench;
  test.before.each(async () => {
    bench = await openMailBench(database, { publicUrl });
    await program().brand.create({
      name: 'Röserl {{ & }} Söhne',
      postal_address: 'Hauptplatz 1\n8010 Graz',
      logos: { light: { url: 'https://cdn.example/logo.svg' }, dark: { url: 'https://cdn.example/dark.svg' } },
      imprint_url: 'https://acme.example/imprint',
      privacy_url: 'https://acme.example/privacy',
    });
  });
  test.after.each(() => bench.close());
  const program = () => bench.service.as(bench.workspaceId);
  const { add, contact, create, linkTo } = listCalls(() => bench);
  const { pageWith, pathOf } = formCalls(() => bench);
  const hasLook = ({ text, headers }: Awaited<ReturnType<typeof visit>>, why: string): void => {
    assert.match(text, 'srcset="https://cdn.example/dark.svg"', why);
    assert.match(text, 'src="https://cdn.example/logo.svg" alt="Röserl {{ &amp; }} Söhne"', why);
    assert.match(text, '<a href="https://acme.example/imprint">', why);
    assert.match(text, '<link rel="icon" href="data:image/svg+xml,', why);
    assert.match(headers['Content-Security-Policy'] ?? '', 'img-src data: https://cdn.example', why);
  };

  test('pages of a short link show the brand of its workspace, and the page for an unknown link shows no brand', async () => {
    const to = 'https://example.com/';
    const { links } = program();
    await links.create({ destinationUrl: to, slug: 'secret', password: 'tulip-7' });
    await links.create({ destinationUrl: to, slug: 'late', expiresAt: new Date(bench.now() + 1_000).toISOString() });
    const { linkId } = await links.create({ destinationUrl: to, slug: 'old' });
    await links.archive({ linkId });
    bench.advanceClock(2_000);
    const at = (path: string) => visit(bench, path, { headers: asBrowser });
    const [secret, late, old, none] = [
      await at('/l/secret'),
      await at('/l/late'),
      await at('/l/old'),
      await at('/l/no'),
    ];
    for (const page of [secret, late]) hasLook(page, page.text.slice(0, 300));
    hasLook(await at(`/l${old.headers['Location']?.replace('../l', '')}`), 'archived');
    assert.match(secret.text, '<html lang="ja" dir="ltr">');
    assert.match(secret.text, 'パスワード');
    assert.is(none.status, 404);
    assert.not.match(none.text, 'cdn.example', 'the page does not reveal to whom the link could belong');
  });

  test('refusals on the host of a workspace show its brand, in the language of the browser', async () => {
    await bench.service.workspaces.update(bench.workspaceId, { contentHost: host });
    const headers = { ...asBrowser, host };
    const unknown = await visit(bench, '/nothing-here', { headers });
    assert.is(unknown.status, 404);
    hasLook(unknown, 'unknown path');
    assert.match(unknown.text, 'ページが見つかりません');
    for (let count = 0; count < 30; count += 1) await visit(bench, '/sitemap.xml', { headers });
    const often = await visit(bench, '/sitemap.xml', { headers });
    assert.equal([often.status, often.headers['Cache-Control']], [429, 'no-store']);
    hasLook(often, 'too many requests');
    assert.ok(Number(often.headers['Retry-After']) > 0);
    const elsewhere = await visit(bench, '/nothing-here', { headers: { ...asBrowser, host: 'other.example' } });
    assert.not.match(elsewhere.text, 'cdn.example');
  });

  test('the sixth form that a visitor sends within a minute is shown again with their input, and has no effect', async () => {
    const listId = await create({ name: 'News', optin: 'double', visibility: 'public' });
    await pageWith('kurs', {});
    const typed = { email: 'ada@example.org', name: 'Ada <Lovelace>' };
    for (const url of [`/lists/${listId}`, pathOf('kurs', 'signup')]) {
      bench.advanceClock(120_000);
      const send = (fields: Record<string, string>) => visit(bench, url, form(fields));
      let last = await send({});
      for (let count = 1; count < 5; count += 1) last = await send({});
      bench.advanceClock(3_000);
      const sixth = await send({ ...typed, shown_at: signedTimeIn(last.text) });
      assert.is(sixth.status, 429, url);
      assert.ok(Number(sixth.headers['Retry-After']) > 0, url);
      assert.match(sixth.text, 'value="ada@example.org"', url);
      assert.match(sixth.text, 'value="Ada &lt;Lovelace&gt;"', url);
      assert.match(sixth.text, 'This form was sent too often', url);
      const { status } = await visit(bench, url, { ...form(typed), headers: { ...form({}).headers, accept: '*/*' } });
      assert.is(status, 429, 'a program gets the error, too');
    }
    await bench.drain();
    assert.is(bench.sink.messages.length, 0);
  });

  test('the confirmation page names the list and the address, in the language of the mail', async () => {
    const listId = await create({ name: 'Neues <b>', optin: 'double', visibility: 'public' });
    const { id } = await program().contacts.upsert({ email: 'ada@example.org', attributes: { locale: 'de' } });
    await add(listId, [id]);
    await bench.drain();
    const url = await linkTo('ada@example.org');
    const question = await visit(bench, url, { headers: asBrowser });
    assert.match(question.text, '<html lang="de" dir="ltr">');
    assert.match(question.text, '„<bdi>Neues &lt;b&gt;</bdi>“ mit der Adresse <bdi>ada@example.org</bdi>');
    hasLook(question, 'question');
    const done = await visit(bench, url, form({}));
    assert.match(done.text, '„<bdi>Neues &lt;b&gt;</bdi>“ ist für <bdi>ada@example.org</bdi> bestätigt.');
    assert.not.match(done.text, '30 Tage', 'the page says nothing about the lifetime of links');
    const wrong = await visit(bench, `${url.slice(0, -1)}${url.endsWith('A') ? 'B' : 'A'}`, { headers: asBrowser });
    assert.is(wrong.status, 200);
    assert.not.match(wrong.text, /ada@|Neues/);
    bench.advanceClock(31 * 86_400_000);
    assert.not.match(
      (await visit(bench, url, { headers: asBrowser })).text,
      /ada@|Neues/,
      'an expired link shows neither the address nor the list',
    );
  });

  test('the confirmation mail has the sender, the address, legal links and a dark mode, and reads from right to left in Arabic', async () => {
    const listId = await create({ name: 'النشرة', optin: 'double' });
    const ids = [await contact('ada')];
    ids.push((await program().contacts.upsert({ email: 'nur@example.org', attributes: { locale: 'ar' } })).id);
    await add(listId, ids);
    await bench.drain();
    const mails = await bench.received();
    const of = (name: string) => mails.find(({ to }) => to?.[0]?.address === `${name}@example.org`);
    const [html = '', text = ''] = [of('ada')?.html, of('ada')?.text];
    assert.match(html, 'https://cdn.example/logo.svg');
    assert.match(html, '8010 Graz');
    assert.match(html, 'https://acme.example/privacy');
    assert.match(html, 'prefers-color-scheme: dark');
    assert.match(text, 'Röserl {{ & }} Söhne\nHauptplatz 1\n8010 Graz', 'braces in a name are not read as Liquid');
    const arabic = of('nur');
    assert.match(arabic?.html ?? '', '<html lang="ar" dir="rtl">');
    assert.match(arabic?.html ?? '', 'text-align:right');
    assert.is(arabic?.subject, 'يرجى التأكيد: النشرة');
  });

  test('the page of preferences is in the language of the contact, or else in the language of the browser', async () => {
    await bench.publish('promo', { category: 'marketing' });
    for (const [name, locale] of [
      ['ada', 'fr'],
      ['bob', undefined],
    ] as const) {
      const attributes = locale === undefined ? {} : { locale };
      await program().contacts.upsert({ email: `${name}@example.org`, attributes });
      await bench.send('promo', { to: `${name}@example.org`, variables: { name } });
    }
    await bench.drain();
    const languages: (string | undefined)[] = [];
    for (const { html = '' } of await bench.received()) {
      const url = [...html.matchAll(/href="([^"]*\/preferences\/[^"]*)"/g)][0]?.[1] ?? '';
      languages.push(/<html lang="(\w+)"/.exec((await visit(bench, url, { headers: asBrowser })).text)?.[1]);
    }
    assert.equal(languages.sort(), ['fr', 'ja']);
  });

  test('pages can be below a path of a site, and their addresses, sitemap and redirects contain this path', async () => {
    await pageWith('kurs', {});
    const { workspaces } = bench.service;
    await workspaces.update(bench.workspaceId, { contentHost: 'WWW.Acme.example/news/' });
    const { url } = await program().pages.read({ idOrSlug: 'kurs' });
    assert.is(url, 'https://www.acme.example/news/p/kurs');
    // The server of the site passes /news/p/kurs on as /p/kurs.
    const ownHost = { headers: { host: 'www.acme.example', accept: 'text/html' } };
    const page = await visit(bench, '/p/kurs', ownHost);
    assert.is(page.status, 200);
    assert.match(page.text, '<link rel="canonical" href="https://www.acme.example/news/p/kurs">');
    assert.is(page.headers['X-Robots-Tag'], undefined);
    assert.match((await visit(bench, '/sitemap.xml', ownHost)).text, '<loc>https://www.acme.example/news/p/kurs</loc>');
    const moved = await visit(bench, `/p/${bench.workspaceId}/p/kurs?a=1`);
    assert.equal([moved.status, moved.headers['Location']], [301, 'https://www.acme.example/news/p/kurs?a=1']);
    const sent = await visit(bench, '/p/kurs/forms/signup', {
      ...form({ more_details: 'x' }),
      headers: { ...form({}).headers, host: 'www.acme.example' },
    });
    assert.equal(
      [sent.status, sent.headers['Location']],
      [303, '../../kurs?sent=signup#form-signup'],
      'the redirect is relative, so the path of the site is kept',
    );
    for (const wrong of [
      'acme.example/a b',
      'acme.example/../x',
      'acme.example//x',
      'acme.example/%2e%2e',
      'acme.example/x?y',
    ])
      await rejects(() => workspaces.update(bench.workspaceId, { contentHost: wrong }), wrong);
  });
});
