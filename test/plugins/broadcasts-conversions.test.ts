// Conversions: a custom event counts once, for the last mail that the contact clicked, or, without a click, for the last delivered mail.
// Also the effect of a broadcast with a holdout.
import * as assert from 'uvu/assert';
import { isHeldOut } from '../../plugins/broadcasts/engine/prepare.ts';
import { assignmentOf } from '../../plugins/broadcasts/experiments/assignment.ts';
import { type BroadcastBench, openBroadcastBench } from '../support/broadcast-bench.ts';
import { broadcastReports, human, link, robot } from '../support/broadcast-reports.ts';
import { twoDatabases } from '../support/databases.ts';

const day = 86_400_000;
const settings = {
  conversions: [
    { eventType: 'order.placed', value: 'event.metadata.order.total', currency: 'event.metadata.order.currency' },
    { eventType: 'trial.started', within: 'P1D' },
  ],
};
const order = (total: unknown, currency: unknown) => ({
  order: { ...(total === undefined ? {} : { total }), currency },
});

async function open(database: Parameters<typeof openBroadcastBench>[0]) {
  const bench = await openBroadcastBench(database);
  await bench.service.workspaces.update(bench.workspaceId, { settings });
  return { bench, ...broadcastReports(bench) };
}

await twoDatabases('conversions', (test, database) => {
  let bench: BroadcastBench;
  let tools: Omit<Awaited<ReturnType<typeof open>>, 'bench'>;
  test.before.each(async () => {
    ({ bench, ...tools } = await open(database));
  });
  test.after.each(() => bench.close());

  /** Sends a broadcast to these addresses, and returns after all mail has left. */
  async function sent(emails: readonly string[], fields: Parameters<BroadcastBench['draft']>[0] = {}) {
    const listId = await bench.list(emails);
    const broadcastId = await bench.draft({ audience: { include: [{ listId }] }, ...fields });
    await bench.calls().broadcasts.schedule({ broadcastId });
    await bench.settle();
    return { broadcastId, sends: await tools.sendsOf(broadcastId) };
  }
  const report = (broadcastId: string) => bench.calls().broadcasts.report({ broadcastId });
  const clicked = (sendId: string | undefined, bot: typeof human | typeof robot = human) =>
    tools.report(sendId ?? '', { kind: 'clicked', url: link, bot });
  const delivered = (sendId: string | undefined) => tools.report(sendId ?? '', { kind: 'delivered' });
  const totals = async (broadcastId: string) => {
    const { conversions, counts } = await report(broadcastId);
    return [conversions.clicked, conversions.delivered, counts.converted];
  };

  test('an event counts for the last mail that the contact clicked, not for the last one that arrived', async () => {
    const first = await sent(['ada@example.org']);
    const second = await sent(['ada@example.org']);
    await delivered(first.sends.get('ada@example.org'));
    await delivered(second.sends.get('ada@example.org'));
    await clicked(first.sends.get('ada@example.org'));
    bench.advanceClock(day);
    await tools.emit('ada@example.org', 'order.placed', order('19.90', 'eur'));
    assert.equal(await totals(first.broadcastId), [1, 0, 1]);
    assert.equal(await totals(second.broadcastId), [0, 0, 0]);
    assert.equal((await report(first.broadcastId)).conversions.values, [
      { currency: 'EUR', amount: '19.9', conversions: 1 },
    ]);
  });

  test('without a click of a person, an event counts for the last delivered mail, and its basis is delivery', async () => {
    const first = await sent(['ada@example.org']);
    const second = await sent(['ada@example.org']);
    await delivered(first.sends.get('ada@example.org'));
    bench.advanceClock(60_000);
    await delivered(second.sends.get('ada@example.org'));
    await clicked(first.sends.get('ada@example.org'), robot);
    await tools.emit('ada@example.org', 'order.placed', order(5, 'EUR'));
    assert.equal(await totals(first.broadcastId), [0, 0, 0]);
    assert.equal(await totals(second.broadcastId), [0, 1, 1]);
  });

  test('an event outside the time window, of another type, or before the mail does not count', async () => {
    await tools.emit('ada@example.org', 'order.placed', order(1, 'EUR'));
    const { broadcastId, sends } = await sent(['ada@example.org']);
    await clicked(sends.get('ada@example.org'));
    await tools.emit('ada@example.org', 'page.looked_at');
    bench.advanceClock(day + 1);
    await tools.emit('ada@example.org', 'trial.started');
    bench.advanceClock(6 * day);
    await tools.emit('ada@example.org', 'order.placed', order(1, 'EUR'));
    assert.equal(await totals(broadcastId), [0, 0, 0]);
  });

  test('a recipient who converts twice is one recipient and two conversions, and values are summed exactly', async () => {
    const { broadcastId, sends } = await sent(['ada@example.org', 'bob@example.org']);
    for (const email of ['ada@example.org', 'bob@example.org']) await clicked(sends.get(email));
    // In floating-point numbers, 0.1 + 0.2 is not 0.3.
    for (const [email, total, currency] of [
      ['ada@example.org', 0.1, 'EUR'],
      ['ada@example.org', 0.2, 'EUR'],
      ['bob@example.org', 999_999_999_999.99, 'EUR'],
      ['bob@example.org', 10, 'USD'],
      ['bob@example.org', 7, 'points'],
      ['bob@example.org', -3, 'EUR'],
      ['bob@example.org', 'free', 'EUR'],
      ['bob@example.org', 1e300, 'EUR'],
      ['bob@example.org', undefined, 'EUR'],
    ] as const)
      await tools.emit(email, 'order.placed', order(total, currency));
    const { conversions, counts } = await report(broadcastId);
    assert.equal([counts.converted, conversions.total], [2, 9]);
    assert.equal(conversions.values, [
      { currency: 'EUR', amount: '1000000000000.29', conversions: 3 },
      { currency: null, amount: '7', conversions: 1 },
      { currency: 'USD', amount: '10', conversions: 1 },
    ]);
  });

  test('a step of a sequence has conversions, too, and metadata that a program gives is ignored', async () => {
    const { sequences, contacts } = bench.calls();
    const nodes = [{ id: 'hello', kind: 'send_email' as const, templateKey: 'news', variables: { name: 'Ada' } }];
    const { id: sequenceId } = await sequences.create({ key: 'welcome', name: 'Welcome', nodes });
    await sequences.publish({ keyOrId: 'welcome' });
    await contacts.upsert({ email: 'ada@example.org' });
    await sequences.enroll({ keyOrId: 'welcome', contact: { email: 'ada@example.org' } });
    await bench.settle();
    const { body } = await bench.send('news', {
      to: 'ada@example.org',
      variables: { name: 'Ada' },
      metadata: { sequence: 'welcome', runId: 'run_01ARZ3NDEKTSV4RRFFQ69G5FAV', nodeId: 'hello' },
    });
    await bench.settle();
    const mails = (await bench.request('/v1/sends?to=ada@example.org')).body.data as { id: string }[];
    assert.is(mails.length, 2);
    await clicked(mails.find(({ id }) => id !== body.id)?.id);
    bench.advanceClock(1_000);
    await clicked(body.id);
    await tools.emit('ada@example.org', 'order.placed', order('12', 'EUR'));
    const { id: contactId } = await contacts.upsert({ email: 'ada@example.org' });
    const { broadcasts: exported } = await contacts.export({ contactId });
    const conversions = exported?.['conversions'] as Record<string, unknown>[] | undefined;
    assert.equal(
      conversions?.map(({ source, sourceId, step, basis, value }) => [...[source, sourceId, step, basis, value]]),
      [['sequences', sequenceId, 'hello', 'clicked', '12']],
    );
  });

  test('an event counts if the mail went to an earlier address of the contact, and both sides are separate', async () => {
    const { broadcastId, sends } = await sent(['ada@example.org']);
    const { id } = await bench.calls().contacts.upsert({ email: 'ada@example.org' });
    await clicked(sends.get('ada@example.org'));
    await bench.calls().contacts.upsert({ id, email: 'ada@new.example' });
    await bench.calls(true).events.emit({ type: 'order.placed', contact: { email: 'ada@example.org' } });
    assert.equal(await totals(broadcastId), [0, 0, 0]);
    await tools.emit('ada@new.example', 'order.placed');
    assert.equal(await totals(broadcastId), [1, 0, 1]);
  });

  test('erasing a person keeps the counts and values, but removes the person from the conversion', async () => {
    const { broadcastId, sends } = await sent(['ada@example.org']);
    await clicked(sends.get('ada@example.org'));
    await tools.emit('ada@example.org', 'order.placed', order('3', 'EUR'));
    const { id } = await bench.calls().contacts.upsert({ email: 'ada@example.org' });
    await bench.calls().contacts.delete({ contactId: id });
    await bench.settle();
    assert.equal(await totals(broadcastId), [1, 0, 1]);
    const rows = await tools.work(({ trx }) => trx.db.selectFrom('broadcast_conversions').selectAll().execute());
    assert.equal(
      rows.map(({ contact_id, whole }) => [contact_id, Number(whole)]),
      [[null, 3]],
    );
  });

  test('a test of a broadcast has no conversions', async () => {
    const listId = await bench.list(['team@example.com']);
    const broadcastId = await bench.draft({ audience: { include: [{ listId }] } });
    const { sends } = await bench.calls().broadcasts.test({ broadcastId, to: ['team@example.com'] });
    await bench.settle();
    await clicked(sends[0]?.sendId);
    await tools.emit('team@example.com', 'order.placed');
    assert.equal(await totals(broadcastId), [0, 0, 0]);
  });

  test('the setting refuses a second entry for a type, an unknown path and an invalid time', async () => {
    for (const conversions of [
      [{ eventType: 'a' }, { eventType: 'a' }],
      [{ eventType: 'a', value: 'metadata.total' }],
      [{ eventType: 'a', within: 'P1M' }],
      [{ eventType: 'a', within: 'P91D' }],
      [{ eventType: 'a', within: 'PT0S' }],
    ])
      assert.is(
        await bench.codeOf(() => bench.service.workspaces.update(bench.workspaceId, { settings: { conversions } })),
        'validation_failed',
        JSON.stringify(conversions),
      );
  });

  test('in an experiment, contacts of the holdout have their turns with the sample, or after the decision', async () => {
    const listId = await bench.list(Array.from({ length: 60 }, (_, index) => `p${index}@example.org`));
    const experiment = {
      variants: [{ name: 'Plain' }, { name: 'Bold', subject: 'BIG news, {{name}}' }],
      ...{ samplePercent: 50, metric: 'human_clicks' as const, decideAfter: 'PT4H', minimum: 2 },
    };
    const broadcastId = await bench.draft({ audience: { include: [{ listId }] }, holdoutPercent: 40, experiment });
    await bench.calls().broadcasts.schedule({ broadcastId });
    await bench.settle();
    const held = async () => {
      const rows = await tools.work(({ trx }) =>
        trx.db
          .selectFrom('broadcast_recipients')
          .select(['contact_id', 'turn_at'])
          .where('broadcast_id', '=', broadcastId)
          .where('holdout', '=', 1)
          .execute(),
      );
      const { experiment: stored } = await bench.calls().broadcasts.read({ broadcastId });
      const draws = { id: broadcastId, experiment: stored as never };
      return rows.map((row) => ({
        turn: row.turn_at === null ? undefined : Number(row.turn_at),
        isSample: assignmentOf(draws, row.contact_id ?? '').state === 'waiting',
      }));
    };
    const before = await held();
    assert.ok(before.some(({ isSample }) => isSample) && before.some(({ isSample }) => !isSample));
    assert.ok(before.every(({ turn, isSample }) => isSample === (turn !== undefined)));
    assert.is((await report(broadcastId)).lift?.holdout.assigned, before.filter(({ isSample }) => isSample).length);
    const decidedAt = bench.now();
    await bench.calls().broadcasts.decide({ broadcastId, variant: 'Bold' });
    await bench.settle(8);
    const after = await held();
    assert.ok(after.every(({ turn, isSample }) => turn !== undefined && isSample === turn < decidedAt));
    const { lift } = await report(broadcastId);
    assert.equal([lift?.mail.assigned, lift?.holdout.assigned], [60 - after.length, after.length]);
  });

  test('the effect compares all assigned contacts, each from its own turn, with the contacts of the holdout', async () => {
    const people = Array.from({ length: 60 }, (_, index) => `p${index}@example.org`);
    const listId = await bench.list(people);
    const broadcastId = await bench.draft({
      audience: { include: [{ listId }] },
      holdoutPercent: 50,
      // One mail a minute: the last contacts have their turns about half an hour after the first.
      pace: { perHour: 60 },
    });
    await bench.calls().broadcasts.schedule({ broadcastId });
    await bench.drain();
    const lastTurns = async () => {
      const rows = await tools.work(({ trx }) =>
        trx.db.selectFrom('broadcast_recipients').select(['address', 'holdout', 'turn_at', 'contact_id']).execute(),
      );
      return rows.filter(({ address }) => address !== null);
    };
    const [withoutTurn] = (await lastTurns()).filter(({ turn_at: turn }) => turn === null);
    await tools.emit(withoutTurn?.address ?? '', 'trial.started');
    for (let minutes = 0; minutes < 60; minutes += 1) {
      bench.advanceClock(60_000);
      await bench.drain();
    }
    await bench.settle();
    const rows = await lastTurns();
    const holdoutRows = rows.filter(({ holdout }) => Number(holdout) === 1);
    assert.equal(
      holdoutRows.map(({ contact_id: id }) => isHeldOut(broadcastId, id ?? '', 50)),
      holdoutRows.map(() => true),
    );
    assert.ok(rows.every(({ turn_at: turn }) => turn !== null));
    assert.ok(
      new Set(holdoutRows.map(({ turn_at: turn }) => turn)).size > 5,
      'each contact of the holdout has its own turn',
    );
    const before = (await report(broadcastId)).lift;
    assert.equal(
      [before?.mail.assigned, before?.mail.converted, before?.holdout.assigned, before?.holdout.converted],
      [60 - holdoutRows.length, 0, holdoutRows.length, 0],
      'an event before the turn does not count',
    );
    const recipients = rows.filter(({ holdout }) => Number(holdout) === 0);
    for (const { address } of [...recipients.slice(0, 6), ...holdoutRows.slice(0, 2)])
      for (let times = 0; times < 2; times += 1) await tools.emit(address ?? '', 'trial.started');
    bench.advanceClock(2 * day);
    await tools.emit(holdoutRows[3]?.address ?? '', 'trial.started');
    const lift = (await report(broadcastId)).lift;
    assert.equal([lift?.mail.converted, lift?.holdout.converted], [6, 2]);
    const difference = 6 / recipients.length - 2 / holdoutRows.length;
    assert.ok(Math.abs((lift?.difference ?? 0) - difference) < 1e-12);
    assert.ok((lift?.low ?? 1) < difference && (lift?.high ?? -1) > difference);
    assert.equal((await bench.counts(broadcastId)).converted, 0, 'no delivery and no click was reported');
  });
});
