// Mail from a template with a topic: one click and the unsubscribe page end this topic, and the second button of the page ends all
// marketing mail. The page of preferences shows public topics, and private topics to people who got mail with them.
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { form } from '../support/list-bench.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { headerOf, type MailVisit, publicUrl, urlsOf, visit } from '../support/tracked-mail.ts';

const oneClick = {
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: 'List-Unsubscribe=One-Click',
} as const;

await twoDatabases('mail with topics', (test, database) => {
  let bench: MailBench;
  test.before.each(async () => {
    bench = await openMailBench(database, { publicUrl });
    const { topics } = calls();
    await topics.create({ key: 'news', name: 'Product <news>', description: 'Monthly & short', default: 'subscribed' });
    await topics.create({ key: 'offers', name: 'Offers', default: 'unsubscribed' });
    await topics.create({ key: 'beta', name: 'Beta programme', default: 'subscribed', visibility: 'private' });
    await bench.publish('letter', { category: 'marketing', topicKey: 'news' });
  });
  test.after.each(() => bench.close());
  const calls = (sandbox = false) => bench.service.as(bench.workspaceId, { sandbox });

  /** Sends a mail, and returns the id of the send and the links in the mail. */
  async function mailTo(to: string, template = 'letter') {
    const { body } = await bench.send(template, { to, variables: { name: 'Ada' } });
    await bench.drain();
    const mail = (await bench.received()).at(-1);
    assert.ok(mail);
    const unsubscribeHeader = headerOf(mail, 'List-Unsubscribe') ?? '';
    const preferences = urlsOf(mail).links.find((link) => link.includes('/preferences/')) ?? '';
    return { id: String(body.id), mail, leave: unsubscribeHeader.slice(1, -1), preferences };
  }
  const subscription = async (email: string, sandbox = false): Promise<string[]> => {
    const { id } = await calls(sandbox).contacts.upsert({ email });
    const { preferences } = await calls(sandbox).preferences.read({ contactId: id });
    return preferences.map(({ topic, subscribed, source }) => `${topic} ${subscribed} ${source}`);
  };
  const suppressions = async () => (await bench.request('/v1/suppressions')).body.data;

  test('one click in a mail program ends the topic of the mail and nothing else', async () => {
    const { id, mail, leave } = await mailTo('ada@example.org');
    assert.is(headerOf(mail, 'List-Unsubscribe-Post'), 'List-Unsubscribe=One-Click');
    assert.is((await visit(bench, leave, oneClick)).status, 200);
    assert.equal(await subscription('ada@example.org'), [
      'news false one_click',
      'offers false null',
      'beta true null',
    ]);
    assert.equal(await suppressions(), []);
    const { events } = await bench.readSend(id);
    assert.equal([events.at(-1).type, events.at(-1).reason], ['send.unsubscribed', 'topic news']);
    // A second click changes nothing.
    await visit(bench, leave, oneClick);
    assert.is((await bench.events('topic.unsubscribed')).length, 1);
    assert.is((await bench.events('send.unsubscribed')).length, 1);
  });

  test('a body in another format, or no body, counts as one click, too', async () => {
    const forms: readonly MailVisit[] = [
      { method: 'POST' },
      {
        method: 'POST',
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
        body: '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
      },
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' },
    ];
    for (const [index, request] of forms.entries()) {
      const { leave } = await mailTo(`p${index}@example.org`);
      assert.is((await visit(bench, leave, request)).status, 200);
      assert.is((await subscription(`p${index}@example.org`))[0], 'news false one_click');
    }
  });

  test('the page asks about the topic by its name, and its second button ends all marketing mail', async () => {
    const { id, leave } = await mailTo('ada@example.org');
    const question = await visit(bench, leave);
    assert.match(question.text, 'You will get no more emails about “<bdi>Product &lt;news&gt;</bdi>” from');
    assert.match(question.text, 'No more marketing mail');
    assert.equal((await subscription('ada@example.org'))[0], 'news true null');
    const topicAnswer = await visit(bench, leave, form({ do: 'unsubscribe' }));
    assert.match(topicAnswer.text, 'You are unsubscribed');
    assert.match(topicAnswer.text, 'No more marketing mail');
    assert.is((await subscription('ada@example.org'))[0], 'news false page');
    assert.equal(await suppressions(), []);
    const stopAnswer = await visit(bench, leave, form({ do: 'stop' }));
    assert.match(stopAnswer.text, 'You will get no more marketing emails from');
    assert.not.match(stopAnswer.text, 'No more marketing mail');
    assert.equal(
      (await suppressions()).map(({ email, scope }: { email: string; scope: string }) => [email, scope]),
      [['ada@example.org', 'marketing']],
    );
    const { events } = await bench.readSend(id);
    assert.equal(
      events.flatMap(({ type, reason }: { type: string; reason?: string }) =>
        type === 'send.unsubscribed' ? [reason ?? 'all'] : [],
      ),
      ['topic news', 'all'],
    );
  });

  test('an unsubscription ends all marketing mail if the mail has no topic or its topic was deleted', async () => {
    await bench.publish('plain', { category: 'marketing' });
    const plain = await mailTo('ada@example.org', 'plain');
    assert.not.match((await visit(bench, plain.leave)).text, 'about');
    await visit(bench, plain.leave, oneClick);
    const old = await mailTo('bob@example.org');
    await calls().templates.update({ key: 'letter', topicKey: null });
    await calls().topics.delete({ key: 'news' });
    assert.not.match((await visit(bench, old.leave)).text, 'about');
    await visit(bench, old.leave, oneClick);
    assert.equal(
      (await suppressions()).map(({ email, reason }: { email: string; reason: string }) => [email, reason]).sort(),
      [
        ['ada@example.org', 'unsubscribe'],
        ['bob@example.org', 'unsubscribe'],
      ],
    );
  });

  test('an unsubscription ends the topic with which the mail was sent, not the current topic of the template', async () => {
    const { leave } = await mailTo('ada@example.org');
    await calls().templates.update({ key: 'letter', topicKey: 'offers' });
    await visit(bench, leave, oneClick);
    assert.equal(await subscription('ada@example.org'), [
      'news false one_click',
      'offers false null',
      'beta true null',
    ]);
  });

  test('the preferences page changes only the topics that were ticked or unticked', async () => {
    const { preferences } = await mailTo('ada@example.org');
    const page = await visit(bench, preferences);
    assert.match(page.text, 'What our emails are about');
    assert.match(page.text, 'Product &lt;news&gt;');
    assert.match(page.text, 'Monthly &amp; short');
    assert.match(page.text, /name="topic" value="news" checked/);
    assert.not.match(page.text, /name="topic" value="offers" checked/);
    assert.not.match(page.text, 'Beta');
    const save = (fields: [string, string][]) => visit(bench, preferences, form([['do', 'save'], ...fields]));
    // If the visitor changes nothing, the form stores no consent.
    await save([
      ['ticked_topic', 'news'],
      ['topic', 'news'],
      ['unticked_topic', 'offers'],
    ]);
    assert.equal(await subscription('ada@example.org'), ['news true null', 'offers false null', 'beta true null']);
    // A private topic and an unknown topic are not on the page.
    const answer = await save([
      ['ticked_topic', 'news'],
      ['unticked_topic', 'offers'],
      ['topic', 'offers'],
      ['ticked_topic', 'beta'],
      ['unticked_topic', 'nowhere'],
      ['topic', 'nowhere'],
    ]);
    assert.equal([answer.status, answer.headers['Location']], [303, '?saved']);
    assert.equal(await subscription('ada@example.org'), ['news false page', 'offers true page', 'beta true null']);
    const secondVisit = await visit(bench, preferences);
    assert.match(secondVisit.text, /name="topic" value="offers" checked/);
    assert.not.match(secondVisit.text, /name="topic" value="news" checked/);
  });

  test('a page that was loaded before an opt-out does not cancel the opt-out, and a topic that is unticked there is an opt-out by the person', async () => {
    const { leave, preferences } = await mailTo('ada@example.org');
    const page = (await visit(bench, preferences)).text;
    assert.match(page, '<input type="hidden" name="ticked_topic" value="news">');
    assert.match(page, '<input type="hidden" name="unticked_topic" value="offers">');
    await visit(bench, leave, oneClick);
    const save = (fields: [string, string][]) => visit(bench, preferences, form([['do', 'save'], ...fields]));
    await save([
      ['ticked_topic', 'news'],
      ['topic', 'news'],
      ['unticked_topic', 'offers'],
      ['topic', 'offers'],
    ]);
    assert.equal(await subscription('ada@example.org'), ['news false one_click', 'offers true page', 'beta true null']);
    const { id } = await calls().contacts.upsert({ email: 'ada@example.org' });
    await calls().preferences.set({ contactId: id, topics: { offers: false } });
    await save([['ticked_topic', 'offers']]);
    assert.is((await subscription('ada@example.org'))[1], 'offers false page');
  });

  test('people who got a mail with a private topic can see it, even after they left it', async () => {
    await bench.publish('beta-news', { category: 'marketing', topicKey: 'beta' });
    const otherMail = await mailTo('bob@example.org');
    const { leave, preferences } = await mailTo('ada@example.org', 'beta-news');
    assert.match((await visit(bench, preferences)).text, 'Beta programme');
    assert.not.match((await visit(bench, otherMail.preferences)).text, 'Beta programme');
    await visit(bench, leave, oneClick);
    assert.match((await visit(bench, preferences)).text, /name="topic" value="beta">/);
  });

  test('an address without a contact has preferences, and its topics are on the side of its mail', async () => {
    const { preferences } = await mailTo('new@example.org');
    await visit(
      bench,
      preferences,
      form([
        ['do', 'save'],
        ['unticked_topic', 'offers'],
        ['topic', 'offers'],
      ]),
    );
    const [event] = await bench.events('topic.subscribed');
    assert.equal(event?.contact, { id: null, external_id: null, email: 'new@example.org' });
    assert.is((await subscription('new@example.org'))[1], 'offers true page');
    assert.is((await subscription('new@example.org', true))[1], 'offers false null');
  });

  test('an old mail can still end its topic after its recipient was erased, without storing the address', async () => {
    const { leave } = await mailTo('ada@example.org');
    await bench.service.personalData.erase(bench.workspaceId, { email: 'ada@example.org' });
    await bench.drain();
    assert.is((await visit(bench, leave, oneClick)).status, 200);
    assert.is((await subscription('ada@example.org'))[0], 'news false one_click');
  });

  test('preferences can be changed while the workspace is suspended', async () => {
    const { leave, preferences } = await mailTo('ada@example.org');
    await bench.service.workspaces.suspend(bench.workspaceId);
    const fields: [string, string][] = [
      ['do', 'save'],
      ['unticked_topic', 'offers'],
      ['topic', 'offers'],
    ];
    await visit(bench, preferences, form(fields));
    await visit(bench, leave, oneClick);
    await bench.service.workspaces.resume(bench.workspaceId);
    assert.equal(await subscription('ada@example.org'), ['news false one_click', 'offers true page', 'beta true null']);
  });
});
