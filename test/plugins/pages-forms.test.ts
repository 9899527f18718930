// Forms of landing pages: the data and events of a submission, validation, limits, privacy, and conditions for publishing. Mail is sent
// over a real SMTP server, and forms are sent as browsers send them.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { signedTimeIn } from '../support/list-bench.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { email, formCalls, name } from '../support/page-forms-bench.ts';
import { publicUrl, visit } from '../support/tracked-mail.ts';

const day = 86_400_000;

await twoDatabases('forms of pages', (test, database) => {
  let bench: MailBench;
  test.before.each(async () => {
    bench = await openMailBench(database, { publicUrl });
  });
  test.after.each(() => bench.close());
  const calls = formCalls(() => bench);
  const { create, doubleList, pageWith, pathOf, post, recipients, send } = calls;
  const contacts = async () => (await bench.request('/v1/contacts')).body.data;
  const mark = (value: string) => ({ id: 'mark', kind: 'update_contact', attributes: { marked: value } }) as const;
  const service = () => bench.service.as(bench.workspaceId);

  test('a contact form is stored and emitted with its consent, but sends no mail', async () => {
    const message = { name: 'message', type: 'textarea', label: 'Message', required: true } as const;
    const topic = { name: 'topic', type: 'select', label: 'Topic', options: ['Sales', 'Help'] } as const;
    const checkbox = { name: 'agreed', type: 'checkbox', label: 'I agree', required: true } as const;
    const form = { fields: [email, message, topic, checkbox], consentText: 'We answer by mail.' };
    const pageId = await pageWith('contact-us', form);
    const answer = await send('contact-us', {
      ...{ email: 'Ada@Example.org', message: 'Line one\r\nLine two', topic: 'Help', agreed: 'on' },
    });
    assert.equal([answer.status, answer.headers['Location']], [303, '../../contact-us?sent=signup#form-signup']);
    await bench.drain();
    const [event, ...others] = await bench.events('page.form_submitted');
    assert.equal(others, []);
    assert.match(event?.submissionId ?? '', /^sub_/);
    assert.equal(event, {
      ...{ pageId, slug: 'contact-us', formId: 'signup', submissionId: event?.submissionId },
      fields: { email: 'Ada@Example.org', message: 'Line one\nLine two', topic: 'Help', agreed: 'yes' },
      ...{ email: 'Ada@Example.org', confirmed: false },
    });
    assert.equal([await recipients(), await contacts()], [[], []]);
    const exported = await bench.service.personalData.export(bench.workspaceId, { email: 'ada@example.org' });
    assert.match(JSON.stringify(exported), '"consentText":"We answer by mail."');
  });

  test('a form without an email field is accepted, but creates no contact', async () => {
    await pageWith('poll', { fields: [name] });
    assert.is((await send('poll', { name: 'Ada' })).status, 303);
    const [event] = await bench.events('page.form_submitted');
    assert.equal([event?.email, event?.fields], [null, { name: 'Ada' }]);
  });

  test('the response never reveals whether an address is known, and list members get no mail', async () => {
    const listId = await doubleList();
    await pageWith('news', { listId });
    await calls.call(`/v1/lists/${listId}/members`, 'POST', {
      ...{ contactIds: [await calls.contact('ada')], confirmed: true, consentNote: 'On paper.' },
    });
    await calls.call('/v1/suppressions', 'POST', { email: 'bob@example.org', reason: 'manual' });
    const answers = new Set<string>();
    for (const to of ['ada@example.org', 'bob@example.org', 'new@example.org']) {
      const { status, headers, text } = await send('news', { email: to });
      answers.add(JSON.stringify([status, headers['Location'], text]));
    }
    assert.is(answers.size, 1);
    await bench.drain();
    assert.equal(await recipients(), ['new@example.org']);
  });

  test('a form sends at most one mail to an address in 24 hours and three in 30 days, whatever the tag of the address', async () => {
    await pageWith('news', { listId: await create({ name: 'News' }) });
    const ask = async (to: string): Promise<number> => {
      await send('news', { email: to });
      await bench.drain();
      return (await bench.received()).length;
    };
    assert.equal([await ask('ada@example.org'), await ask('ada+x@example.org')], [1, 1]);
    for (const mails of [2, 3, 3]) {
      bench.advanceClock(day);
      assert.is(await ask('ada@example.org'), mails);
    }
  });

  test('after an error the input is kept and the first field has the focus; too fast, forged and trapped submissions have no effect', async () => {
    await pageWith('news', { listId: await create({ name: 'News' }), fields: [name, email] });
    const at = signedTimeIn((await post('news', {})).text);
    const fast = await post('news', { email: 'ada@example.org', shown_at: at });
    assert.equal([fast.status, fast.text.includes('role="alert" id="fault"')], [422, true]);
    bench.advanceClock(3_000);
    const wrong = await post('news', { email: 'ada@example', name: '"><script>', shown_at: at });
    assert.is(wrong.status, 422);
    assert.match(wrong.text, 'id="fault" name="email" required autocomplete="email" aria-invalid="true"');
    assert.match(wrong.text, 'aria-describedby="signup-e-email"');
    assert.match(wrong.text, 'action="signup#fault"');
    assert.match(wrong.text, 'value="&quot;&gt;&lt;script&gt;"');
    assert.match(wrong.text, 'autocomplete="name"');
    assert.match(wrong.text, /<title>Error: /);
    assert.is((await post('news', { email: 'ada@example.org', shown_at: `1.${'A'.repeat(22)}` })).status, 422);
    const trappedAnswer = await post('news', { email: 'ada@example.org', more_details: 'x', shown_at: at });
    assert.equal(
      [trappedAnswer.status, trappedAnswer.headers['Location']],
      [303, '../../news?sent=signup#form-signup'],
    );
    await pageWith('other', {});
    const foreign = signedTimeIn((await post('other', {})).text);
    bench.advanceClock(3_000);
    assert.is((await post('news', { email: 'ada@example.org', shown_at: foreign })).status, 422);
    const large = await post('news', { name: 'x'.repeat(70_000) });
    assert.is(large.status, 413);
    await bench.drain();
    assert.equal([await recipients(), await bench.events('page.form_submitted')], [[], []]);
  });

  test('a client address can send five forms a minute, and a form accepts 60', async () => {
    await pageWith('news', {});
    const address = { address: '198.51.100.9' };
    const sendFrom = () =>
      visit(bench, pathOf('news', 'signup'), {
        ...{
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: 'name=x',
          ...address,
        },
      });
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1) statuses.push((await sendFrom()).status);
    assert.equal(statuses, [200, 200, 200, 200, 200, 429]);
    let last = 200;
    for (let count = 5; count < 61; count += 1) last = (await post('news', {})).status;
    assert.is(last, 429);
  });

  test('forms of other pages, unpublished pages, sandbox pages and other workspaces are not found', async () => {
    await pageWith('news', {});
    const { pages } = service();
    const unknown = await post('nowhere', {});
    assert.is(unknown.status, 404);
    assert.is((await post('news', {}, 'other')).text, unknown.text);
    const body = { brief: 'A page.', slug: 'tried', length: 'short' };
    await bench.request('/v1/pages', { method: 'POST', body, key: bench.testKey });
    await bench.drain();
    const sections = [{ kind: 'contact', form: { formId: 'signup', fields: [email] } }];
    await bench.request('/v1/pages/tried', { method: 'PATCH', body: { sections }, key: bench.testKey });
    await bench.request('/v1/pages/tried/publish', { method: 'POST', body: {}, key: bench.testKey });
    assert.is((await post('tried', {})).text, unknown.text);
    const foreignPath = pathOf('news', 'signup').replace(bench.workspaceId, bench.foreignWorkspaceId);
    assert.is((await visit(bench, foreignPath, { method: 'POST' })).status, 404);
    await pages.unpublish({ idOrSlug: 'news' });
    assert.is((await post('news', {})).text, unknown.text);
  });

  test('a form that was opened before the slug changed is still accepted', async () => {
    const id = await pageWith('old', {});
    const at = signedTimeIn((await post('old', {})).text);
    const { pages } = service();
    await pages.update({ idOrSlug: id, slug: 'new' });
    await pages.publish({ idOrSlug: id });
    bench.advanceClock(3_000);
    const answer = await post('old', { email: 'ada@example.org', shown_at: at });
    assert.equal([answer.status, answer.headers['Location']], [303, '../../new?sent=signup#form-signup']);
    const redirect = await visit(bench, pathOf('new', 'signup'));
    assert.equal([redirect.status, redirect.headers['Location']], [303, '../../new#form-signup']);
  });

  test('references of a form must exist, and publishing needs the scopes for the actions of the form', async () => {
    const idOrSlug = await calls.builtPage('news');
    const listId = await create({ name: 'News' });
    await service().sequences.create({ key: 'welcome', name: 'Welcome', nodes: [mark('x')] });
    const patch = async (form: object, key = bench.liveKey) => {
      const sections = [{ kind: 'newsletter', form: { formId: 'signup', fields: [email], ...form } }];
      const { status, body } = await bench.request(`/v1/pages/${idOrSlug}`, {
        method: 'PATCH',
        body: { sections },
        key,
      });
      return status === 200
        ? 'stored'
        : body.error.details.map(({ path, code }: Record<string, string>) => `${path} ${code}`);
    };
    const pathsOf = (path: string) => [`sections.0.form.${path}`];
    assert.equal(await patch({ listId: 'lst_01ARZ3NDEKTSV4RRFFQ69G5FAV' }), pathsOf('listId unknown'));
    assert.equal(await patch({ sequenceKey: 'nothing' }), pathsOf('sequenceKey unknown'));
    assert.equal(await patch({ leadMagnetId: 'lm_01ARZ3NDEKTSV4RRFFQ69G5FAV' }), pathsOf('leadMagnetId unknown'));
    assert.equal(await patch({ listId, fields: [name] }), pathsOf('fields required'));
    assert.equal(await patch({ fields: [{ ...name, name: 'shown_at' }] }), pathsOf('fields.0.name reserved'));
    assert.is(await patch({ listId, sequenceKey: 'welcome' }), 'stored');
    const key = async (scopes: string[]) =>
      (await bench.service.keys.create({ workspaceId: bench.workspaceId, name: 'Author', scopes })).secret;
    const publish = async (scopes: string[]) =>
      bench.request(`/v1/pages/${idOrSlug}/publish`, {
        ...{ method: 'POST', body: {}, key: await key(['pages:publish', ...scopes]) },
      });
    const refusal = await publish(['lists:write']);
    assert.equal([refusal.status, refusal.body.error.code], [403, 'insufficient_scope']);
    assert.match(refusal.body.error.message, 'sequences:trigger (for the form signup)');
    assert.match((await publish(['sequences:trigger'])).body.error.message, 'lists:write');
    assert.is((await publish(['lists:write', 'sequences:trigger'])).status, 200);
    const deletion = await bench.request(`/v1/lists/${listId}`, { method: 'DELETE' });
    assert.equal([deletion.status, deletion.body.error.code], [409, 'list_in_use']);
  });
});
