// time-limit: 480
// Runs of sequences: steps and their history, events that start and move runs, goals, skipped and failed steps, pauses, manual changes, and
// the erasure of a person.
// full-run: slow
import * as assert from 'uvu/assert';
import { isPostriderError } from '../../core/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { openSequenceBench, type SequenceBench } from '../support/sequence-bench.ts';

const hour = 3_600_000;
const day = 24 * hour;

await twoDatabases('runs of sequences', (test, database) => {
  let bench: SequenceBench;
  test.before.each(async () => {
    bench = await openSequenceBench(database);
  });
  test.after.each(() => bench.close());

  const mailGraph = {
    nodes: [
      { id: 'pause', kind: 'delay', for: 'P1D' },
      { id: 'greet', kind: 'send_email', templateKey: 'hello', variables: { name: '{{ variables.name }}' } },
      { id: 'mark', kind: 'update_contact', attributes: { greeted: true } },
    ],
    edges: [
      { from: 'pause', to: 'greet', when: 'next' },
      { from: 'greet', to: 'mark', when: 'next' },
    ],
  } satisfies Partial<Parameters<SequenceBench['calls']['sequences']['create']>[0]>;

  test('a run waits, sends and changes its contact, and its history shows each step', async () => {
    const { calls } = bench;
    await bench.template('hello');
    const key = await bench.published({ name: 'Welcome', ...mailGraph });
    const enrolment = await calls.sequences.enroll({
      keyOrId: key,
      contact: { email: 'ada@example.org' },
      variables: { name: 'Ada' },
    });
    assert.is(enrolment.status, 'active');
    assert.equal(enrolment.currentNodes, ['pause']);
    await bench.drain();
    assert.is(bench.mail.messages().length, 0);
    assert.equal(await bench.stepsOf(enrolment.runId), ['pause waiting']);
    bench.advanceClock(day);
    await bench.drain();
    assert.equal(
      bench.mail.messages().map(({ subject }) => subject),
      ['Hello Ada'],
    );
    const run = await calls.sequences.runRead({ runId: enrolment.runId });
    assert.is(run.status, 'completed');
    assert.equal(await bench.stepsOf(enrolment.runId), ['pause completed', 'greet completed', 'mark completed']);
    const send = await calls.sends.read({ id: String(run.steps[1]?.output?.['sendId']) });
    assert.equal(send.metadata, { sequence: key, runId: run.runId, nodeId: 'greet' });
    const [contact] = (await calls.contacts.list({})).data;
    assert.equal(contact?.attributes, { greeted: true });
    const sequence = await calls.sequences.read({ keyOrId: key, stats: 'true' });
    assert.equal([sequence.enrolledCount, sequence.activeRunCount], [1, 0]);
    assert.equal(sequence.stats?.['greet'], { reached: 1, waiting: 0, skipped: {}, failed: 0 });
  });

  test('custom events start and move runs in their own transaction, and the answer counts these runs', async () => {
    const { calls } = bench;
    await bench.published({
      name: 'Cart',
      trigger: { kind: 'event', type: 'cart.filled', filter: { path: 'event.metadata.total', op: 'gt', value: 10 } },
      nodes: [
        { id: 'bought', kind: 'wait_for_event', type: 'order.placed', timeout: 'P2D' },
        { id: 'thank', kind: 'update_contact', attributes: { bought: true } },
        { id: 'remind', kind: 'update_contact', attributes: { reminded: true } },
      ],
      edges: [
        { from: 'bought', to: 'thank', when: 'matched' },
        { from: 'bought', to: 'remind', when: 'timeout' },
      ],
    });
    const contact = { external_id: 'u1', email: 'ada@example.org' };
    const emit = async (type: string, metadata = {}) => (await calls.events.emit({ type, contact, metadata })).fan_out;
    assert.is((await emit('cart.filled', { total: 5 })).sequences_woken, 0);
    assert.is((await emit('cart.filled', { total: 50 })).sequences_woken, 1);
    await bench.drain();
    assert.is((await emit('order.placed')).sequences_woken, 1);
    assert.is((await emit('order.placed')).sequences_woken, 0, 'the run has moved on');
    await bench.drain();
    const [known] = (await calls.contacts.list({})).data;
    assert.equal(known?.attributes, { bought: true });
    assert.is((await emit('cart.filled', { total: 50 })).sequences_woken, 1, 'the contact may enter again');
    await bench.drain();
    bench.advanceClock(2 * day);
    await bench.drain();
    assert.equal((await calls.contacts.list({})).data[0]?.attributes, { bought: true, reminded: true });
  });

  test('list joins and send events move runs after their commit, and a goal ends a run at any node', async () => {
    const { calls } = bench;
    await bench.template('hello');
    const { listId } = await calls.lists.create({ name: 'News' });
    const key = await bench.published({
      name: 'Joined',
      trigger: { kind: 'list_joined', listId },
      nodes: [
        { id: 'greet', kind: 'send_email', templateKey: 'hello', variables: { name: 'you' } },
        { id: 'opened', kind: 'wait_for_event', type: 'send.delivered', ofNode: 'greet', timeout: 'P5D' },
        { id: 'long', kind: 'delay', for: 'P30D' },
        { id: 'paid', kind: 'goal', type: 'order.paid' },
      ],
      edges: [
        { from: 'greet', to: 'opened', when: 'next' },
        { from: 'opened', to: 'long', when: 'matched' },
        { from: 'long', to: 'paid', when: 'next' },
      ],
    });
    const { id } = await calls.contacts.upsert({ email: 'ada@example.org' });
    await calls.lists.membersAdd({ listId, contactIds: [id] });
    await bench.drain();
    const [run] = (await calls.sequences.runs({ keyOrId: key })).data;
    assert.equal(run?.currentNodes, ['opened']);
    await bench.reportDelivered('ada@example.org');
    await bench.drain();
    assert.equal((await calls.sequences.runRead({ runId: run?.runId ?? '' })).currentNodes, ['long']);
    const event = await calls.events.emit({ type: 'order.paid', contact: { id } });
    assert.is(event.fan_out.sequences_woken, 1);
    const endedRun = await calls.sequences.runRead({ runId: run?.runId ?? '' });
    assert.equal([endedRun.status, endedRun.exitReason], ['completed', 'goal']);
    assert.equal(await bench.waitingJobs('sequences.step'), 0);
  });

  test('an impossible send is skipped with its reason, and a failing send is retried and takes the edge failed', async () => {
    const { calls } = bench;
    await bench.template('hello');
    await calls.suppressions.create({ email: 'no@example.org', reason: 'manual' });
    const sendOnly = await bench.published({
      name: 'Send',
      nodes: [{ id: 'greet', kind: 'send_email', templateKey: 'hello', variables: { name: 'you' } }],
      edges: [],
      settings: { cap: { channel: 'email', max: 1, per: 'day' }, reentry: 'always' },
    });
    const reasonOf = async (contact: object) => {
      const { runId } = await calls.sequences.enroll({ keyOrId: sendOnly, contact });
      await bench.drain();
      const { status, steps } = await calls.sequences.runRead({ runId });
      return `${status} ${steps[0]?.status} ${steps[0]?.reason}`;
    };
    assert.is(await reasonOf({ email: 'no@example.org' }), 'completed skipped suppressed');
    assert.is(await reasonOf({ external_id: 'nameless' }), 'completed skipped no_address');
    assert.is(await reasonOf({ email: 'ada@example.org' }), 'completed completed null');
    assert.is(await reasonOf({ email: 'ada@example.org' }), 'completed skipped capped');

    const failing = await bench.published({
      name: 'Fail',
      nodes: [
        { id: 'later', kind: 'delay', for: 'PT1H' },
        { id: 'greet', kind: 'send_email', templateKey: 'hello', variables: { name: 'you' } },
        { id: 'else', kind: 'update_contact', attributes: { failed: true } },
      ],
      edges: [
        { from: 'later', to: 'greet', when: 'next' },
        { from: 'greet', to: 'else', when: 'failed' },
      ],
    });
    const { runId } = await calls.sequences.enroll({ keyOrId: failing, contact: { email: 'bob@example.org' } });
    await bench.drain();
    // The run keeps its version, which sends a template that no published version sends any more.
    const mark = { id: 'else', kind: 'update_contact', attributes: { failed: true } } as const;
    await calls.sequences.update({ keyOrId: failing, nodes: [mark], edges: [] });
    await calls.sequences.publish({ keyOrId: failing });
    await calls.sequences.archive({ keyOrId: sendOnly });
    await calls.templates.archive({ key: 'hello' });
    bench.advanceClock(hour);
    await bench.drain();
    const retriedRun = await calls.sequences.runRead({ runId });
    assert.equal([retriedRun.steps[1]?.status, retriedRun.currentNodes], ['pending', ['greet']]);
    assert.match(retriedRun.steps[1]?.reason ?? '', /^template_archived/);
    for (const wait of [30_000, 120_000, 600_000, 1_800_000, 7_200_000]) {
      assert.is((await calls.sequences.runRead({ runId })).status, 'active');
      bench.advanceClock(wait);
      await bench.drain();
    }
    assert.equal(await bench.stepsOf(runId), ['later completed', 'greet failed', 'else completed']);
  });

  test('a pause stops steps and enrolments but events are recorded, and overdue applies after it', async () => {
    const { calls } = bench;
    await bench.template('hello');
    const key = await bench.published({ name: 'Welcome', ...mailGraph, settings: { overdue: 'skip' } });
    const enroll = (email: string) =>
      calls.sequences.enroll({ keyOrId: key, contact: { email }, variables: { name: 'Ada' } });
    const { runId } = await enroll('ada@example.org');
    await bench.drain();
    await calls.sequences.pause({ keyOrId: key });
    const refused: unknown = await enroll('bob@example.org').catch((error: unknown) => error);
    assert.ok(isPostriderError(refused, 'sequence_not_published'));
    assert.match(refused.message, /Resume it first, with .*resume/);
    bench.advanceClock(day + 2 * hour);
    await bench.drain();
    assert.equal(await bench.stepsOf(runId), ['pause waiting']);
    await calls.sequences.resume({ keyOrId: key });
    await bench.drain();
    assert.equal(await bench.stepsOf(runId), ['pause completed', 'greet skipped', 'mark completed']);
    assert.is((await calls.sequences.runRead({ runId })).steps[1]?.reason, 'overdue');
    assert.is(bench.mail.messages().length, 0);
    const { stats } = await calls.sequences.read({ keyOrId: key, stats: 'true' });
    assert.equal(stats?.['greet'], { reached: 1, waiting: 0, skipped: { overdue: 1 }, failed: 0 });
  });

  test('a run can be canceled or moved by a call, and exits when its sequence is archived', async () => {
    const { calls } = bench;
    await bench.template('hello');
    const key = await bench.published({ name: 'Welcome', ...mailGraph });
    const enroll = async (name: string) =>
      (await calls.sequences.enroll({ keyOrId: key, contact: { email: `${name}@example.org` }, variables: { name } }))
        .runId;
    const [one, two, three] = [await enroll('one'), await enroll('two'), await enroll('three')];
    const canceledRun = await calls.sequences.runCancel({ runId: one });
    assert.equal([canceledRun.status, canceledRun.currentNodes], ['cancelled', []]);
    assert.is((await calls.sequences.runCancel({ runId: one })).status, 'cancelled');
    const movedRun = await calls.sequences.transition({ id: key, runId: two, nodeId: 'mark', reason: 'No mail.' });
    assert.equal(
      [movedRun.currentNodes, movedRun.steps.map(({ status }) => status)],
      [['mark'], ['skipped', 'pending']],
    );
    await bench.drain();
    assert.equal(await bench.stepsOf(two), ['pause skipped', 'mark completed']);
    assert.is(await bench.codeOf(() => calls.sequences.runCancel({ runId: two })), 'state_conflict');
    await calls.sequences.archive({ keyOrId: key });
    await bench.drain();
    const exitedRun = await calls.sequences.runRead({ runId: three });
    assert.equal([exitedRun.status, exitedRun.exitReason], ['exited', 'archived']);
    const { activeRunCount, enrolledCount } = await calls.sequences.read({ keyOrId: key });
    assert.equal([activeRunCount, enrolledCount], [0, 3]);
    bench.advanceClock(2 * day);
    await bench.drain();
    assert.is(bench.mail.messages().length, 0);
  });

  test('erasing a person ends their runs and removes the data of these runs, but the counts stay', async () => {
    const { calls } = bench;
    await bench.template('hello');
    const key = await bench.published({ name: 'Welcome', ...mailGraph });
    const contact = { email: 'ada@example.org' };
    const { runId } = await calls.sequences.enroll({ keyOrId: key, contact, variables: { name: 'Ada' } });
    await bench.drain();
    const exported = await bench.service.personalData.export(bench.workspaceId, contact);
    assert.equal(exported['sequences']?.['sequence_runs'], [await calls.sequences.runRead({ runId })]);
    await bench.service.personalData.erase(bench.workspaceId, contact);
    await bench.drain();
    const run = await calls.sequences.runRead({ runId });
    assert.equal([run.status, run.exitReason, run.contact, run.variables], ['exited', 'contact_erased', null, {}]);
    assert.equal([(await calls.sequences.read({ keyOrId: key })).enrolledCount], [1]);
    assert.not.match(await bench.dump(), /Ada|ada@example/);
  });
});
