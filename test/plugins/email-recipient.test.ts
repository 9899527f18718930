// The recipient of a send: an address, alone or behind a name. A list is refused with the way out.
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import type { MailBench } from '../support/mail-bench.ts';
import { openMailBench } from '../support/mail-bench.ts';

await twoDatabases('recipient of a send', (test, database) => {
  let bench: MailBench;
  test.before(async () => {
    bench = await openMailBench(database);
    await bench.publish('receipt');
  });
  test.after(() => bench.close());

  const send = (to: string) => bench.send('receipt', { to, variables: { name: 'Ada' } });

  const forms: readonly (readonly [string, string, string])[] = [
    ['Ada Lovelace <ada-1@example.org>', 'ada-1@example.org', 'Ada Lovelace'],
    ['"Lovelace, Ada \\"A.\\"" <ada-2@example.org>', 'ada-2@example.org', 'Lovelace, Ada "A."'],
    ['  Zoë Ångström<Ada-3@example.org> ', 'Ada-3@example.org', 'Zoë Ångström'],
    ['<ada-4@example.org>', 'ada-4@example.org', ''],
    ['ada-5@example.org', 'ada-5@example.org', ''],
  ];
  for (const [to, email, name] of forms)
    test(`${to} is one recipient`, async () => {
      const { status, body } = await send(to);
      assert.is(status, 202, JSON.stringify(body));
      assert.is(body.to, email, 'the answer shows the address');
      await bench.drain();
      const mail = (await bench.received()).at(-1);
      assert.equal(mail?.to, [{ address: email, name }]);
    });

  test('a suppression of the address holds whatever the name', async () => {
    const headers = { 'idempotency-key': 'suppress' };
    await bench.request('/v1/suppressions', { body: { email: 'ada-9@example.org' }, headers });
    assert.is((await send('Ada <Ada-9@example.org>')).body.status, 'suppressed');
  });

  test('the pseudonym of an erased person is refused as such', async () => {
    const { status, body } = await send(`erased:${'0'.repeat(40)}`);
    assert.is(status, 422);
    assert.match(body.error.details[0].message, /This person was erased/);
  });

  for (const list of [
    'a@example.org, b@example.org',
    'A <a@example.org>; B <b@example.org>',
    'a@example.org,b@example.org',
  ])
    test(`the list ${list} is refused with the way out`, async () => {
      const { status, body } = await send(list);
      assert.equal([status, body.error.code, body.error.details[0].path], [422, 'validation_failed', 'to']);
      assert.match(body.error.details[0].message, /^A send has one recipient, .* Call once for each address/);
    });

  const others = [
    '',
    'Ada',
    'Ada <ada>',
    'Ada <>',
    'a@b@example.org',
    'Ada <ada@example.org> x',
    'A\r\nBcc: e@e.org <a@example.org>',
  ];
  for (const to of [
    ...others,
    `${'x'.repeat(201)} <ada@example.org>`,
    'g:ada@example.org;',
    'a@x.org <ada@example.org>',
  ])
    test(`${JSON.stringify(to.slice(0, 40))} is no recipient`, async () => {
      const { status, body } = await send(to);
      assert.equal([status, body.error.code, body.error.details[0].path], [422, 'validation_failed', 'to']);
    });
});
