// Explanations of segments: the sentences, and what they find among very many events and mails.
import * as assert from 'uvu/assert';
import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import { addEvent } from '../../plugins/contacts/store.ts';
import type { SegmentFilter } from '../../plugins/segments/filter-schema.ts';
import { twoDatabases } from '../support/databases.ts';
import { openTestService } from '../support/generated.ts';

const isPro = { path: 'contact.attributes.plan', op: 'eq' as const, value: 'pro' };

await twoDatabases('explanations of segments', (test, database) => {
  let kit: Awaited<ReturnType<typeof openTestService>>;
  test.before.each(async () => {
    kit = await openTestService(database);
  });
  test.after.each(() => kit.close());
  const calls = () => kit.service.as(kit.workspaceId);
  const contact = async (external_id: string, attributes: Record<string, string | number> = {}) =>
    (await calls().contacts.upsert({ external_id, email: `${external_id}@example.com`, attributes })).id;

  test('an explanation is a readable sentence', async () => {
    const id = await contact('ada', { plan: 'pro', last_login: new Date(kit.now() - 41 * 86_400_000).toISOString() });
    for (let times = 0; times < 2; times += 1)
      await calls().events.emit({ type: 'order.placed', contact: { id }, metadata: { total: 30 + times } });
    const filter = {
      all: [
        isPro,
        { path: 'contact.attributes.last_login', op: 'within_days' as const, value: 30 },
        { did: 'order.placed', atLeast: 2, since: 'P30D' },
        { did: 'order.placed', where: { path: 'event.metadata.total', op: 'gt' as const, value: 30 } },
        { not: { send: { templateKey: 'welcome' }, was: 'opened' as const, since: 'P30D' } },
        { path: 'contact.attributes.seats', op: 'gte' as const, value: 3 },
        { not: { send: { broadcastId: 'brc_01K0000000000000000000000A' }, was: 'sent' as const } },
      ],
    };
    const { segmentId } = await calls().segments.create({ name: 'Active', filter });
    const { inSegment, sentence, explanation } = await calls().segments.explain({ segmentId, contactId: id });
    assert.is(inSegment, false);
    assert.equal(sentence.split(', '), [
      "plan is 'pro' ✓",
      'last_login was 41 days ago ✗ (within 30 days)',
      "did 'order.placed' 2 times",
      'last 0 minutes ago ✓ (at least 2 times',
      'within 30 days)',
      "did 'order.placed' once",
      'last 0 minutes ago ✓ (with the wanted metadata)',
      "(not (never opened 'welcome' ✗ (within 30 days)) ✓)",
      'seats is missing ✗ (at least 3)',
      '(not (never sent in the broadcast brc_01K0000000000000000000000A ✗) ✓)',
    ]);
    assert.equal(explanation.parts?.map(({ kind, isTrue, value }) => [kind, isTrue, value ?? null]).slice(0, 1), [
      ['condition', true, 'pro'],
    ]);
  });

  test('an explanation counts the events that the condition counts, and no others', async () => {
    const id = await contact('ada');
    const emit = (total: number) =>
      calls().events.emit({ type: 'order.placed', contact: { id }, metadata: { total, note: 'x'.repeat(200) } });
    await emit(30);
    await kit.advanceClock(3 * 86_400_000);
    await emit(1);
    const sentenceOf = async (name: string, filter: SegmentFilter): Promise<string> => {
      const { segmentId } = await calls().segments.create({ name, filter });
      return (await calls().segments.explain({ segmentId, contactId: id })).sentence;
    };
    const where = (value: number) => ({ path: 'event.metadata.total', op: 'gte' as const, value });
    assert.is(
      await sentenceOf('Huge', { did: 'order.placed', where: where(100) }),
      "did 'order.placed' never ✗ (with the wanted metadata)",
    );
    assert.is(
      await sentenceOf('Large', { did: 'order.placed', where: where(30) }),
      "did 'order.placed' once, last 3 days ago ✓ (with the wanted metadata)",
    );
    assert.is(
      await sentenceOf('Often', { did: 'order.placed', atLeast: 2, since: 'P1D' }),
      "did 'order.placed' once, last 0 minutes ago ✗ (at least 2 times, within 1 day)",
    );
  });

  test('an explanation finds one event among very many, as the statement does', async () => {
    const id = await contact('robot');
    const workspace = await readWorkspace(kit.service.core, kit.workspaceId);
    const at = kit.now() - 86_400_000;
    for (let from = 0; from < 12_000; from += 1_000)
      await inWorkspace(kit.service.core, workspace, async ({ trx, newId }) => {
        for (let index = from; index < from + 1_000; index += 1)
          addEvent(trx, {
            id: newId('evt'),
            contact_id: id,
            type: 'api.called',
            // Many events have the same time.
            ts: at + Math.floor(index / 700),
            metadata: { first: index === 0 },
          });
      });
    const filter = { did: 'api.called', where: { path: 'event.metadata.first', op: 'eq' as const, value: true } };
    const { segmentId } = await calls().segments.create({ name: 'Robots', filter });
    assert.is((await calls().segments.preview({ filter })).contactCount, 1);
    const { inSegment, sentence } = await calls().segments.explain({ segmentId, contactId: id });
    assert.is(inSegment, true, sentence);
    const all = { any: [{ not: { did: 'api.called', since: 'P30D', atLeast: 12_000 } }, filter] };
    const { segmentId: both } = await calls().segments.create({ name: 'Both', filter: all });
    const { explanation } = await calls().segments.explain({ segmentId: both, contactId: id });
    assert.equal(
      explanation.parts?.map(({ isTrue }) => isTrue),
      [false, true],
    );
  });

  test('an explanation finds one mail among very many to the same address, as the statement does', async () => {
    const id = await contact('robot');
    const workspace = await readWorkspace(kit.service.core, kit.workspaceId);
    const report = (type: string, sendId: string, index: number, details: object) => ({
      id: `evt_${type}_${index}`,
      send_id: sendId,
      type,
      ts: kit.now() - 86_400_000 + index,
      details: JSON.stringify(details),
    });
    await calls().templates.create({ key: 'welcome', mode: 'html', subject: 'Hello', body: '<p>Hello</p>' });
    await calls().templates.create({ key: 'alert', mode: 'html', subject: 'Alert', body: '<p>Alert</p>' });
    for (const key of ['welcome', 'alert']) await calls().templates.publish({ key });
    const [{ id: welcome }, { id: alert }] = [
      await calls().email.send({ template: 'welcome', to: 'robot@example.com' }),
      await calls().email.send({ template: 'alert', to: 'robot@example.com' }),
    ];
    const human = { bot: { verdict: 'human', reason: 'x' } };
    const robot = { bot: { verdict: 'bot', reason: 'x' } };
    const events = [
      report('send.clicked', alert, 0, human),
      report('send.bounced', welcome, 0, {}),
      ...Array.from({ length: 10_500 }, (_, index) => report('send.clicked', alert, 1 + index, robot)),
      ...Array.from({ length: 10_500 }, (_, index) => report('send.bounced', alert, 1 + index, {})),
    ];
    for (let from = 0; from < events.length; from += 500)
      await inWorkspace(kit.service.core, workspace, ({ trx }) =>
        trx.db
          .insertInto('send_events')
          .values(events.slice(from, from + 500) as never)
          .execute(),
      );
    for (const filter of [
      { send: {}, was: 'clicked' as const },
      { send: { templateKey: 'welcome' }, was: 'bounced' as const },
    ]) {
      const { segmentId } = await calls().segments.create({ name: filter.was, filter });
      assert.is((await calls().segments.preview({ filter })).contactCount, 1);
      const { inSegment, sentence } = await calls().segments.explain({ segmentId, contactId: id });
      assert.is(inSegment, true, sentence);
    }
  });
});
