// Exporting everything about a person over the API: a live key exports both sides, a sandbox key exports one. Also the required scope.
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

await twoDatabases('exporting a person over the API', (test, database) => {
  let bench: MailBench;
  test.before.each(async () => {
    bench = await openMailBench(database);
  });
  test.after.each(() => bench.close());

  test('with a live key, the operation returns the result of service.personalData.export for both sides', async () => {
    await bench.publish('hello');
    const [live, sandbox] = [false, true].map((side) => bench.service.as(bench.workspaceId, { sandbox: side }));
    const { id } = (await live?.contacts.upsert({ external_id: 'u1', email: 'Ada.L@gmail.com' })) ?? { id: '' };
    const sandboxContact = await sandbox?.contacts.upsert({ external_id: 'u1', email: 'ada.l@gmail.com' });
    await live?.contacts.upsert({ email: 'grace@example.org' });
    await live?.events.emit({ type: 'order.placed', contact: { external_id: 'u1' }, metadata: { order_id: 'A-7' } });
    await bench.send('hello', { to: 'Ada.L@gmail.com', variables: { name: 'Ada' } });
    await bench.drain();
    const { status, body } = await bench.request(`/v1/contacts/${id}/export`);
    assert.is(status, 200);
    assert.equal(body, await bench.service.personalData.export(bench.workspaceId, { personId: id }));
    assert.equal(
      body.contacts.contacts.map((one: { id: string; sandbox?: boolean }) => [one.id, one.sandbox]),
      [
        [id, undefined],
        [sandboxContact?.id, true],
      ],
    );
    assert.is(body.contacts.events.length, 1);
    assert.is(body.email.sends.length, 1);
    assert.not.match(JSON.stringify(body), 'grace@');
    const answer = await bench.request(`/v1/contacts/${sandboxContact?.id}/export`, { key: bench.testKey });
    assert.equal(
      answer.body.contacts.contacts.map((one: { id: string }) => one.id),
      [sandboxContact?.id],
    );
    assert.is((await bench.request(`/v1/contacts/${id}/export`, { key: bench.testKey })).status, 404);
  });

  test('the export needs the scope contacts:export, which is only in the preset full', async () => {
    const { id } = await bench.service.as(bench.workspaceId).contacts.upsert({ email: 'ada@example.org' });
    for (const preset of ['read', 'send', 'author'] as const) {
      const { secret } = await bench.service.keys.create({ workspaceId: bench.workspaceId, name: preset, preset });
      assert.is((await bench.request(`/v1/contacts/${id}/export`, { key: secret })).status, 403, preset);
    }
  });
});
