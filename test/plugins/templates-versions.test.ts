// The history of a template: the list of versions, rollback, and its effect on callers, drafts and layouts.
// full-run: slow
import * as assert from 'uvu/assert';
import { eachDatabase } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

const day = 86_400_000;
const html = (text: string) => `<html><body><p>${text} {{ name }}</p></body></html>`;
const to = 'ada@example.org';
const variables = { name: 'Ada' };
const nameContract = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

await eachDatabase('versions', (test, database) => {
  let bench: MailBench;
  let calls = 0;
  test.before(async () => {
    bench = await openMailBench(database);
  });
  test.after(() => bench.close());

  const post = (path: string, body: object = {}, method = 'POST') => {
    calls += 1;
    return bench.request(path, { method, body, headers: { 'idempotency-key': `versions-${calls}` } });
  };
  const edit = (key: string, body: object) => post(`/v1/templates/${key}`, body, 'PATCH');
  const publish = (key: string, body: object = {}) => post(`/v1/templates/${key}/publish`, body);
  const rollback = (key: string, version: number, body: object = {}) =>
    post(`/v1/templates/${key}/rollback`, { version, ...body });
  const readTemplate = async (key: string) => (await bench.request(`/v1/templates/${key}`)).body;
  const versions = async (key: string, query = '') =>
    (await bench.request(`/v1/templates/${key}/versions${query}`)).body;
  const refusal = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
    status,
    body.error?.code,
  ];
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

  test('versions are listed newest first, in pages, with their details', async () => {
    await bench.publish('listed', { body: html('One') });
    const firstAt = new Date(bench.now()).toISOString();
    for (const [index, words] of ['Two', 'Three', 'Four', 'Five'].entries()) {
      bench.advanceClock(1_000);
      const more =
        index === 2 ? { locale: 'en', locales: { de: { subject: 'Hallo {{ name }}' }, fr: { subject: 'x' } } } : {};
      await edit('listed', { subject: `${words} {{ name }}`, body: html(words), ...more });
      await publish('listed');
    }
    const { data, next_cursor } = await versions('listed');
    assert.is(next_cursor, null);
    assert.equal(
      data.map(({ version }: { version: number }) => version),
      [5, 4, 3, 2, 1],
    );
    assert.equal(data.at(-1), {
      version: 1,
      contractVersion: 1,
      createdAt: firstAt,
      subject: 'Hello {{name}}',
      current: false,
      layout: null,
      layoutVersion: null,
      locale: null,
      locales: [],
    });
    assert.equal([data[0].current, data[0].locale, data[0].locales], [true, 'en', ['de', 'fr']]);
    const seen: number[] = [];
    let cursor = '';
    do {
      const page = await versions('listed', `?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...page.data.map(({ version }: { version: number }) => version));
      cursor = page.next_cursor ?? '';
    } while (cursor !== '');
    assert.equal(seen, [5, 4, 3, 2, 1]);
    await bench.publish('other');
    const stray = (await versions('listed', '?limit=1')).next_cursor;
    assert.is((await bench.request(`/v1/templates/other/versions?cursor=${stray}`)).body.error.code, 'cursor_invalid');
    assert.equal((await bench.tool('list_template_versions', { key: 'listed' })).body.data, data);
    await post('/v1/templates', { key: 'never', mode: 'html' });
    assert.equal(await versions('never'), { data: [], next_cursor: null });
  });

  test('a rollback publishes the old version unchanged as the next version, and restores the working copy', async () => {
    const first = {
      body: html('First'),
      text: 'First in text {{ name }}',
      previewText: 'First preview',
      locale: 'en',
      locales: { de: { subject: 'Zuerst {{ name }}', body: html('Zuerst') } },
    };
    await bench.publish('back', first);
    const original = await readTemplate('back');
    const preview = async (locale?: string) =>
      (await post('/v1/templates/back/render', { variables, draft: false, ...(locale && { locale }) })).body;
    const [english, german] = [await preview(), await preview('de')];
    bench.advanceClock(1_000);
    await edit('back', {
      subject: 'Second {{ name }}',
      body: html('Second'),
      text: null,
      previewText: '',
      locales: { de: null },
    });
    await publish('back');
    await edit('back', { subject: 'Unpublished' });
    bench.advanceClock(1_000);
    const { status, body } = await rollback('back', 1);
    assert.is(status, 200, JSON.stringify(body));
    const at = new Date(bench.now()).toISOString();
    assert.equal(body, { ...original, version: 3, updatedAt: at, publishedAt: at });
    assert.equal(await readTemplate('back'), body);
    assert.equal(
      [await preview(), await preview('de')],
      [
        { ...english, version: 3 },
        { ...german, version: 3 },
      ],
    );
    assert.equal(
      (await versions('back')).data.map(({ version, current }: { version: number; current: boolean }) => [
        version,
        current,
      ]),
      [
        [3, true],
        [2, false],
        [1, false],
      ],
    );
    const answer = await bench.send('back', { to, variables, locale: 'de' });
    assert.equal([answer.body.templateVersion, answer.body.subject], [3, 'Zuerst Ada']);
    const { data } = (await bench.request('/v1/audit?action=template.rollback&limit=1')).body;
    assert.equal(
      [data[0].target, data[0].metadata],
      [
        { kind: 'template', id: body.id },
        { key: 'back', version: 3, from: 1 },
      ],
    );
    assert.equal(await contractEvents('back'), [
      { key: 'back', from: 0, to: 1, breaking: false, added: ['name'], removed: [] },
    ]);
  });

  test('a rollback compiles nothing: the frozen content is used even if the current compiler would refuse it', async () => {
    await bench.publish('kept');
    const db = await bench.service.core.database();
    const { id } = await readTemplate('kept');
    await db.transact(async (scope) => {
      await scope
        .handle(bench.workspaceId)
        .db.updateTable('template_versions')
        .set({ html: '<p>Frozen long ago {{ name }}</p>' })
        .where('workspace_id', '=', bench.workspaceId)
        .where('template_id', '=', id)
        .execute();
    });
    await edit('kept', { body: html('Later') });
    await publish('kept');
    await rollback('kept', 1);
    const { body } = await post('/v1/templates/kept/render', { variables, draft: false });
    assert.is(body.html, '<p>Frozen long ago Ada</p>');
  });

  test('a rollback that would break callers is refused, and the error names the keys that sent in the last 30 days', async () => {
    await bench.publish('narrow', {
      subject: 'Hi',
      body: '<p>Hi</p>',
      variables: { ...nameContract, required: ['name'] },
    });
    const wide = { type: 'object', properties: { ...nameContract.properties, extra: { type: 'string' } } };
    await edit('narrow', { variables: wide });
    assert.equal((await publish('narrow')).body.contractVersion, 2);
    const [old, recent, trying] = await Promise.all([
      bench.keyWith(['templates:send']),
      bench.keyWith(['templates:send']),
      bench.keyWith(['templates:send']),
    ]);
    const { body: long } = await bench.send('narrow', { to, variables }, { key: old });
    bench.advanceClock(31 * day);
    const { body: lately } = await bench.send('narrow', { to, variables: { extra: 'x' } }, { key: recent });
    const headers = { 'idempotency-key': 'versions-trying' };
    const testSend = await bench.request('/v1/templates/narrow/send-test', {
      body: { variables },
      key: trying,
      headers,
    });
    assert.is(testSend.status, 202);
    const answer = await rollback('narrow', 1);
    assert.equal(refusal(answer), [409, 'contract_breaking']);
    assert.match(answer.body.error.message, lately.apiKeyId);
    assert.is(answer.body.error.message.includes(long.apiKeyId), false, 'it names a key whose last send was long ago');
    assert.is(
      answer.body.error.message.includes(testSend.body.apiKeyId),
      false,
      'it names a key that only sent a test',
    );
    assert.match(answer.body.error.message, 'extra: It was removed.');
    assert.is((await readTemplate('narrow')).version, 2);
    const publication = await rollback('narrow', 1, { allowBreaking: true });
    assert.equal([publication.status, publication.body.version, publication.body.contractVersion], [200, 3, 3]);
    assert.equal((await contractEvents('narrow')).at(-1), {
      key: 'narrow',
      from: 2,
      to: 3,
      breaking: true,
      added: [],
      removed: ['extra'],
    });
  });

  test('a rollback to the current version only discards unpublished changes', async () => {
    await bench.publish('same');
    await edit('same', { subject: 'Never mind' });
    const { body } = await rollback('same', 1);
    assert.equal([body.version, body.contractVersion, body.draft, body.subject], [2, 1, false, 'Hello {{name}}']);
  });

  test('an unknown version or template is refused', async () => {
    await bench.publish('short');
    assert.equal(refusal(await rollback('short', 2)), [404, 'template_version_not_found']);
    assert.equal(refusal(await rollback('nothing', 1)), [404, 'template_not_found']);
    for (const version of [0, -1, 1.5, '1']) {
      const { status, body } = await post('/v1/templates/short/rollback', { version });
      assert.equal([status, body.error.details[0].path], [422, 'version']);
    }
    await bench.service.as(bench.foreignWorkspaceId).templates.create({ key: 'foreign', mode: 'html' });
    assert.equal(refusal(await rollback('foreign', 1)), [404, 'template_not_found']);
  });

  test('a rollback keeps the layout of the version and restores it in the working copy', async () => {
    await bench.publish('frame', { kind: 'layout', subject: '', body: '<div>Old {% content %}</div>' });
    await bench.publish('framed', { body: '<p>{{ name }}</p>', layout: 'frame' });
    await edit('framed', { layout: null });
    await publish('framed');
    await edit('frame', { body: '<div>New {% content %}</div>' });
    await publish('frame');
    const { body } = await rollback('framed', 1);
    assert.is(body.layout, 'frame');
    const render = async (draft: boolean) =>
      (await post('/v1/templates/framed/render', { variables, draft })).body.html;
    assert.match(await render(false), 'Old');
    assert.match(await render(true), 'New');
    const [latest] = (await versions('framed')).data;
    assert.equal([latest.layout, latest.layoutVersion], ['frame', 1]);
    assert.is((await rollback('frame', 1)).status, 200);
    assert.match(await render(true), 'Old');
  });

  for (const [operation, go] of Object.entries({ publish, rollback: (key: string) => rollback(key, 1) })) {
    test(`no ${operation} call is lost if several run at the same time, and no version number is used twice`, async () => {
      const key = `crowded-${operation}`;
      await bench.publish(key);
      const answers = await Promise.all(Array.from({ length: 6 }, () => go(key)));
      const won = answers.filter(({ status }) => status === 200).map(({ body }) => body.version);
      assert.ok(won.length > 0);
      assert.is(new Set(won).size, won.length);
      for (const answer of answers) if (answer.status !== 200) assert.equal(refusal(answer), [409, 'state_conflict']);
      assert.is((await readTemplate(key)).version, 1 + won.length);
    });
  }
});
