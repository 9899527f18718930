// The form that a caller requests for a page that is built: its position, the links to it, and its texts.
// full-run: slow
import * as assert from 'uvu/assert';
import type { TestService } from '../../hosts/testing/test-service.ts';
import { twoDatabases } from '../support/databases.ts';
import { writePage } from '../support/fill-placeholders.ts';
import { migratedTestService } from '../support/migrated-tables.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

type Bench = TestService<(typeof bareStandardPlugins)[number]['id']>;

await twoDatabases('the form of a built page', (test, database) => {
  let bench: Bench;
  test.before.each(async () => {
    bench = await migratedTestService(database, {
      plugins: bareStandardPlugins,
      publicUrl: 'https://app.bakery.example',
    });
    await bench.service.as(bench.workspaceId).brand.create({ name: 'Northwind' });
  });
  test.after.each(() => bench.close());

  const program = () => bench.service.as(bench.workspaceId);
  const brief = 'A page for our bakery.';
  async function built(input: object) {
    const { id } = await program().pages.create({ brief, length: 'short', ...input });
    await bench.drain();
    return program().pages.read({ idOrSlug: id, sections: 'full' });
  }
  type Sections = Awaited<ReturnType<typeof built>>['sections'];
  const formsIn = (sections: Sections) => sections.filter((section) => 'form' in section && section.form !== undefined);

  test('a requested form replaces the built-in form and stands before the footer, and the hero links to the form', async () => {
    const { listId } = await program().lists.create({ name: 'News' });
    const { sections } = await built({
      form: { listId, consentText: 'We write once a month.', button: 'Get the news' },
    });
    const [only, ...others] = formsIn(sections);
    assert.is(others.length, 0);
    assert.is(only?.kind, 'lead_form');
    assert.is(sections.at(-2)?.id, only?.id);
    assert.is(sections.at(-1)?.kind, 'footer');
    const { form, cta } = { ...only, ...sections[0] } as {
      form?: Record<string, unknown>;
      cta?: { href: string; label: string };
    };
    assert.equal(
      [form?.['listId'], form?.['button'], form?.['consentText']],
      [listId, 'Get the news', 'We write once a month.'],
    );
    assert.equal([cta?.href, cta?.label], [`#${only?.id}`, 'Get the news']);
  });

  test('a requested form without a list keeps the kind that suits the page, and has the requested texts', async () => {
    const { sections } = await built({ form: { button: 'Write to us', thanks: 'We answer today.' } });
    const [only] = formsIn(sections);
    assert.is(only?.kind, 'contact');
    const { form } = only as unknown as { form: { fields: object[]; button: string; thanks: string } };
    assert.equal([form.fields.length, form.button, form.thanks], [3, 'Write to us', 'We answer today.']);
  });

  test("the button of a contact form says that it sends a message, even if the page's other buttons name an offer elsewhere", async () => {
    const { id, sections } = await built({ ctaLabel: 'Visit the shop' });
    await writePage(program(), id);
    const [only] = formsIn(sections);
    assert.is(only?.kind, 'contact');
    await program().pages.publish({ idOrSlug: id });
    const { slug } = await program().pages.read({ idOrSlug: id });
    const { body } = await bench.service.dispatch({
      method: 'GET',
      url: `/p/${bench.workspaceId}/p/${slug}`,
      headers: {},
      body: undefined,
    });
    assert.match(String(body), '<button>Send the message</button>');
  });

  test('a form that names an unknown list is refused, and the error has the path of the field', async () => {
    const body = { brief, form: { listId: 'lst_01ARZ3NDEKTSV4RRFFQ69G5FAV' } };
    const unknown = await bench.request('/v1/pages', { method: 'POST', body });
    assert.equal([unknown.status, unknown.body.error.details[0].path], [422, 'form.listId']);
  });

  test('composing the page again keeps the form, and the hero links to the form', async () => {
    const { listId } = await program().lists.create({ name: 'News' });
    const { id } = await built({ form: { listId } });
    await program().pages.compose({ idOrSlug: id, brief: 'Our bakery has moved.' });
    await bench.drain();
    const { sections } = await program().pages.read({ idOrSlug: id, sections: 'full' });
    const [only] = formsIn(sections) as unknown as { id: string; form: { listId: string } }[];
    const [hero] = sections as unknown as { cta: { href: string } }[];
    assert.equal([only?.form.listId, hero?.cta.href], [listId, `#${only?.id}`]);
  });
});
