// Languages of a template: the texts that authors store, and the language that a recipient gets from each operation.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

const html = (text: string) => `<html><body><p>${text} {{ name }}</p></body></html>`;
const german = { subject: 'Hallo {{ name }}', previewText: 'Für dich', body: html('Hallo') };
const english = { mode: 'html', locale: 'en', subject: 'Hello {{ name }}', body: html('Hello') };
const variables = { name: 'Ada' };
const to = 'ada@example.org';

await twoDatabases('languages', (test, database) => {
  let bench: MailBench;
  let calls = 0;
  test.before(async () => {
    bench = await openMailBench(database);
    const locales = { de: german, 'de-AT': { subject: 'Servus {{ name }}' }, 'pt-BR': { body: html('Olá') } };
    await bench.publish('hello', { ...english, previewText: 'For you', text: 'In text: {{ name }}', locales });
  });
  test.after(() => bench.close());

  const post = (path: string, body: object = {}, method = 'POST') => {
    calls += 1;
    return bench.request(path, { method, body, headers: { 'idempotency-key': `locales-${calls}` } });
  };
  const create = (key: string, body: object = {}) => post('/v1/templates', { key, ...english, ...body });
  const edit = (key: string, body: object) => post(`/v1/templates/${key}`, body, 'PATCH');
  const publish = (key: string, body: object = {}) => post(`/v1/templates/${key}/publish`, body);
  const readTemplate = async (key: string) => (await bench.request(`/v1/templates/${key}`)).body;
  const codesOf = (answer: { body: { error: { details: { path: string; code: string }[] } } }) =>
    answer.body.error.details.map(({ path, code }) => `${path} ${code}`);

  test('every operation chooses the language that matches a recipient best', async () => {
    const chosen: Record<string, [locale: string, subject: string, words: string]> = {
      de: ['de', 'Hallo Ada', 'Hallo Ada'],
      'de-AT': ['de-AT', 'Servus Ada', 'Hello Ada'],
      'de-at-1996': ['de-AT', 'Servus Ada', 'Hello Ada'],
      'de-CH': ['de', 'Hallo Ada', 'Hallo Ada'],
      'de-Latn-DE-x-a': ['de', 'Hallo Ada', 'Hallo Ada'],
      'pt-BR': ['pt-BR', 'Hello Ada', 'Olá Ada'],
      pt: ['en', 'Hello Ada', 'Hello Ada'],
      'en-GB': ['en', 'Hello Ada', 'Hello Ada'],
      fr: ['en', 'Hello Ada', 'Hello Ada'],
      '': ['en', 'Hello Ada', 'Hello Ada'],
    };
    for (const [asked, [locale, subject, words]] of Object.entries(chosen)) {
      const more = { variables, ...(asked === '' ? {} : { locale: asked }) };
      const address = `${asked || 'none'}@example.org`;
      const send = await bench.send('hello', { to: address, ...more });
      assert.equal([send.status, send.body.locale, send.body.subject], [202, locale, subject], asked);
      assert.is((await bench.readSend(send.body.id)).locale, locale);
      const aliasSend = await post('/v1/transactional/send', { template: 'hello', to, ...more });
      assert.equal([aliasSend.body.locale, aliasSend.body.subject], [locale, subject], asked);
      for (const draft of [true, false]) {
        const testSend = await post('/v1/templates/hello/send-test', { draft, ...more });
        assert.equal([testSend.body.locale, testSend.body.subject], [locale, subject], asked);
        const render = await post('/v1/templates/hello/render', { draft, ...more });
        assert.equal([render.body.locale, render.body.subject], [locale, subject], asked);
        assert.match(render.body.html, `<html lang="${locale}">`);
        assert.match(render.body.html, words);
      }
      const preview = await post('/v1/transactional/preview', { template: 'hello', ...more });
      assert.is(preview.body.subject, subject);
      assert.match(preview.body.html, words);
      const tool = await bench.tool('send_transactional', {
        template: 'hello',
        to,
        ...more,
        idempotency_key: asked || 'no',
      });
      assert.is(tool.body.locale, locale);
    }
    await bench.drain();
    const mails = await bench.received();
    for (const [asked, [locale, subject, words]] of Object.entries(chosen)) {
      const mail = mails.find((one) => one.to?.[0]?.address === `${asked || 'none'}@example.org`);
      assert.is(mail?.subject, subject);
      assert.match(mail?.html ?? '', words);
      assert.match(mail?.html ?? '', `<html lang="${locale}">`);
    }
  });

  test('fields that a language lacks come from the template, except the text part if the language has its own body', async () => {
    const render = async (locale: string) => (await post('/v1/templates/hello/render', { variables, locale })).body;
    const de = await render('de');
    assert.equal([de.previewText, de.text], ['Für dich', 'Hallo Ada']);
    assert.match(de.html, 'Für dich');
    const at = await render('de-AT');
    assert.equal([at.previewText, at.text], ['For you', 'In text: Ada']);
    const pt = await render('pt-BR');
    assert.equal([pt.subject, pt.previewText, pt.text], ['Hello Ada', 'For you', 'Olá Ada']);
  });

  test('all languages share one contract, which covers all variables that they read', async () => {
    await create('union', {
      locales: { de: { ...german, subject: '{{ anrede }} {{ name }}' }, fr: { text: '{{ prénom }}' } },
    });
    assert.equal(codesOf(await publish('union')).length > 0, true);
    await edit('union', { locales: { fr: { text: '{{ prenom }}' } } });
    const { body } = await publish('union');
    assert.equal([...body.variables.required].sort(), ['anrede', 'name', 'prenom']);
    assert.equal((await bench.request('/v1/templates/union/schema')).body.variables, body.variables);
    assert.equal(codesOf(await bench.send('union', { to, variables, locale: 'en' })).sort(), [
      'variables.anrede required',
      'variables.prenom required',
    ]);
    await edit('union', { locales: { fr: null } });
    const breaking = await publish('union');
    assert.equal([breaking.status, breaking.body.error.code], [409, 'contract_breaking']);
  });

  test('errors name their language, and an error that several languages share is reported once', async () => {
    await create('faulty', {
      subject: '{{ name | nonsense }}',
      locales: { de: { body: '<p>ok</p>\n<script>x</script>' }, fr: { text: '{{' } },
    });
    assert.equal(codesOf(await publish('faulty')), [
      'subject:1 unknown_filter',
      'locales.de.body:2 markup_unsafe',
      'locales.fr.text:1 syntax',
    ]);
    const contract = { type: 'object', properties: { name: { type: 'string' } } };
    await create('undeclared', { variables: contract, locales: { de: { body: '<p>x</p>\n{{ vorname }}' } } });
    const { body } = await publish('undeclared');
    assert.equal(body.error.details, [
      {
        path: 'locales.de.body:2',
        code: 'placeholder_undeclared',
        message: 'The contract does not declare vorname, which this line reads.',
      },
    ]);
  });

  test('an error in one language does not prevent previews of the others', async () => {
    const renderIn = (locale: string) => post('/v1/templates/half/render', { variables, locale });
    await create('half', { locales: { de: { body: '<script>x</script>' } } });
    assert.is((await renderIn('en')).status, 200);
    assert.equal(codesOf(await renderIn('de')), ['locales.de.body:1 markup_unsafe']);
  });

  test('an edit merges languages and fields, and null removes them', async () => {
    await create('edited', { locales: { de: german, fr: { subject: 'Salut' } } });
    await edit('edited', { locales: { de: { subject: 'Guten Tag', previewText: null }, it: { subject: 'Ciao' } } });
    assert.equal((await readTemplate('edited')).locales, {
      de: { subject: 'Guten Tag', body: german.body },
      fr: { subject: 'Salut' },
      it: { subject: 'Ciao' },
    });
    const { body } = await edit('edited', { locales: { fr: null, es: null } });
    assert.equal(Object.keys(body.locales), ['de', 'it']);
    assert.is(body.draft, true);
    assert.equal((await edit('edited', { locales: { de: null, it: null } })).body.locales, {});
    assert.equal((await edit('edited', { subject: 'Hi' })).body.locales, {});
  });

  test('language tags are stored in canonical form, and invalid tags are refused', async () => {
    const { body } = await create('canonical', {
      locale: 'EN-gb',
      locales: { 'zh-hans-cn': { subject: '你好' }, IW: { subject: 'x' } },
    });
    assert.is(body.data.locale, 'en-GB');
    assert.equal(Object.keys((await readTemplate('canonical')).locales), ['zh-Hans-CN', 'he']);
    for (const locale of ['', 'de_AT', 'german-language-tag', 'x', 'de-', '../etc', '*', `de-x-${'a1-'.repeat(20)}b`]) {
      const wrong = await create('wrong', { locale });
      assert.equal([wrong.status, wrong.body.error.details[0].path], [422, 'locale'], locale);
      const languages = await create('wrong', { locales: { [locale]: { subject: 'x' } } });
      assert.equal([languages.status, languages.body.error.details[0].code], [422, 'locale_invalid'], locale);
      const send = await bench.send('hello', { to, variables, locale });
      assert.equal([send.status, send.body.error.details[0].path], [422, 'locale'], locale);
    }
  });

  test('conflicting languages are refused, and the error names them', async () => {
    const bad: [object, string][] = [
      [{ locales: { en: { subject: 'x' } } }, 'locales.en conflict'],
      [{ locales: { de: { subject: 'x' }, DE: { subject: 'y' } } }, 'locales.DE duplicate'],
      [{ locales: { de: {} } }, 'locales.de locale_empty'],
      [{ locales: { de: { title: 'x' } } }, 'locales.de.title unknown_field'],
      [{ locales: { de: { subject: 'x'.repeat(2_001) } } }, 'locales.de.subject too_big'],
    ];
    for (const [body, fault] of bad) assert.equal(codesOf(await create('bad', body)), [fault]);
    const subtags = Array.from({ length: 51 }, (_, index) => `de-x-a${index}`);
    const many = Object.fromEntries(subtags.map((tag) => [tag, { subject: 'x' }]));
    assert.equal(codesOf(await create('bad', { locales: many })), ['locales too_many']);
    assert.is((await create('fifty', { locales: Object.fromEntries(Object.entries(many).slice(0, 50)) })).status, 201);
    await create('own', { locales: { de: german } });
    assert.equal(codesOf(await edit('own', { locale: 'de' })), ['locales.de conflict']);
    assert.is((await edit('own', { locale: 'de', locales: { de: null, en: { subject: 'Hi' } } })).status, 200);
  });

  test('fifty languages can be published and listed, and each can be rendered', async () => {
    const tags = Array.from({ length: 50 }, (_, index) => `de-x-a${index}`);
    const locales = Object.fromEntries(tags.map((tag, index) => [tag, { body: html(`Number ${index} `.repeat(200)) }]));
    await create('many', { locales });
    assert.is((await publish('many')).status, 200);
    const [version] = (await bench.request('/v1/templates/many/versions')).body.data;
    assert.equal([version.locale, version.locales], ['en', tags]);
    for (const index of [0, 49]) {
      const body = { variables, locale: `de-x-a${index}`, draft: false };
      assert.match((await post('/v1/templates/many/render', body)).body.html, `Number ${index} `);
    }
  });

  test('if a template has no own language, its mail has no locale unless another language matches', async () => {
    await bench.publish('silent', { locales: { de: german } });
    const send = await bench.send('silent', { to, variables, locale: 'fr' });
    assert.is('locale' in send.body, false);
    assert.is('locale' in (await bench.readSend(send.body.id)), false);
    const render = await post('/v1/templates/silent/render', { variables });
    assert.is(render.body.locale, null);
    assert.is(render.body.html.includes('lang='), false);
    assert.is((await bench.send('silent', { to, variables, locale: 'de' })).body.locale, 'de');
  });

  test('a sandbox send of a draft keeps the chosen language', async () => {
    await create('drafted', { locales: { de: german } });
    const send_at = new Date(bench.now() + 60_000).toISOString();
    const body = { to, variables, locale: 'de-AT', send_at };
    const send = await bench.send('drafted', body, { key: bench.testKey });
    assert.equal([send.body.templateVersion, send.body.locale, send.body.subject], [0, 'de', 'Hallo Ada']);
    await edit('drafted', { locales: { de: { body: '<script>broken</script>' } } });
    bench.advanceClock(60_000);
    await bench.drain();
    assert.is((await bench.readSend(send.body.id)).status, 'delivered');
  });

  test('a layout wraps every language', async () => {
    const body = '<html><body><h1>{{ company }}</h1>{% content %}</body></html>';
    await bench.publish('frame', { kind: 'layout', subject: '', body });
    await create('framed', { layout: 'frame', body: '<p>Hello</p>', locales: { de: { body: '<p>Hallo</p>' } } });
    await publish('framed');
    const input = { variables: { name: 'Ada', company: 'Acme' }, locale: 'de', draft: false };
    const { html: rendered } = (await post('/v1/templates/framed/render', input)).body;
    assert.match(rendered, '<html lang="de"><body><h1>Acme</h1><p>Hallo</p>');
  });
});
