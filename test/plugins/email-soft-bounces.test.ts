// Repeated soft bounces suppress marketing mail for a while. A single soft bounce suppresses nothing, nor do delays, greylisting, blocks
// or the replies of robots.
import * as assert from 'uvu/assert';
import { mailboxReports } from '../../adapters/mail/mailbox.ts';
import { emailPlugin } from '../../plugins/email/index.ts';
import type { SoftBounceOptions } from '../../plugins/email/reports/soft-bounces.ts';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { visit } from '../support/tracked-mail.ts';

const secret = 'a secret of the bounce mailbox';
const variables = { name: 'Ada' };
const dayMs = 86_400_000;
const full = '452 4.2.2 Mailbox full';

const report = (messageId: string, words: string, action = 'failed') =>
  [
    'From: MAILER-DAEMON@mx.example.org\r\nSubject: Undelivered Mail\r\nMIME-Version: 1.0\r\n',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n',
    '--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.org\r\n\r\n',
    `Final-Recipient: rfc822; ada@example.org\r\nAction: ${action}\r\nStatus: ${words.slice(4, 9)}\r\nDiagnostic-Code: smtp; ${words}\r\n\r\n`,
    `--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: <${messageId}@example.com>\r\n\r\n--b--\r\n`,
  ].join('');

