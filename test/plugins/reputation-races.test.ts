// The guard over several processes: reports, judgements and releases at the same time, and reports in different orders.
// time-limit: 400
// full-run: slow
import * as assert from 'uvu/assert';
import { eachDatabase } from '../support/databases.ts';
import { openReputationBench, type ReputationBench } from '../support/reputation-bench.ts';

const hour = 3_600_000;

await eachDatabase('reputation under races', (test, database) => {
  let bench: ReputationBench;
  test.before.each(async () => {
    bench = await openReputationBench(database);
  });
  test.after.each(() => bench.close());

  test('simultaneous hand-overs and reports are all counted, and there is one event for one hold', async () => {
    await Promise.all(Array.from({ length: 10 }, () => bench.handOver({ mails: 20 })));
    await Promise.all(Array.from({ length: 30 }, () => bench.report('hard_bounce', { mails: 1 })));
    await Promise.all([bench.drain(), bench.drain()]);
    const { state, windows, history } = await bench.reputation();
    const [first] = windows.filter(({ kind }: { kind: string }) => kind === 'hard_bounces');
    assert.equal([state, first.handedOver, first.faults, history.length], ['held', 200, 30, 1]);
    assert.is((await bench.events('reputation.held')).length, 1);
  });

  test('of several simultaneous releases only one counts, and reports of the same moment cause no new hold', async () => {
    await bench.handOver({ mails: 100 });
    await bench.report('hard_bounce', { mails: 30 });
    await bench.drain();
    bench.advanceClock(60_000);
    const at = bench.now() - 60_000;
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 4 }, () => bench.release()),
      bench.report('hard_bounce', { mails: 30, at }),
      bench.drain(),
    ]);
    const successes = outcomes.slice(0, 4).filter(({ status }) => status === 'fulfilled');
    assert.is(successes.length, 1);
    await bench.drain();
    const { state, history } = await bench.reputation();
    assert.equal([state, history.length], ['ok', 2]);
  });

  test('a judgement that read the rates before a release causes no hold after it', async () => {
    await bench.handOver({ mails: 100 });
    await bench.report('hard_bounce', { mails: 30 });
    await bench.drain();
    for (let round = 0; round < 5; round += 1) {
      bench.advanceClock(60_000);
      const at = bench.now() - 60_000;
      await bench.report('hard_bounce', { mails: 5, at });
      await Promise.all([bench.drain(), bench.release()]);
      await bench.drain();
      assert.is(await bench.state(), 'ok', `round ${round}`);
      await bench.handOver({ mails: 100 });
      await bench.report('hard_bounce', { mails: 30 });
      await bench.drain();
      assert.is(await bench.state(), 'held', `round ${round}`);
    }
  });

  test('the same reports in another order and at other times lead to the same state', async () => {
    const begun = bench.now();
    // Two newsletters, and receipts between them. Only the second newsletter reaches a limit, over 24 hours.
    const mails = [
      { mails: 400, at: begun },
      { mails: 300, at: begun + 3 * hour, from: 'receipts@example.com' },
      { mails: 600, at: begun + 8 * hour, from: 'offers@offers.example' },
    ];
    const reports = mails.flatMap((one, index) => Array.from({ length: [6, 4, 32][index] ?? 0 }, () => one));
    const orders = [
      reports,
      [...reports].reverse(),
      reports
        .map((one, index) => ({ one, position: (index * 17) % reports.length }))
        .sort((a, b) => a.position - b.position)
        .map(({ one }) => one),
    ];
    bench.advanceClock(9 * hour);
    const ends: unknown[] = [];
    for (const order of orders) {
      await bench.transact(async ({ trx }) => {
        for (const table of [
          'reputation_hand_overs',
          'reputation_faults',
          'reputation_states',
          'reputation_history',
        ] as const)
          await trx.db.deleteFrom(table).execute();
      });
      for (const one of mails) await bench.handOver(one);
      for (const [index, one] of order.entries()) {
        await bench.report('hard_bounce', { ...one, mails: 1 });
        if (index % 14 === 0) await bench.drain();
        bench.advanceClock(10 * 60_000);
      }
      await bench.drain();
      ends.push(await bench.state());
    }
    assert.equal(ends, ['held', 'held', 'held']);
  });
});
