// The effects of a mail server's refusal on a send: it is bounced, failed or suppressed. Some refusals have no effect on the address.
// full-run: slow
import * as assert from 'uvu/assert';
import { eachDatabase } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import type { SinkResponse } from '../support/smtp-sink.ts';

const variables = { name: 'Ada' };
const typesOf = (send: { events: { type: string }[] }) => send.events.map(({ type }) => type);

await eachDatabase('refusals of a mail server', (test, database) => {
  let bench: MailBench;
  let recipients = 0;
  test.before(async () => {
    bench = await openMailBench(database);
    await bench.publish('receipt');
  });
  test.after(() => bench.close());

  const sendTo = async (to: string, body: object = {}): Promise<string> => {
    const { status, body: answer } = await bench.send('receipt', { to, variables, ...body });
    assert.is(status, 202, JSON.stringify(answer));
    return answer.id;
  };
  const sendRefused = async (answer: SinkResponse) => {
    recipients += 1;
    const to = `refused-${recipients}@example.org`;
    bench.sink.answer(to, answer);
    const id = await sendTo(to);
    await bench.drain();
    return { to, send: await bench.readSend(id), suppression: await suppressionOf(to) };
  };
  const suppressionOf = async (email: string) => {
    const { body } = await bench.request('/v1/suppressions?limit=100');
    return body.data.find((row: { email: string }) => row.email === email);
  };

  const refusals: readonly {
    readonly title: string;
    readonly answer: SinkResponse;
    readonly status: 'bounced' | 'failed';
    readonly bounce?: object;
    readonly suppresses: boolean;
  }[] = [
    {
      title: 'a code for an unknown mailbox is a hard bounce and suppresses the address',
      answer: { code: 550, text: '5.1.1 No such user here' },
      status: 'bounced',
      bounce: { class: 'hard', subType: 'no_mailbox', smtpCode: 550, enhancedCode: '5.1.1' },
      suppresses: true,
    },
    {
      title: 'a text that means an unknown mailbox, without a code for it, is a hard bounce and suppresses the address',
      answer: { code: 550, text: 'Unknown user' },
      status: 'bounced',
      bounce: { class: 'hard', subType: 'no_mailbox', smtpCode: 550 },
      suppresses: true,
    },
    {
      title: 'a full mailbox is a bounce and suppresses nobody',
      answer: { code: 552, text: '5.2.2 Mailbox full' },
      status: 'bounced',
      bounce: { class: 'undetermined', subType: 'mailbox_full', smtpCode: 552, enhancedCode: '5.2.2' },
      suppresses: false,
    },
    {
      title: 'a refusal by policy is an undetermined bounce and suppresses nobody',
      answer: { code: 554, text: '5.7.1 Blocked by policy' },
      status: 'bounced',
      bounce: { class: 'undetermined', subType: 'policy', smtpCode: 554, enhancedCode: '5.7.1' },
      suppresses: false,
    },
    {
      title: 'a refusal of the content is a failure, not a bounce',
      answer: { code: 554, text: '5.6.0 Looks like spam', at: 'content' },
      status: 'failed',
      suppresses: false,
    },
  ];

  for (const { title: says, answer, status, bounce, suppresses } of refusals) {
    test(says, async () => {
      const { to, send, suppression } = await sendRefused(answer);
      assert.is(send.status, status);
      assert.equal(typesOf(send), ['send.queued', `send.${status}`]);
      const timelineEntry = send.events[1];
      assert.match(timelineEntry.reason, answer.text);
      assert.is(send.whyNotSent, timelineEntry.reason);
      if (bounce === undefined) assert.is(timelineEntry.bounce, undefined);
      else {
        const { diagnostic, ...rest } = timelineEntry.bounce;
        assert.equal(rest, bounce);
        assert.match(diagnostic, answer.text);
      }
      assert.is(suppression !== undefined, suppresses);
      if (suppresses) {
        const { note, created_at, ...rest } = suppression;
        assert.match(note, answer.text);
        assert.equal(rest, { email: to, reason: 'hard_bounce', scope: 'all', send_id: send.id, expires_at: null });
        assert.is(created_at, timelineEntry.ts);
      }
      assert.is(bench.sink.messages.filter(({ recipients: [first] }) => first === to).length, 0);
    });
  }

  test('after a hard bounce, the next send is accepted as suppressed, runs no job, and is not counted', async () => {
    const { to } = await sendRefused({ code: 550, text: '5.1.1 No such user' });
    const before = (await bench.request('/v1/workspace')).body.usage.sends_this_month;
    const { status, body } = await bench.send('receipt', { to: to.toUpperCase(), variables });
    assert.is(status, 202);
    assert.is(body.status, 'suppressed');
    assert.equal(typesOf(body), ['transactional.suppressed']);
    assert.match(body.whyNotSent, 'hard_bounce');
    bench.sink.answer(to, { code: 250, text: 'Ok', times: 0 });
    await bench.drain();
    assert.is((await bench.readSend(body.id)).status, 'suppressed');
    assert.is((await bench.request('/v1/workspace')).body.usage.sends_this_month, before);
    assert.is(bench.sink.messages.filter(({ recipients: [first] }) => first === to).length, 0);
  });

  test('a suppression that is added between acceptance and delivery wins, and the send is not counted', async () => {
    const to = 'between@example.org';
    const before = (await bench.request('/v1/workspace')).body.usage.sends_this_month;
    const id = await sendTo(to);
    assert.is((await bench.request('/v1/workspace')).body.usage.sends_this_month, before + 1);
    const complaint = { email: to, reason: 'complaint' };
    const suppression = await bench.request('/v1/suppressions', {
      body: complaint,
      headers: { 'idempotency-key': 'between' },
    });
    assert.is(suppression.status, 201);
    await bench.drain();
    const send = await bench.readSend(id);
    assert.is(send.status, 'suppressed');
    assert.equal(typesOf(send), ['send.queued', 'transactional.suppressed']);
    assert.match(send.whyNotSent, 'complaint');
    assert.is((await bench.request('/v1/workspace')).body.usage.sends_this_month, before);
  });

  test('a bypass ignores a hard bounce at acceptance and at delivery, but never a complaint', async () => {
    const { to } = await sendRefused({ code: 550, text: '5.1.1 No such user' });
    bench.sink.answer(to, { code: 250, text: 'Ok', times: 0 });
    const bypass = await sendTo(to, { bypassSuppression: true });
    await bench.drain();
    assert.is((await bench.readSend(bypass)).status, 'sent');
    const entry = (await bench.request('/v1/audit?action=transactional.send&limit=1')).body.data[0];
    assert.is(entry.metadata.bypass_suppression, true);
    const complaint = { body: { email: to, reason: 'complaint' }, headers: { 'idempotency-key': 'complained' } };
    assert.is((await bench.request('/v1/suppressions', complaint)).body.reason, 'complaint');
    const { body } = await bench.send('receipt', { to, variables, bypassSuppression: true });
    assert.is(body.status, 'suppressed');
  });

  test('a bypass needs its scope', async () => {
    const key = await bench.keyWith(['templates:send']);
    const to = 'a@example.org';
    const { status, body } = await bench.send('receipt', { to, variables, bypassSuppression: true }, { key });
    assert.is(status, 403);
    assert.is(body.error.code, 'insufficient_scope');
    assert.match(body.error.message, 'suppressions:bypass');
    assert.is((await bench.send('receipt', { to, variables }, { key })).status, 202);
  });

  test('several messages to one dead mailbox at the same time bounce or are suppressed, and its address is suppressed once', async () => {
    const to = 'twice-dead@example.org';
    bench.sink.answer(to, { code: 550, text: '5.1.1 No such user' });
    const ids = await Promise.all(Array.from({ length: 8 }, () => sendTo(to)));
    await bench.drain();
    // Messages after the first recorded bounce are suppressed instead.
    for (const id of ids) assert.ok(['bounced', 'suppressed'].includes((await bench.readSend(id)).status), id);
    assert.is((await suppressionOf(to)).reason, 'hard_bounce');
    assert.equal(await bench.service.jobs.list({ state: 'waiting' }), []);
    assert.equal(await bench.service.jobs.list({ state: 'failed' }), []);
  });
});
