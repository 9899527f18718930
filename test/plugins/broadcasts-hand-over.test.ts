// Checks between the acceptance of a mail and its hand-over: membership, erasures, the ramp of the sender's domain. Also the hour in
// which late reports count.
import * as assert from 'uvu/assert';
import { emailPlugin } from '../../plugins/email/index.ts';
import { type BroadcastBench, openBroadcastBench } from '../support/broadcast-bench.ts';
import { twoDatabases } from '../support/databases.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { testProviders } from '../support/provider-reports.ts';
import { headerOf, visit } from '../support/tracked-mail.ts';

await twoDatabases('accepted mails of broadcasts before their hand-over', (test, database) => {
  let bench: BroadcastBench;
  const providers = testProviders();
  test.before.each(async () => {
    const email = emailPlugin({ reports: providers.map(({ adapter }) => adapter) });
    const plugins = bareStandardPlugins.map((plugin) => (plugin.id === 'email' ? email : plugin));
    bench = await openBroadcastBench(database, { plugins });
  });
  test.after.each(() => bench.close());

  const hour = 3_600_000;
  const day = 24 * hour;
  type Fields = Parameters<BroadcastBench['draft']>[0];

  async function startBroadcast(fields: Fields): Promise<string> {
    const broadcastId = await bench.draft(fields);
    await bench.calls().broadcasts.schedule({ broadcastId });
    await bench.settle(2);
    return broadcastId;
  }

  const read = (broadcastId: string) => bench.calls().broadcasts.read({ broadcastId });

  /** From now on, the server refuses mail to these people. */
  const refuseMail = (emails: readonly string[], times = 1_000) => {
    for (const email of emails) bench.sink.answer(email, { code: 451, text: '4.3.0 Later', times });
  };
  const acceptMail = (emails: readonly string[]) => refuseMail(emails, 0);

  /** Starts a broadcast whose mails are accepted but not handed over: the server refuses them, and then the broadcast is paused. */
  async function acceptAndPause(emails: readonly string[], listId: string): Promise<string> {
    refuseMail(emails);
    const broadcastId = await startBroadcast({ audience: { include: [{ listId }] } });
    await bench.calls().broadcasts.pause({ broadcastId });
    acceptMail(emails);
    bench.advanceClock(hour);
    await bench.drain();
    assert.is(bench.sink.messages.length, 0);
    return broadcastId;
  }

  async function resume(broadcastId: string): Promise<void> {
    await bench.calls().broadcasts.resume({ broadcastId });
    await bench.settle();
    // Mails that have waited for a long time are tried again every 30 seconds.
    bench.advanceClock(30_000);
    await bench.settle(1);
  }

  test('a contact that leaves the list after its mail was accepted gets nothing', async () => {
    const emails = ['ada@example.org', 'left@example.org', 'other@example.org'];
    const listId = await bench.list(emails);
    const second = await bench.list(['other@example.org']);
    const broadcastId = await acceptAndPause(emails, listId);
    const { contacts, lists } = bench.calls();
    for (const email of ['left@example.org', 'other@example.org'])
      await lists.membersRemove({ listId, contactIds: [(await contacts.upsert({ email })).id] });
    // Membership of a list that is not in the audience does not count.
    const { data: members } = await lists.members({ listId: second });
    assert.is(members.length, 1);
    await resume(broadcastId);
    assert.equal(await bench.recipients(), ['ada@example.org']);
    const { accepted, excluded } = await bench.counts(broadcastId);
    assert.equal([accepted, excluded.no_consent], [1, 2]);
    assert.is((await read(broadcastId)).status, 'sent');
    const { data } = await bench.calls().broadcasts.recipients({ broadcastId, reason: 'no_consent' });
    assert.equal(data.map(({ email }) => email).sort(), ['left@example.org', 'other@example.org']);
  });

  test('a contact that is still in another list of the audience gets the mail, and so does a member with a new address', async () => {
    const emails = ['both@example.org', 'moved@example.org'];
    const [firstList, other] = [await bench.list(emails), await bench.list(['both@example.org'])];
    refuseMail(emails);
    const broadcastId = await startBroadcast({ audience: { include: [{ listId: firstList }, { listId: other }] } });
    const { contacts, lists } = bench.calls();
    const { id: both } = await contacts.upsert({ email: 'both@example.org' });
    await lists.membersRemove({ listId: firstList, contactIds: [both] });
    await contacts.upsert({ external_id: 'u1', email: 'moved@example.org' });
    await contacts.upsert({ external_id: 'u1', email: 'new@example.org' });
    acceptMail(emails);
    bench.advanceClock(hour);
    await bench.settle();
    assert.equal(await bench.recipients(), emails);
    assert.is((await bench.counts(broadcastId)).accepted, 2);
  });

  test('a contact that is erased after its mail was accepted is excluded as erased', async () => {
    const emails = ['ada@example.org', 'gone@example.org'];
    const broadcastId = await acceptAndPause(emails, await bench.list(emails));
    const { contacts } = bench.calls();
    await contacts.delete({ contactId: (await contacts.upsert({ email: 'gone@example.org' })).id });
    await bench.drain();
    await resume(broadcastId);
    assert.equal(await bench.recipients(), ['ada@example.org']);
    const { accepted, failed, excluded } = await bench.counts(broadcastId);
    assert.equal([accepted, failed, excluded.erased], [1, 0, 1]);
    const { data } = await bench.calls().broadcasts.recipients({ broadcastId, reason: 'erased' });
    assert.equal(
      data.map(({ contactId, email, status }) => [contactId, email, status]),
      [[null, null, 'excluded']],
    );
  });

  test('if a person is erased, their address is also removed from the recipient of a contact that had it earlier', async () => {
    const { contacts } = bench.calls();
    const listId = await bench.list(['first@example.org', 'shared@example.org']);
    await contacts.upsert({ external_id: 'ada', email: 'shared@example.org' });
    const broadcastId = await startBroadcast({ audience: { include: [{ listId }] }, pace: { perHour: 60 } });
    // Ada gets another address, and the old one belongs to Bob, who is in no list.
    await contacts.upsert({ external_id: 'ada', email: 'ada@example.org' });
    const { id: bob } = await contacts.upsert({ external_id: 'bob', email: 'shared@example.org' });
    const exported = await bench.service.personalData.export(bench.workspaceId, { personId: bob });
    assert.match(JSON.stringify(exported), broadcastId);
    await contacts.delete({ contactId: bob });
    await bench.drain();
    const { data } = await bench.calls().broadcasts.recipients({ broadcastId, status: 'waiting' });
    assert.equal(
      data.map(({ email }) => email),
      [null],
    );
    for (let minutes = 0; minutes < 3; minutes += 1) {
      bench.advanceClock(60_000);
      await bench.settle(1);
    }
    assert.equal(await bench.recipients(), ['ada@example.org', 'first@example.org']);
  });

  test('for a new domain, each day accepts no more mails than the ramp hands over, and waiting mails do not expire', async () => {
    const domain = 'new.example.org';
    await bench.service.workspaces.update(bench.workspaceId, { sendingDomains: ['example.com', domain] });
    const until = new Date(bench.now() + 30 * day).toISOString();
    await bench.service.domains.create(bench.workspaceId, { domain, ramp: { startPerDay: 3, growth: 2, until } });
    bench.advanceClock(day - (bench.now() % day) + 1_000);
    await bench.calls().templates.update({ key: 'news', expiresIn: 'PT1H' });
    await bench.calls().templates.publish({ key: 'news' });
    const from = { email: `news@${domain}`, name: 'News' };
    const [one, other] = [0, 1].map((number) => Array.from({ length: 10 }, (_, i) => `p${number}-${i}@example.org`));
    const ids: string[] = [];
    for (const emails of [one, other]) {
      const listId = await bench.list(emails ?? []);
      ids.push(await bench.draft({ from, audience: { include: [{ listId }] } }));
    }
    for (const broadcastId of ids) await bench.calls().broadcasts.schedule({ broadcastId });
    const accepted: number[] = [];
    for (let days = 0; days < 3; days += 1) {
      await Promise.all([bench.drain(), bench.drain()]);
      await bench.settle(2);
      const counts = await Promise.all(ids.map((id) => bench.counts(id)));
      accepted.push(counts.reduce((sum, { accepted: some }) => sum + some, 0));
      assert.is(bench.sink.messages.length, accepted.at(-1), 'all accepted mails have been handed over');
      bench.advanceClock(day);
    }
    assert.equal(accepted, [3, 9, 20]);
    for (const id of ids) assert.equal([(await read(id)).status, (await bench.counts(id)).failed], ['sent', 0]);
  });

  test('mails that a pause delays past midnight leave before other mails of the broadcast', async () => {
    const domain = 'new.example.org';
    await bench.service.workspaces.update(bench.workspaceId, { sendingDomains: ['example.com', domain] });
    const until = new Date(bench.now() + 30 * day).toISOString();
    await bench.service.domains.create(bench.workspaceId, { domain, ramp: { startPerDay: 3, growth: 1, until } });
    bench.advanceClock(day - (bench.now() % day) + 1_000);
    const emails = Array.from({ length: 8 }, (_, index) => `p${index}@example.org`);
    refuseMail(emails);
    const listId = await bench.list(emails);
    const broadcastId = await startBroadcast({
      from: { email: `news@${domain}`, name: 'News' },
      audience: { include: [{ listId }] },
    });
    assert.is((await bench.counts(broadcastId)).accepted, 3);
    await bench.calls().broadcasts.pause({ broadcastId });
    acceptMail(emails);
    bench.advanceClock(day);
    await bench.drain();
    await resume(broadcastId);
    assert.equal([bench.sink.messages.length, (await bench.counts(broadcastId)).accepted], [3, 3]);
    bench.advanceClock(day);
    await bench.settle();
    assert.equal([bench.sink.messages.length, (await bench.counts(broadcastId)).accepted], [6, 6]);
  });

  test('a fact counts in the hour in which it happened, not in the hour of its report', async () => {
    const listId = await bench.list(['ada@example.org']);
    const broadcastId = await startBroadcast({ audience: { include: [{ listId }] } });
    const at = bench.now();
    const [provider] = providers;
    const [mail] = await bench.received();
    assert.ok(provider && mail);
    bench.advanceClock(6 * hour);
    for (const kind of ['delivered', 'complained'] as const) {
      const payload = provider.report(kind, mail.messageId ?? '', 0, at + hour);
      const { headers, body } = provider.sign(payload, bench.now());
      const request = { method: 'POST', headers, body, userAgent: '' };
      assert.is((await visit(bench, `/inbound/mail/${provider.adapter.id}`, request)).status, 200);
    }
    const { byHour } = await bench.calls().broadcasts.report({ broadcastId });
    const occurredAt = new Date(at + hour - ((at + hour) % hour)).toISOString();
    assert.equal(
      byHour.map((one) => [one.hour, one.delivered, one.complained]),
      [[occurredAt, 1, 1]],
    );
  });

  test('List-Id has lower-case labels of at most 63 characters, and two long topics get different labels', async () => {
    const ids = new Set<string>();
    for (const end of ['a', 'b']) {
      const topicKey = `${'spring_'.repeat(11)}${end}`;
      await bench.calls().topics.create({ key: topicKey, name: topicKey, default: 'subscribed' });
      const listId = await bench.list([`${end}@example.org`]);
      await startBroadcast({
        topicKey,
        from: { email: 'News@EXAMPLE.com', name: 'News' },
        audience: { include: [{ listId }] },
      });
    }
    for (const mail of await bench.received()) {
      const id = headerOf(mail, 'List-Id') ?? '';
      ids.add(id);
      assert.match(id, /^<[a-z0-9-]+\.ws-[a-z0-9]+\.example\.com>$/);
      for (const label of id.slice(1, -1).split('.')) assert.ok(label.length <= 63, label);
    }
    assert.is(ids.size, 2);
  });
});
