// Every address and id that a person has or had is erased with the person, and addresses and ids of other people stay.
// full-run: slow
import * as assert from 'uvu/assert';
import { createFixtureKit } from '../../hosts/testing/fixture-kit.ts';
import { upsertContacts } from '../../plugins/contacts/upsert-contacts.ts';
import { twoDatabases } from '../support/databases.ts';
import { tablesWith } from '../support/dump-tables.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { startReceiver } from '../support/webhooks-bench.ts';

await twoDatabases('names of a person', (test, database) => {
  let bench: MailBench;
  test.before.each(async () => {
    bench = await openMailBench(database, { outgoing: { allow: ['127.0.0.1'] } });
    await bench.publish('receipt', { subject: 'Hello {{name}}' });
  });
  test.after.each(() => bench.close());

  const calls = () => bench.service.as(bench.workspaceId);
  const send = (to: string) => calls().email.send({ template: 'receipt', to, variables: { name: to } });
  const traces = (pattern: RegExp) => tablesWith(bench.service, pattern);

  test('an address that was given together with the contact is exported and erased with it', async () => {
    const { id } = await calls().contacts.upsert({ external_id: 'ada', email: 'ada-now@example.org' });
    await send('ada-now@example.org');
    await send('ada-then@example.org');
    await calls().suppressions.create({ email: 'ada-then@example.org' });
    await bench.drain();
    const { personalData } = bench.service;
    const person = { personId: id, email: 'Ada-Then@Example.org' };
    const exported = await personalData.export(bench.workspaceId, person);
    assert.is(exported['email']?.['sends']?.length, 2);
    await personalData.erase(bench.workspaceId, person);
    await bench.drain();
    assert.equal(await traces(/ada-(now|then)@/i), []);
  });

  test('former addresses of a contact are erased with it, unless another contact has them now', async () => {
    const { id } = await calls().contacts.upsert({ external_id: 'eva', email: 'eva-first@example.org' });
    await send('eva-first@example.org');
    await calls().contacts.upsert({ external_id: 'eva', email: 'eva-passed-on@example.org' });
    await calls().contacts.upsert({ external_id: 'eva', email: 'eva-second@example.org' });
    await send('eva-second@example.org');
    await calls().contacts.upsert({ external_id: 'bob', email: 'eva-passed-on@example.org' });
    const patches = [{ reference: { external_id: 'eva', email: 'eva-third@example.org' }, attributes: {} }];
    await createFixtureKit(bench).write((ctx) => upsertContacts(ctx, patches));
    await bench.drain();
    const exported = await bench.service.personalData.export(bench.workspaceId, { personId: id });
    assert.is(exported['email']?.['sends']?.length, 2);
    assert.match(JSON.stringify(exported['contacts']), 'eva-second@example.org');
    await calls().contacts.delete({ contactId: id });
    await bench.drain();
    assert.equal(await traces(/eva-(first|second|third)@/i), []);
    const { data } = await calls().contacts.list({});
    assert.equal(
      data.map(({ email }) => email),
      ['eva-passed-on@example.org'],
    );
    await calls().contacts.upsert({ external_id: 'bob', email: 'bob@example.org' });
    await bench.service.personalData.erase(bench.workspaceId, { email: 'eva-passed-on@example.org' });
    assert.not.ok((await traces(/eva-passed-on@/i)).includes('contact_former_addresses'));
  });

  test('events of an earlier owner of the address are kept, but with a pseudonym for the address', async () => {
    const receiver = await startReceiver();
    try {
      receiver.answer = {
        status: 200,
        body: '{"to":"Mia \\u003cmia@example.org\\u003e","line":"1\\nmia@example.org"}',
      };
      await calls().webhooks.create({ url: receiver.url, events: ['*'] });
      const loser = await calls().contacts.upsert({ external_id: 'mia-old', email: 'mia@example.org' });
      await bench.drain();
      const winner = await calls().contacts.upsert({ external_id: 'mia', email: 'mia@example.org' });
      await bench.drain();
      assert.equal((await traces(/mia@/i)).sort(), ['contacts', 'outbox', 'webhook_deliveries']);
      await calls().contacts.delete({ contactId: winner.id });
      await bench.drain();
      assert.equal(await traces(/mia@/i), []);
      const { events } =
        (await bench.service.personalData.export(bench.workspaceId, { personId: loser.id })).core ?? {};
      assert.equal(
        events?.map((event) => (event as { type: string }).type),
        ['contact.created', 'contact.updated'],
      );
      assert.match(JSON.stringify(events), /"erased:[0-9a-f]{40}"/);
    } finally {
      await receiver.close();
    }
  });

  test('data that a transaction commits about a contact is erased even if the contact is deleted at the same time', async () => {
    const { id } = await calls().contacts.upsert({ external_id: 'leo', email: 'leo@example.org' });
    await calls().contacts.delete({ contactId: id });
    await bench.drain();
    // Like a joined transaction that has found the contact before its deletion.
    await createFixtureKit(bench).write(async (ctx) => {
      const contact = { id, external_id: 'leo', email: 'leo@example.org' };
      const metadata = { to: 'leo@example.org' };
      const { id: eventId } = await ctx.emitCustom('order.paid', { contact, metadata }, { subject: id });
      bench.service.core.services.contacts.addToTimeline(ctx, id, {
        id: eventId,
        type: 'order.paid',
        metadata: { to: 'leo@example.org' },
      });
    });
    await bench.drain();
    assert.ok((await traces(/leo@/i)).includes('contact_events'));
    // Now the address belongs to another contact, which must not change.
    await calls().contacts.upsert({ external_id: 'leo', email: 'leo@example.org' });
    bench.advanceClock(150_000);
    await bench.drain();
    assert.not.ok((await traces(/leo@/i)).includes('contact_events'));
    const { contacts, core } = await bench.service.personalData.export(bench.workspaceId, { personId: id });
    assert.equal([contacts, core], [{ contacts: [], events: [], activity: [] }, { events: [] }]);
    assert.is((await calls().contacts.list({ email: 'leo@example.org' })).data[0]?.email, 'leo@example.org');
  });

  test('an external id that is an address is removed from the stored answers of idempotent calls', async () => {
    const call = () =>
      bench.request('/v1/contacts', {
        body: { external_id: 'zoe@old.example' },
        headers: { 'idempotency-key': 'zoe' },
      });
    const { body } = await call();
    assert.is(body.external_id, 'zoe@old.example');
    await calls().contacts.delete({ contactId: body.id });
    await bench.drain();
    assert.equal(await traces(/zoe@/i), []);
    const repeat = await call();
    assert.equal(
      [repeat.headers['Idempotent-Replay'], repeat.body.id, repeat.body.external_id],
      ['true', body.id, null],
    );
  });
});
