// Calls that change a broadcast at the same moment as its jobs, contacts and lists do: whatever wins, the counts add up, and no address
// gets two mails.
// time-limit: 400
// full-run: slow
import * as assert from 'uvu/assert';
import { type BroadcastBench, openBroadcastBench } from '../support/broadcast-bench.ts';
import { eachDatabase } from '../support/databases.ts';

await eachDatabase('broadcasts under races', (test, database) => {
  let bench: BroadcastBench;
  test.before.each(async () => {
    bench = await openBroadcastBench(database);
  });
  test.after.each(() => bench.close());

  const people = (count: number) => Array.from({ length: count }, (_, index) => `p${index}@example.org`);
  const read = (broadcastId: string) => bench.calls().broadcasts.read({ broadcastId });

  async function scheduled(count: number, fields: Parameters<BroadcastBench['draft']>[0] = {}) {
    const listId = await bench.list(people(count));
    const broadcastId = await bench.draft({ audience: { include: [{ listId }] }, ...fields });
    await bench.calls().broadcasts.schedule({ broadcastId });
    return { broadcastId, listId };
  }

  /** Each call either succeeds or conflicts with the state of the broadcast. */
  async function all(calls: readonly Promise<unknown>[]): Promise<number> {
    const done = await Promise.allSettled(calls);
    const failed = done.flatMap((one) => (one.status === 'rejected' ? [one.reason as { code?: string }] : []));
    for (const error of failed) assert.is(error.code, 'state_conflict', String(error));
    return done.length - failed.length;
  }

  /**
   * No address gets two mails, and mails have left to exactly those who count as accepted. `erased`: people who were erased meanwhile. A mail
   * to one of them whose hand-over had begun still arrives, and counts as erased.
   */
  async function accounted(broadcastId: string, erased: readonly string[] = []): Promise<void> {
    const { accepted, waiting } = await bench.counts(broadcastId);
    const got = await bench.recipients();
    assert.is(new Set(got).size, got.length, 'an address got two mails');
    const late = got.filter((email) => erased.includes(email)).length;
    assert.is(waiting, 0);
    assert.ok(
      got.length >= accepted && got.length - accepted <= late,
      `${got.length} got mail, ${accepted} are accepted`,
    );
  }

  async function settled(broadcastId: string): Promise<void> {
    for (let round = 0; round < 3; round += 1) {
      await bench.settle(2);
      bench.advanceClock(30_000);
    }
    if ((await read(broadcastId)).status !== 'paused') return;
    await bench.calls().broadcasts.resume({ broadcastId });
    await bench.settle(4);
    bench.advanceClock(30_000);
    await bench.settle(2);
  }

  test('pauses and resumes while mails are accepted and handed over', async () => {
    const { broadcastId } = await scheduled(120);
    const { broadcasts } = bench.calls();
    for (let round = 0; round < 4; round += 1)
      await all([
        bench.drain(),
        bench.drain(),
        broadcasts.pause({ broadcastId }),
        broadcasts.resume({ broadcastId }),
        broadcasts.pause({ broadcastId }),
        broadcasts.resume({ broadcastId }),
      ]);
    await settled(broadcastId);
    await accounted(broadcastId);
    assert.equal([(await read(broadcastId)).status, await bench.recipients()], ['sent', people(120).sort()]);
  });

  test('a cancel, a pause and a resume at the same moment end in a cancel', async () => {
    const { broadcastId } = await scheduled(120);
    const { broadcasts } = bench.calls();
    await bench.drain();
    await all([
      bench.drain(),
      broadcasts.pause({ broadcastId }),
      broadcasts.cancel({ broadcastId }),
      broadcasts.resume({ broadcastId }),
      bench.drain(),
    ]);
    await settled(broadcastId);
    const { status } = await read(broadcastId);
    assert.ok(status === 'canceled' || status === 'sent', status);
    await accounted(broadcastId);
  });

  test('an unschedule at the time at which the broadcast begins: it is a draft without recipients, or it is sent', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { broadcastId } = await scheduled(5);
      const { broadcasts } = bench.calls();
      const [, taken] = await Promise.all([bench.drain(), all([broadcasts.unschedule({ broadcastId })])]);
      await bench.settle(3);
      const { status, counts } = await read(broadcastId);
      assert.equal([status, counts.audience], taken === 1 ? ['draft', 0] : ['sent', 5], `round ${round}`);
    }
  });

  test('of several schedules, cancels and pauses of one broadcast, each takes effect once', async () => {
    const listId = await bench.list(people(20));
    const broadcastId = await bench.draft({ audience: { include: [{ listId }] }, pace: { perHour: 60 } });
    const { broadcasts } = bench.calls();
    const several = (call: () => Promise<unknown>) => all(Array.from({ length: 4 }, call));
    assert.is(await several(() => broadcasts.schedule({ broadcastId })), 1);
    await bench.drain();
    assert.is(await several(() => broadcasts.pause({ broadcastId })), 1);
    assert.is(await several(() => broadcasts.resume({ broadcastId })), 1);
    assert.is(await several(() => broadcasts.cancel({ broadcastId })), 1);
    await settled(broadcastId);
    await accounted(broadcastId);
  });

  test('contacts that are erased, readdressed, merged or leave the list while the audience is stored and mails are accepted', async () => {
    const { broadcastId, listId } = await scheduled(80);
    const { contacts, lists, suppressions } = bench.calls();
    const ids = new Map<string, string>();
    for (const email of people(40)) ids.set(email, (await contacts.upsert({ email })).id);
    const idOf = (index: number): string => ids.get(`p${index}@example.org`) ?? '';
    const changes: (() => Promise<unknown>)[] = [];
    for (let index = 0; index < 10; index += 1)
      changes.push(
        () => contacts.delete({ contactId: idOf(index) }),
        () => lists.membersRemove({ listId, contactIds: [idOf(index + 10)] }),
        () => suppressions.create({ email: `p${index + 20}@example.org` }),
        // The address moves to a contact that is in no list, and its contact gets another one.
        () => contacts.upsert({ external_id: `u${index}`, email: `p${index + 30}@example.org` }),
        () => contacts.upsert({ external_id: `u${index}`, email: `new${index}@example.org` }),
      );
    await Promise.all([
      bench.drain(),
      bench.drain(),
      (async () => {
        for (let from = 0; from < changes.length; from += 5)
          await Promise.all(changes.slice(from, from + 5).map((change) => change()));
      })(),
    ]);
    await settled(broadcastId);
    await accounted(broadcastId, people(10));
    const { data } = await bench.calls().broadcasts.recipients({ broadcastId, limit: 100 });
    // Who was erased or had left before their part of the audience was stored is no recipient.
    assert.ok(data.length >= 60 && data.length <= 80, String(data.length));
    for (const { contactId, email } of data)
      assert.ok(![...ids].slice(0, 10).some(([one, id]) => one === email || id === contactId));
    assert.is((await read(broadcastId)).status, 'sent');
  });
});
