// Contacts in the console, apart from reading: a file is checked and imported, a person's data is downloaded, a person is erased.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ConsoleBench, openConsoleBench } from '../support/console-bench.ts';

const test = suite<{ bench: ConsoleBench }>('contacts in the console');

test.before.each(async (context) => {
  context.bench = await openConsoleBench();
});
test.after.each(({ bench }) => bench.close());

const file =
  'Kunde;E-Mail;Alter;Plan\nZoë „Z“;zoe@example.com;41;pro\n"=1+1";ada@example.com;x;free\nفاطمة;nowhere;7;pro\n';

/** The fields of the form with the check, as a browser would send them. */
function fieldsOf(text: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g))
    fields[name] = value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
  for (const [, name = '', options = ''] of text.matchAll(/<select name="([^"]+)"[^>]*>(.*?)<\/select>/gs))
    fields[name] = /<option value="([^"]*)" selected>/.exec(options)?.[1] ?? '';
  return fields;
}

test('a file is checked, its columns are chosen, and then it is imported', async ({ bench }) => {
  const { listId } = await bench.calls.lists.create({ name: 'News' });
  await bench.calls.topics.create({ key: 'offers', name: 'Offers', default: 'subscribed' });
  assert.match((await bench.page('/contacts')).text, `${bench.workspaceId}/contacts/import?side=live`);
  assert.match((await bench.page('/contacts/import')).text, 'data-accept=".csv');
  const check = await bench.post('/contacts/import', { action: 'check', key: 'k1', csv: file });
  assert.is(check.status, 200);
  assert.match(check.text, '3 rows: 1 new contact, 1 contact changed, 0 as before, 1 with a fault.');
  assert.match(check.text, /data-head="Line"[^>]*><span>4</);
  assert.match(check.text, '<option value="topic.offers">');
  assert.match(check.text, '<span dir="auto">Zoë „Z“</span>');
  const fields = fieldsOf(check.text);
  assert.equal(
    [fields['column_0'], fields['column_1'], fields['column_2']],
    ['attributes.Kunde', 'email', 'attributes.Alter'],
  );
  assert.is((await bench.calls.contacts.list({ email: 'zoe@example.com' })).data.length, 0);

  const chosen = { ...fields, column_0: '', column_2: 'attributes.age:number', listId, consentNote: 'Paper form' };
  const secondCheck = await bench.post('/contacts/import', { ...chosen, action: 'check' });
  assert.match(secondCheck.text, '3 rows: 1 new contact, 0 contacts changed, 0 as before, 2 with a fault.');
  assert.match(secondCheck.text, '<option value="attributes.age:number" selected>');
  assert.match(secondCheck.text, 'Not imported: Kunde.');
  const keptFields = fieldsOf(secondCheck.text);
  const importAnswer = await bench.post('/contacts/import', {
    ...keptFields,
    consentNote: 'Paper form',
    action: 'import',
  });
  assert.is(importAnswer.status, 303);
  const [, place = ''] =
    /(\/contacts\/imports\/imp_\w+)\?side=live$/.exec(importAnswer.headers['Location'] ?? '') ?? [];
  const running = await bench.page(place);
  assert.is(running.headers['Refresh'], '2');
  await bench.drain();
  const resultPage = await bench.page(place);
  assert.is(resultPage.headers['Refresh'], undefined);
  assert.match(resultPage.text, 'The import is done. 3 rows: 1 new contact');
  const { data } = await bench.calls.contacts.list({ email: 'zoe@example.com' });
  assert.equal(data[0]?.attributes, { age: 41, Plan: 'pro' });
  assert.is((await bench.calls.lists.members({ listId })).data.length, 1);
  const { data: entries } = await bench.calls.audit.list({ action: 'contact.import' });
  assert.match(JSON.stringify(entries), 'u_sue');
  // If the same form is sent again, it is the same import.
  const repeat = await bench.post('/contacts/import', { ...keptFields, consentNote: 'Paper form', action: 'import' });
  assert.is(repeat.headers['Location'], importAnswer.headers['Location']);
});

test('an unreadable file is refused with the reason, and stays in the form', async ({ bench }) => {
  for (const [csv, reason] of [
    ['name\nAda\n', 'No column identifies the contact of a row'],
    ['email,"name\nada@example.com,"Ada', 'Nothing was changed.'],
    ['email,email\na@example.com,b@example.com\n', 'Two columns'],
  ] as const) {
    const answer = await bench.post('/contacts/import', { action: 'check', key: 'k1', csv });
    assert.is(answer.status, 422, csv);
    assert.match(answer.text, reason);
    assert.match(answer.text, csv.split('\n', 1)[0]?.replaceAll('"', '&quot;') ?? '');
  }
  const hostile = '<script>alert(1)</script>,email\n"<img src=x onerror=alert(1)>",x@example.com\n';
  const preview = await bench.post('/contacts/import', { action: 'check', key: 'k1', csv: hostile });
  assert.is(preview.status, 200);
  assert.not.match(preview.text, '<script>alert');
  assert.not.match(preview.text, '<img');
});

test('the data of a person can be downloaded as a file', async ({ bench }) => {
  const page = await bench.page(`/contacts/${bench.ada.id}`);
  assert.match(page.text, `contacts/${bench.ada.id}/export?side=live`);
  const { status, headers, text } = await bench.page(`/contacts/${bench.ada.id}/export`);
  assert.is(status, 200);
  assert.match(headers['Content-Disposition'] ?? '', `attachment; filename="${bench.ada.id}.json"`);
  const stored = JSON.parse(text);
  assert.is(stored.contacts.contacts[0].email, 'ada@example.com');
  bench.signIn.present = bench.member(['contacts:read']);
  assert.is((await bench.page(`/contacts/${bench.ada.id}/export`)).status, 403);
  assert.not.match((await bench.page(`/contacts/${bench.ada.id}`)).text, 'Personal data');
});

test('a person is erased after a question that names them', async ({ bench }) => {
  const page = await bench.page(`/contacts/${bench.ada.id}`);
  assert.match(page.text, 'ada@example.com is erased on the live side and in the sandbox, for good');
  bench.signIn.present = bench.member(['contacts:read', 'contacts:write']);
  const refusal = await bench.post(`/contacts/${bench.ada.id}`, { action: 'erase', key: 'k1' });
  assert.is(refusal.status, 422);
  assert.is((await bench.calls.contacts.read({ contactId: bench.ada.id })).email, 'ada@example.com');
  bench.signIn.present = bench.member();
  const answer = await bench.post(`/contacts/${bench.ada.id}`, { action: 'erase', key: 'k2' });
  assert.is(answer.status, 200);
  assert.match(answer.text, `The contact ${bench.ada.id} was erased.`);
  assert.is((await bench.page(`/contacts/${bench.ada.id}`)).status, 404);
});

test.run();
