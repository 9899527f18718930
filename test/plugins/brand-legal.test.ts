// The postal address, imprint and privacy policy of a brand: in marketing mail, where the author places the address, and on public pages.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { writePage } from '../support/fill-placeholders.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { visit } from '../support/tracked-mail.ts';

const address = 'Müller & Söhne <GmbH>\r\n\r\n  Straße $& 1  \nD-10115 Berlin';
const leave = '<a href="%unsubscribe_url%">Leave</a>';

await twoDatabases('the address and legal pages of a brand', (test, database) => {
  let bench: MailBench;
  test.before.each(async () => {
    bench = await openMailBench(database, { publicUrl: 'https://app.acme.example' });
  });
  test.after.each(() => bench.close());

  const program = () => bench.service.as(bench.workspaceId);
  const news = { category: 'marketing', subject: 'News', variables: { type: 'object', properties: {} } };
  async function mailOf(key: string, to = `${key}@example.org`) {
    const { body } = await bench.send(key, { to, variables: {} });
    await bench.drain();
    const mail = (await bench.received()).findLast((received) => received.to?.[0]?.address === to);
    assert.ok(mail, `${to}: ${JSON.stringify(body)}`);
    return { html: mail.html ?? '', text: mail.text ?? '' };
  }

  test('address and legal pages are stored line by line, merged, and cleared by null', async () => {
    const created = await program().brand.create({ name: 'Acme', postal_address: address });
    assert.is(created.postal_address, 'Müller & Söhne <GmbH>\nStraße $& 1\nD-10115 Berlin');
    assert.equal([created.imprint_url, created.privacy_url], [null, null]);
    const imprint_url = 'https://acme.example/impressum?a=1&b=2';
    const changed = await program().brand.update({ id: created.id, imprint_url });
    assert.equal([changed.imprint_url, changed.postal_address], [imprint_url, created.postal_address]);
    const cleared = await program().brand.update({ id: created.id, postal_address: null, imprint_url: null });
    assert.equal([cleared.imprint_url, cleared.postal_address], [null, null]);
    for (const body of [{ postal_address: 'a\u0007b' }, { imprint_url: 'javascript:alert(1)' }, { privacy_url: 'x' }]) {
      const { status } = await bench.request(`/v1/brand/${created.id}`, { method: 'PATCH', body });
      assert.is(status, 422, JSON.stringify(body));
    }
  });

  test('marketing mail shows the address at its end, escaped and in the direction of its script', async () => {
    const { id } = await program().brand.create({ name: 'Acme', postal_address: address });
    await bench.publish('news', { ...news, body: `<p>Hello</p>${leave}`, text: 'Hello %unsubscribe_url%' });
    const { html, text } = await mailOf('news');
    assert.match(html, 'Müller &amp; Söhne &lt;GmbH&gt;<br>Straße $&amp; 1<br>D-10115 Berlin');
    assert.match(html, '<p dir="auto"');
    assert.match(text, 'Müller & Söhne <GmbH>\nStraße $& 1\nD-10115 Berlin');
    await program().brand.update({ id, postal_address: 'شارع ١، دبي' });
    assert.match((await mailOf('news')).html, 'شارع ١، دبي');
    await program().brand.update({ id, postal_address: null });
    assert.not.match((await mailOf('news')).html, 'dir="auto"');
  });

  test('if the author places the address, the mail does not repeat it; mail that is not marketing shows the address only in that place', async () => {
    await program().brand.create({ name: 'Acme', postal_address: 'Acme\nOslo' });
    const body = `<p class="foot">%postal_address%</p>${leave}`;
    await bench.publish('placed', { ...news, body, text: 'At %postal_address%. %unsubscribe_url%' });
    const mail = await mailOf('placed');
    assert.match(mail.html, /<p class="foot"[^>]*>Acme<br>Oslo<\/p>/);
    assert.equal([mail.html.split('Oslo').length, mail.text.split('Oslo').length], [2, 2]);
    await bench.publish('plain', { ...news, category: 'transactional', body: '<p>Paid</p>', text: 'Paid' });
    assert.not.match((await mailOf('plain')).html, 'Oslo');
    await bench.publish('receipt2', { ...news, category: 'transactional', body, text: 'At %postal_address%' });
    assert.match((await mailOf('receipt2')).text, 'At Acme\nOslo');
  });

  test('the value of a variable cannot place the address', async () => {
    await program().brand.create({ name: 'Acme', postal_address: 'Oslo' });
    await bench.publish('hello', {
      category: 'transactional',
      subject: 'Hi',
      body: '<p>{{name}}</p>',
      text: '{{name}}',
    });
    await bench.send('hello', { to: 'x@example.org', variables: { name: '%postal_address%' } });
    await bench.drain();
    const [mail] = await bench.received();
    assert.not.match(`${mail?.html}${mail?.text}`, 'Oslo');
  });

  test('a template with a theme shows the address of the brand of its theme', async () => {
    await program().brand.create({ name: 'Acme', postal_address: 'Acme, Oslo' });
    const other = await program().brand.create({
      name: 'Bolt',
      postal_address: 'Bolt, Riga',
      themes: [{ name: 'Winter' }],
    });
    const themeId = other.themes[0]?.id;
    await bench.publish('themed', { ...news, themeId, body: `<p>Hi</p>${leave}`, text: 'Hi %unsubscribe_url%' });
    assert.match((await mailOf('themed')).html, 'Bolt, Riga');
    const preview = await program().email.preview({ template: 'themed', variables: {} });
    assert.match(preview.html, 'Bolt, Riga');
  });

  test('public pages link the imprint and the privacy policy, in the words of their language', async () => {
    await program().brand.create({
      name: 'Acme',
      imprint_url: 'https://acme.example/impressum?a=1&b=2',
      privacy_url: 'https://acme.example/privacy',
    });
    await bench.publish('news', { ...news, body: `<p>Hello</p>${leave}`, text: 'Hello %unsubscribe_url%' });
    const { html } = await mailOf('news');
    const leaving = await visit(bench, /\/u\/[^"]*/.exec(html)?.[0] ?? '');
    assert.match(leaving.text, '<a href="https://acme.example/impressum?a=1&amp;b=2">Imprint</a>');
    const { pages } = program();
    const { id } = await pages.create({ brief: 'A page for our course.', slug: 'course', length: 'short' });
    await bench.drain();
    await writePage(program(), id);
    await pages.publish({ idOrSlug: id });
    const page = await visit(bench, `/p/${bench.workspaceId}/p/course`);
    assert.match(page.text, '<a href="https://acme.example/privacy">Privacy</a>');
    const blog = await visit(bench, `/p/${bench.workspaceId}/blog`);
    assert.match(blog.text, '<a href="https://acme.example/privacy">Privacy</a>');
  });
});
