// Every name that a person has or had: all of them are forgotten with the person, and nobody else is.
import * as assert from 'uvu/assert';
import { createFixtureKit } from '../../core/testing/operation-suite.ts';
import { upsertContacts } from '../../plugins/contacts/batch.ts';
import { eachDatabase } from '../support/databases.ts';
import { tablesWith } from '../support/dump-tables.ts';
import type { MailBench } from '../support/mail-bench.ts';
import { openMailBench } from '../support/mail-bench.ts';

await eachDatabase('names of a person', (test, database) => {
  let bench: MailBench;
  test.before.each(async () => {
    bench = await openMailBench(database);
    await bench.publish('receipt', { subject: 'Hello {{name}}' });
  });
  test.after.each(() => bench.close());

  const calls = () => bench.service.as(bench.workspaceId);
  const send = (to: string) => calls().email.send({ template: 'receipt', to, variables: { name: to } });
  const traces = (sought: RegExp) => tablesWith(bench.service, sought);

  test('an address that is said beside the contact is exported and erased with it', async () => {
    const { id } = await calls().contacts.upsert({ external_id: 'ada', email: 'ada-now@example.org' });
    await send('ada-now@example.org');
    await send('ada-then@example.org');
    await calls().suppressions.create({ email: 'ada-then@example.org' });
    await bench.drain();
    const { personalData } = bench.service;
    const person = { contactId: id, email: 'Ada-Then@Example.org' };
    const found = await personalData.export(bench.workspaceId, person);
    assert.is(found['email']?.['sends']?.length, 2);
    await personalData.erase(bench.workspaceId, person);
    await bench.drain();
    assert.equal(await traces(/ada-(now|then)@/i), []);
  });

  test('addresses that a contact had are erased with it, those that others took are not', async () => {
    const { id } = await calls().contacts.upsert({ external_id: 'eva', email: 'eva-first@example.org' });
    await send('eva-first@example.org');
    await calls().contacts.upsert({ external_id: 'eva', email: 'eva-passed-on@example.org' });
    await calls().contacts.upsert({ external_id: 'eva', email: 'eva-second@example.org' });
    await send('eva-second@example.org');
    await calls().contacts.upsert({ external_id: 'bob', email: 'eva-passed-on@example.org' });
    const { core } = bench.service;
    const said = [{ reference: { external_id: 'eva', email: 'eva-third@example.org' }, attributes: {} }];
    await createFixtureKit(bench).write((effects) => upsertContacts(core, effects, said));
    await bench.drain();
    const found = await bench.service.personalData.export(bench.workspaceId, { contactId: id });
    assert.is(found['email']?.['sends']?.length, 2);
    assert.match(JSON.stringify(found['contacts']), 'eva-second@example.org');
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
});
