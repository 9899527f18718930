// Archiving templates: its effects, the data that does not change, and when it is refused.
// full-run: slow
import * as assert from 'uvu/assert';
import { eachDatabase } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

const to = 'ada@example.org';
const variables = { name: 'Ada' };

await eachDatabase('archiving templates', (test, database) => {
  let bench: MailBench;
  let calls = 0;
  test.before(async () => {
    bench = await openMailBench(database);
  });
  test.after(() => bench.close());

  const post = (path: string, body: object = {}, method = 'POST') => {
    calls += 1;
    return bench.request(path, { method, body, headers: { 'idempotency-key': `archive-${calls}` } });
  };
  const archive = (key: string) => bench.request(`/v1/templates/${key}`, { method: 'DELETE' });
  const refusal = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
    status,
    body.error?.code,
  ];

  test('archiving returns the template; it can no longer be sent or changed, and its key stays reserved', async () => {
    await bench.publish('over');
    const before = (await bench.request('/v1/templates?limit=1')).body.data[0];
    bench.advanceClock(1_000);
    const { status, body } = await archive('over');
    assert.is(status, 200);
    assert.equal(body, { ...before, status: 'archived', updatedAt: new Date(bench.now()).toISOString() });
    const refusals = [
      await bench.send('over', { to, variables }),
      await bench.send('over', { to, variables }, { key: bench.testKey }),
      await post('/v1/transactional/send', { template: 'over', to, variables }),
      await post('/v1/transactional/preview', { template: 'over', variables }),
      await post('/v1/templates/over/send-test', { variables }),
      await post('/v1/templates/over', { name: 'Other' }, 'PATCH'),
      await post('/v1/templates/over/publish'),
      await post('/v1/templates/over/rollback', { version: 1 }),
    ];
    for (const answer of refusals) assert.equal(refusal(answer), [409, 'template_archived']);
    assert.equal(refusal(await post('/v1/templates', { key: 'over' })), [409, 'key_taken']);
    assert.is((await bench.request('/v1/templates/over')).body.status, 'archived');
    assert.is((await bench.request('/v1/templates/over/versions')).body.data.length, 1);
    const isListed = async (query: string) =>
      (await bench.request(`/v1/templates${query}`)).body.data.some(({ key }: { key: string }) => key === 'over');
    assert.equal([await isListed(''), await isListed('?status=archived')], [false, true]);
    const { data } = (await bench.request('/v1/audit?action=template.archive&limit=1')).body;
    assert.equal([data[0].target.id, data[0].metadata], [body.id, { key: 'over' }]);
  });

  test('sends that were accepted before the archive still leave', async () => {
    await bench.publish('last');
    const send_at = new Date(bench.now() + 60_000).toISOString();
    const { body } = await bench.send('last', { to: 'last@example.org', variables, send_at });
    await archive('last');
    bench.advanceClock(60_000);
    await bench.drain();
    assert.is((await bench.readSend(body.id)).status, 'sent');
    assert.ok(bench.sink.messages.some(({ recipients }) => recipients.includes('last@example.org')));
  });

  test('a second archive changes nothing, and an unknown template is not found', async () => {
    await bench.publish('twice');
    const first = (await archive('twice')).body;
    bench.advanceClock(5_000);
    assert.equal((await archive('twice')).body, first);
    assert.equal(refusal(await archive('nothing')), [404, 'template_not_found']);
    assert.equal((await bench.tool('archive_template', { key: 'twice' })).body, first);
  });

  test('a layout in use cannot be archived, and the error names its users', async () => {
    const body = '<html><body>{% content %}</body></html>';
    await bench.publish('frame', { kind: 'layout', subject: '', body });
    for (const key of ['user-a', 'user-b']) await bench.publish(key, { body: '<p>{{ name }}</p>', layout: 'frame' });
    await post('/v1/templates', { key: 'user-c', mode: 'html', layout: 'frame' });
    const answer = await archive('frame');
    assert.equal(refusal(answer), [409, 'layout_in_use']);
    assert.match(answer.body.error.message, 'user-a, user-b, user-c');
    await archive('user-a');
    await post('/v1/templates/user-b', { layout: null }, 'PATCH');
    assert.match((await archive('frame')).body.error.message, 'used by user-c.');
    await archive('user-c');
    assert.is((await archive('frame')).status, 200);
    assert.is(
      (await bench.send('user-b', { to, variables })).status,
      202,
      'a published version no longer needs its layout',
    );
    assert.equal(refusal(await post('/v1/templates/user-b', { layout: 'frame' }, 'PATCH')), [404, 'layout_not_found']);
  });

  test('the error names at most twenty users of a layout', async () => {
    await bench.publish('popular', { kind: 'layout', subject: '', body: '<div>{% content %}</div>' });
    for (let index = 0; index < 21; index += 1)
      await post('/v1/templates', { key: `fan-${String(index).padStart(2, '0')}`, mode: 'html', layout: 'popular' });
    const { message } = (await archive('popular')).body.error;
    assert.match(message, 'fan-19 and others.');
    assert.is(message.includes('fan-20'), false);
  });

  test('if an archive and a publish run at the same time, the template is archived in the end', async () => {
    for (let round = 0; round < 5; round += 1) {
      const key = `race-${round}`;
      await post('/v1/templates', { key, mode: 'html', subject: 'Hi', body: '<p>x</p>' });
      const [published, archived] = await Promise.all([post(`/v1/templates/${key}/publish`), archive(key)]);
      assert.is(archived.status, 200, JSON.stringify(archived.body));
      assert.ok([200, 409].includes(published.status), JSON.stringify(published.body));
      assert.is((await bench.request(`/v1/templates/${key}`)).body.status, 'archived');
    }
  });
});
