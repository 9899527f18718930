// Templates are shared by the live and the sandbox side: a sandbox key can edit drafts, but cannot change anything that affects live
// mail.
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

const variables = { name: 'Ada' };
const content = { mode: 'html', subject: 'Hello {{ name }}', body: '<p>Hello {{ name }}</p>' };

await twoDatabases('templates and the sandbox', (test, database) => {
  let bench: MailBench;
  let calls = 0;
  test.before(async () => {
    bench = await openMailBench(database);
    await bench.publish('receipt', content);
  });
  test.after(() => bench.close());

  const call = async (method: string, path: string, body?: object, key = bench.testKey) => {
    calls += 1;
    const headers = { 'idempotency-key': `sandbox-${calls}` };
    const answer = await bench.request(`/v1/templates${path}`, { method, key, headers, ...(body ? { body } : {}) });
    return { status: answer.status, code: answer.body.error?.code, body: answer.body };
  };
  const errorOf = ({ status, code }: { status: number; code: string | undefined }) => [status, code];

  test('a sandbox key can read, create and edit drafts, and live mail uses the published version', async () => {
    assert.is((await call('GET', '/receipt')).body.version, 1);
    assert.is((await call('POST', '', { key: 'drafted', ...content })).status, 201);
    assert.is((await call('PATCH', '/drafted', { category: 'marketing', subject: 'Hi {{ name }}' })).status, 200);
    assert.is((await call('PATCH', '/receipt', { subject: 'Edited for {{ name }}' })).status, 200);
    const { body } = await bench.send('receipt', { to: 'ada@example.org', variables });
    assert.equal([body.subject, body.templateVersion], ['Hello Ada', 1]);
    const keys = (await bench.request('/v1/templates?limit=100')).body.data.map(({ key }: { key: string }) => key);
    assert.is(keys.includes('drafted'), true, 'both sides see the same list');
  });

  test('publishing, rolling back and archiving need a live key, over the API, with a tool and in process', async () => {
    const before = (await call('GET', '/receipt')).body;
    assert.equal(errorOf(await call('POST', '/receipt/publish', {})), [403, 'live_key_required']);
    assert.equal(errorOf(await call('POST', '/receipt/rollback', { version: 1 })), [403, 'live_key_required']);
    assert.equal(errorOf(await call('DELETE', '/receipt')), [403, 'live_key_required']);
    const tool = await bench.tool('publish_template', { key: 'receipt' }, bench.testKey);
    assert.equal([tool.isError, tool.body.error.code], [true, 'live_key_required']);
    const inProcess = bench.service.as(bench.workspaceId, { sandbox: true });
    const thrown = await inProcess.templates.archive({ key: 'receipt' }).catch((error: { code: string }) => error.code);
    assert.is(thrown, 'live_key_required');
    assert.equal((await call('GET', '/receipt')).body, before);
    assert.is((await call('POST', '/receipt/publish', {}, bench.liveKey)).status, 200);
  });

  test('changes that affect a published template immediately need a live key, too', async () => {
    for (const change of [{ name: 'Other' }, { category: 'marketing' }, { delivery: 'at-most-once' }])
      assert.equal(
        errorOf(await call('PATCH', '/receipt', change)),
        [403, 'live_key_required'],
        JSON.stringify(change),
      );
    assert.equal(errorOf(await call('PATCH', '/receipt', { tracking: { opens: true } })), [403, 'live_key_required']);
    assert.is((await call('PATCH', '/receipt', { delivery: 'at-most-once' }, bench.liveKey)).status, 200);
  });

  test('on the plan sandbox these operations are allowed, because there is no live side', async () => {
    const { id } = await bench.service.workspaces.create({
      name: 'On trial',
      plan: 'sandbox',
      defaultFrom: { email: 'hello@example.com', name: 'Trial' },
    });
    const trial = bench.service.as(id, { sandbox: true });
    await trial.templates.create({ key: 'receipt', mode: 'html', subject: 'Hi', body: '<p>Hi</p>' });
    assert.is((await trial.templates.publish({ key: 'receipt' })).version, 1);
    assert.is((await trial.templates.update({ key: 'receipt', name: 'Receipt' })).name, 'Receipt');
    assert.is((await trial.templates.archive({ key: 'receipt' })).status, 'archived');
  });
});
