// If a mail waits after its decision, for its connection or a slot at the server, the decision is repeated at its hand-over: a recipient
// who unsubscribes or is erased during the wait gets nothing.
import * as assert from 'uvu/assert';
import { smtpMail } from '../../adapters/mail/smtp.ts';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

const hour = 3_600_000;
const variables = { name: 'Ada' };
const to = 'ada@example.org';

await twoDatabases('a mail that waits for its hand-over', (test, database) => {
  let bench: MailBench;
  let meanwhile: () => Promise<unknown>;
  test.before.each(async () => {
    meanwhile = async () => undefined;
    let opened: MailBench | undefined;
    const mail = async () => {
      const work = meanwhile;
      meanwhile = async () => undefined;
      await work();
      return smtpMail({ host: '127.0.0.1', port: opened?.sink.port ?? 0, tls: { rejectUnauthorized: false } });
    };
    opened = await openMailBench(database, { mail });
    bench = opened;
    await calls().topics.create({ key: 'news', name: 'News', default: 'subscribed' });
    await bench.publish('letter', { category: 'marketing', topicKey: 'news' });
    await bench.publish('code', { delivery: 'at-most-once' });
  });
  test.after.each(() => bench.close());
  const calls = () => bench.service.as(bench.workspaceId);

  /**
   * Sends a mail, and calls `work` while the delivery waits for the mail adapter. Returns the status of the send, the reason, and the
   * number of arrived mails.
   */
  const sendDuring = async (work: () => Promise<unknown>, template = 'letter') => {
    const { body: sent } = await bench.send(template, { to, variables });
    assert.is(sent.status, 'sent', JSON.stringify(sent));
    let hasRun = false;
    meanwhile = async () => {
      await work();
      hasRun = true;
      bench.advanceClock(2_000);
    };
    await bench.drain();
    assert.ok(hasRun, 'the delivery did not ask for the adapter');
    const { status, whyNotSent } = await bench.readSend(sent.id);
    return [status, whyNotSent, bench.sink.messages.length];
  };
  const unsubscribe = async () => {
    const { id } = await calls().contacts.upsert({ email: to });
    await calls().preferences.set({ contactId: id, topics: { news: false } });
  };

  test('an unsubscription from the topic of the mail stops it', async () => {
    assert.equal(await sendDuring(unsubscribe), ['suppressed', 'topic', 0]);
  });

  test('a suppression stops the mail, even if it is delivered at most once', async () => {
    const suppress = () => calls().suppressions.create({ email: to, reason: 'hard_bounce' });
    const [status, whyNotSent, arrived] = await sendDuring(suppress, 'code');
    assert.equal([status, arrived], ['suppressed', 0]);
    assert.match(String(whyNotSent), /bounce/i);
  });

  test('an erasure stops the mail', async () => {
    const erase = () => bench.service.personalData.erase(bench.workspaceId, { email: to });
    const [status, , arrived] = await sendDuring(erase);
    assert.equal([status, arrived], ['failed', 0]);
  });

  test('quiet hours that begin meanwhile delay the mail, and it leaves at their end', async () => {
    const night = async () => {
      const clock = (at: number) => new Date(at).toISOString().slice(11, 16);
      const quietHours = { from: clock(bench.now() - hour), to: clock(bench.now() + 2 * hour) };
      await bench.request('/v1/marketing/calendar', { method: 'PATCH', body: { quietHours } });
    };
    assert.equal(await sendDuring(night), ['scheduled', 'quiet_hours', 0]);
    bench.advanceClock(2 * hour);
    await bench.drain();
    assert.is(bench.sink.messages.length, 1);
  });

  test('an expiry stops the mail even after a short wait', async () => {
    const { body: sent } = await bench.send('code', { to, variables, expiresIn: 'PT1S' });
    bench.advanceClock(500);
    meanwhile = async () => bench.advanceClock(600);
    await bench.drain();
    const { status, whyNotSent } = await bench.readSend(sent.id);
    assert.equal([status, whyNotSent, bench.sink.messages.length], ['failed', 'expired', 0]);
  });

  test('the mail leaves if nothing has changed', async () => {
    assert.equal(await sendDuring(async () => undefined), ['sent', undefined, 1]);
  });
});
