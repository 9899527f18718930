// Proposals for templates: each needs a decision, is applied in one step, and is not applied if the content has changed since.
// full-run: slow
import * as assert from 'uvu/assert';
import { type ApprovalsBench, openApprovalsBench } from '../support/approvals-bench.ts';
import { twoDatabases } from '../support/databases.ts';
import { migratedTestService } from '../support/migrated-tables.ts';
import { bareStandardPlugins, withoutPlugin } from '../support/plugins.ts';

await twoDatabases('proposals for templates', (test, database) => {
  let bench: ApprovalsBench;
  test.before.each(async () => {
    bench = await openApprovalsBench(database);
  });
  test.after.each(() => bench.close());

  const published = async (key: string): Promise<void> => {
    await bench.by('ada', '/v1/templates', { key, mode: 'html', subject: 'First', body: '<p>Hi</p>' });
    await bench.service.as(bench.workspaceId).templates.publish({ key });
  };
  const propose = (key: string, body: object) => bench.by('ada', `/v1/templates/${key}/proposals`, body);

  test('a key of the preset author can propose changes, but cannot edit', async () => {
    await published('author');
    const { secret } = await bench.service.keys.create({
      workspaceId: bench.workspaceId,
      name: 'author',
      preset: 'author',
    });
    const proposed = await bench.send(secret, '/v1/templates/author/proposals', { subject: 'Better' });
    assert.is(proposed.status, 201, JSON.stringify(proposed.body));
    const created = await bench.send(secret, '/v1/templates', { key: 'authored' });
    assert.equal([created.status, created.body.error.code], [403, 'insufficient_scope']);
    await bench.approve(proposed.body.requestId);
    await bench.drain();
    assert.is((await bench.template('author')).subject, 'Better');
  });

  test('without a policy, a proposal that one member approves becomes the working copy and the next version', async () => {
    await published('apply');
    const { status, body } = await propose('apply', {
      subject: 'Proposed',
      locales: { de: { subject: 'Neu' } },
      note: 'Better',
    });
    assert.is(status, 201);
    const { requestId, ...rest } = body;
    assert.equal(rest, {
      templateKey: 'apply',
      baseVersion: 1,
      status: 'pending',
      diff: [
        { path: 'subject', before: 'First', after: 'Proposed' },
        { path: 'locales.de', before: null, after: { subject: 'Neu' } },
      ],
    });
    const request = await bench.read(requestId);
    assert.equal([request.note, request.diff, request.rule.minApprovals], ['Better', rest.diff, 1]);
    assert.is((await bench.template('apply')).subject, 'First', 'the working copy is not touched');
    await bench.approve(requestId);
    await bench.drain();
    const template = await bench.template('apply');
    assert.equal([template.subject, template.version, template.draft], ['Proposed', 2, false]);
    assert.equal(template.locales, { de: { subject: 'Neu' } });
    assert.is((await bench.read(requestId)).execution.status, 'done');
  });

  test('a proposal must compile and must change something', async () => {
    await published('bad');
    assert.is((await propose('bad', { body: '<p>{{ name | nonsense }}</p>' })).body.error.code, 'template_invalid');
    assert.is((await propose('bad', {})).status, 422);
    assert.is((await propose('bad', { locales: { 'no tag': { subject: 'x' } } })).status, 422);
  });

  test('an edit or a new version withdraws an older proposal', async () => {
    for (const [key, change] of [
      ['edited', (key: string) => bench.edit(key, { body: '<p>Edited</p>' })],
      ['newer', (key: string) => bench.publish(key)],
    ] as const) {
      await published(key);
      const { body } = await propose(key, { subject: 'Proposed' });
      await change(key);
      const { status, reason } = await bench.read(body.requestId);
      assert.equal([status, reason], ['withdrawn', 'content_changed']);
    }
  });

  test('saving the working copy without a change withdraws no proposal, and the proposal is applied', async () => {
    await published('saved');
    const { body } = await propose('saved', { subject: 'Proposed' });
    await bench.edit('saved', { subject: 'First', name: 'Saved again' });
    await bench.approve(body.requestId);
    await bench.drain();
    assert.equal((await bench.read(body.requestId)).execution.error, null);
    assert.is((await bench.template('saved')).subject, 'Proposed');
  });

  test('an edit after the approval prevents the proposal from being applied', async () => {
    await published('late');
    const { body } = await propose('late', { subject: 'Proposed' });
    await bench.approve(body.requestId);
    await bench.edit('late', { body: '<p>Edited</p>' });
    await bench.drain();
    assert.is((await bench.read(body.requestId)).execution.error, 'content_changed');
    assert.equal([(await bench.template('late')).version, (await bench.template('late')).subject], [1, 'First']);
  });

  test('a proposal with a breaking contract is refused before any decision, and the error names the variable', async () => {
    await published('breaking');
    const { status, body } = await propose('breaking', { subject: 'Hi {{ name }}' });
    assert.equal([status, body.error.code], [409, 'contract_breaking']);
    assert.match(body.error.message, /^Publishing would break callers: .*name.* A proposal cannot do that/);
  });

  test('a policy can require more approvals', async () => {
    await published('more');
    await bench.policy({ required: true, minApprovals: 2 });
    const { body } = await propose('more', { subject: 'Proposed' });
    assert.is((await bench.approve(body.requestId, 'bea')).body.status, 'pending');
    assert.is((await bench.approve(body.requestId, 'cal')).body.status, 'approved');
  });

  test('without the approvals plugin, a proposal is stored and never applied', async () => {
    const plugins = withoutPlugin(bareStandardPlugins, 'approvals');
    const alone = await migratedTestService(database, { plugins });
    try {
      await alone.request('/v1/templates', {
        body: { key: 'alone', mode: 'html', subject: 'First', body: '<p>Hi</p>' },
      });
      const { status, body } = await alone.request('/v1/templates/alone/proposals', { body: { subject: 'Proposed' } });
      assert.equal([status, body.requestId, body.diff], [201, null, null]);
      await alone.drain();
      assert.is((await alone.request('/v1/templates/alone')).body.subject, 'First');
    } finally {
      await alone.close();
    }
  });
});