await twoDatabases('soft bounces', (test, database) => {
  const open = async (softBounces?: SoftBounceOptions | false): Promise<MailBench> => {
    const email = emailPlugin({
      reports: [mailboxReports({ secret })],
      ...(softBounces === undefined ? {} : { softBounces }),
    });
    const plugins = bareStandardPlugins.map((plugin) => (plugin.id === 'email' ? email : plugin));
    const bench = await openMailBench(database, { plugins });
    await bench.publish('receipt');
    await bench.publish('news', { category: 'marketing' });
    return bench;
  };
  let recipients = 0;
  const person = (): string => {
    recipients += 1;
    return `person-${recipients}@example.org`;
  };
  const bounce = async (bench: MailBench, to: string, words = full, action = 'failed') => {
    const { body } = await bench.send('receipt', { to, variables });
    await bench.drain();
    const request = {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      body: Buffer.from(report(body.messageId, words, action)),
      userAgent: '',
    } as const;
    assert.is((await visit(bench, '/inbound/mail/mailbox', request)).status, 200);
    return body.id as string;
  };
  const suppressionOf = async (bench: MailBench, email: string) => {
    const { body } = await bench.request('/v1/suppressions?limit=100');
    return body.data.find((row: { email: string }) => row.email === email);
  };

  test('soft bounces of three mails on three days within 14 suppress marketing mail for 30 days, and other mail still leaves', async () => {
    const bench = await open();
    const to = person();
    await bounce(bench, to);
    bench.advanceClock(5 * dayMs);
    await bounce(bench, to);
    assert.is(await suppressionOf(bench, to), undefined);
    bench.advanceClock(8 * dayMs);
    const last = await bounce(bench, to);
    const { created_at: at, note, ...row } = await suppressionOf(bench, to);
    assert.equal(row, {
      email: to,
      reason: 'soft_bounces',
      scope: 'marketing',
      send_id: last,
      expires_at: new Date(bench.now() + 30 * dayMs).toISOString(),
    });
    assert.equal([at, note], [new Date(bench.now()).toISOString(), full]);
    const newsSend = (await bench.send('news', { to, variables })).body;
    assert.is(newsSend.status, 'suppressed');
    assert.match(newsSend.whyNotSent, 'soft_bounces');
    assert.is.not((await bench.send('receipt', { to, variables })).body.status, 'suppressed');
    bench.advanceClock(30 * dayMs);
    assert.is.not((await bench.send('news', { to, variables })).body.status, 'suppressed');
    await bench.close();
  });

  test('three soft bounces on one day, over more than 14 days, or of one mail suppress nobody', async () => {
    const bench = await open();
    const [sameDay, apart, one] = [person(), person(), person()];
    for (let count = 0; count < 3; count += 1) await bounce(bench, sameDay);
    for (let count = 0; count < 4; count += 1) {
      await bounce(bench, apart);
      bench.advanceClock(8 * dayMs);
    }
    const id = await bounce(bench, one);
    for (let count = 0; count < 3; count += 1) {
      bench.advanceClock(dayMs);
      const { messageId } = await bench.readSend(id);
      const body = Buffer.from(report(messageId, full));
      const headers = { authorization: `Bearer ${secret}` };
      await visit(bench, '/inbound/mail/mailbox', { method: 'POST', headers, body, userAgent: '' });
    }
    for (const to of [sameDay, apart, one]) assert.is(await suppressionOf(bench, to), undefined, to);
    await bench.close();
  });

  test('delays, greylisting, blocks, rate limits, refusals of the content and permanent refusals do not count', async () => {
    const bench = await open();
    const notCounted: readonly (readonly [string, string?])[] = [
      [full, 'delayed'],
      ['451 4.7.1 Greylisted, try again later'],
      ['451 4.7.1 Try again later, please try again in 5 minutes'],
      ['554 5.7.1 Blocked by policy'],
      ['421 4.7.0 Your address is blocked'],
      ['421 4.7.0 Message exceeded the rate limit'],
      ['452 4.3.4 Message too large'],
      ['451 4.6.0 Looks like spam'],
    ];
    const people = notCounted.map(person);
    for (let day = 0; day < 3; day += 1) {
      for (const [index, [words, action]] of notCounted.entries())
        await bounce(bench, people[index] ?? '', words, action);
      bench.advanceClock(dayMs);
    }
    for (const to of people) assert.is(await suppressionOf(bench, to), undefined, to);
    await bench.close();
  });

  test('an unsubscription is kept, and a hard bounce replaces the pause', async () => {
    const bench = await open();
    const [left, erased] = [person(), person()];
    await bench.request('/v1/suppressions', { body: { email: left, reason: 'unsubscribe', scope: 'marketing' } });
    for (let day = 0; day < 3; day += 1) {
      await bounce(bench, left);
      await bounce(bench, erased);
      bench.advanceClock(dayMs);
    }
    assert.is((await suppressionOf(bench, left)).reason, 'unsubscribe');
    assert.is((await suppressionOf(bench, erased)).reason, 'soft_bounces');
    await bounce(bench, erased, '550 5.1.1 No such user');
    const { reason, scope, expires_at: end } = await suppressionOf(bench, erased);
    assert.equal([reason, scope, end], ['hard_bounce', 'all', null]);
    await bench.close();
  });

  test('a pause does not replace a suppression of more mail, even if that suppression ends sooner', async () => {
    const bench = await open();
    const recipient = person();
    for (let day = 0; day < 2; day += 1) {
      await bounce(bench, recipient);
      bench.advanceClock(dayMs);
    }
    const { body: send } = await bench.send('receipt', { to: recipient, variables });
    await bench.drain();
    const expires_at = new Date(bench.now() + 5 * dayMs).toISOString();
    const { body: manual } = await bench.request('/v1/suppressions', {
      body: { email: recipient, reason: 'manual', scope: 'all', expires_at },
    });
    const headers = { authorization: `Bearer ${secret}` };
    const body = Buffer.from(report(send.messageId, full));
    await visit(bench, '/inbound/mail/mailbox', { method: 'POST', headers, body, userAgent: '' });
    assert.equal(await suppressionOf(bench, recipient), manual);
    await bench.close();
  });

  test('the numbers are options, false turns the rule off, and impossible numbers are refused', async () => {
    const quick = await open({ mails: 1, pauseDays: 2 });
    const to = person();
    await bounce(quick, to);
    assert.is((await suppressionOf(quick, to)).expires_at, new Date(quick.now() + 2 * dayMs).toISOString());
    await quick.close();
    const never = await open(false);
    for (let day = 0; day < 4; day += 1) {
      await bounce(never, to);
      never.advanceClock(dayMs);
    }
    assert.is(await suppressionOf(never, to), undefined);
    await never.close();
    for (const wrong of [{ mails: 0 }, { withinDays: 1.5 }, { pauseDays: -1 }])
      assert.throws(() => emailPlugin({ softBounces: wrong }), /softBounces/);
  });
});
