// Calls that change a broadcast while its jobs run and its contacts and lists change: in every order the counts add up, and no address
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

  /** Waits for the calls, each of which succeeds or fails with state_conflict. Returns the number of successful calls. */
  async function settleAll(calls: readonly Promise<unknown>[]): Promise<number> {
    const outcomes = await Promise.allSettled(calls);
    const errors = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as { code?: string }] : []));
    for (const error of errors) assert.is(error.code, 'state_conflict', String(error));
    return outcomes.length - errors.length;
  }

  /**
   * Checks that no address got two mails, and that exactly the accepted recipients got mail. `erased`: people who were erased meanwhile.
   * If the hand-over of a mail to such a person had begun, the mail still arrives, and its recipient counts as erased.
   */
  async function checkAccounts(broadcastId: string, erased: readonly string[] = []): Promise<void> {
    const { accepted, waiting } = await bench.counts(broadcastId);
    const recipients = await bench.recipients();
    assert.is(new Set(recipients).size, recipients.length, 'an address got two mails');
    const toErased = recipients.filter((email) => erased.includes(email)).length;
    assert.is(waiting, 0);
    assert.ok(
      recipients.length >= accepted && recipients.length - accepted <= toErased,
      `${recipients.length} got mail, ${accepted} are accepted`,
    );
  }

  async function settleAndCheck(broadcastId: string): Promise<void> {
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

  test('pauses and resumes run while mails are accepted and handed over', async () => {
    const { broadcastId } = await scheduled(120);
    const { broadcasts } = bench.calls();
    for (let round = 0; round < 4; round += 1)
      await settleAll([
        bench.drain(),
        bench.drain(),
        broadcasts.pause({ broadcastId }),
        broadcasts.resume({ broadcastId }),
        broadcasts.pause({ broadcastId }),
        broadcasts.resume({ broadcastId }),
      ]);
    await settleAndCheck(broadcastId);
    await checkAccounts(broadcastId);
    assert.equal([(await read(broadcastId)).status, await bench.recipients()], ['sent', people(120).sort()]);
  });

  test('a cancel, a pause and a resume at the same moment end with a canceled broadcast', async () => {
    const { broadcastId } = await scheduled(120);
    const { broadcasts } = bench.calls();
    await bench.drain();
    await settleAll([
      bench.drain(),
      broadcasts.pause({ broadcastId }),
      broadcasts.cancel({ broadcastId }),
      broadcasts.resume({ broadcastId }),
      bench.drain(),
    ]);
    await settleAndCheck(broadcastId);
    const { status } = await read(broadcastId);
    assert.ok(status === 'canceled' || status === 'sent', status);
    await checkAccounts(broadcastId);
  });

  test('a broadcast that is unscheduled at the time when it begins is either a draft without recipients or sent', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { broadcastId } = await scheduled(5);
      const { broadcasts } = bench.calls();
      const [, taken] = await Promise.all([bench.drain(), settleAll([broadcasts.unschedule({ broadcastId })])]);
      await bench.settle(3);
      const { status, counts } = await read(broadcastId);
      assert.equal([status, counts.audience], taken === 1 ? ['draft', 0] : ['sent', 5], `round ${round}`);
    }
  });

  test('if several calls schedule, cancel or pause a broadcast at the same time, each change takes effect once', async () => {
    const listId = await bench.list(people(20));
    const broadcastId = await bench.draft({ audience: { include: [{ listId }] }, pace: { perHour: 60 } });
    const { broadcasts } = bench.calls();
    const several = (call: () => Promise<unknown>) => settleAll(Array.from({ length: 4 }, call));
    assert.is(await several(() => broadcasts.schedule({ broadcastId })), 1);
    await bench.drain();
    assert.is(await several(() => broadcasts.pause({ broadcastId })), 1);
    assert.is(await several(() => broadcasts.resume({ broadcastId })), 1);
    assert.is(await several(() => broadcasts.cancel({ broadcastId })), 1);
    await settleAndCheck(broadcastId);
    await checkAccounts(broadcastId);
  });

  test('contacts are erased, readdressed, merged or leave the list while the audience is stored and mails are accepted', async () => {
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
    await settleAndCheck(broadcastId);
    await checkAccounts(broadcastId, people(10));
    const { data } = await bench.calls().broadcasts.recipients({ broadcastId, limit: 100 });
    // A contact that was erased or had left before its part of the audience was stored is no recipient.
    assert.ok(data.length >= 60 && data.length <= 80, String(data.length));
    for (const { contactId, email } of data)
      assert.ok(![...ids].slice(0, 10).some(([one, id]) => one === email || id === contactId));
    assert.is((await read(broadcastId)).status, 'sent');
  });
});
