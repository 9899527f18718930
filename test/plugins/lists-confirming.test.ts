// Double opt-in: the confirmation mail, its limits, its token and the page behind it. Mail goes over a real SMTP server. Pages
// are requested as browsers do.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { listCalls } from '../support/list-bench.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { publicUrl, urlsOf, visit } from '../support/tracked-mail.ts';

const day = 86_400_000;

await twoDatabases('double opt-in', (test, database) => {
  let bench: MailBench;
  test.before.each(async () => {
    bench = await openMailBench(database, { publicUrl });
  });
  test.after.each(() => bench.close());
  const { call, create, contact, add, members, statusesOf, doubleList, linkTo, post } = listCalls(() => bench);

  test('a member gets one mail with one button: opening its page changes nothing, pressing its button confirms', async () => {
    const listId = await doubleList();
    await add(listId, [await contact('ada')]);
    await bench.drain();
    const [mail, ...others] = await bench.received();
    assert.equal(others, []);
    assert.is(mail?.subject, 'Please confirm: Product <news>');
    assert.match(mail?.html ?? '', 'Product &lt;news&gt;');
    assert.match(mail?.text ?? '', 'Hello ada,');
    const { links, pixel } = urlsOf(mail ?? {});
    assert.equal([links.length, pixel], [1, undefined]);
    const [url = ''] = links;
    assert.ok(url.startsWith(`${publicUrl}/p/${bench.workspaceId}/c/`));
    assert.not.match(url, 'ada');
    const page = await visit(bench, url);
    assert.is(page.status, 200);
    assert.match(String(page.headers['Content-Security-Policy']), 'sandbox allow-forms');
    assert.equal(await statusesOf(listId), ['ada@example.org unconfirmed api']);
    const confirmation = await post(url);
    assert.is(confirmation.status, 200);
    assert.equal(await statusesOf(listId), ['ada@example.org confirmed api']);
    assert.is((await post(url)).text, confirmation.text);
    assert.is((await bench.events('list_member.confirmed')).length, 1);
    const [send] = (await bench.request('/v1/sends')).body.data;
    assert.equal([send.templateKey, send.templateVersion], ['confirm-subscription', 0]);
  });

  test('if the contact has no name, the mail begins without a greeting', async () => {
    const listId = await doubleList();
    const { body } = await call('/v1/contacts', 'POST', { email: 'nameless@example.org' });
    await add(listId, [body.id]);
    await bench.drain();
    const [mail] = await bench.received();
    assert.match(mail?.text ?? '', /^You, or someone using your address, signed up for Product <news>\./);
    assert.match(
      mail?.html ?? '',
      '>You, or someone using your address, signed up for <strong><bdi>Product &lt;news&gt;</bdi></strong>.',
    );
  });

  test('a false token, or a token of another workspace, gets the same pages and changes nothing', async () => {
    const listId = await doubleList();
    await add(listId, [await contact('ada')]);
    await bench.drain();
    const url = await linkTo('ada@example.org');
    const forgedUrl = `${url.slice(0, -1)}${url.endsWith('A') ? 'B' : 'A'}`;
    for (const ask of [(at: string) => visit(bench, at), post]) {
      const [right, wrong] = [await ask(forgedUrl), await ask(url.replace(/\/c\/.*/, '/c/x'))];
      assert.equal([right.status, wrong.text], [200, right.text]);
    }
    await post(url.replace(bench.workspaceId, bench.foreignWorkspaceId));
    assert.equal(await statusesOf(listId), ['ada@example.org unconfirmed api']);
    // The route without the workspace accepts the same token.
    await post(`/c/${url.split('/').at(-1)}`);
    assert.equal(await statusesOf(listId), ['ada@example.org confirmed api']);
  });

  test('an unsubscribed address is asked, and its confirmation ends the unsubscription; a bounce stays in force', async () => {
    for (const settings of [{}, { unsubscribeScope: 'all' as const }]) {
      await bench.service.workspaces.update(bench.workspaceId, { settings });
      const listId = await create({ name: `News ${JSON.stringify(settings)}`, optin: 'double' });
      const names = ['ada', 'bob', 'carl'].map((name) => `${name}-${settings.unsubscribeScope ?? 'mail'}`);
      const ids = [];
      for (const name of names) ids.push(await contact(name));
      const [ada = '', bob = '', carl = ''] = names.map((name) => `${name}@example.org`);
      await call('/v1/suppressions', 'POST', { email: ada, reason: 'unsubscribe', scope: 'all' });
      await call('/v1/suppressions', 'POST', { email: bob, reason: 'hard_bounce' });
      await call('/v1/suppressions', 'POST', { email: carl, reason: 'complaint' });
      await add(listId, ids);
      await bench.drain();
      assert.equal([await linkTo(bob), await linkTo(carl)], ['', '']);
      const url = await linkTo(ada);
      assert.match(url, '/c/');
      const reasons = async () =>
        (await bench.request('/v1/suppressions?limit=100')).body.data
          .filter(({ email }: { email: string }) => [ada, bob, carl].includes(email))
          .map(({ reason }: { reason: string }) => reason)
          .sort();
      assert.equal(await reasons(), ['complaint', 'hard_bounce', 'unsubscribe']);
      await visit(bench, url);
      assert.is((await reasons()).length, 3);
      await post(`${url}).`);
      assert.equal(await reasons(), ['complaint', 'hard_bounce']);
      assert.ok((await statusesOf(listId)).includes(`${ada} confirmed api`));
    }
    await bench.service.workspaces.update(bench.workspaceId, { settings: {} });
  });

  test('an address is asked at most once in 24 hours and three times in 30 days, and never while it is suppressed', async () => {
    const listId = await doubleList();
    const [ada, bob] = [await contact('ada'), await contact('bob')];
    await call('/v1/suppressions', 'POST', { email: 'bob@example.org', reason: 'manual', scope: 'marketing' });
    const ask = async (): Promise<number> => {
      await add(listId, [ada, bob]);
      await bench.drain();
      return (await bench.received()).length;
    };
    assert.equal([await ask(), await ask()], [1, 1]);
    bench.advanceClock(day);
    assert.is(await ask(), 2);
    bench.advanceClock(day);
    assert.is(await ask(), 3);
    bench.advanceClock(day);
    assert.is(await ask(), 3);
    assert.ok((await bench.received()).every(({ to }) => to?.[0]?.address === 'ada@example.org'));
  });

  test("a token is valid until 30 days have passed, the membership ends, or the contact's address changes", async () => {
    const listId = await doubleList();
    const ada = await contact('ada');
    await add(listId, [ada]);
    await bench.drain();
    const url = await linkTo('ada@example.org');
    await call(`/v1/contacts`, 'POST', { id: ada, email: 'new@example.org' });
    await post(url);
    assert.equal(await statusesOf(listId), ['new@example.org unconfirmed api']);
    const bob = await contact('bob');
    await add(listId, [bob]);
    await bench.drain();
    const secondUrl = await linkTo('bob@example.org');
    await call(`/v1/lists/${listId}/members/remove`, 'POST', { contactIds: [bob] });
    await post(secondUrl);
    assert.equal(await statusesOf(listId), ['new@example.org unconfirmed api']);
    bench.advanceClock(day);
    const carl = await contact('carl');
    await add(listId, [carl]);
    await bench.drain();
    const thirdUrl = await linkTo('carl@example.org');
    bench.advanceClock(30 * day + 1);
    await post(thirdUrl);
    assert.equal(
      (await statusesOf(listId)).filter((text: string) => text.includes(' confirmed')),
      [],
    );
  });

  test('a published template replaces the built-in text, unless the template does not accept its variables', async () => {
    const contract = (required: string[]) => ({
      type: 'object',
      properties: {
        list: { type: 'string' },
        url: { type: 'string' },
        name: { type: 'string' },
        code: { type: 'string' },
      },
      required,
    });
    const html = '<p>Join {{list}}: <a href="{{url}}">yes</a></p>';
    await bench.publish('confirm-subscription', {
      subject: 'Join {{list}}?',
      body: html,
      variables: contract(['list', 'url']),
    });
    const listId = await doubleList();
    await add(listId, [await contact('ada')]);
    await bench.drain();
    assert.is((await bench.received()).at(-1)?.subject, 'Join Product <news>?');
    const [send] = (await bench.request('/v1/sends')).body.data;
    assert.is(send.templateVersion, 1);
    await call('/v1/templates/confirm-subscription', 'PATCH', { variables: contract(['list', 'url', 'code']) });
    await call('/v1/templates/confirm-subscription/publish', 'POST', { acceptBreaking: true });
    await add(listId, [await contact('bob')]);
    await bench.drain();
    assert.ok((await bench.received()).some(({ to }) => to?.[0]?.address === 'bob@example.org'));
  });

  test('in the sandbox the mail stays in the sandbox, and its token confirms the sandbox membership', async () => {
    const listId = await doubleList();
    await add(listId, [await contact('ada', bench.testKey)], bench.testKey);
    await bench.drain();
    assert.equal(await bench.received(), []);
    const [{ id }] = (await bench.request('/v1/sends', { key: bench.testKey })).body.data;
    assert.match(id, /^snd_/);
    const url = await bench.service.core.database().then((open) =>
      open.read(bench.workspaceId, async ({ db }) => {
        const row = await db.selectFrom('list_confirmations').select('id').executeTakeFirstOrThrow();
        const { confirmationToken } = await import('../../plugins/lists/confirmation/tokens.ts');
        return `/c/${confirmationToken(bench.service.core.ports.keyring, row.id)}`;
      }),
    );
    await post(url);
    assert.equal(
      (await members(listId, bench.testKey)).map(({ status }: { status: string }) => status),
      ['confirmed'],
    );
    assert.equal(await members(listId), []);
  });
});
