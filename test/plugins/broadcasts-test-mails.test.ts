// Tests of a broadcast: real mail to the team, which leaves at once, is in no count, and has a record of its content.
import * as assert from 'uvu/assert';
import { type BroadcastBench, openBroadcastBench } from '../support/broadcast-bench.ts';
import { twoDatabases } from '../support/databases.ts';
import { headerOf } from '../support/tracked-mail.ts';

const member = { uid: 'u1', name: 'Grace', email: 'Grace@Partner.example', role: 'editor' };

await twoDatabases('tests of broadcasts', (test, database) => {
  let bench: BroadcastBench;
  let listId: string;
  test.before.each(async () => {
    bench = await openBroadcastBench(database, {
      members: { list: async () => [member] },
      plans: { pro: { monthlySendBudget: 4 } },
    });
    listId = await bench.list(['reader@example.org']);
  });
  test.after.each(() => bench.close());

  const sendTest = (broadcastId: string, body: object, key = bench.liveKey) =>
    bench.request(`/v1/broadcasts/${broadcastId}/test`, { key, body });
  const draft = (fields: object = {}) => bench.draft({ audience: { include: [{ listId }] }, ...fields });

  test('members and addresses on sending domains get a real mail that is marked as a test, and no count changes', async () => {
    const broadcastId = await draft();
    const to = ['grace@partner.example', 'team@example.com', 'TEAM@EXAMPLE.com'];
    const { status, body } = await sendTest(broadcastId, { to });
    assert.is(status, 202, JSON.stringify(body));
    assert.equal(
      body.sends.map((send: { status: string }) => send.status),
      ['sent', 'sent'],
    );
    await bench.drain();
    assert.equal(await bench.recipients(), ['grace@partner.example', 'team@example.com']);
    const [mail] = await bench.received();
    assert.ok(mail);
    assert.match(mail.subject ?? '', /^\[Test\] Hello /);
    assert.ok(headerOf(mail, 'List-Unsubscribe') !== undefined, 'the test is marketing mail like the broadcast');
    const send = await bench.readSend(body.sends[0].sendId);
    assert.equal([send.test, send.sandbox, send.metadata.broadcastId], [true, false, broadcastId]);
    const ids = (await bench.request('/v1/sends?limit=10')).body.data.map(({ id }: { id: string }) => id);
    assert.ok(ids.includes(body.sends[0].sendId));
    const counts = await bench.counts(broadcastId);
    assert.equal([counts.audience, counts.accepted], [0, 0]);
    assert.is((await bench.calls().broadcasts.read({ broadcastId })).status, 'draft');
    const { data } = (await bench.request('/v1/audit?action=broadcast.test&limit=1')).body;
    assert.equal(data[0].target, { kind: 'broadcast', id: broadcastId });
  });

  test('a test to any other address is refused, and the message says who may get a test', async () => {
    const broadcastId = await draft();
    const { status, body } = await sendTest(broadcastId, { to: ['team@example.com', 'reader@example.org'] });
    assert.is(status, 422);
    const [detail] = body.error.details;
    assert.equal([detail.path, detail.code], ['to.1', 'not_own_address']);
    assert.match(detail.message, /members of the workspace.*example\.com.*reader@example\.org is neither/);
    await bench.drain();
    assert.equal(await bench.recipients(), []);
  });

  test('a suppressed address gets no test, but quiet hours and caps do not delay a test', async () => {
    const broadcastId = await draft();
    await bench.calls().suppressions.create({ email: 'left@example.com' });
    await bench.calls().marketing.calendarPatch({
      quietHours: { from: '00:00', to: '23:59' },
      caps: [{ max: 1, per: 'day' }],
    });
    for (let times = 0; times < 2; times += 1)
      assert.is((await sendTest(broadcastId, { to: ['team@example.com'] })).status, 202);
    const { body } = await sendTest(broadcastId, { to: ['left@example.com'] });
    assert.is(body.sends[0].status, 'suppressed');
    assert.ok(body.sends[0].whyNotSent);
    await bench.drain();
    assert.equal(await bench.recipients(), ['team@example.com', 'team@example.com']);
  });

  test('an address that is suppressed after the call gets no test', async () => {
    const broadcastId = await draft();
    const { body } = await sendTest(broadcastId, { to: ['team@example.com'] });
    await bench.calls().suppressions.create({ email: 'team@example.com' });
    await bench.drain();
    assert.equal(await bench.recipients(), []);
    assert.is((await bench.readSend(body.sends[0].sendId)).status, 'suppressed');
  });

  test('a test that a sandbox key sends never leaves the process', async () => {
    const sandboxList = await bench.list(['reader@example.org'], true);
    const broadcastId = await bench.draft({ audience: { include: [{ listId: sandboxList }] } }, true);
    const { status, body } = await sendTest(broadcastId, { to: ['team@example.com'] }, bench.testKey);
    assert.is(status, 202, JSON.stringify(body));
    await bench.drain();
    assert.is(bench.sink.connections, 0);
    const send = await bench.readSend(body.sends[0].sendId);
    assert.equal([send.sandbox, send.test, send.status], [true, true, 'delivered']);
  });

  test('if the monthly budget is too small for all mails of a test, no mail is sent', async () => {
    const broadcastId = await draft();
    const five = [1, 2, 3, 4, 5].map((number) => `team${number}@example.com`);
    const refusal = await sendTest(broadcastId, { to: five });
    assert.is(refusal.body.error.code, 'send_budget_exhausted');
    assert.is((await sendTest(broadcastId, { to: five.slice(0, 4) })).status, 202);
    await bench.drain();
    assert.is((await bench.recipients()).length, 4);
  });

  test('a test can show the mail as a chosen contact would get it, but only with the scope contacts:read', async () => {
    const { id: contactId } = await bench
      .calls()
      .contacts.upsert({ email: 'ada@example.org', attributes: { name: 'Ada' } });
    const broadcastId = await draft({ variables: { name: '{{ contact.attributes.name }}' } });
    assert.is((await sendTest(broadcastId, { to: ['team@example.com'], contactId })).status, 202);
    await bench.drain();
    assert.is((await bench.received())[0]?.subject, '[Test] Hello Ada');
    const key = await bench.keyWith(['broadcasts:send']);
    const refusal = await sendTest(broadcastId, { to: ['team@example.com'], contactId }, key);
    assert.is(refusal.body.error.code, 'insufficient_scope');
  });

  test('a preview lists the changes since the last test', async () => {
    const broadcastId = await draft();
    const { broadcasts } = bench.calls();
    const lastTest = async () => (await broadcasts.preview({ broadcastId })).lastTest;
    assert.is(await lastTest(), null);
    await sendTest(broadcastId, { to: ['team@example.com'] });
    assert.equal((await lastTest())?.changed, []);
    await broadcasts.update({ broadcastId, name: 'Another name', variables: { name: 'friend' } });
    await bench.calls().templates.update({ key: 'news', subject: 'Hi {{name}}' });
    assert.equal((await lastTest())?.changed, ['variables'], 'the unpublished change is not sent');
    await bench.calls().templates.publish({ key: 'news' });
    await bench.calls().brand.update({ id: 'default', postal_address: 'Example Ltd\n2 Side Street' });
    assert.equal((await lastTest())?.changed, ['templateVersion', 'variables', 'brand']);
    await sendTest(broadcastId, { to: ['team@example.com'] });
    assert.equal((await lastTest())?.changed, []);
  });

  test('a test is refused if the draft has no template or its sender may not send', async () => {
    const { broadcastId } = await bench.calls().broadcasts.create({ name: 'Empty' });
    assert.is((await sendTest(broadcastId, { to: ['team@example.com'] })).body.error.code, 'broadcast_invalid');
    const foreign = await draft({ from: { email: 'news@elsewhere.example', name: '' } });
    const { body } = await sendTest(foreign, { to: ['team@example.com'] });
    assert.equal([body.error.code, body.error.details[0].path], ['broadcast_invalid', 'from']);
  });
});
