// The pages of lists and the confirmation mail in the language of the visitor, if the program provides its texts.
// full-run: slow
import * as assert from 'uvu/assert';
import { listsPlugin } from '../../plugins/lists/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { germanLists } from '../support/german-texts.ts';
import { form, listCalls, signedTimeIn } from '../support/list-bench.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { publicUrl, visit } from '../support/tracked-mail.ts';

const plugins = bareStandardPlugins.map((plugin) =>
  plugin.id === 'lists' ? listsPlugin({ texts: { de: germanLists } }) : plugin,
);
const inGerman = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' };

await twoDatabases('languages of lists', (test, database) => {
  let bench: MailBench;
  test.before.each(async () => {
    bench = await openMailBench(database, { publicUrl, plugins });
  });
  test.after.each(() => bench.close());
  const { call, add, doubleList, linkTo } = listCalls(() => bench);

  test('a visitor gets the form, its errors, the mail and the page behind its button in their language', async () => {
    const listId = await doubleList();
    const address = `/lists/${listId}`;
    const ask = (fields?: Readonly<Record<string, string>>, path = address) => {
      const request = fields === undefined ? { headers: {} } : form(fields);
      return visit(bench, path, { ...request, headers: { ...request.headers, ...inGerman } });
    };
    const page = await ask();
    assert.is(page.headers['Vary'], 'Accept-Language');
    assert.match(page.text, '<html lang="de" dir="ltr">');
    assert.match(page.text, 'Name (freiwillig)');
    assert.match(page.text, 'Sie bekommen „Product &lt;news&gt;“ per E-Mail.');
    const at = signedTimeIn(page.text);
    bench.advanceClock(3_000);
    const refusal = await ask({ email: '', shown_at: at });
    assert.match(refusal.text, '<title>Fehler: Product &lt;news&gt;</title>');
    assert.match(refusal.text, 'Bitte „E-Mail“ ausfüllen.');
    assert.is((await ask({ email: 'grace@example.org', name: 'Grace', shown_at: at })).status, 303);
    assert.match((await ask(undefined, `${address}?sent`)).text, 'Schauen Sie in Ihr Postfach');
    await bench.drain();
    const [mail] = await bench.received();
    assert.is(mail?.subject, 'Bitte bestätigen: Product <news>');
    assert.match(mail?.html ?? '', 'Hallo <bdi>Grace</bdi>,');
    assert.match(mail?.html ?? '', 'Sie haben <strong><bdi>Product &lt;news&gt;</bdi></strong> abonniert.');
    assert.match(mail?.html ?? '', 'Bestätigen &amp; los');
    assert.match(mail?.text ?? '', 'Sie haben Product <news> abonniert.');
    const url = await linkTo('grace@example.org');
    assert.match((await ask(undefined, url)).text, 'Bestätigen &amp; los');
    assert.match((await ask({}, url)).text, 'Sie sind dabei.');
    assert.match((await ask(undefined, '/preferences/none')).text, 'Hier ist nichts');
    assert.match((await visit(bench, address)).text, '<html lang="en" dir="ltr">');
  });

  test('members added by a call get the mail in the language of their attribute `locale` if there are texts in it, or else in English', async () => {
    const listId = await doubleList();
    const ids: string[] = [];
    for (const [name, locale] of [
      ['ada', 'de-CH'],
      ['bob', 'fr'],
      ['eve', '<x> no tag'],
      ['dan', undefined],
    ]) {
      const attributes = locale === undefined ? {} : { locale };
      ids.push((await call('/v1/contacts', 'POST', { email: `${name}@example.org`, attributes })).body.id);
    }
    await add(listId, ids);
    await bench.drain();
    const subjects = (await bench.received()).map(({ to, subject }) => `${to?.[0]?.address} ${subject}`);
    assert.equal(subjects.sort(), [
      'ada@example.org Bitte bestätigen: Product <news>',
      'bob@example.org Confirmez votre demande : Product <news>',
      'dan@example.org Please confirm: Product <news>',
      'eve@example.org Please confirm: Product <news>',
    ]);
  });

  test('the line with the preferences is in the language of the mail, in the words of the program or built in', async () => {
    const hello = '<html><body><p>Hello</p><a href="%unsubscribe_url%">Leave</a></body></html>';
    const locales = { de: { subject: 'Hallo', body: hello }, fr: { subject: 'Bonjour', body: hello } };
    await bench.publish('promo', { category: 'marketing', subject: 'Hello', body: hello, locales });
    for (const [name, locale] of Object.entries({ ada: 'de', bob: 'fr', eve: undefined }))
      await bench.send('promo', {
        to: `${name}@example.org`,
        variables: {},
        ...(locale === undefined ? {} : { locale }),
      });
    await bench.drain();
    const lines = (await bench.received()).map(({ subject, text, html }) => [
      subject,
      /^(.+): http/m.exec(text ?? '')?.[1],
      [...(html ?? '').matchAll(/>([^<]+)<\/a>/g)].at(-1)?.[1],
    ]);
    assert.equal(lines.sort(), [
      ['Bonjour', 'Préférences e-mail', 'Préférences e-mail'],
      ['Hallo', 'Ihre E-Mails', 'Ihre E-Mails'],
      ['Hello', 'Email preferences', 'Email preferences'],
    ]);
  });
});
