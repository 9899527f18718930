// Confirmed forms of landing pages: their effect on contact, list, sequence and lead magnet; crashes, retention and erasure. Mail is sent
// over a real SMTP server.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { magnet, pluginsWithGifts } from '../support/gifts-plugin.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { email, formCalls, name } from '../support/page-forms-bench.ts';
import { publicUrl, urlsOf, visit } from '../support/tracked-mail.ts';

const day = 86_400_000;

await twoDatabases('confirmed forms of pages', (test, database) => {
  let bench: MailBench;
  test.before.each(async () => {
    bench = await openMailBench(database, { publicUrl });
  });
  test.after.each(() => bench.close());
  const calls = formCalls(() => bench);
  const { confirm, create, members, pageWith, recipients, send, statusesOf } = calls;
  const contacts = async () => (await bench.request('/v1/contacts')).body.data;
  const mark = (value: string) => ({ id: 'mark', kind: 'update_contact', attributes: { marked: value } }) as const;
  const service = () => bench.service.as(bench.workspaceId);

  test('if the form has a list, nothing happens before the confirmation, and a second confirmation changes nothing', async () => {
    const listId = await create({ name: 'News', optin: 'single' });
    const pageId = await pageWith('news', { listId, consentText: 'You get our news.' });
    await send('news', { email: 'Grace@Example.org', name: 'Grace' });
    await bench.drain();
    assert.equal([await contacts(), await members(listId)], [[], []]);
    assert.equal(await recipients(), ['Grace@example.org']);
    const [mail] = await bench.received();
    assert.is(mail?.subject, 'Please confirm: News');
    assert.match(mail?.text ?? '', 'Hello Grace,');
    assert.is((await visit(bench, await calls.linkTo('Grace@Example.org'))).status, 200);
    assert.equal(await contacts(), [], 'opening the link changes nothing');
    for (let times = 0; times < 2; times += 1) assert.is((await confirm('Grace@Example.org')).status, 200);
    await bench.drain();
    assert.equal(await statusesOf(listId), ['grace@example.org confirmed form']);
    const [contact] = await contacts();
    assert.equal([contact.external_id, contact.attributes], [null, { locale: 'en', name: 'Grace' }]);
    const events = await bench.events('page.form_confirmed');
    assert.is(events.length, 1);
    const submissionId = (await bench.events('page.form_submitted'))[0]?.submissionId ?? '';
    assert.equal(events[0], {
      ...{
        pageId,
        slug: 'news',
        formId: 'signup',
        submissionId,
        fields: { email: 'Grace@Example.org', name: 'Grace' },
      },
      ...{ email: 'Grace@Example.org', confirmed: true },
      contact: { id: contact.id, external_id: null, email: 'grace@example.org' },
    });
    const exported = JSON.stringify(
      await bench.service.personalData.export(bench.workspaceId, { personId: contact.id }),
    );
    assert.match(exported, /"consentNote":"You get our news\. \(form signup of the page news, 2/);
    assert.is((await recipients()).length, 1);
  });

  test('form fields never overwrite an existing attribute or the external_id of a contact', async () => {
    const fields = [
      email,
      name,
      { name: 'external_id', type: 'text', label: 'Id' },
      { name: 'city', type: 'text', label: 'City' },
    ];
    const listId = await create({ name: 'News' });
    await pageWith('news', { listId, fields });
    const body = { external_id: 'user_1', email: 'ada@example.org', attributes: { name: 'Ada' } };
    await calls.call('/v1/contacts', 'POST', body);
    await send('news', { email: 'ada@example.org', name: 'Mallory', external_id: 'root', city: 'Graz' });
    await bench.drain();
    await confirm('ada@example.org');
    const [contact, ...others] = await contacts();
    assert.equal(others, []);
    assert.equal([contact.external_id, contact.attributes], ['user_1', { name: 'Ada', locale: 'en', city: 'Graz' }]);
  });

  test('a confirmation starts the sequence of the form and the sequences triggered by the page or form', async () => {
    const pageId = await pageWith('first', { fields: [email] });
    const { sequences, pages } = service();
    const text = (path: string) => ({
      id: 'mark',
      kind: 'update_contact',
      attributes: { [path]: `{{ event.data.fields.name }}` },
    });
    const publish = async (body: object) => {
      const { key } = await sequences.create(body as never);
      await sequences.publish({ keyOrId: key });
    };
    await publish({ key: 'welcome', name: 'Welcome', nodes: [text('by_key')] });
    await publish({ name: 'Page', trigger: { kind: 'form_submitted', pageId }, nodes: [text('by_page')] });
    await publish({
      name: 'Form',
      trigger: { kind: 'form_submitted', pageId, formId: 'signup' },
      nodes: [text('by_form')],
    });
    await publish({
      name: 'Other',
      trigger: { kind: 'form_submitted', pageId, formId: 'other' },
      nodes: [text('by_other')],
    });
    const form = { formId: 'signup', fields: [email, name], sequenceKey: 'welcome' };
    await pages.update({ idOrSlug: pageId, sections: [{ kind: 'newsletter', form }] as never });
    await pages.publish({ idOrSlug: pageId });
    await send('first', { email: 'ada@example.org', name: 'Ada' });
    await bench.drain();
    assert.equal(await contacts(), []);
    assert.is(
      (await bench.received())[0]?.subject,
      `Please confirm: ${(await pages.read({ idOrSlug: pageId })).title}`,
    );
    await confirm('ada@example.org');
    await confirm('ada@example.org');
    await bench.drain();
    const [contact] = await contacts();
    assert.equal(contact.attributes, { locale: 'en', name: 'Ada', by_key: 'Ada', by_page: 'Ada', by_form: 'Ada' });
    assert.is((await bench.events('sequence_run.enrolled')).length, 3);
  });

  test('a lead magnet is linked on the page after each confirmation and sent in one mail', async () => {
    await bench.close();
    bench = await openMailBench(database, { publicUrl, plugins: pluginsWithGifts(publicUrl) });
    const listId = await create({ name: 'News' });
    await pageWith('breads', { leadMagnetId: magnet.id, listId });
    const ada = await calls.contact('ada');
    const body = { contactIds: [ada], confirmed: true, consentNote: 'On paper.' };
    await calls.call(`/v1/lists/${listId}/members`, 'POST', body);
    await send('breads', { email: 'ada@example.org' });
    await bench.drain();
    const [asked] = await bench.received();
    assert.is(asked?.subject, 'Please confirm: Ten <breads> and News', 'a member of the list requests the lead magnet');
    assert.match(asked?.text ?? '', 'signed up for Ten <breads> and News. Please confirm that you want this.');
    const before = await visit(bench, await calls.linkTo('ada@example.org'));
    assert.not.match(before.text, '/gift');
    const url = await calls.linkTo('ada@example.org');
    const linkPattern = new RegExp(`<a href="${publicUrl}/gift">Ten &lt;breads&gt;</a>`);
    for (let times = 0; times < 2; times += 1) assert.match((await calls.press(url)).text, linkPattern);
    await bench.drain();
    const mails = await bench.received();
    assert.is(mails.length, 2);
    assert.equal([mails[1]?.subject, urlsOf(mails[1] ?? {}).links], ['Ten <breads>', [`${publicUrl}/gift`]]);
    assert.match(mails[1]?.text ?? '', 'valid for 7 days');
    const wrong = await calls.press(`${url.slice(0, -1)}${url.endsWith('A') ? 'B' : 'A'}`);
    assert.not.match(wrong.text, '/gift');
  });

  test('a suppressed address gets no lead magnet by mail', async () => {
    await bench.close();
    bench = await openMailBench(database, { publicUrl, plugins: pluginsWithGifts(publicUrl) });
    await pageWith('breads', { leadMagnetId: magnet.id });
    await send('breads', { email: 'ada@example.org' });
    await bench.drain();
    await calls.call('/v1/suppressions', 'POST', { email: 'ada@example.org', reason: 'manual' });
    assert.match((await confirm('ada@example.org')).text, '/gift');
    await bench.drain();
    assert.is((await recipients()).length, 1);
  });

  test('if page, list and sequence were deleted or archived meanwhile, the rest of the confirmation still works', async () => {
    const listId = await create({ name: 'News' });
    await service().sequences.create({ key: 'welcome', name: 'Welcome', nodes: [mark('x')] });
    await service().sequences.publish({ keyOrId: 'welcome' });
    await pageWith('news', { listId, sequenceKey: 'welcome' });
    await send('news', { email: 'ada@example.org', name: 'Ada' });
    await bench.drain();
    await service().pages.delete({ idOrSlug: 'news' });
    await service().lists.delete({ listId });
    await service().sequences.archive({ keyOrId: 'welcome' });
    await bench.drain();
    await confirm('ada@example.org');
    await bench.drain();
    assert.is((await bench.events('page.form_confirmed')).length, 1);
    assert.equal((await contacts())[0].attributes, { locale: 'en', name: 'Ada' });
    assert.equal(await bench.events('sequence_run.enrolled'), []);
  });

  test('after crashes between the form, its mail and the follow-up, nothing is lost and nothing is repeated', async () => {
    await bench.close();
    let crash: { readonly at: string; remaining: number } | undefined;
    bench = await openMailBench(database, {
      publicUrl,
      onPhase(phase) {
        if (crash?.at !== phase || crash.remaining === 0) return;
        crash.remaining -= 1;
        throw new Error('The process ended here.');
      },
    });
    const listId = await create({ name: 'News' });
    await pageWith('news', { listId });
    const drainDespiteCrash = async (at: string) => {
      crash = { at, remaining: 2 };
      for (let attempts = 0; attempts < 4; attempts += 1) {
        await bench.drain();
        bench.advanceClock(20 * 60_000);
      }
      assert.is(crash.remaining, 0);
    };
    for (const at of ['job.started', 'job.finishing']) {
      const address = `${at.replace('.', '-')}@example.org`;
      await send('news', { email: address });
      await drainDespiteCrash(at);
      assert.equal((await recipients()).filter((to) => to === address).length, 1, at);
      await confirm(address);
      await bench.drain();
      const confirmed = (await bench.events('page.form_confirmed')).filter((event) => event.email === address);
      assert.is(confirmed.length, 1, at);
    }
    assert.is((await recipients()).length, 2);
    assert.is((await members(listId)).length, 2);
  });

  test('unconfirmed submissions are deleted after 30 days, confirmed submissions after 400 days', async () => {
    await pageWith('news', { listId: await create({ name: 'News' }) });
    for (const to of ['ada@example.org', 'bob@example.org']) await send('news', { email: to });
    await bench.drain();
    await confirm('ada@example.org');
    const storedEmails = async () => {
      const openedDatabase = await bench.service.core.database();
      const rows = await openedDatabase.read(bench.workspaceId, ({ db }) =>
        db.selectFrom('page_submissions').select('email').orderBy('email').execute(),
      );
      return rows.map((row) => row.email);
    };
    assert.equal(await storedEmails(), ['ada@example.org', 'bob@example.org']);
    bench.advanceClock(31 * day);
    await bench.drain();
    assert.equal(await storedEmails(), ['ada@example.org']);
    bench.advanceClock(370 * day);
    await bench.drain();
    assert.equal(await storedEmails(), []);
  });

  test('erasing a person removes their submissions and their address from the submissions of others', async () => {
    const message = { name: 'message', type: 'textarea', label: 'Message' } as const;
    await pageWith('contact-us', { fields: [email, message] });
    await send('contact-us', { email: 'Ada+1@example.org', message: 'mine' });
    await send('contact-us', { email: 'bob@example.org', message: 'Write to ADA+1@example.org, please.' });
    await bench.service.personalData.erase(bench.workspaceId, { email: 'ada+1@example.org' });
    await bench.drain();
    const openedDatabase = await bench.service.core.database();
    const rows = await openedDatabase.read(bench.workspaceId, ({ db }) =>
      db.selectFrom('page_submissions').select(['email', 'fields']).execute(),
    );
    assert.equal(
      rows.map((row) => row.email),
      ['bob@example.org'],
    );
    assert.not.match(JSON.stringify(rows), /ada/i);
    assert.match(JSON.stringify(rows), 'please');
    assert.not.match(JSON.stringify(await bench.events('page.form_submitted')), /ada\+1/i);
  });
});
