// Previews: the output of render_template and preview_transactional, the version and variables that they use, and their warnings.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

const html = (text: string) => `<html><body><p>${text} {{ name }}</p></body></html>`;
const variables = { name: 'Ada' };
const contract = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

await twoDatabases('previews', (test, database) => {
  let bench: MailBench;
  let callCount = 0;
  test.before(async () => {
    bench = await openMailBench(database);
    await bench.publish('hello', { body: html('Published'), previewText: 'For {{ name }}' });
    await edit('hello', { body: html('Edited'), subject: 'Edited for {{ name }}' });
  });
  test.after(() => bench.close());

  const post = (path: string, body: object = {}, method = 'POST', key?: string) => {
    callCount += 1;
    const headers = { 'idempotency-key': `preview-${callCount}` };
    return bench.request(path, { method, body, headers, ...(key === undefined ? {} : { key }) });
  };
  const create = (key: string, body: object = {}) =>
    post('/v1/templates', { key, mode: 'html', subject: 'Hi {{ name }}', body: html('Hello'), ...body });
  const edit = (key: string, body: object) => post(`/v1/templates/${key}`, body, 'PATCH');
  const render = (key: string, body: object = {}) => post(`/v1/templates/${key}/render`, body);
  const preview = (template: string, body: object = {}, key?: string) =>
    post('/v1/transactional/preview', { template, variables, ...body }, 'POST', key);
  const errorOf = ({
    status,
    body,
  }: {
    status: number;
    body: { error?: { code: string; details?: { path: string }[] } };
  }) => [status, body.error?.code, body.error?.details?.[0]?.path];

  test('render returns the working copy or the published version, and nothing is sent, stored or counted', async () => {
    const draft = await render('hello', { variables });
    assert.is(draft.status, 200);
    const { html, ...rest } = draft.body;
    assert.match(html, 'Edited Ada');
    assert.match(html, 'For Ada');
    assert.equal(rest, {
      text: 'Edited Ada',
      subject: 'Edited for Ada',
      previewText: 'For Ada',
      locale: null,
      version: 0,
      bytes: Buffer.byteLength(html),
      warnings: [],
    });
    const publishedMail = (await render('hello', { variables, draft: false })).body;
    assert.equal([publishedMail.version, publishedMail.subject, publishedMail.text], [1, 'Hello Ada', 'Published Ada']);
    assert.equal((await bench.tool('render_template', { key: 'hello', variables })).body, draft.body);
    const calls = bench.service.as(bench.workspaceId);
    assert.equal(await calls.templates.render({ key: 'hello', variables }), draft.body);
    const short = await bench.tool('render_template', { key: 'hello', variables, html: false });
    assert.equal(short.body, { ...draft.body, html: null }, 'without the HTML, its size is still returned');
    await bench.drain();
    assert.equal((await bench.request('/v1/sends')).body.data, []);
    assert.is((await bench.request('/v1/workspace')).body.usage.sends_this_month, 0);
    assert.is(
      (await bench.request('/v1/audit?action=template.*')).body.data.some(({ action }: { action: string }) =>
        /render|preview/.test(action),
      ),
      false,
    );
  });

  test('without variables, an example of the contract is used', async () => {
    const examples = [{ name: 'Ada' }, { name: 'Grace' }, 'no set of variables'];
    await create('exemplary', { variables: { ...contract, examples } });
    const text = async (body: object) => (await render('exemplary', body)).body.text;
    assert.equal(
      [await text({}), await text({ example: 0 }), await text({ example: 1 })],
      ['Hello Ada', 'Hello Ada', 'Hello Grace'],
    );
    assert.is(await text({ variables: { name: 'Alan' } }), 'Hello Alan');
    assert.equal(errorOf(await render('exemplary', { example: 2 })), [422, 'validation_failed', 'example']);
    assert.equal(errorOf(await render('exemplary', { example: 0, variables })), [422, 'validation_failed', 'example']);
    assert.equal(errorOf(await render('exemplary', { example: -1 })), [422, 'validation_failed', 'example']);
    await create('plain');
    assert.is((await render('plain')).body.text, 'Hello name');
    assert.equal(errorOf(await render('plain', { variables: {} })), [422, 'variables_invalid', 'variables.name']);
    await create('inferred', {
      subject: '{{ percent }}',
      body: '<a href="{{ url }}">{% for line in lines %}{{ line.text }}{% endfor %}</a> {{ user.name | upcase }}',
    });
    assert.is((await render('inferred')).status, 200);
    await create('without', { subject: 'Hi', body: '<p>Nothing to fill</p>' });
    assert.is((await render('without')).body.text, 'Nothing to fill');
  });

  test('variables are checked against the contract, and an error in the source is reported with its line', async () => {
    for (const draft of [true, false]) {
      const wrong = await render('hello', { draft, variables: { nam: 'Ada' } });
      assert.equal([wrong.status, wrong.body.error.code], [422, 'variables_invalid']);
      assert.equal(wrong.body.error.details.map(({ path }: { path: string }) => path).sort(), [
        'variables.nam',
        'variables.name',
      ]);
    }
    await create('broken', { body: '<p>ok</p>\n{{ name | nonsense }}' });
    assert.equal(errorOf(await render('broken', { variables })), [422, 'template_invalid', 'body:2']);
    await create('mjml', { mode: 'mjml', body: '<mjml><mj-body>\n<mj-nonsense /></mj-body></mjml>' });
    assert.equal(errorOf(await render('mjml', { variables })), [422, 'template_invalid', 'body:2']);
    await create('lacking', { variables: contract, body: '<p>{{ surname }}</p>' });
    assert.equal(errorOf(await render('lacking', { variables })), [422, 'template_invalid', 'body:1']);
    await create('endless', {
      body: '<p>{% for i in (1..9000) %}{% for j in (1..9000) %}x{% endfor %}{% endfor %}</p>',
      subject: 'Hi',
    });
    assert.equal(errorOf(await render('endless')), [422, 'variables_invalid', 'body']);
    await create('linked', { subject: 'Hi', body: '<a href="{{ url }}">x</a>' });
    assert.equal(errorOf(await render('linked', { variables: { url: 'javascript:a()' } })), [
      422,
      'variables_invalid',
      'body',
    ]);
    await create('line', { subject: '{{ name }}' });
    assert.equal(errorOf(await render('line', { variables: { name: 'a\nb' } })), [422, 'variables_invalid', 'subject']);
  });

  test('an unchanged working copy is compiled once, and again after an edit', async () => {
    const section = '<mj-section><mj-column><mj-text>{{ name }}</mj-text></mj-column></mj-section>';
    await create('large', { mode: 'mjml', body: `<mjml><mj-body>${section.repeat(150)}</mj-body></mjml>` });
    const cost = async () => {
      const before = process.cpuUsage();
      assert.is((await render('large', { variables })).status, 200);
      const { user } = process.cpuUsage(before);
      return user;
    };
    const first = await cost();
    const secondCost = Math.min(await cost(), await cost());
    assert.ok(secondCost < first / 2, `${secondCost} of ${first} µs of processor time`);
    await edit('large', { body: `<mjml><mj-body>${section}</mj-body></mjml>` });
    assert.is((await render('large', { variables })).body.text, 'Ada');
  });

  test('a preview warns about problems that recipients would notice', async () => {
    const codes = async (body: object) => {
      const key = `warned-${callCount}`;
      await create(key, body);
      return (await render(key, { variables: {} })).body.warnings.map(({ code }: { code: string }) => code);
    };
    const filler = (size: number) => `<p>${'x'.repeat(size)}</p>`;
    assert.equal(await codes({ subject: 'Hi', body: filler(101_990) }), []);
    assert.equal(await codes({ subject: 'Hi', body: filler(102_000) }), ['html_clipped']);
    assert.equal(await codes({ subject: 'Hi', body: `<p>${'ü'.repeat(51_010)}</p>` }), ['html_clipped']);
    assert.equal(await codes({ subject: ' ', body: '<img src="https://example.com/a.png" alt="">' }), [
      'subject_empty',
      'text_empty',
    ]);
    await create('with_links', {
      subject: 'Hi',
      body: '<a href="{{ unsubscribe_url }}">x</a>{{ theme.palette.primary }}{{ contact.attributes.name }}',
      variables: {
        type: 'object',
        required: ['unsubscribe_url', 'theme', 'contact'],
        properties: {
          unsubscribe_url: { type: 'string' },
          theme: {
            type: 'object',
            required: ['palette'],
            properties: { palette: { type: 'object', properties: { primary: { type: 'string' } } } },
          },
          contact: {
            type: 'object',
            properties: { attributes: { type: 'object', properties: { name: { type: 'string' } } } },
          },
        },
      },
    });
    const { warnings } = (await render('with_links', {})).body;
    assert.equal(
      warnings.map(({ code }: { code: string }) => code),
      ['unsubscribe_variable', 'theme_variable', 'contact_variable'],
    );
    assert.match(warnings[0].message, /%unsubscribe_url%/);
    await create('moved', {
      subject: 'Hi *|FNAME|*',
      body: '<p>%recipient.name% *|FNAME|* *|IF:VIP|* 5 * 4 | 3 * 2, -name-</p><a href="%mailing_list_unsubscribe_url%">x</a>',
    });
    const moved = (await render('moved', {})).body.warnings;
    assert.equal([...new Set(moved.map(({ code }: { code: string }) => code))], ['foreign_placeholder']);
    assert.equal(
      moved.map(({ message }: { message: string }) =>
        /^(\S+) is .*In Liquid: (.*)|^(\S+) is .* write (.*)/.exec(message)?.slice(1),
      ),
      [
        ['*|FNAME|*', '{{ fname }}, a variable that the send gives.', undefined, undefined],
        ['%recipient.name%', '{{ name }}, a variable that the send gives.', undefined, undefined],
        ['*|IF:VIP|*', '{% if vip %}…{% endif %}.', undefined, undefined],
        [undefined, undefined, '%mailing_list_unsubscribe_url%', '%unsubscribe_url%.'],
      ],
    );
  });

  test('a preview of a template that cannot be rendered gives the reason', async () => {
    await create('unpublished');
    assert.equal(errorOf(await render('unpublished', { variables, draft: false })), [
      409,
      'template_not_published',
      undefined,
    ]);
    assert.equal(errorOf(await render('missing')), [404, 'template_not_found', undefined]);
    await create('archived');
    assert.is((await bench.request('/v1/templates/archived', { method: 'DELETE' })).status, 200);
    assert.is(
      (await render('archived', { variables })).body.text,
      'Hello Ada',
      'an archived template can still be previewed',
    );
    assert.equal(errorOf(await preview('archived', {}, bench.testKey)), [409, 'template_archived', undefined]);
  });

  test('preview_transactional returns the mail that a send with this key would deliver', async () => {
    const live = await preview('hello');
    assert.equal(live.body, {
      html: (await render('hello', { variables, draft: false })).body.html,
      text: 'Published Ada',
      subject: 'Hello Ada',
    });
    assert.equal(
      (await preview('hello', {}, bench.testKey)).body,
      live.body,
      'a sandbox key also sends the published version',
    );
    assert.equal((await bench.tool('preview_transactional', { template: 'hello', variables })).body, live.body);
    const calls = bench.service.as(bench.workspaceId);
    assert.equal(await calls.email.preview({ template: 'hello', variables }), live.body);
    await create('draft-only');
    assert.equal(errorOf(await preview('draft-only')), [409, 'template_not_published', undefined]);
    assert.is((await preview('draft-only', {}, bench.testKey)).body.text, 'Hello Ada');
    const answer = await bench.send('hello', { to: 'preview@example.org', variables });
    await bench.drain();
    const mail = (await bench.received()).find(({ to }) => to?.[0]?.address === 'preview@example.org');
    assert.equal(
      [mail?.subject, mail?.html?.trim(), mail?.text?.trim()],
      [answer.body.subject, live.body.html.trim(), live.body.text.trim()],
    );
  });

  test('preview_transactional refuses everything that a send refuses', async () => {
    const same: [string, object][] = [
      ['hello', { variables: { nam: 'Ada' } }],
      ['hello', { variables: { name: 'a\nb' } }],
      ['hello', { variables: { name: 7 } }],
      ['missing', { variables }],
      ['hello', { variables, locale: 'de_AT' }],
    ];
    for (const [template, body] of same) {
      const { status, body: refused } = await preview(template, body);
      const sendAnswer = await bench.send(template, { to: 'ada@example.org', ...body });
      assert.equal(
        [status, refused.error.code, refused.error.details],
        [sendAnswer.status, sendAnswer.body.error.code, sendAnswer.body.error.details],
      );
    }
    assert.equal(errorOf(await post('/v1/transactional/preview', { template: 'hello' })), [
      422,
      'validation_failed',
      'variables',
    ]);
    assert.equal(errorOf(await post('/v1/transactional/preview', { variables })), [
      422,
      'validation_failed',
      'template',
    ]);
    assert.equal(errorOf(await preview('hello', { to: 'ada@example.org' })), [422, 'validation_failed', 'to']);
    assert.equal(errorOf(await preview('broken', {}, bench.testKey)), [422, 'template_invalid', 'body:2']);
  });

  test('previews need only templates:read', async () => {
    const key = await bench.keyWith(['templates:read']);
    assert.is((await post('/v1/templates/hello/render', { variables }, 'POST', key)).status, 200);
    assert.is((await preview('hello', {}, key)).status, 200);
    const otherKey = await bench.keyWith(['sends:read']);
    assert.is((await preview('hello', {}, otherKey)).status, 403);
  });
});
