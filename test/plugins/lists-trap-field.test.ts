// Subscribe forms that were sent with the trap field filled in: they are stored for the team to review, and have no other effect.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { form, listCalls, signedTimeIn } from '../support/list-bench.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { publicUrl, visit } from '../support/tracked-mail.ts';

const day = 86_400_000;

await twoDatabases('trapped forms of lists', (test, database) => {
  let bench: MailBench;
  test.before.each(async () => {
    bench = await openMailBench(database, { publicUrl });
  });
  test.after.each(() => bench.close());
  const { doubleList, call } = listCalls(() => bench);

  const listTrapped = async (listId: string, key = bench.liveKey) =>
    (await bench.request(`/v1/lists/${listId}/trapped`, { key })).body.data;

  /** Sends the form of a list with the trap field filled in. */
  async function sendTrappedForm(listId: string, fields: Record<string, string>): Promise<void> {
    const at = signedTimeIn((await visit(bench, `/lists/${listId}`)).text);
    bench.advanceClock(15_000);
    const answer = await visit(bench, `/lists/${listId}`, form({ more_details: 'x', shown_at: at, ...fields }));
    assert.equal([answer.status, answer.headers['Location']], [303, '?sent']);
  }

  test('trapped forms are listed as they were typed, newest first, and nobody gets a mail or becomes a contact', async () => {
    const listId = await doubleList();
    const names = ['İ ß 👩‍👩‍👧', '=1+1', 'a\u0007b\ufffd', '東京'.repeat(400)];
    for (const name of names) await sendTrappedForm(listId, { email: ' Ada@Example.org ', name });
    await sendTrappedForm(listId, { email: 'no address', name: '' });
    await bench.drain();
    const forms = await listTrapped(listId);
    assert.equal(
      forms.map(({ email, fields }: { email: string; fields: { name: string } }) => [email, fields.name]),
      [
        [null, ''],
        ['ada@example.org', '東京'.repeat(250)],
        ['ada@example.org', 'a b\ufffd'],
        ['ada@example.org', '=1+1'],
        ['ada@example.org', 'İ ß 👩‍👩‍👧'],
      ],
    );
    assert.equal(forms[4].fields.email, 'Ada@Example.org');
    assert.equal(await bench.received(), []);
    assert.equal((await bench.request('/v1/contacts')).body.data, []);
    assert.equal((await bench.request(`/v1/lists/${listId}/members`)).body.data, []);
  });

  test('trapped forms are removed after a week, with their list, and with the person', async () => {
    const listId = await doubleList();
    await sendTrappedForm(listId, { email: 'old@example.org' });
    bench.advanceClock(6 * day);
    await sendTrappedForm(listId, { email: 'ada@example.org' });
    await bench.drain();
    assert.is((await listTrapped(listId)).length, 2);
    bench.advanceClock(2 * day);
    await bench.drain();
    const emails = (await listTrapped(listId)).map(({ email }: { email: string }) => email);
    assert.equal(emails, ['ada@example.org']);
    await bench.service.personalData.erase(bench.workspaceId, { email: 'ada@example.org' });
    await bench.drain();
    assert.equal(await listTrapped(listId), []);
    await sendTrappedForm(listId, { email: 'bea@example.org' });
    await call(`/v1/lists/${listId}`, 'DELETE', undefined);
    await bench.drain();
    assert.is((await bench.request(`/v1/lists/${listId}/trapped`)).status, 404);
    const open = await bench.service.core.database();
    const remaining = await open.driver.read((connection) =>
      connection.query({ sql: `select id from ${open.prefix}list_trapped_forms`, parameters: [] }),
    );
    assert.equal(remaining.rows, []);
  });
});
