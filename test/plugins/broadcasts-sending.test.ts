// A broadcast from a list to the mailboxes: each address gets the mail exactly once, and the counts add up.
import * as assert from 'uvu/assert';
import { type BroadcastBench, openBroadcastBench } from '../support/broadcast-bench.ts';
import { twoDatabases } from '../support/databases.ts';
import { headerOf, visit } from '../support/tracked-mail.ts';

await twoDatabases('sending broadcasts', (test, database) => {
  let bench: BroadcastBench;
  test.before.each(async () => {
    bench = await openBroadcastBench(database);
  });
  test.after.each(() => bench.close());

  const people = (count: number, prefix = 'p') =>
    Array.from({ length: count }, (_, index) => `${prefix}${index}@example.org`);

  test('each member of two lists gets one mail, and the broadcast ends as sent', async () => {
    const one = await bench.list(people(60));
    const otherList = await bench.list([...people(10), 'new@example.org']);
    const broadcastId = await bench.draft({ audience: { include: [{ listId: one }, { listId: otherList }] } });
    const scheduled = await bench.calls().broadcasts.schedule({ broadcastId });
    assert.is(scheduled.status, 'scheduled');
    assert.is(scheduled.ceiling, 68);
    assert.is(scheduled.templateVersion, 1);
    await bench.settle();
    const sent = await bench.calls().broadcasts.read({ broadcastId });
    assert.is(sent.status, 'sent');
    const counts = await bench.counts(broadcastId);
    assert.is(counts.audience, 61);
    assert.is(counts.accepted, 61);
    assert.equal(await bench.recipients(), [...people(60), 'new@example.org'].sort());
    const ids = (await bench.received()).map(({ messageId }) => messageId);
    assert.is(new Set(ids).size, 61);
    const [mail] = await bench.received();
    assert.ok(mail);
    assert.match(headerOf(mail, 'List-Id') ?? '', /^<lst-[0-9a-z]+\.ws-[0-9a-z]+\.[a-z.]+>$/);
    assert.match(headerOf(mail, 'Feedback-ID') ?? '', new RegExp(`^${broadcastId}:marketing:`));
  });

  test('a report shows clicks of people by link, and its facts by hour and by domain add up to the counts', async () => {
    const listId = await bench.list(['ada@example.org', 'bob@example.org', 'eve@example.com']);
    const broadcastId = await bench.draft({ audience: { include: [{ listId }] } });
    await bench.calls().broadcasts.schedule({ broadcastId });
    await bench.settle();
    bench.advanceClock(3_600_000);
    const human = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Firefox/125.0' };
    for (const mail of await bench.received()) {
      if (mail.to?.[0]?.address === 'eve@example.com') continue;
      const link = /https?:\/\/[^"]+\/t\/c\/[^"]+/.exec(mail.html ?? '')?.[0] ?? '';
      const isBot = mail.to?.[0]?.address === 'bob@example.org';
      // Each recipient clicks twice and counts once.
      for (let times = 0; times < 2; times += 1)
        await visit(bench, link, { headers: isBot ? { 'user-agent': 'python-requests/2.31' } : human });
    }
    const report = await bench.calls().broadcasts.report({ broadcastId });
    assert.equal(report.byLink, [
      { url: 'https://shop.example/chairs?x=1&utm_medium=email&utm_campaign=Spring+news#top', clicked: 1 },
    ]);
    assert.equal(
      report.byDomain.map(({ domain, accepted, clicked }) => [domain, accepted, clicked]),
      [
        ['example.org', 2, 1],
        ['example.com', 1, 0],
      ],
    );
    assert.is(report.counts.clicked, 1);
    const sum = (fact: 'clicked' | 'opened') => report.byHour.reduce((total, hour) => total + hour[fact], 0);
    assert.equal([sum('clicked'), sum('opened')], [report.counts.clicked, report.counts.opened]);
  });

  test('after a cancel, the report by domain adds up to the counts', async () => {
    const listId = await bench.list(['ada@example.org', 'bob@example.org']);
    bench.sink.answer('bob@example.org', { code: 451, text: '4.3.0 Later', times: 1_000 });
    const broadcastId = await bench.draft({ audience: { include: [{ listId }] } });
    await bench.calls().broadcasts.schedule({ broadcastId });
    await bench.settle();
    await bench.calls().broadcasts.cancel({ broadcastId });
    bench.advanceClock(86_400_000);
    await bench.settle();
    const { counts, byDomain } = await bench.calls().broadcasts.report({ broadcastId });
    assert.equal([counts.accepted, counts.canceled], [1, 1]);
    assert.equal(
      byDomain.map(({ domain, accepted }) => [domain, accepted]),
      [['example.org', 1]],
    );
  });

  test('a preview shows the mail as a contact would get it, or with example values if no contact is given', async () => {
    const { id: contactId } = await bench
      .calls()
      .contacts.upsert({ email: 'ada@example.org', attributes: { name: 'Ada' } });
    const broadcastId = await bench.draft({ variables: { name: '{{ contact.attributes.name }}' } });
    const preview = await bench.calls().broadcasts.preview({ broadcastId, contactId });
    assert.is(preview.subject, 'Hello Ada');
    assert.match(preview.html, '1 Main Street');
    assert.match(preview.html, /Unsubscribe/);
    assert.match((await bench.calls().broadcasts.preview({ broadcastId })).subject, 'Hello ');
    const key = await bench.keyWith(['broadcasts:read']);
    const refusal = await bench.request(`/v1/broadcasts/${broadcastId}/preview`, { key, body: { contactId } });
    assert.is(refusal.body.error.code, 'insufficient_scope');
  });
});
