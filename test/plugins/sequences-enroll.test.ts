// time-limit: 480
// Enrolling in sequences: re-entry, the daily limit, variable contracts, sandbox drafts, simultaneous calls, and enrolling lists with
// progress.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { openSequenceBench, type SequenceBench } from '../support/sequence-bench.ts';

const day = 86_400_000;
const wait = { id: 'wait', kind: 'delay', for: 'P30D' } as const;
const mark = { id: 'mark', kind: 'update_contact', attributes: { marked: true } } as const;

await twoDatabases('entering sequences', (test, database) => {
  let bench: SequenceBench;
  test.before.each(async () => {
    bench = await openSequenceBench(database);
  });
  test.after.each(() => bench.close());

  const contact = { email: 'ada@example.org' };
  const enter = (keyOrId: string) => bench.calls.sequences.enroll({ keyOrId, contact });

  test('re-entry is possible never, after completion, or always with up to five active runs', async () => {
    const never = await bench.published({ name: 'A', nodes: [mark], settings: { reentry: 'never' } });
    const first = await enter(never);
    await bench.drain();
    const secondEntry = await enter(never);
    assert.equal([secondEntry.runId, secondEntry.alreadyEnrolled], [first.runId, true]);
    bench.advanceClock(8 * day);
    await bench.drain();
    const oldRun = await bench.calls.sequences.runRead({ runId: first.runId });
    assert.equal([oldRun.variables, oldRun.steps.map(({ status }) => status)], [{}, ['completed']]);
    bench.advanceClock(400 * day);
    await bench.drain();
    assert.is(await bench.codeOf(() => bench.calls.sequences.runRead({ runId: first.runId })), 'run_not_found');
    assert.is(
      await bench.codeOf(() => enter(never)),
      'state_conflict',
      'the contact has already entered, a long time ago',
    );

    const after = await bench.published({ name: 'B', nodes: [wait] });
    const one = await enter(after);
    assert.is((await enter(after)).runId, one.runId);
    await bench.calls.sequences.runCancel({ runId: one.runId });
    assert.is.not((await enter(after)).runId, one.runId);

    const always = await bench.published({ name: 'C', nodes: [wait], settings: { reentry: 'always' } });
    const ids = new Set<string>();
    for (let time = 0; time < 6; time += 1) ids.add((await enter(always)).runId);
    assert.is(ids.size, 5);
  });

  test('a contact enters a sequence at most 20 times in 24 hours, which stops loops', async () => {
    const { calls } = bench;
    const { key } = await calls.sequences.create({ key: 'loop', name: 'Loop', nodes: [mark] });
    await calls.sequences.publish({ keyOrId: key });
    await calls.sequences.update({
      keyOrId: key,
      nodes: [{ id: 'again', kind: 'enroll', sequenceKey: 'loop', variables: {} }],
      settings: { reentry: 'always' },
    });
    await calls.sequences.publish({ keyOrId: key });
    const { runId } = await enter(key);
    await bench.drain();
    assert.is((await calls.sequences.read({ keyOrId: key })).enrolledCount, 20);
    assert.is((await calls.sequences.runRead({ runId })).status, 'completed');
    assert.is(await bench.codeOf(() => enter(key)), 'limit_reached');
    bench.advanceClock(day + 1);
    assert.is(await bench.codeOf(() => enter(key)), 'none');
  });

  test('variables are checked against the contract, and only a sandbox key can enrol into a draft', async () => {
    const { calls } = bench;
    const settings = {
      variables: {
        type: 'object',
        properties: { plan: { type: 'string' }, seats: { type: 'integer', default: 1 } },
        required: ['plan'],
      },
    };
    const { key } = await calls.sequences.create({ name: 'Draft', nodes: [mark], settings });
    assert.is(await bench.codeOf(() => enter(key)), 'sequence_not_published');
    const draft = await bench.request(`/v1/sequences/${key}/enroll`, { body: { contact, variables: { plan: 'pro' } } });
    assert.match(draft.body.error.message, 'publish it first, with POST /v1/sequences/');
    const sandbox = bench.service.as(bench.workspaceId, { sandbox: true });
    const sandboxRun = await sandbox.sequences.enroll({ keyOrId: key, contact, variables: { plan: 'pro' } });
    assert.equal(
      [sandboxRun.sequenceVersion, sandboxRun.sandbox, sandboxRun.variables],
      [0, true, { plan: 'pro', seats: 1 }],
    );
    await bench.drain();
    assert.is((await sandbox.sequences.runRead({ runId: sandboxRun.runId })).status, 'completed');
    assert.is(await bench.codeOf(() => calls.sequences.runRead({ runId: sandboxRun.runId })), 'run_not_found');
    await calls.sequences.publish({ keyOrId: key });
    const list = await calls.lists.create({ name: 'Empty' });
    for (const act of [() => enter(key), () => calls.sequences.enrollList({ keyOrId: key, listId: list.listId })])
      assert.is(await bench.codeOf(act), 'variables_invalid');
    assert.equal(
      [(await calls.sequences.read({ keyOrId: key })).enrolledCount],
      [0],
      'the counts of the live side do not change',
    );
    const { key: empty } = await calls.sequences.create({ name: 'Empty' });
    assert.is(await bench.codeOf(() => sandbox.sequences.enroll({ keyOrId: empty, contact })), 'sequence_invalid');
    assert.is(
      await bench.codeOf(() => sandbox.sequences.enrollList({ keyOrId: empty, listId: list.listId })),
      'sequence_invalid',
    );
  });

  test('list members are enrolled in the background, and a pause cancels the remaining enrolments', async () => {
    const { calls } = bench;
    const { listId } = await calls.lists.create({ name: 'News' });
    const contactIds: string[] = [];
    for (let index = 0; index < 250; index += 1)
      contactIds.push((await calls.contacts.upsert({ email: `u${index}@example.org` })).id);
    await calls.lists.membersAdd({ listId, contactIds });
    const keyOrId = await bench.published({ name: 'News', nodes: [wait] });
    await calls.sequences.enroll({ keyOrId, contact: { id: contactIds[7] ?? '' } });
    const enrolment = await calls.sequences.enrollList({ keyOrId, listId });
    assert.equal([enrolment.status, enrolment.total, enrolment.enrolled], ['running', 250, 0]);
    await bench.drain();
    const { enrollmentId } = enrolment;
    const afterDrain = await calls.sequences.enrollmentRead({ keyOrId, enrollmentId });
    assert.equal(
      [afterDrain.status, afterDrain.enrolled, afterDrain.alreadyEnrolled, afterDrain.skipped],
      ['completed', 249, 1, {}],
    );
    assert.is((await calls.sequences.read({ keyOrId })).activeRunCount, 250);

    const otherKey = await bench.published({ name: 'Other', nodes: [wait] });
    const { enrollmentId: second } = await calls.sequences.enrollList({ keyOrId: otherKey, listId });
    await calls.sequences.pause({ keyOrId: otherKey });
    await bench.drain();
    const canceledEnrolment = await calls.sequences.enrollmentRead({ keyOrId: otherKey, enrollmentId: second });
    assert.equal([canceledEnrolment.status, canceledEnrolment.enrolled], ['canceled', 0]);
  });

  test('contacts that join a list in one call each enter once, and waiting runs are moved', async () => {
    const { calls } = bench;
    const { listId } = await calls.lists.create({ name: 'News' });
    const contactIds: string[] = [];
    for (let index = 0; index < 130; index += 1)
      contactIds.push((await calls.contacts.upsert({ email: `u${index}@example.org` })).id);
    const trigger = { kind: 'list_joined', listId } as const;
    const keyOrId = await bench.published({ name: 'Joined', trigger, nodes: [wait], settings: { reentry: 'never' } });
    const until = { id: 'until', kind: 'wait_for_event', type: 'list_member.added', timeout: 'P1D' } as const;
    const waiting = await bench.published({ name: 'Waits', nodes: [until] });
    const { runId } = await calls.sequences.enroll({ keyOrId: waiting, contact: { id: contactIds[3] ?? '' } });
    await calls.sequences.enroll({ keyOrId, contact: { id: contactIds[5] ?? '' } });
    await bench.drain();
    await calls.lists.membersAdd({ listId, contactIds });
    await bench.drain();
    const { enrolledCount, activeRunCount } = await calls.sequences.read({ keyOrId });
    assert.equal([enrolledCount, activeRunCount], [130, 130]);
    assert.is((await calls.sequences.runRead({ runId })).status, 'completed');
    await calls.lists.membersRemove({ listId, contactIds });
    await calls.lists.membersAdd({ listId, contactIds });
    await bench.drain();
    assert.is((await calls.sequences.read({ keyOrId })).enrolledCount, 130, 'a contact entered twice');
  });

  test('simultaneous calls enrol a contact once, even while list events enrol it too', async () => {
    const { calls } = bench;
    const { listId } = await calls.lists.create({ name: 'News' });
    const contactIds: string[] = [];
    for (let index = 0; index < 10; index += 1)
      contactIds.push((await calls.contacts.upsert({ email: `u${index}@example.org` })).id);
    const trigger = { kind: 'list_joined', listId } as const;
    const keyOrId = await bench.published({ name: 'Joined', trigger, nodes: [wait], settings: { reentry: 'never' } });
    await calls.lists.membersAdd({ listId, contactIds });
    const firstCalls = [...contactIds].reverse().map((id) => calls.sequences.enroll({ keyOrId, contact: { id } }));
    const secondCalls = contactIds.map((id) => calls.sequences.enroll({ keyOrId, contact: { id } }));
    const runs = await Promise.all([...firstCalls, ...secondCalls, bench.drain()]);
    assert.is(new Set(runs.slice(0, -1).map((run) => run?.runId)).size, 10);
    await bench.drain();
    const { enrolledCount, activeRunCount } = await calls.sequences.read({ keyOrId });
    assert.equal([enrolledCount, activeRunCount], [10, 10]);
  });
});
