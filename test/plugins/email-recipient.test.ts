// The recipient of a send: an address, with or without a name. A list is refused, and the error names the alternative.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

await twoDatabases('recipient of a send', (test, database) => {
  let bench: MailBench;
  test.before(async () => {
    bench = await openMailBench(database);
    await bench.publish('receipt');
  });
  test.after(() => bench.close());

  const remedy = (batch: string): RegExp =>
    new RegExp(`^A send has one recipient, .* use ${batch.replace(/[/()]/g, '\\$&')}, or call once for each address`);

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

  test('a suppression of the address applies with any name', async () => {
    const headers = { 'idempotency-key': 'suppress' };
    await bench.request('/v1/suppressions', { body: { email: 'ada-9@example.org' }, headers });
    assert.is((await send('Ada <Ada-9@example.org>')).body.status, 'suppressed');
  });

  test('the pseudonym of an erased person is refused with that reason', async () => {
    const { status, body } = await send(`erased:${'0'.repeat(40)}`);
    assert.is(status, 422);
    assert.match(body.error.details[0].message, /This person was erased/);
  });

  for (const list of [
    'a@example.org, b@example.org',
    'A <a@example.org>; B <b@example.org>',
    'a@example.org,b@example.org',
  ])
    test(`the list ${list} is refused, and the error names the alternative`, async () => {
      const { status, body } = await send(list);
      assert.equal([status, body.error.code, body.error.details[0].path], [422, 'validation_failed', 'to']);
      assert.match(body.error.details[0].message, remedy('POST /v1/transactional/batch'));
    });

  test('an array of values, cc and bcc are refused with the same alternative, in the terms of each interface', async () => {
    const list = ['a@example.org', 'b@example.org'];
    for (const path of ['/v1/templates/receipt/send', '/v1/transactional/send']) {
      const body = { template: 'receipt', variables: { name: 'Ada' } };
      const many = await bench.request(path, {
        body: { ...body, to: list },
        headers: { 'idempotency-key': `many ${path}` },
      });
      assert.match(many.body.error.details[0].message, remedy('POST /v1/transactional/batch'));
      const copies = { ...body, to: 'a@example.org', cc: list, bcc: 'c@example.org' };
      const answer = await bench.request(path, { body: copies, headers: { 'idempotency-key': `copied ${path}` } });
      for (const { message } of answer.body.error.details)
        assert.match(
          message,
          /^There is no field b?cc here\. A send has one recipient, .* use POST \/v1\/transactional\/batch/,
        );
      assert.is(answer.body.error.details.length, 2);
    }
    const args = { template: 'receipt', to: list.join(', '), variables: { name: 'Ada' } };
    const tool = await bench.tool('send_transactional', { ...args, idempotency_key: 'many' });
    assert.match(tool.body.error.details[0].message, remedy('send_transactional_batch'));
    const refusal = await bench.service
      .as(bench.workspaceId)
      .email.send(args)
      .catch((error: unknown) => error as { details: { message: string }[] });
    assert.match('details' in refusal ? (refusal.details[0]?.message ?? '') : '', remedy('email.batch()'));
  });

  const invalidRecipients = [
    '',
    'Ada',
    'Ada <ada>',
    'Ada <>',
    'a@b@example.org',
    'Ada <ada@example.org> x',
    'A\r\nBcc: e@e.org <a@example.org>',
  ];
  for (const to of [
    ...invalidRecipients,
    `${'x'.repeat(201)} <ada@example.org>`,
    'g:ada@example.org;',
    'a@x.org <ada@example.org>',
  ])
    test(`${JSON.stringify(to.slice(0, 40))} is not a recipient`, async () => {
      const { status, body } = await send(to);
      assert.equal([status, body.error.code, body.error.details[0].path], [422, 'validation_failed', 'to']);
    });
});
