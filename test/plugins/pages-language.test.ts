// The language of public pages: the document and its fixed texts use the language of the page, whatever language the visitor's browser
// requests.
// full-run: slow
import * as assert from 'uvu/assert';
import { pageFormTexts } from '../../plugins/pages/forms/texts.ts';
import { pagesPlugin } from '../../plugins/pages/index.ts';
import { submissionRows } from '../../plugins/pages/tables.ts';
import { twoDatabases } from '../support/databases.ts';
import { form, signedTimeIn } from '../support/list-bench.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { formCalls } from '../support/page-forms-bench.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { publicUrl, visit } from '../support/tracked-mail.ts';
import { WatchedComposer } from '../support/watched-composer.ts';

const english = pageFormTexts().get('en');
if (english === undefined) throw new Error('Forms speak English.');
const texts = {
  de: { ...english, skip: 'Zum Inhalt', missing: 'Bitte „{label}“ ausfüllen.', error: 'Fehler:' },
  fr: { ...english, skip: 'Aller au contenu', missing: 'Veuillez remplir « {label} ».', error: 'Erreur :' },
};
const plugins = bareStandardPlugins.map((plugin) => (plugin.id === 'pages' ? pagesPlugin({ texts }) : plugin));

await twoDatabases('the language of pages', (test, database) => {
  let bench: MailBench;
  const composer = new WatchedComposer();
  test.before.each(async () => {
    composer.answer = (task) => task.embedded();
    bench = await openMailBench(database, { plugins, publicUrl, composer });
  });
  test.after.each(() => bench.close());
  const { confirm, pagePath, pathOf, pageWith, send } = formCalls(() => bench);
  const program = () => bench.service.as(bench.workspaceId);
  const french = { 'accept-language': 'fr-FR,fr;q=0.9' };
  const visitPage = (slug: string) => visit(bench, pagePath(slug), { headers: french });
  async function inLanguage(slug: string, language: string | null) {
    await program().pages.update({ idOrSlug: slug, metadata: { language } });
    await program().pages.publish({ idOrSlug: slug });
  }

  test("a page with a language uses it even if the visitor's browser requests another language", async () => {
    await pageWith('kurs', {});
    await inLanguage('kurs', 'de-at');
    assert.is((await program().pages.read({ idOrSlug: 'kurs' })).metadata.language, 'de-AT');
    const { text, headers } = await visitPage('kurs');
    assert.match(text, '<html lang="de-AT" dir="ltr">');
    assert.match(text, 'Zum Inhalt');
    assert.is(headers.Vary, undefined, 'every visitor gets the same page');
  });

  test('form errors and the following mails use the language of the page', async () => {
    await pageWith('kurs', {});
    await inLanguage('kurs', 'de');
    const sendInFrench = (fields: Record<string, string>) => {
      const request = form(fields);
      const headers = { ...request.headers, ...french };
      return visit(bench, pathOf('kurs', 'signup'), { ...request, headers });
    };
    const first = await sendInFrench({});
    bench.advanceClock(3_000);
    const wrong = await sendInFrench({ shown_at: signedTimeIn(first.text) });
    assert.is(wrong.status, 422);
    assert.match(wrong.text, '<title>Fehler: ');
    assert.match(wrong.text, 'Bitte „Email“ ausfüllen.');
    assert.is((await sendInFrench({ email: 'ada@example.org', shown_at: signedTimeIn(first.text) })).status, 303);
    const database = await bench.service.core.database();
    const [row] = await database.read(bench.workspaceId, (handle) =>
      submissionRows.page(handle.onSide(false), { limit: 1 }),
    );
    assert.is(row?.language, 'de');
  });

  test('a contact that a form creates gets the language of the page, and an existing language is kept', async () => {
    const { listId } = await program().lists.create({ name: 'Kurs' });
    await pageWith('kurs', { listId });
    await inLanguage('kurs', 'de');
    await program().contacts.upsert({ email: 'bo@example.org', attributes: { locale: 'fr' } });
    for (const email of ['ada@example.org', 'bo@example.org']) {
      assert.is((await send('kurs', { email })).status, 303);
      await bench.drain();
      await confirm(email);
    }
    const { data } = await program().contacts.list({});
    assert.equal(
      new Map(data.map(({ email, attributes }) => [email, attributes['locale']])),
      new Map([
        ['ada@example.org', 'de'],
        ['bo@example.org', 'fr'],
      ]),
    );
  });

  test('the text direction follows the language, even if the page has no texts for it', async () => {
    await pageWith('dawra', {});
    for (const [language, direction] of [
      ['ar', 'rtl'],
      ['he-IL', 'rtl'],
      ['az-Arab', 'rtl'],
      ['ja', 'ltr'],
    ] as const) {
      await inLanguage('dawra', language);
      assert.match((await visitPage('dawra')).text, `<html lang="${language}" dir="${direction}">`);
    }
  });

  test("without a language, a page uses the creation defaults, or else the visitor's language", async () => {
    await pageWith('course', {});
    await inLanguage('course', null);
    const before = await visitPage('course');
    assert.match(before.text, '<html lang="fr" dir="ltr">');
    assert.match(before.text, 'Aller au contenu');
    assert.is(before.headers.Vary, 'Accept-Language');
    await program().marketing.defaultsSet({ language: 'de' });
    const after = await visitPage('course');
    assert.match(after.text, '<html lang="de" dir="ltr">');
    assert.is(after.headers.Vary, undefined);
  });

  test('an invalid language tag is refused, and null clears the language', async () => {
    const id = await pageWith('kurs', {});
    const patch = (language: unknown) =>
      bench.request(`/v1/pages/${id}`, {
        ...{ method: 'PATCH', body: { metadata: { language } } },
        headers: { 'idempotency-key': `patch ${language}` },
      });
    const { status, body } = await patch('deutsch_AT');
    assert.equal([status, body.error.details[0].path], [422, 'metadata.language']);
    assert.is((await patch('pt-br')).body.metadata.language, 'pt-BR');
    assert.is((await patch(null)).body.metadata.language, null);
  });

  test('a composed page gets the language that the composer returns, and keeps its language if the composer returns no language', async () => {
    composer.answer = (task) =>
      task.kind === 'page' ? { ...(task.embedded() as object), language: 'de-at' } : task.embedded();
    await program().brand.create({ name: 'Acme' });
    const { pages } = program();
    const { id } = await pages.create({ brief: 'Unser Kurs für Sauerteig.', length: 'short' });
    await bench.drain();
    assert.is((await pages.read({ idOrSlug: id })).metadata.language, 'de-AT');
    composer.answer = (task) => task.embedded();
    await pages.compose({ idOrSlug: id, brief: 'Sauerteig.' });
    await bench.drain();
    assert.is((await pages.read({ idOrSlug: id })).metadata.language, 'de-AT');
  });

  test('a composer that returns an invalid language tag gets the reason and is asked again', async () => {
    composer.tasks.length = 0;
    composer.answer = (task) =>
      task.kind === 'page'
        ? { ...(task.embedded() as object), language: composer.tasks.length === 1 ? 'de_AT' : 'de' }
        : task.embedded();
    await program().brand.create({ name: 'Acme' });
    const { id } = await program().pages.create({ brief: 'Unser Kurs.', length: 'short' });
    await bench.drain();
    assert.match(composer.tasks[1]?.prompt ?? '', 'language: give a BCP 47 tag');
    assert.is((await program().pages.read({ idOrSlug: id })).metadata.language, 'de');
  });
});
