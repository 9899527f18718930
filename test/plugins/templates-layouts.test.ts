// Layouts over the API: how templates use a layout, and the rules for the layout itself.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

const around = (name: string) =>
  `<html><body><h1>${name} {{ company }}</h1>\n<main>{% content %}</main>\n<p>Bye</p></body></html>`;
const to = 'ada@example.org';
const variables = { name: 'Ada', company: 'Acme' };

await twoDatabases('layouts', (test, database) => {
  let bench: MailBench;
  let calls = 0;
  test.before(async () => {
    bench = await openMailBench(database);
    await bench.publish('base', { kind: 'layout', subject: '', body: around('First') });
  });
  test.after(() => bench.close());

  const post = (path: string, body: object = {}, method = 'POST') => {
    calls += 1;
    return bench.request(path, { method, body, headers: { 'idempotency-key': `layouts-${calls}` } });
  };
  const create = (key: string, body: object = {}) =>
    post('/v1/templates', { key, mode: 'html', subject: 'Hi', body: '<p>Hello {{ name }}</p>', ...body });
  const edit = (key: string, body: object) => post(`/v1/templates/${key}`, body, 'PATCH');
  const publish = (key: string, body: object = {}) => post(`/v1/templates/${key}/publish`, body);
  const render = (key: string, body: object = {}) => post(`/v1/templates/${key}/render`, { variables, ...body });
  const readTemplate = async (key: string) => (await bench.request(`/v1/templates/${key}`)).body;
  const keysOf = async (query: string) =>
    (await bench.request(`/v1/templates?${query}`)).body.data.map(({ key }: { key: string }) => key);
  const refusal = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
    status,
    body.error?.code,
  ];
  const codesOf = (answer: { body: { error: { details: { path: string; code: string }[] } } }) =>
    answer.body.error.details.map(({ path, code }) => `${path} ${code}`);

  test('a template is published inside the current version of its layout and keeps that version', async () => {
    assert.is((await create('framed', { layout: 'base' })).status, 201);
    const publication = await publish('framed');
    assert.is(publication.status, 200, JSON.stringify(publication.body));
    assert.is(publication.body.layout, 'base');
    await bench.send('framed', { to: 'first@example.org', variables });
    await edit('base', { body: around('Second') });
    assert.match((await render('framed')).body.html, 'First Acme', 'no template uses the draft of the layout');
    assert.is((await publish('base')).status, 200);
    assert.match((await render('framed')).body.html, 'Second Acme');
    assert.match((await render('framed', { draft: false })).body.html, 'First Acme');
    await bench.send('framed', { to: 'second@example.org', variables });
    await publish('framed');
    await bench.send('framed', { to: 'third@example.org', variables });
    await bench.drain();
    const mails = new Map((await bench.received()).map((mail) => [mail.to?.[0]?.address, mail]));
    for (const [address, name] of [
      ['first@example.org', 'First'],
      ['second@example.org', 'First'],
      ['third@example.org', 'Second'],
    ]) {
      const mail = mails.get(address);
      assert.match(mail?.html ?? '', `${name} Acme</h1>\n<main><p>Hello Ada</p></main>`);
      assert.match(mail?.text ?? '', /Hello Ada\s+Bye/);
    }
    const versions = (await bench.request('/v1/templates/framed/versions')).body.data;
    assert.equal(
      versions.map(({ layout, layoutVersion }: Record<string, unknown>) => [layout, layoutVersion]),
      [
        ['base', 2],
        ['base', 1],
      ],
    );
  });

  test('a layout lists the templates that use it, and the layout version of each', async () => {
    await bench.publish('seen', { kind: 'layout', subject: '', body: around('Seen') });
    await create('seen-draft', { layout: 'seen' });
    await create('seen-old', { layout: 'seen' });
    await publish('seen-old');
    await create('seen-moved', { layout: 'base' });
    await publish('seen-moved');
    await edit('seen-moved', { layout: 'seen' });
    const { body } = await publish('seen');
    assert.is(body.version, 2);
    assert.equal(body.usedBy, [
      { key: 'seen-draft', layoutVersion: null },
      { key: 'seen-moved', layoutVersion: null },
      { key: 'seen-old', layoutVersion: 1 },
    ]);
    assert.equal((await readTemplate('seen')).usedBy, body.usedBy);
    assert.is((await readTemplate('seen-old')).usedBy, undefined);
    assert.equal((await keysOf('layout=seen')).sort(), ['seen-draft', 'seen-moved', 'seen-old']);
    assert.equal(await keysOf('layout=nothing'), []);
  });

  test('the variables of a layout are added to the contract of its templates, as the layout declares them', async () => {
    const contract = {
      type: 'object',
      properties: { company: { type: 'string', maxLength: 20 }, site: { type: 'string', format: 'uri' } },
      required: ['company'],
      examples: [{ company: 'Acme' }],
    };
    const body = around('Typed').replace('Bye', '<a href="{{ site }}">Bye</a>');
    await bench.publish('typed', { kind: 'layout', subject: '', body, variables: contract });
    await create('inferred', { layout: 'typed' });
    assert.equal((await readTemplate('inferred')).variables.properties, {
      name: { type: 'string' },
      ...contract.properties,
    });
    const { body: published } = await publish('inferred');
    assert.equal([...published.variables.required].sort(), ['company', 'name']);
    assert.is(
      (await bench.send('inferred', { to, variables })).status,
      202,
      'a variable that is optional in the layout stays optional',
    );
    const long = await bench.send('inferred', { to, variables: { ...variables, company: 'x'.repeat(21) } });
    assert.equal(codesOf(long), ['variables.company max_length']);
    const wrong = await bench.send('inferred', { to, variables: { ...variables, site: 'javascript:a()' } });
    assert.equal(codesOf(wrong), ['variables.site format']);

    const ownContract = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    await create('authored', { layout: 'typed', variables: { ...ownContract, examples: [{ name: 'Grace' }] } });
    assert.is((await publish('authored')).status, 200);
    const schema = (await bench.request('/v1/templates/authored/schema')).body;
    assert.equal(Object.keys(schema.variables.properties), ['name', 'company', 'site']);
    assert.equal(schema.examples, { company: 'Acme', name: 'Grace' });
    assert.match((await post('/v1/templates/authored/render')).body.html, /Acme[\s\S]*Grace/);

    const narrow = { company: { type: 'object', properties: { id: { type: 'string' } } } };
    await create('clashing', {
      layout: 'typed',
      variables: { ...ownContract, properties: { ...ownContract.properties, ...narrow } },
    });
    assert.is((await publish('clashing')).status, 200, 'the declaration of the author has priority');
    await create('deeper', { layout: 'typed', body: '<p>{{ company.name }}</p>' });
    assert.is((await readTemplate('deeper')).variables.properties.company.type, 'object');
  });

  test('a layout that needs more variables breaks callers only when one of its templates is published', async () => {
    await bench.publish('wider', { kind: 'layout', subject: '', body: around('Wider') });
    await create('held', { layout: 'wider' });
    await publish('held');
    const { body: sent } = await bench.send('held', { to, variables });
    await edit('wider', { body: around('{{ street }}') });
    assert.is((await publish('wider')).status, 200, 'a layout has no senders');
    const answer = await publish('held');
    assert.equal(refusal(answer), [409, 'contract_breaking']);
    assert.match(answer.body.error.message, /street: It is required now\. Keys that sent/);
    assert.match(answer.body.error.message, sent.apiKeyId);
    assert.is((await publish('held', { allowBreaking: true })).status, 200);
  });

  test('errors distinguish lines of the body from lines of the layout', async () => {
    await create('faulty', { layout: 'base', body: '<p>ok</p>\n<p>{{ name | nonsense }}</p>' });
    assert.equal(codesOf(await publish('faulty')), ['body:2 unknown_filter']);
    assert.equal(codesOf(await render('faulty')), ['body:2 unknown_filter']);
    await edit('faulty', { body: '<html><body>x</body></html>' });
    const firstPublish = await publish('faulty');
    assert.equal(codesOf(firstPublish), ['body:1 not_a_fragment']);
    assert.match(firstPublish.body.error.message, 'not a whole document');
    const properties = { company: { type: 'object', properties: {} } };
    await edit('faulty', { body: '<p>x</p>', variables: { type: 'object', properties } });
    await bench.publish('deep', { kind: 'layout', subject: '', body: '<div>\n{{ company.name }}{% content %}</div>' });
    await edit('faulty', { layout: 'deep' });
    const secondPublish = await publish('faulty');
    assert.equal(codesOf(secondPublish), ['layout.body:2 placeholder_undeclared']);
    assert.match(secondPublish.body.error.message, 'company.name');
  });

  test('a template and its layout must have the same mode', async () => {
    await create('mixed', { layout: 'base', mode: 'mjml', body: '<mj-section></mj-section>' });
    const answer = await publish('mixed');
    assert.equal(codesOf(answer), ['layout conflict']);
    assert.match(answer.body.error.message, 'The layout base is html, and the body is mjml');
  });

  test('an MJML layout wraps a fragment of MJML', async () => {
    const body = '<mjml><mj-body><mj-wrapper>{% content %}</mj-wrapper></mj-body></mjml>';
    await bench.publish('mj', { kind: 'layout', mode: 'mjml', subject: '', body });
    const fragment = '<mj-section><mj-column><mj-text>Hello {{ name }}</mj-text></mj-column></mj-section>';
    await create('mj-framed', { layout: 'mj', mode: 'mjml', body: fragment });
    assert.is((await publish('mj-framed')).status, 200);
    const { html } = (await render('mj-framed', { variables: { name: 'Ada' }, draft: false })).body;
    assert.match(html, 'Hello Ada');
    assert.match(html, '<!doctype html>');
  });

  test('a layout cannot be sent or previewed as a send, and is rendered around a sample body', async () => {
    const responses = [
      await bench.send('base', { to, variables }),
      await bench.send('base', { to, variables }, { key: bench.testKey }),
      await post('/v1/transactional/send', { template: 'base', to, variables }),
      await post('/v1/transactional/preview', { template: 'base', variables }),
      await post('/v1/templates/base/send-test', { variables }),
    ];
    for (const answer of responses) assert.equal(refusal(answer), [409, 'template_is_layout']);
    const openedDatabase = await bench.service.core.database();
    const sendable = await openedDatabase.read(bench.workspaceId, (handle) =>
      bench.service.core.services.templates.sendable(handle),
    );
    assert.is(
      sendable.some(({ key }) => key === 'base'),
      false,
    );
    assert.match((await render('base', { variables: { company: 'Acme' } })).body.html, 'The body of a template');
  });

  test('the list returns templates and layouts, or only one kind', async () => {
    await create('plain-email');
    const [all, layouts, emails] = await Promise.all(
      ['limit=100', 'limit=100&kind=layout', 'limit=100&kind=email'].map(keysOf),
    );
    assert.ok(layouts.includes('base') && !layouts.includes('plain-email'));
    assert.ok(emails.includes('plain-email') && !emails.includes('base'));
    assert.is(all.length, layouts.length + emails.length);
    const { data } = (await bench.request('/v1/templates?kind=layout&limit=1')).body;
    assert.is(data[0].kind, 'layout');
  });

  test('the layout of a template must exist, be a layout, and be published first', async () => {
    await create('an-email');
    for (const layout of ['missing', 'an-email']) {
      assert.equal(refusal(await create('lost', { layout })), [404, 'layout_not_found'], layout);
      assert.equal(refusal(await edit('an-email', { layout })), [404, 'layout_not_found'], layout);
    }
    await create('unpublished', { kind: 'layout', subject: '', body: around('New') });
    assert.is((await create('early', { layout: 'unpublished' })).status, 201);
    assert.equal(Object.keys((await readTemplate('early')).variables.properties), ['name']);
    for (const answer of [
      await publish('early'),
      await render('early'),
      await bench.send('early', { to, variables }, { key: bench.testKey }),
    ])
      assert.equal(refusal(answer), [409, 'layout_not_published']);
    await bench.service.as(bench.foreignWorkspaceId).templates.create({ key: 'theirs', kind: 'layout' });
    assert.equal(refusal(await create('spy', { layout: 'theirs' })), [404, 'layout_not_found']);
    assert.is((await edit('early', { layout: null })).body.layout, null);
    assert.is((await publish('early')).status, 200);
  });

  test('fields that do not apply to layouts are refused, and the kind cannot be changed', async () => {
    const useless: Record<string, unknown> = {
      layout: 'base',
      locale: 'de',
      locales: { de: { body: 'x' } },
      subject: 'Hi',
      previewText: 'Hi',
    };
    for (const [field, value] of Object.entries(useless)) {
      const body = { kind: 'layout', subject: '', body: around('x'), [field]: value };
      const creation = await create('useless', body);
      assert.equal([creation.status, codesOf(creation)], [422, [`${field} not_for_layouts`]]);
      assert.equal(codesOf(await edit('base', { [field]: value })), [`${field} not_for_layouts`]);
    }
    const kind = await edit('base', { kind: 'email' });
    assert.equal([kind.status, kind.body.error.details[0].path], [422, 'kind']);
  });

  test('a layout can only be published with exactly one content tag', async () => {
    for (const body of ['<p>x</p>', '<p>{% content %}{% content %}</p>', '<p title="{% content %}">x</p>']) {
      const key = `bad-${calls}`;
      await create(key, { kind: 'layout', subject: '', body });
      assert.match(codesOf(await publish(key)).join(), 'content_misplaced');
    }
    await create('stray', { body: '<p>{% content %}</p>' });
    assert.equal(codesOf(await publish('stray')), ['body:1 content_misplaced']);
  });

  test('a sandbox send of a draft keeps the layout version that was published at its time', async () => {
    await bench.publish('moving', { kind: 'layout', subject: '', body: around('Then') });
    await create('moved', { layout: 'moving' });
    const send_at = new Date(bench.now() + 60_000).toISOString();
    const { body } = await bench.send('moved', { to, variables, send_at }, { key: bench.testKey });
    await edit('moving', { body: '<p>Now {% content %} {{ nonsense }}</p>' });
    await publish('moving');
    bench.advanceClock(60_000);
    await bench.drain();
    assert.is((await bench.readSend(body.id)).status, 'delivered');
  });
});
