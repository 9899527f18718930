// Publishing templates: versions, contracts, changes that break callers and the keys of these callers, and content that is frozen for
// sends.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

const day = 86_400_000;
const html = (text: string) => `<html><body><p>${text}</p></body></html>`;
const nameContract = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

await twoDatabases('publishing templates', (test, database) => {
  let bench: MailBench;
  let calls = 0;
  test.before(async () => {
    bench = await openMailBench(database);
  });
  test.after(() => bench.close());

  const post = (path: string, body: object = {}, method = 'POST') => {
    calls += 1;
    return bench.request(path, { method, body, headers: { 'idempotency-key': `publish-${calls}` } });
  };
  const create = (key: string, body: object = {}) =>
    post('/v1/templates', { key, mode: 'html', subject: 'Hi {{name}}', body: html('{{name}}'), ...body });
  const edit = (key: string, body: object) => post(`/v1/templates/${key}`, body, 'PATCH');
  const publish = (key: string, body: object = {}) => post(`/v1/templates/${key}/publish`, body);
  const schema = async (key: string) => (await bench.request(`/v1/templates/${key}/schema`)).body;
  const contractEvents = async (key: string) => {
    const db = await bench.service.core.database();
    const rows = await db.read(bench.workspaceId, (handle) =>
      handle.db
        .selectFrom('outbox')
        .select('data')
        .where('workspace_id', '=', bench.workspaceId)
        .where('type', '=', 'schema_contract.changed')
        .orderBy('id')
        .execute(),
    );
    return rows.map(({ data }) => JSON.parse(data)).filter((data) => data.key === key);
  };

  test('publishing freezes the working copy as the next version, and read, list and audit show this version', async () => {
    await create('first');
    bench.advanceClock(1_000);
    const { status, body } = await publish('first');
    assert.is(status, 200);
    const at = new Date(bench.now()).toISOString();
    const { version, contractVersion, publishedAt, updatedAt, draft } = body;
    assert.equal(
      { status: body.status, version, contractVersion, publishedAt, updatedAt, draft },
      {
        status: 'published',
        version: 1,
        contractVersion: 1,
        publishedAt: at,
        updatedAt: at,
        draft: false,
      },
    );
    assert.equal((await bench.request('/v1/templates/first')).body, body);
    const secondPublish = (await publish('first')).body;
    assert.equal([secondPublish.version, secondPublish.contractVersion, secondPublish.draft], [2, 1, false]);
    const { body: audit } = await bench.request('/v1/audit?action=template.publish&limit=1');
    assert.equal(audit.data[0].target, { kind: 'template', id: body.id });
    assert.equal(audit.data[0].metadata, { key: 'first', version: 2 });
  });

  test("the schema is the inferred contract or the author's, with its version, required names and example", async () => {
    await create('inferred', { body: html('{{name}} {{order.total}} {% for item in items %}{{item}}{% endfor %}') });
    const draft = await schema('inferred');
    assert.equal(Object.keys(draft).sort(), ['contractVersion', 'examples', 'key', 'required', 'variables', 'version']);
    assert.equal([draft.version, draft.contractVersion], [0, 0]);
    await publish('inferred');
    const inferred = await schema('inferred');
    assert.equal([inferred.version, inferred.contractVersion], [1, 1]);
    assert.equal([...inferred.required].sort(), ['items', 'name', 'order']);
    assert.is(inferred.variables.properties.order.type, 'object');
    assert.is(inferred.variables.properties.items.type, 'array');
    assert.is(inferred.variables.additionalProperties, false);
    const variables = { ...nameContract, examples: [{ name: 'Ada' }] };
    await create('authored', { variables });
    await publish('authored');
    assert.equal((await schema('authored')).examples, { name: 'Ada' });
    await edit('authored', { variables: null, body: html('{{name}} {{more}}') });
    assert.equal((await schema('authored')).required, ['name'], 'the schema belongs to the published version');
  });

  test('a default in the contract is filled in, and a wrong type is refused with its path', async () => {
    const properties = {
      name: { type: 'string', default: 'friend' },
      items: { type: 'array', items: { type: 'integer' } },
    };
    const variables = { type: 'object', properties, required: [] };
    await create('defaults', { variables, body: html('{{name}}{% for item in items %}{{item}}{% endfor %}') });
    assert.is((await publish('defaults')).status, 200);
    const to = 'ada@example.org';
    assert.is((await bench.send('defaults', { to, variables: { items: [] } })).body.subject, 'Hi friend');
    const { body } = await bench.send('defaults', { to, variables: { items: [1, 'two'] } });
    assert.equal(
      body.error.details.map(({ path }: { path: string }) => path),
      ['variables.items.1'],
    );
  });

  test('a source that cannot be compiled is refused with a line for each error, and nothing is published', async () => {
    const sources: Record<string, object> = {
      liquid: { body: '<p>ok</p>\n<p>{{ name | nonsense }}</p>' },
      unclosed: { body: '<p>ok</p>\n{% if name %}<p>x</p>' },
      mjml: { mode: 'mjml', body: '<mjml><mj-body>\n<mj-nonsense></mj-nonsense></mj-body></mjml>' },
      include: { mode: 'mjml', body: '<mjml><mj-body><mj-include path="/etc/passwd" /></mj-body></mjml>' },
      script: { body: '<p>{{name}}</p><script>alert(1)</script>' },
      subject: { subject: 'Hi {{ name' },
      broken: { subject: 'Hi\r\nBcc: eve@example.org' },
      preview: { previewText: 'a\nb' },
      unnamed: { subject: ' ' },
      empty: { body: '' },
      'empty-german': { locale: 'en', locales: { de: { subject: '' } } },
    };
    for (const [key, body] of Object.entries(sources)) {
      await create(`bad-${key}`, body);
      const { status, body: answer } = await publish(`bad-${key}`);
      assert.equal([status, answer.error?.code], [422, 'template_invalid'], `${key} ${JSON.stringify(answer)}`);
      assert.ok(answer.error.details.length > 0);
      assert.is((await bench.request(`/v1/templates/bad-${key}`)).body.status, 'draft');
    }
    const { body } = await publish('bad-liquid');
    assert.match(body.error.details[0].path, /^body:2/);
  });

  test('if a placeholder is missing in the contract, the publish fails', async () => {
    await create('lacking', { variables: nameContract, body: html('{{name}} {{surname}}') });
    const { status, body } = await publish('lacking');
    assert.equal([status, body.error.code], [422, 'template_invalid']);
    assert.equal(
      body.error.details.map(({ path }: { path: string }) => path),
      ['body:1'],
    );
  });

  test('a wider contract raises its version and emits an event, but an equal contract does not', async () => {
    await create('growing', { variables: nameContract });
    await publish('growing');
    const coupon = { ...nameContract.properties, coupon: { type: 'string' } };
    await edit('growing', { variables: { ...nameContract, properties: coupon } });
    assert.is((await publish('growing')).body.contractVersion, 2);
    await edit('growing', { variables: { required: ['name'], properties: coupon, type: 'object' } });
    assert.is((await publish('growing')).body.contractVersion, 2);
    assert.equal(await contractEvents('growing'), [
      { key: 'growing', from: 0, to: 1, breaking: false, added: ['name'], removed: [] },
      { key: 'growing', from: 1, to: 2, breaking: false, added: ['coupon'], removed: [] },
    ]);
  });

  const breaking: Record<string, object> = {
    'a removed variable': { type: 'object', properties: {}, required: [] },
    'a new required variable': {
      ...nameContract,
      properties: { name: { type: 'string' }, code: { type: 'string' } },
      required: ['name', 'code'],
    },
    'a narrower variable': { ...nameContract, properties: { name: { type: 'string', maxLength: 3 } } },
    'another type': { ...nameContract, properties: { name: { type: 'integer' } } },
  };
  for (const [change, variables] of Object.entries(breaking)) {
    test(`${change} breaks callers: it is refused without allowBreaking, and the error names the keys that sent in the last 30 days`, async () => {
      const key = `breaking-${change.replaceAll(' ', '-')}`;
      await create(key, { variables: nameContract, subject: 'Hi', body: html('Hi') });
      await publish(key);
      const to = 'ada@example.org';
      const old = await bench.keyWith(['templates:send']);
      const recent = await bench.keyWith(['templates:send']);
      const { body: long } = await bench.send(key, { to, variables: { name: 'A' } }, { key: old });
      bench.advanceClock(31 * day);
      const { body: sent } = await bench.send(key, { to, variables: { name: 'A' } }, { key: recent });
      await edit(key, { variables });
      const { status, body } = await publish(key);
      assert.equal([status, body.error.type, body.error.code], [409, 'conflict_error', 'contract_breaking']);
      assert.match(body.error.message, sent.apiKeyId);
      assert.is(body.error.message.includes(long.apiKeyId), false, 'it names a key whose last send was long ago');
      assert.match(body.error.message, 'allowBreaking');
      assert.is((await bench.request(`/v1/templates/${key}`)).body.version, 1);
      const publication = await publish(key, { allowBreaking: true });
      assert.equal([publication.status, publication.body.version, publication.body.contractVersion], [200, 2, 2]);
      assert.is((await contractEvents(key)).at(-1).breaking, true);
    });
  }

  test('the error says if nobody has sent the template recently', async () => {
    await create('quiet', { variables: nameContract, subject: 'Hi', body: html('Hi') });
    await publish('quiet');
    await edit('quiet', { variables: null });
    assert.match(
      (await publish('quiet')).body.error.message,
      '. Nobody sent it in the last 30 days. Pass allowBreaking',
    );
  });

  test('sends by the program itself count, too', async () => {
    await create('own', { variables: nameContract, subject: 'Hi', body: html('Hi') });
    await publish('own');
    await edit('own', { variables: null });
    const { email } = bench.service.as(bench.workspaceId);
    const message = { template: 'own', to: 'ada@example.org', variables: { name: 'A' } };
    await email.send(message);
    assert.match(
      (await publish('own')).body.error.message,
      '. Your own program, or a sequence, sent it once in the last',
    );
    await email.send(message);
    const { body } = await bench.send('own', { to: message.to, variables: message.variables });
    assert.match(
      (await publish('own')).body.error.message,
      `Keys that sent it in the last 30 days: ${body.apiKeyId}. Your own program, or a sequence, sent it 2 times in`,
    );
  });

  test('a send keeps the version with which it was accepted, even if another version is published before its delivery', async () => {
    await create('frozen', { body: html('Old words for {{name}}') });
    await publish('frozen');
    const send_at = new Date(bench.now() + day).toISOString();
    const { body } = await bench.send('frozen', { to: 'frozen@example.org', variables: { name: 'Ada' }, send_at });
    await edit('frozen', { subject: 'New subject {{name}}', body: html('New words for {{name}}') });
    await publish('frozen');
    bench.advanceClock(day);
    await bench.drain();
    const sunk = bench.sink.messages.find(({ recipients: [to] }) => to === 'frozen@example.org');
    assert.match(sunk?.raw.toString() ?? '', 'Old words for Ada');
    assert.match(sunk?.raw.toString() ?? '', 'Subject: Hi Ada');
    assert.is((await bench.readSend(body.id)).templateVersion, 1);
    const next = await bench.send('frozen', { to: 'next@example.org', variables: { name: 'Ada' } });
    assert.equal([next.body.templateVersion, next.body.subject], [2, 'New subject Ada']);
  });

  test('variables are escaped in HTML unless they are raw, and never in the subject and the text', async () => {
    const body = '<html><body><p title="{{name}}">{{name}}</p><div>{{name | raw}}</div></body></html>';
    await create('escaped', { body, text: 'Text: {{name}}' });
    assert.is((await publish('escaped')).status, 200);
    const name = '<b>"Ada" & Co</b>';
    const { body: sent } = await bench.send('escaped', { to: 'escaped@example.org', variables: { name } });
    assert.is(sent.subject, `Hi ${name}`);
    await bench.drain();
    const email = (await bench.received()).find(({ to }) => to?.[0]?.address === 'escaped@example.org');
    assert.match(email?.html ?? '', '<p title="&lt;b&gt;&#34;Ada&#34; &amp; Co&lt;/b&gt;">');
    assert.match(email?.html ?? '', `<div>${name}</div>`);
    assert.match(email?.text ?? '', `Text: ${name}`);
  });
});
