// Authoring templates: input of create and update, output of reads and lists, and fields that no caller can set.
// full-run: slow
import * as assert from 'uvu/assert';
import { isPostriderError } from '../../core/index.ts';
import { eachDatabase } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

const listedFields = [
  ...['id', 'key', 'name', 'category', 'mode', 'subject', 'previewText', 'themeId', 'version', 'status'],
  ...['contractVersion', 'createdAt', 'updatedAt', 'publishedAt', 'delivery', 'tracking', 'expiresIn', 'topicKey'],
  ...['kind', 'layout', 'locale'],
].sort();
const readFields = [
  ...listedFields,
  'body',
  'text',
  'locales',
  'variables',
  'authoredVariables',
  'draft',
  'approval',
].sort();
const contract = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

await eachDatabase('authoring templates', (test, database) => {
  let bench: MailBench;
  let calls = 0;
  test.before(async () => {
    bench = await openMailBench(database);
  });
  test.after(() => bench.close());

  const create = (body: object) => bench.request('/v1/templates', { body });
  const update = (key: string, body: object) => {
    calls += 1;
    const headers = { 'idempotency-key': `update-${calls}` };
    return bench.request(`/v1/templates/${key}`, { method: 'PATCH', body, headers });
  };
  const readTemplate = async (key: string) => (await bench.request(`/v1/templates/${key}`)).body;

  test('the default name of a layout is Untitled layout', async () => {
    assert.is((await create({ kind: 'layout' })).body.data.name, 'Untitled layout');
    assert.is((await create({ kind: 'layout', name: 'Frame' })).body.data.name, 'Frame');
  });

  test('a template can also be read by its id, but only in its own workspace', async () => {
    const { id, key } = (await create({ name: 'Named' })).body.data;
    assert.equal(await readTemplate(id), await readTemplate(key));
    const { templates } = bench.service.as(bench.foreignWorkspaceId);
    const refusal = await templates.read({ key: id }).catch((error: unknown) => error);
    assert.ok(isPostriderError(refusal, 'template_not_found'));
  });

  test('an empty create makes a draft with default values and a generated key', async () => {
    const { status, body } = await create({});
    assert.is(status, 201);
    assert.equal(Object.keys(body), ['data', 'warnings']);
    assert.equal(body.warnings, []);
    const { id, key, ...rest } = body.data;
    assert.match(id, /^tpl_[0-9A-HJKMNP-TV-Z]{26}$/);
    assert.match(key, /^untitled_[0-9a-z]{8}$/);
    const at = new Date(bench.now()).toISOString();
    assert.equal(rest, {
      name: 'Untitled email',
      kind: 'email',
      category: 'transactional',
      mode: 'mjml',
      subject: '',
      previewText: '',
      themeId: null,
      layout: null,
      locale: null,
      version: 0,
      status: 'draft',
      contractVersion: 0,
      createdAt: at,
      updatedAt: at,
      publishedAt: null,
      delivery: 'at-least-once',
      tracking: { opens: false, clicks: false },
      expiresIn: null,
      topicKey: null,
    });
    assert.is.not((await create({})).body.data.key, key);
  });

  test('a list shows exactly its fields, and a read adds the content', async () => {
    await create({ key: 'shown', subject: 'Hi {{name}}', body: '<p>{{name}} {{order.total}}</p>', mode: 'html' });
    const detail = await readTemplate('shown');
    assert.equal(Object.keys(detail).sort(), readFields);
    assert.is(detail.draft, true);
    assert.is(detail.text, null);
    assert.is(detail.body, '<p>{{name}} {{order.total}}</p>');
    assert.equal(Object.keys(detail.variables.properties).sort(), ['name', 'order']);
    const page = (await bench.request('/v1/templates?limit=1')).body;
    assert.equal(Object.keys(page.data[0]).sort(), listedFields);
    assert.equal((await bench.tool('read_template', { key: 'shown' })).body, detail);
  });

  test('opens and clicks are tracked by default only in marketing mail, and the author can change both', async () => {
    const tracking = async (body: object) => (await create(body)).body.data.tracking;
    assert.equal(await tracking({ category: 'marketing' }), { opens: true, clicks: true });
    assert.equal(await tracking({ category: 'system' }), { opens: false, clicks: false });
    assert.equal(await tracking({ tracking: { opens: true, clicks: false } }), { opens: true, clicks: false });
  });

  test('a key has 1 to 80 characters of a–z, 0–9, _ and -, and is unique in its workspace', async () => {
    for (const key of ['', 'Upper', 'with space', 'ümlaut', 'a/b', 'a.b', 'x'.repeat(81)]) {
      const { status, body } = await create({ key });
      assert.equal([status, body.error?.details[0].path], [422, 'key'], key);
    }
    for (const key of ['a', '-', '_0', 'x'.repeat(80)]) assert.is((await create({ key })).status, 201, key);
    const { status, body } = await create({ key: 'a' });
    assert.equal([status, body.error.type, body.error.code], [409, 'conflict_error', 'key_taken']);
    const foreignCalls = bench.service.as(bench.foreignWorkspaceId);
    assert.is((await foreignCalls.templates.create({ key: 'a' })).data.key, 'a');
  });

  test('if several calls create one key at the same time, one succeeds and the others get key_taken', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => create({ key: 'contested' })));
    assert.is(answers.filter(({ status }) => status === 201).length, 1);
    const codes = answers.filter(({ status }) => status !== 201).map(({ body }) => body.error.code);
    assert.equal(
      codes,
      Array.from({ length: 5 }, () => 'key_taken'),
    );
  });

  test('an update changes only the given fields, and changed content sets the draft flag', async () => {
    await bench.publish('edited', { subject: 'Hello {{name}}' });
    const before = await readTemplate('edited');
    assert.is(before.draft, false);
    bench.advanceClock(1_000);
    const settings = await update('edited', { name: 'Renamed', tracking: { opens: true } });
    assert.is(settings.status, 200);
    const at = new Date(bench.now()).toISOString();
    assert.equal(settings.body, {
      ...before,
      name: 'Renamed',
      tracking: { opens: true, clicks: false },
      updatedAt: at,
    });
    const content = await update('edited', { subject: 'Welcome {{name}}', text: 'Welcome {{name}}' });
    assert.equal(content.body, {
      ...settings.body,
      subject: 'Welcome {{name}}',
      text: 'Welcome {{name}}',
      draft: true,
    });
    assert.equal(await readTemplate('edited'), content.body);
    assert.is((await update('edited', { text: null })).body.text, null);
    assert.is((await update('edited', { previewText: 'Soon' })).body.previewText, 'Soon');
    assert.is((await update('edited', { previewText: null })).body.previewText, '');
    assert.is((await create({ previewText: null })).body.data.previewText, '');
  });

  test('each of several simultaneous updates succeeds or is refused with state_conflict', async () => {
    await create({ key: 'crowded', subject: '' });
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, index) => update('crowded', { subject: `s${index}` })),
    );
    for (const { status, body } of answers) {
      if (status !== 200) assert.equal([status, body.error.code], [409, 'state_conflict']);
    }
    const won = answers.filter(({ status }) => status === 200).map(({ body }) => body.subject);
    assert.ok(won.includes((await readTemplate('crowded')).subject));
  });

  test('read-only and misspelt fields are refused, and the error names them', async () => {
    await create({ key: 'guarded' });
    const names = [
      ...['id', 'workspace_id', 'workspaceId', 'version', 'status', 'contractVersion', 'createdAt', 'created_at'],
      ...[
        'updatedAt',
        'publishedAt',
        'draft',
        'revision',
        'published_revision',
        'constructor',
        'prototype',
        'preview_text',
      ],
    ];
    const before = await readTemplate('guarded');
    for (const name of names) {
      for (const { status, body } of [await create({ [name]: 1 }), await update('guarded', { [name]: 1 })]) {
        assert.equal([status, body.error.code, body.error.details[0].path], [422, 'validation_failed', name]);
      }
    }
    assert.is((await update('guarded', { key: 'other' })).body.error.details[0].path, 'key');
    assert.is((await update('guarded', { tracking: { open: true } })).body.error.details[0].path, 'tracking.open');
    for (const json of ['{"__proto__":{"name":"x"}}', '{"variables":{"__proto__":{"type":"object"}}}']) {
      assert.is((await bench.request('/v1/templates', { body: json })).status, 422, json);
    }
    assert.equal(await readTemplate('guarded'), before);
  });

  test('a value out of range is refused, and the error names the field', async () => {
    const bodies: Record<string, object> = {
      name: { name: '' },
      category: { category: 'bulk' },
      mode: { mode: 'text' },
      delivery: { delivery: 'exactly-once' },
      subject: { subject: 'x'.repeat(100_000) },
      'tracking.opens': { tracking: { opens: 'yes', clicks: true } },
      variables: { variables: 'none' },
    };
    for (const [path, body] of Object.entries(bodies)) {
      const { status, body: answer } = await create(body);
      assert.equal([status, answer.error?.details[0].path], [422, path]);
    }
    const theme = await create({ themeId: 'thm_01JD3Q5S8ZK2M4N6P8R0T2V4W6' });
    assert.equal([theme.status, theme.body.error.code], [404, 'theme_not_found']);
  });

  test('the contract of an author is checked when it is stored, and the error names unsupported parts', async () => {
    for (const body of [
      { variables: { ...contract, $ref: '#/x' } },
      { variables: { ...contract, properties: { name: { type: 'string', pattern: '(a+)+$' } } } },
      { variables: { ...contract, properties: { name: { type: 'text' } } } },
    ]) {
      const { status, body: answer } = await create(body);
      assert.equal([status, answer.error.code], [422, 'template_invalid'], JSON.stringify(answer));
      assert.ok(answer.error.details.length > 0);
    }
    const { body } = await create({ key: 'authored', variables: contract });
    assert.is(body.data.key, 'authored');
    assert.equal((await readTemplate('authored')).variables, { ...contract, additionalProperties: false });
  });

  test('drafts and published templates are listed newest first, by status and category, in pages', async () => {
    const foreignCalls = bench.service.as(bench.foreignWorkspaceId);
    for (let index = 0; index < 7; index += 1) {
      const category = index % 2 === 0 ? 'system' : 'marketing';
      await foreignCalls.templates.create({
        key: `list-${index}`,
        category,
        mode: 'html',
        subject: 'Hi',
        body: '<p>x</p>',
      });
    }
    await foreignCalls.templates.publish({ key: 'list-2' });
    const keys = async (query: object) => (await foreignCalls.templates.list(query)).data.map(({ key }) => key);
    const all = await keys({ limit: 100 });
    assert.equal(
      all.slice(0, 7),
      [6, 5, 4, 3, 2, 1, 0].map((index) => `list-${index}`),
    );
    assert.equal(await keys({ category: 'marketing' }), ['list-5', 'list-3', 'list-1']);
    assert.equal(await keys({ status: 'published' }), ['list-2']);
    assert.equal(await keys({ status: 'archived' }), []);
    const first = await foreignCalls.templates.list({ limit: 3 });
    const second = await foreignCalls.templates.list({ limit: 100, cursor: first.next_cursor ?? '' });
    assert.equal(
      [...first.data, ...second.data].map(({ key }) => key),
      all,
    );
  });

  test("another workspace's template gets the same answer as a missing template", async () => {
    const calls = bench.service.as(bench.workspaceId);
    await calls.templates.create({ key: 'private' });
    const foreignCalls = (
      await bench.service.keys.create({ workspaceId: bench.foreignWorkspaceId, name: 'x', preset: 'full' })
    ).secret;
    const paths = ['private', 'missing', 'MISSING', 'x'.repeat(200)].map(
      (key) => `/v1/templates/${encodeURIComponent(key)}`,
    );
    for (const path of paths) {
      for (const [method, suffix] of [
        ['GET', ''],
        ['GET', '/schema'],
        ['PATCH', ''],
        ['POST', '/publish'],
      ] as const) {
        const body = method === 'GET' ? undefined : {};
        const answer = await bench.request(path + suffix, { method, body, key: foreignCalls });
        assert.equal(
          [answer.status, answer.body.error.code],
          [404, 'template_not_found'],
          `${method} ${path}${suffix}`,
        );
      }
    }
  });
});
