// Pause, ceiling, budget, outage, hold and cancel: mails that are not handed over wait or are canceled, and the counts show it.
import * as assert from 'uvu/assert';
import { inWorkspace } from '../../core/unstable.ts';
import { maxAhead } from '../../plugins/broadcasts/engine/accept.ts';
import { paceAllows, paceNext } from '../../plugins/broadcasts/engine/pace.ts';
import { notifyHoldListeners } from '../../plugins/reputation/hold-listeners.ts';
import { initialState } from '../../plugins/reputation/store.ts';
import { stateRows } from '../../plugins/reputation/tables.ts';
import { type BroadcastBench, openBroadcastBench } from '../support/broadcast-bench.ts';
import { twoDatabases } from '../support/databases.ts';

await twoDatabases('broadcasts that stop', (test, database) => {
  let bench: BroadcastBench;
  test.before.each(async () => {
    bench = await openBroadcastBench(database);
  });
  test.after.each(() => bench.close());

  const hour = 3_600_000;
  const people = (count: number) => Array.from({ length: count }, (_, index) => `p${index}@example.org`);
  const read = (broadcastId: string) => bench.calls().broadcasts.read({ broadcastId });

  /** The mail server refuses the mails to this number of people for now. With `times` 0 it accepts them again. */
  const refuse = (count: number, times = 1_000) => {
    for (const email of people(count)) bench.sink.answer(email, { code: 451, text: '4.3.0 Later', times });
  };

  async function scheduled(count: number, fields: Parameters<BroadcastBench['draft']>[0] = {}): Promise<string> {
    const listId = await bench.list(people(count));
    const broadcastId = await bench.draft({ audience: { include: [{ listId }] }, ...fields });
    await bench.calls().broadcasts.schedule({ broadcastId });
    return broadcastId;
  }

  test('accepted mail does not leave after a pause, and a resume hands it over once', async () => {
    const broadcastId = await scheduled(40, { pace: { perHour: 60 } });
    await bench.drain();
    assert.is(bench.sink.messages.length, 1);
    // Accepted, and waiting for a server that refuses mail for now.
    refuse(40);
    for (let minute = 0; minute < 3; minute += 1) {
      bench.advanceClock(60_000);
      await bench.drain();
    }
    await bench.calls().broadcasts.pause({ broadcastId });
    refuse(40, 0);
    bench.advanceClock(6 * hour);
    await bench.drain();
    assert.is(bench.sink.messages.length, 1, 'nothing leaves while the broadcast is paused');
    const paused = await read(broadcastId);
    assert.equal([paused.status, paused.pausedBy], ['paused', 'call']);
    assert.equal([paused.counts.accepted, paused.counts.waiting], [4, 36]);
    await bench.calls().broadcasts.resume({ broadcastId });
    await bench.drain();
    const accepted = (await bench.counts(broadcastId)).accepted;
    assert.is(bench.sink.messages.length, accepted);
    assert.is(new Set(await bench.recipients()).size, accepted);
  });

  test('a canceled broadcast sends no more mail: its accepted mails are canceled, and their budget is given back', async () => {
    const broadcastId = await scheduled(10, { pace: { perHour: 60 } });
    refuse(10);
    await bench.drain();
    await bench.calls().broadcasts.pause({ broadcastId });
    refuse(10, 0);
    bench.advanceClock(hour);
    await bench.drain();
    await bench.calls().broadcasts.cancel({ broadcastId });
    await bench.settle();
    const { counts, status } = await read(broadcastId);
    assert.equal([status, counts.canceled, counts.accepted, counts.waiting], ['canceled', 10, 0, 0]);
    assert.is(bench.sink.messages.length, 0);
    const { usage } = await bench.calls().workspace.read();
    assert.is(usage.sends_this_month, 0);
    assert.is(await bench.codeOf(() => bench.calls().broadcasts.resume({ broadcastId })), 'state_conflict');
  });

  test('a broadcast with more recipients than its ceiling is paused before the first mail, and a higher ceiling lets it continue', async () => {
    const listId = await bench.list(people(5));
    const sendAt = new Date(bench.now() + hour).toISOString();
    const broadcastId = await bench.draft({ audience: { include: [{ listId }] }, sendAt });
    await bench.calls().broadcasts.schedule({ broadcastId });
    const contactIds: string[] = [];
    for (const email of ['a@example.com', 'b@example.com', 'c@example.com'])
      contactIds.push((await bench.calls().contacts.upsert({ email })).id);
    await bench.calls().lists.membersAdd({ listId, contactIds });
    bench.advanceClock(hour);
    await bench.settle();
    const paused = await read(broadcastId);
    assert.equal([paused.status, paused.pausedBy, paused.ceiling, paused.counts.waiting], ['paused', 'ceiling', 6, 8]);
    assert.is(bench.sink.messages.length, 0);
    assert.is(await bench.codeOf(() => bench.calls().broadcasts.resume({ broadcastId })), 'state_conflict');
    await bench.calls().broadcasts.resume({ broadcastId, ceiling: 8 });
    await bench.settle();
    assert.equal([(await read(broadcastId)).status, bench.sink.messages.length], ['sent', 8]);
  });

  test('a broadcast is paused after an outage of more than 12 hours, but not after a shorter outage', async () => {
    const sendAt = () => new Date(bench.now() + hour).toISOString();
    const overdue = await scheduled(2, { sendAt: sendAt() });
    bench.advanceClock(14 * hour);
    await bench.settle();
    const pausedOverdue = await read(overdue);
    assert.equal([pausedOverdue.status, pausedOverdue.pausedBy], ['paused', 'overdue']);
    assert.match(pausedOverdue.error ?? '', '13 hours late');
    assert.is(bench.sink.messages.length, 0);
    await bench.calls().broadcasts.resume({ broadcastId: overdue });
    await bench.settle();
    assert.equal([(await read(overdue)).status, bench.sink.messages.length], ['sent', 2]);
    const soon = await bench.draft({
      audience: { include: [{ listId: await bench.list(people(2)) }] },
      sendAt: sendAt(),
    });
    await bench.calls().broadcasts.schedule({ broadcastId: soon });
    bench.advanceClock(6 * hour);
    await bench.settle();
    assert.is((await read(soon)).status, 'sent');
  });

  test('an exhausted budget pauses the broadcast at its current recipient', async () => {
    await bench.service.workspaces.update(bench.workspaceId, { figures: { monthlySendBudget: 3 } });
    const broadcastId = await scheduled(5);
    await bench.settle();
    const paused = await read(broadcastId);
    assert.equal(
      [paused.status, paused.pausedBy, paused.counts.accepted, paused.counts.waiting],
      ['paused', 'budget', 3, 2],
    );
    await bench.service.workspaces.update(bench.workspaceId, { figures: { monthlySendBudget: 100 } });
    await bench.calls().broadcasts.resume({ broadcastId });
    await bench.settle();
    assert.equal(await bench.recipients(), people(5));
  });

  test('if its sending domain is removed midway, the broadcast is paused, and no more mail leaves in the name of that domain', async () => {
    const change = (sendingDomains: string[]) => bench.service.workspaces.update(bench.workspaceId, { sendingDomains });
    await change(['letters.example']);
    const from = { email: 'news@letters.example', name: '' };
    const broadcastId = await scheduled(3, { from, pace: { perHour: 60 } });
    await bench.drain();
    await change([]);
    bench.advanceClock(60_000);
    await bench.settle();
    const paused = await read(broadcastId);
    assert.equal([paused.status, paused.pausedBy, paused.counts.waiting], ['paused', 'error', 2]);
    assert.match(paused.error ?? '', 'letters.example');
    assert.is(bench.sink.messages.length, 1);
    await change(['letters.example']);
    await bench.calls().broadcasts.resume({ broadcastId });
    for (let minute = 0; minute < 2; minute += 1) {
      await bench.drain();
      bench.advanceClock(60_000);
    }
    await bench.settle();
    assert.equal([(await read(broadcastId)).status, bench.sink.messages.length], ['sent', 3]);
  });

  test('a hold of the reputation pauses a broadcast that is being sent', async () => {
    const broadcastId = await scheduled(5, { pace: { perHour: 60 } });
    await bench.drain();
    const workspace = await bench.service.workspaces.read(bench.workspaceId);
    const { core } = bench.service;
    await inWorkspace(core, workspace, async (ctx) => {
      await stateRows.upsert(ctx.trx, { ...initialState, state: 'held' }, ['category'], { state: 'held' });
      await notifyHoldListeners(ctx);
    });
    const paused = await read(broadcastId);
    assert.equal([paused.status, paused.pausedBy], ['paused', 'reputation']);
    bench.advanceClock(hour);
    await bench.settle();
    assert.is(bench.sink.messages.length, 1);
    const { broadcasts } = bench.calls();
    assert.is(await bench.codeOf(() => broadcasts.resume({ broadcastId })), 'state_conflict');
    await bench.service.workspaces.releaseReputation(bench.workspaceId, { note: 'The list is clean.' });
    await broadcasts.resume({ broadcastId });
    for (let minute = 0; minute < 5; minute += 1) {
      await bench.settle();
      bench.advanceClock(60_000);
    }
    assert.equal(await bench.recipients(), people(5));
  });

  test('quiet hours of the calendar delay each recipient to the next allowed time', async () => {
    const { marketing } = bench.calls();
    const nowHour = new Date(bench.now()).toISOString().slice(11, 13);
    const end = String((Number(nowHour) + 2) % 24).padStart(2, '0');
    await marketing.calendarPatch({ quietHours: { from: `${nowHour}:00`, to: `${end}:00` }, timezone: 'UTC' });
    const broadcastId = await scheduled(3);
    await bench.settle();
    assert.equal([bench.sink.messages.length, (await bench.counts(broadcastId)).waiting], [0, 3]);
    bench.advanceClock(2 * hour);
    await bench.settle();
    assert.equal([bench.sink.messages.length, (await read(broadcastId)).status], [3, 'sent']);
  });

  test('the pace spreads mails evenly, and does not speed up after a stop', () => {
    const start = 1_000_000;
    const row = { pace: { perHour: 60 }, pace_from: start, pace_used: 0 };
    assert.is(paceAllows(row, start).count, 1);
    assert.is(paceAllows({ ...row, pace_used: 1 }, start + 59_999).count, 0);
    assert.is(paceNext({ ...row, pace_used: 1 }, start), start + 60_000);
    assert.is(paceAllows({ ...row, pace_used: 1 }, start + 10 * hour).count, 1);
    const fast = { pace: { perHour: 3_600 }, pace_from: start, pace_used: 0 };
    assert.is(paceAllows(fast, start + 10_000).count, 11);
    assert.is(paceAllows(fast, start + 10 * hour).count, 60);
    assert.is(paceAllows({ ...row, pace: null }, start).count, Number.POSITIVE_INFINITY);
    assert.is(maxAhead, 1_000);
  });
});
