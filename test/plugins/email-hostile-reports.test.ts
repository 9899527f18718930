// Texts in reports of providers that no database can store, or that are far too long: each database stores a cleaned text. Segments on
// opens and clicks still work, and a hard bounce still suppresses.
// full-run: slow
import * as assert from 'uvu/assert';
import { mailboxReports } from '../../adapters/mail/mailbox.ts';
import { emailPlugin } from '../../plugins/email/index.ts';
import type { MailReport, MailReports } from '../../plugins/email/port/index.ts';
import { report } from '../support/bounce-mails.ts';
import { eachDatabase } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

/** An adapter of a program that checks nothing in the reports that it passes on. */
const careless: MailReports = {
  id: 'careless',
  read: async ({ body }) => JSON.parse(Buffer.from(body).toString()) as MailReport[],
};

// [name, text, stored text]
const texts: readonly (readonly [string, string, string])[] = [
  ['a NUL', 'no\u0000mailbox', 'no mailbox'],
  ['half an emoji', 'no mailbox \ud83d', 'no mailbox \ufffd'],
  ['the other half', '\ude00 no mailbox', '\ufffd no mailbox'],
  ['line breaks', 'no\r\nmailbox\u0085', 'no mailbox'],
];

await eachDatabase('hostile texts in reports', (test, database) => {
  let bench: MailBench;
  test.before(async () => {
    const email = emailPlugin({ reports: [mailboxReports(), careless], bounces: { domain: 'bounces.example.com' } });
    bench = await openMailBench(database, {
      plugins: bareStandardPlugins.map((plugin) => (plugin.id === 'email' ? email : plugin)),
    });
    await bench.publish('receipt');
  });
  test.after(() => bench.close());

  let people = 0;
  const deliver = async () => {
    people += 1;
    const to = `person-${people}@example.org`;
    await bench.request('/v1/contacts', { body: { email: to } });
    const { body } = await bench.send('receipt', { to, variables: { name: 'Ada' } });
    await bench.drain();
    const path = bench.sink.messages.find((one) => one.recipients.includes(to))?.from ?? '';
    return { id: body.id as string, messageId: body.messageId as string, to, path };
  };
  const post = async (messageId: string, fact: object): Promise<number> => {
    const reports = [{ messageIds: [messageId], id: `${messageId} ${people}`, fact }];
    return (await bench.request('/inbound/mail/careless', { body: reports })).status;
  };
  const lastEvent = async (id: string) => (await bench.readSend(id)).events.at(-1);
  const countOf = async (was: string): Promise<number> => {
    const { status, body } = await bench.request('/v1/segments/preview', { body: { filter: { send: {}, was } } });
    assert.is(status, 200, JSON.stringify(body));
    return body.contactCount;
  };

  for (const [what, text, stored] of texts) {
    test(`${what} in the words of a hard bounce`, async () => {
      const { id, to, messageId } = await deliver();
      const bounce = { class: 'hard', subType: 'no_mailbox', diagnostic: text, enhancedCode: '5.1.1\u0000' };
      assert.is(await post(messageId, { kind: 'bounced', bounce }), 200);
      const event = await lastEvent(id);
      assert.equal(event.bounce, { class: 'hard', subType: 'no_mailbox', enhancedCode: '5.1.1', diagnostic: stored });
      const { data } = (await bench.request('/v1/suppressions?limit=100')).body;
      assert.is(data.find(({ email }: { email: string }) => email === to)?.note, stored);
    });

    test(`${what} in a delay and in a clicked address`, async () => {
      const { id, messageId } = await deliver();
      assert.is(await post(messageId, { kind: 'delivery_delayed', reason: text }), 200);
      assert.is((await lastEvent(id)).reason, stored);
      const before = await countOf('clicked');
      assert.is(await post(messageId, { kind: 'clicked', url: `https://example.com/${text}`, client: {} }), 200);
      assert.is((await lastEvent(id)).click.url, `https://example.com/${stored}`);
      assert.ok((await countOf('clicked')) >= before);
    });
  }

  test('long texts are cut, but never in the middle of an emoji', async () => {
    const { id, messageId } = await deliver();
    await post(messageId, { kind: 'delivery_delayed', reason: `${'a'.repeat(499)}\u{1f600}${'b'.repeat(10_000)}` });
    assert.is((await lastEvent(id)).reason, 'a'.repeat(499));
    await post(messageId, { kind: 'clicked', url: `https://example.com/${'x'.repeat(500_000)}`, client: {} });
    assert.is((await lastEvent(id)).click.url.length, 8_192);
  });

  test('the words of a report by mail are not cut in the middle of an emoji either', async () => {
    const sent = await deliver();
    const words = `550 5.1.1 No such user ${'a'.repeat(476)}\u{1f600}\u{1f600}`;
    const { outcome, report: fact } = (await bench.service.ingestMail(report('5.1.1', words)(sent))) as {
      outcome: string;
      report: { bounce: { diagnostic: string } };
    };
    assert.is(outcome, 'recorded');
    assert.is(fact.bounce.diagnostic, words.slice(0, 499));
  });

  test('a bounce whose class no answer can show is an error of the adapter', async () => {
    const { id, messageId } = await deliver();
    const bounce = { class: 'hard', subType: 'gone', diagnostic: 'x' };
    assert.is(await post(messageId, { kind: 'bounced', bounce }), 503);
    assert.is(
      await post(messageId, { kind: 'bounced', bounce: { ...bounce, subType: 'general', smtpCode: '550' } }),
      503,
    );
    assert.is((await bench.readSend(id)).status, 'sent');
  });
});
