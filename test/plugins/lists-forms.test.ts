// The subscribe form of a list and the preferences. Mail goes over a real SMTP server. Pages are requested as browsers do.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { form, listCalls, signedTimeIn } from '../support/list-bench.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { publicUrl, urlsOf, visit } from '../support/tracked-mail.ts';

const day = 86_400_000;

await twoDatabases('forms of lists', (test, database) => {
  let bench: MailBench;
  test.before.each(async () => {
    bench = await openMailBench(database, { publicUrl });
  });
  test.after.each(() => bench.close());
  const { call, create, contact, add, members, statusesOf, doubleList, linkTo, post } = listCalls(() => bench);

  test('the form of a public list sends a confirmation mail, and creates the contact only after the confirmation', async () => {
    const listId = await doubleList();
    const address = `/p/${bench.workspaceId}/lists/${listId}`;
    const page = await visit(bench, address);
    assert.is(page.status, 200);
    assert.match(page.text, 'Product &lt;news&gt;');
    const at = signedTimeIn(page.text);
    bench.advanceClock(3_000);
    const answer = await visit(bench, address, form({ email: ' Grace@Example.org ', name: 'Grace', shown_at: at }));
    assert.equal([answer.status, answer.headers['Location']], [303, '?sent']);
    assert.match((await visit(bench, `${address}?sent`)).text, 'Check your inbox');
    await bench.drain();
    assert.equal((await bench.request('/v1/contacts')).body.data, []);
    const url = await linkTo('Grace@Example.org');
    await post(url);
    await post(url);
    assert.equal(await statusesOf(listId), ['grace@example.org confirmed form']);
    const [contact] = (await bench.request('/v1/contacts')).body.data;
    assert.equal([contact.external_id, contact.attributes], [null, { locale: 'en', name: 'Grace' }]);
    const exported = JSON.stringify(
      await bench.service.personalData.export(bench.workspaceId, { personId: contact.id }),
    );
    assert.match(exported, 'You agree to receive');
  });

  test('a form on another website opens the filled-in form of the list, and nothing happens before this form is sent', async () => {
    const listId = await doubleList();
    const address = `/lists/${listId}`;
    const filledForm = await visit(bench, address, form({ email: 'grace@example.org', name: '"><b>Grace' }));
    assert.is(filledForm.status, 200);
    assert.match(filledForm.text, 'value="grace@example.org"');
    assert.match(filledForm.text, 'value="&quot;&gt;&lt;b&gt;Grace"');
    assert.not.match(filledForm.text, 'class="error"');
    await bench.drain();
    assert.equal(await bench.received(), []);
    const at = signedTimeIn(filledForm.text);
    bench.advanceClock(3_000);
    const answer = await visit(bench, address, form({ email: 'grace@example.org', name: 'Grace', shown_at: at }));
    assert.is(answer.status, 303);
    await bench.drain();
    assert.equal((await bench.request('/v1/contacts')).body.data, []);
    await post(await linkTo('grace@example.org'));
    assert.equal(await statusesOf(listId), ['grace@example.org confirmed form']);
    const forgedAnswer = await visit(bench, address, form({ email: 'ada@example.org', shown_at: '' }));
    assert.is(forgedAnswer.status, 422, 'only a form on another website may lack the field');
  });

  test('the response to a form is the same for every address, and a member gets no confirmation mail', async () => {
    const listId = await doubleList();
    await call(`/v1/lists/${listId}/members`, 'POST', {
      contactIds: [await contact('ada')],
      confirmed: true,
      consentNote: 'On paper.',
    });
    await call('/v1/suppressions', 'POST', { email: 'bob@example.org', reason: 'manual' });
    const address = `/lists/${listId}`;
    const at = signedTimeIn((await visit(bench, address)).text);
    bench.advanceClock(3_000);
    const answers = [];
    for (const email of ['ada@example.org', 'bob@example.org', 'new@example.org'])
      answers.push(await visit(bench, address, form({ email, shown_at: at })));
    assert.equal(
      answers.map(({ status, headers }) => [status, headers['Location']]),
      [
        [303, '?sent'],
        [303, '?sent'],
        [303, '?sent'],
      ],
    );
    await bench.drain();
    assert.equal(
      (await bench.received()).map(({ to }) => to?.[0]?.address),
      ['new@example.org'],
    );
  });

  test('the confirmation mail contains no text from the form, and tagged addresses get no additional mail', async () => {
    const ask = async (listId: string, email: string, name: string, from: number) => {
      const address = `/lists/${listId}`;
      const at = signedTimeIn((await visit(bench, address)).text);
      bench.advanceClock(3_000);
      const answer = await visit(bench, address, {
        ...form({ email, name, shown_at: at }),
        address: `198.51.100.${from}`,
      });
      assert.is(answer.status, 303);
      await bench.drain();
    };
    const greetings = async () =>
      (await bench.received()).map(({ text }) => /^Hello (.*),/.exec(text ?? '')?.[1] ?? '');
    const listIds: string[] = [];
    for (let n = 0; n < 6; n += 1) listIds.push(await doubleListNamed(`List ${n}`));
    const [first = '', ...others] = listIds;
    await ask(first, 'v.ictim+0@gmail.com', 'You won at evil.example', 1);
    await ask(first, 'victim+1@gmail.com', 'Ada', 2);
    await ask(first, 'victim@gmail.com', 'Ada', 3);
    assert.equal(await greetings(), ['']);
    for (const [n, id] of others.entries()) await ask(id, `victim+${n}@gmail.com`, "Dr. Ada O'Hara-Ünal", 10 + n);
    assert.equal(await greetings(), ['', ...Array(4).fill("Dr. Ada O'Hara-Ünal")]);
    bench.advanceClock(day);
    await ask(first, 'victim+2@gmail.com', 'x'.repeat(61), 30);
    assert.is((await greetings()).at(-1), '');
    assert.is((await bench.received()).length, 6);
  });

  test('a confirmation link adds nobody to a list that has become private', async () => {
    const listId = await doubleListNamed('Closing');
    const address = `/lists/${listId}`;
    const at = signedTimeIn((await visit(bench, address)).text);
    bench.advanceClock(3_000);
    await visit(bench, address, form({ email: 'ada@example.org', shown_at: at }));
    await bench.drain();
    await call(`/v1/lists/${listId}`, 'PATCH', { visibility: 'private' });
    await post(await linkTo('ada@example.org'));
    assert.equal(await statusesOf(listId), []);
  });

  test('errors are shown beside their fields, and a form subscribes nobody if its trap field is filled in or it is sent too fast', async () => {
    const listId = await doubleList();
    const address = `/lists/${listId}`;
    const at = signedTimeIn((await visit(bench, address)).text);
    const send = (fields: Record<string, string>, from: string) =>
      visit(bench, address, { ...form(fields), address: from });
    const fast = await send({ email: 'ada@example.org', shown_at: at }, '198.51.100.1');
    assert.equal([fast.status, fast.text.includes('role="alert"')], [422, true]);
    assert.match(fast.text, 'value="ada@example.org"');
    bench.advanceClock(3_000);
    const wrong = await send({ email: '"><script>', name: 'x'.repeat(501), shown_at: at }, '198.51.100.2');
    assert.is(wrong.status, 422);
    assert.match(wrong.text, 'aria-describedby="e-email"');
    assert.match(wrong.text, 'id="e-name"');
    assert.not.match(wrong.text, '<script>');
    const forgedAnswer = await send({ email: 'ada@example.org', shown_at: `1.${'A'.repeat(22)}` }, '198.51.100.3');
    assert.is(forgedAnswer.status, 422);
    const trappedAnswer = await send({ email: 'ada@example.org', more_details: 'x', shown_at: at }, '198.51.100.4');
    assert.is(trappedAnswer.status, 303);
    const otherForm = await doubleListNamed('Other');
    const foreign = signedTimeIn((await visit(bench, `/lists/${otherForm}`)).text);
    bench.advanceClock(3_000);
    assert.is((await send({ email: 'ada@example.org', shown_at: foreign }, '198.51.100.5')).status, 422);
    await bench.drain();
    assert.equal(await bench.received(), []);
  });
  const doubleListNamed = (name: string) => create({ name, optin: 'double', visibility: 'public' });

  test('a client address can send five forms a minute', async () => {
    const address = `/lists/${await doubleList()}`;
    const statuses = [];
    for (let count = 0; count < 6; count += 1) statuses.push((await visit(bench, address, form({}))).status);
    assert.equal(statuses, [200, 200, 200, 200, 200, 429]);
  });

  test('private lists, unknown lists and lists of other workspaces get the same response', async () => {
    const [secret, page] = [await create({ name: 'Secret' }), await doubleList()];
    const foreignPath = `/p/${bench.foreignWorkspaceId}/lists/${page}`;
    const unknown = await visit(bench, `/lists/lst_x`);
    assert.is(unknown.status, 404);
    for (const path of [`/lists/${secret}`]) assert.equal((await visit(bench, path)).text, unknown.text);
    assert.is((await visit(bench, foreignPath)).status, 404);
    assert.is((await visit(bench, `/p/ws_x/lists/${page}`)).status, 404);
    assert.is((await visit(bench, foreignPath, form({ email: 'ada@example.org' }))).status, 404);
  });

  test('with a content host, pages are only on this host: other hosts redirect to it, and no other workspace can use it', async () => {
    const listId = await doubleList();
    await bench.service.workspaces.update(bench.workspaceId, { contentHost: 'news.example.com' });
    const host = { host: 'News.Example.com:8080' };
    const ownPage = await visit(bench, `/lists/${listId}`, { headers: host });
    assert.is(ownPage.status, 200);
    assert.not.match(String(ownPage.headers['Content-Security-Policy']), 'sandbox');
    assert.is(ownPage.headers['X-Robots-Tag'], undefined);
    for (const path of [`/lists/${listId}`, `/p/${bench.workspaceId}/lists/${listId}`]) {
      const redirect = await visit(bench, `${path}?a=1`);
      assert.equal(
        [redirect.status, redirect.headers['Location']],
        [301, `https://news.example.com/lists/${listId}?a=1`],
      );
    }
    const { workspaces } = bench.service;
    const refusal = (call: Promise<unknown>) =>
      call.then(
        () => 'none',
        ({ code }) => code,
      );
    assert.is(
      await refusal(workspaces.update(bench.foreignWorkspaceId, { contentHost: 'news.example.com' })),
      'state_conflict',
    );
    assert.is(
      await refusal(workspaces.update(bench.foreignWorkspaceId, { contentHost: 'no host' })),
      'validation_failed',
    );
    assert.is(
      await refusal(workspaces.update(bench.workspaceId, { contentHost: 'mail.example.com' })),
      'validation_failed',
    );
    const foreign = await bench.service
      .as(bench.foreignWorkspaceId)
      .lists.create({ name: 'Theirs', visibility: 'public' });
    assert.is((await visit(bench, `/lists/${foreign.listId}`, { headers: host })).status, 404);
    await workspaces.update(bench.workspaceId, { contentHost: null });
    await workspaces.update(bench.foreignWorkspaceId, { contentHost: 'news.example.com' });
    assert.is((await visit(bench, `/lists/${listId}`, { headers: host })).status, 404);
  });

  test('marketing mail links to the preferences, which change public lists at once and can stop marketing mail', async () => {
    const [news, tips, secret] = [
      await create({ name: 'News', visibility: 'public' }),
      await create({ name: 'Tips', visibility: 'public', optin: 'double' }),
      await create({ name: 'Secret' }),
    ];
    const ada = await contact('ada');
    for (const id of [news, secret]) await add(id, [ada]);
    await bench.publish('promo', {
      category: 'marketing',
      body: '<html><body><p>Hi {{name}}</p><a href="%unsubscribe_url%">Leave</a></body></html>',
    });
    await bench.send('promo', { to: 'ada@example.org', variables: { name: 'Ada' } });
    await bench.drain();
    const [mail] = await bench.received();
    const url = urlsOf(mail ?? {}).links.find((link) => link.includes('/preferences/')) ?? '';
    assert.match(mail?.text ?? '', '/preferences/');
    assert.not.match(url, 'ada');
    const { text, status } = await visit(bench, url);
    assert.is(status, 200);
    assert.match(text, new RegExp(`value="${news}" checked`));
    assert.match(text, 'Tips');
    assert.not.match(text, 'Secret');
    const answer = await visit(
      bench,
      url,
      form([
        ['do', 'save'],
        ['ticked_list', news],
        ['unticked_list', tips],
        ['list', tips],
        ['list', secret],
        ['unticked_list', secret],
      ]),
    );
    assert.equal([answer.status, answer.headers['Location']], [303, '?saved']);
    assert.equal(await statusesOf(news), []);
    assert.equal(await statusesOf(tips), ['ada@example.org confirmed form']);
    assert.is((await members(secret)).length, 1);
    // A list that was not on the page does not change.
    await visit(bench, url, form([['do', 'save']]));
    assert.is((await members(tips)).length, 1);
    // If a contact has left a list since the page was loaded, the page does not add it again.
    await visit(
      bench,
      url,
      form([
        ['do', 'save'],
        ['ticked_list', news],
        ['list', news],
      ]),
    );
    assert.equal(await statusesOf(news), []);
    // Even in a suspended workspace, people can stop their mail.
    await bench.service.workspaces.suspend(bench.workspaceId);
    await visit(bench, url, form([['do', 'stop']]));
    await bench.service.workspaces.resume(bench.workspaceId);
    const [suppression] = (await bench.request('/v1/suppressions')).body.data;
    assert.equal(
      [suppression.email, suppression.reason, suppression.scope],
      ['ada@example.org', 'unsubscribe', 'marketing'],
    );
    assert.match(
      (await visit(bench, url)).text,
      'You will get no more marketing emails from us. Your choices here apply',
    );
    // If there are no lists, the page does not mention choices.
    const { data } = (await bench.request('/v1/lists?limit=100')).body;
    for (const list of data) await bench.request(`/v1/lists/${list.listId}`, { method: 'DELETE' });
    assert.match((await visit(bench, url)).text, /You will get no more marketing emails from us\.</);
    // The link belongs to the address: it is invalid after the contact gets another address.
    await call('/v1/contacts', 'POST', { id: ada, email: 'new@example.org' });
    assert.is((await visit(bench, url)).status, 404);
    const changedLink = await visit(bench, `${url.slice(0, -1)}${url.endsWith('A') ? 'B' : 'A'}`);
    assert.is(changedLink.status, 404);
    assert.match(changedLink.text, 'This link is incomplete. Copy the whole link from the mail.');
  });

  test('an address without a contact has preferences, too, and an author can place the link in the template', async () => {
    const news = await create({ name: 'News', visibility: 'public' });
    const body = '<html><body><a href="%preferences_url%">Choose</a></body></html>';
    await bench.publish('promo', { category: 'marketing', subject: 'Hi', body });
    await bench.send('promo', { to: 'bob@example.org', variables: {} });
    await bench.drain();
    const { links } = urlsOf((await bench.received())[0] ?? {});
    assert.is(links.length, 1);
    await visit(
      bench,
      links[0] ?? '',
      form([
        ['do', 'save'],
        ['unticked_list', news],
        ['list', news],
      ]),
    );
    assert.equal(await statusesOf(news), ['bob@example.org confirmed form']);
  });
});
