// time-limit: 240
// Goals with a filter: a waiting run ends as soon as a change of the contact makes the filter true.
// full-run: slow
import * as assert from 'uvu/assert';
import type { Filter } from '../../plugins/sequences/definition/schema.ts';
import { twoDatabases } from '../support/databases.ts';
import { openSequenceBench, type SequenceBench } from '../support/sequence-bench.ts';

const hour = 3_600_000;
const wait = { id: 'wait', kind: 'delay', for: 'P30D' } as const;
const goal = (filter: Filter) => ({ id: 'goal', kind: 'goal', filter }) as const;
const contact = { email: 'ada@example.org' };

await twoDatabases('goals of sequences', (test, database) => {
  let bench: SequenceBench;
  test.before.each(async () => {
    bench = await openSequenceBench(database);
  });
  test.after.each(() => bench.close());

  const statusOf = async (runId: string) => {
    const { status, exitReason, completedAt } = await bench.calls.sequences.runRead({ runId });
    return [status, exitReason, completedAt];
  };
  const enter = async (filter: Filter) => {
    const keyOrId = await bench.published({ name: 'Trial', nodes: [wait, goal(filter)] });
    const { runId } = await bench.calls.sequences.enroll({ keyOrId, contact });
    await bench.drain();
    bench.advanceClock(hour);
    return { keyOrId, runId };
  };
  const now = () => new Date(bench.now()).toISOString();

  test('a waiting run ends when the attribute of its goal changes, but not on other changes', async () => {
    const { calls } = bench;
    const isPaid = { path: 'contact.attributes.plan', op: 'eq', value: 'pro' } as const;
    const { keyOrId, runId } = await enter({ all: [isPaid, { path: 'event.metadata.x', op: 'exists', value: false }] });
    await calls.contacts.upsert({ ...contact, attributes: { plan: 'free' } });
    await calls.contacts.upsert({ email: 'bob@example.org', attributes: { plan: 'pro' } });
    await bench.drain();
    assert.equal(await statusOf(runId), ['active', null, null]);
    await calls.contacts.upsert({ ...contact, attributes: { plan: 'pro' } });
    await bench.drain();
    assert.equal(await statusOf(runId), ['completed', 'goal', now()]);
    assert.equal(await bench.stepsOf(runId), ['wait skipped', 'goal completed']);
    const { activeRunCount, stats } = await calls.sequences.read({ keyOrId, stats: 'true' });
    assert.equal([activeRunCount, stats?.['wait']?.waiting, stats?.['goal']?.reached], [0, 0, 1]);
    assert.is(await bench.waitingJobs('sequences.step'), 0);
  });

  test('joining and leaving a list end a waiting run', async () => {
    const { calls } = bench;
    const { listId } = await calls.lists.create({ name: 'News' });
    const { id } = await calls.contacts.upsert(contact);
    const joinRun = await enter({ path: `list.${listId}`, op: 'exists', value: true });
    await calls.lists.membersAdd({ listId, contactIds: [id] });
    await bench.drain();
    assert.equal(await statusOf(joinRun.runId), ['completed', 'goal', now()]);
    const leaveRun = await enter({ path: `list.${listId}`, op: 'exists', value: false });
    await calls.lists.membersRemove({ listId, contactIds: [id] });
    await bench.drain();
    assert.equal(await statusOf(leaveRun.runId), ['completed', 'goal', now()]);
  });

  test('a goal that becomes true because time passes is noticed at the next step', async () => {
    await bench.calls.contacts.upsert({ ...contact, attributes: { since: now() } });
    const { runId } = await enter({ path: 'contact.attributes.since', op: 'older_than_days', value: 2 });
    bench.advanceClock(72 * hour);
    await bench.drain();
    assert.is((await statusOf(runId))[0], 'active');
    bench.advanceClock(28 * 24 * hour);
    await bench.drain();
    assert.equal((await statusOf(runId)).slice(0, 2), ['completed', 'goal']);
  });

  test('a change of a contact causes no dispatch job if its sequences have no goal with a filter', async () => {
    const { calls } = bench;
    const keyOrId = await bench.published({ name: 'None', nodes: [wait] });
    await calls.sequences.enroll({ keyOrId, contact });
    await bench.drain();
    await calls.contacts.upsert({ ...contact, attributes: { plan: 'pro' } });
    assert.is(await bench.waitingJobs('events.dispatch'), 0);
  });
});
