// The timeline of a contact shows entries of another area only if the key has the scope that reads this area.
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { openSequenceBench, type SequenceBench } from '../support/sequence-bench.ts';

await twoDatabases('timelines by scope', (test, database) => {
  let bench: SequenceBench;
  test.before.each(async () => {
    bench = await openSequenceBench(database);
  });
  test.after.each(() => bench.close());

  test('the timeline shows sends, SMS and runs only to keys that can read them elsewhere', async () => {
    const { calls } = bench;
    await bench.service.sms.setWording(bench.workspaceId, 'auth_login_code', { body: '{{ code }}' });
    await bench.service.sms.configure(bench.workspaceId, { helpText: 'Help' });
    const phone = '+14155550123';
    await bench.template('hello');
    const { id } = await calls.contacts.upsert({
      email: 'ada@example.org',
      attributes: { timezone: 'Mars/Base', phone },
    });
    const keyOrId = await bench.published({
      name: 'Greet',
      nodes: [{ id: 'greet', kind: 'send_email', templateKey: 'hello', variables: { name: 'you' } }],
    });
    await calls.sequences.enroll({ keyOrId, contact: { id } });
    await calls.sms.send({ templateKey: 'auth_login_code', to: phone, variables: { code: '482913' } });
    await calls.events.emit({ type: 'order.placed', contact: { id } });
    await bench.drain();
    const kindsFor = async (...scopes: string[]) => {
      const { secret } = await bench.service.keys.create({ workspaceId: bench.workspaceId, name: 'looks', scopes });
      const { status, body } = await bench.request(`/v1/contacts/${id}`, { key: secret });
      assert.is(status, 200);
      return body.timeline.map(({ kind }: { kind: string }) => kind).sort();
    };
    const alwaysShown = ['event', 'timezone_unknown'];
    assert.equal(await kindsFor('contacts:read'), alwaysShown);
    assert.equal(await kindsFor('contacts:read', 'sends:read'), ['event', 'send', 'timezone_unknown']);
    assert.equal(await kindsFor('contacts:read', 'sequences:read'), ['event', 'sequence_run', 'timezone_unknown']);
    assert.equal(await kindsFor('contacts:read', 'messaging.transactional.read'), ['event', 'sms', 'timezone_unknown']);
    assert.equal(await kindsFor('contacts:read', 'sends:read', 'sequences:read'), [
      'event',
      'send',
      'sequence_run',
      'timezone_unknown',
    ]);
  });
});
