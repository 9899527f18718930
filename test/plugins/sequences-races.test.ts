// time-limit: 600
// Calls, events and jobs that overlap on one run, on real servers: a transaction of the program stays open while the others continue.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withReadableErrors } from '../support/databases.ts';
import { type JoinedServer, joinedServers, openJoinedBench, type StartedTransaction } from '../support/joined-bench.ts';

const hour = 3_600_000;
const day = 24 * hour;
const mark = { id: 'mark', kind: 'update_contact', attributes: { marked: true } } as const;
const waitFor = (type: string) => ({ id: 'wait', kind: 'wait_for_event', type, timeout: 'PT4H' }) as const;
const contact = { email: 'ada@example.org' };

function races(server: JoinedServer): void {
  const test = withReadableErrors(suite(`sequences under races on ${server.name}`));
  let bench: Awaited<ReturnType<typeof openJoinedBench>>;
  const open: StartedTransaction[] = [];
  test.before.each(async () => {
    bench = await openJoinedBench(server);
  });
  test.after.each(async () => {
    for (const one of open.splice(0)) await one.end('rollback');
    await bench.close();
  });
  test.after(() => server.remove());

  /** Begins a transaction that the test can commit; otherwise it is rolled back after the test. */
  const begin = async () => {
    const transaction = await server.begin();
    open.push(transaction);
    return {
      trx: transaction.trx,
      async commit() {
        open.splice(open.indexOf(transaction), 1);
        await transaction.end('commit');
      },
    };
  };
  const statusOf = async (runId: string) => {
    const { status, exitReason } = await bench.calls.sequences.runRead({ runId });
    return [status, exitReason];
  };

  test('a run that is enrolled while its sequence is republished still receives its events', async () => {
    const { calls } = bench;
    const key = await bench.published({ name: 'Waits', nodes: [waitFor('order_paid')] });
    const openTransaction = await begin();
    const { runId } = await calls.sequences.enroll({ keyOrId: key, contact }, { trx: openTransaction.trx });
    await calls.sequences.update({ keyOrId: key, nodes: [mark] });
    await calls.sequences.publish({ keyOrId: key });
    await openTransaction.commit();
    await bench.drain();
    bench.advanceClock(hour);
    await bench.drain();
    const { fan_out } = await calls.events.emit({ type: 'order_paid', contact });
    assert.is(fan_out.sequences_woken, 1);
    assert.is((await bench.calls.sequences.runRead({ runId })).status, 'completed');
  });

  test('runs of a list enrolment that began before a publish still receive their events', async () => {
    const { calls } = bench;
    const { listId } = await calls.lists.create({ name: 'News' });
    const { id } = await calls.contacts.upsert(contact);
    await calls.lists.membersAdd({ listId, contactIds: [id] });
    const key = await bench.published({ name: 'Waits', nodes: [waitFor('order_paid')] });
    await calls.sequences.enrollList({ keyOrId: key, listId });
    await calls.sequences.update({ keyOrId: key, nodes: [mark] });
    await calls.sequences.publish({ keyOrId: key });
    bench.advanceClock(hour);
    await bench.drain();
    const { fan_out } = await calls.events.emit({ type: 'order_paid', contact });
    assert.is(fan_out.sequences_woken, 1);
  });

  test('a list enrolment that began while the sequence was being paused enrols nobody', async () => {
    const { calls } = bench;
    const { listId } = await calls.lists.create({ name: 'News' });
    const { id } = await calls.contacts.upsert(contact);
    await calls.lists.membersAdd({ listId, contactIds: [id] });
    const key = await bench.published({ name: 'Waits', nodes: [waitFor('order_paid')] });
    const openTransaction = await begin();
    const { enrollmentId } = await calls.sequences.enrollList({ keyOrId: key, listId }, { trx: openTransaction.trx });
    await calls.sequences.pause({ keyOrId: key });
    await openTransaction.commit();
    await bench.drain();
    const { status, enrolled } = await calls.sequences.enrollmentRead({ keyOrId: key, enrollmentId });
    assert.equal([status, enrolled], ['canceled', 0]);
  });

  test('a run that an event moves while the sequence is resumed continues', async () => {
    const { calls } = bench;
    const key = await bench.published({
      name: 'Waits',
      nodes: [waitFor('order_paid'), mark],
      edges: [
        { from: 'wait', when: 'matched', to: 'mark' },
        { from: 'wait', when: 'timeout', to: 'mark' },
      ],
    });
    const { runId } = await calls.sequences.enroll({ keyOrId: key, contact });
    await bench.drain();
    await calls.sequences.pause({ keyOrId: key });
    bench.advanceClock(4 * hour - 1);
    const openTransaction = await begin();
    const { fan_out } = await calls.events.emit({ type: 'order_paid', contact }, { trx: openTransaction.trx });
    assert.is(fan_out.sequences_woken, 1);
    bench.advanceClock(60_000);
    await calls.sequences.resume({ keyOrId: key });
    // The job that runs after the pause reaches the run before the event of the run is committed.
    const draining = bench.drain();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await openTransaction.commit();
    await draining;
    await bench.drain();
    assert.equal(await statusOf(runId), ['completed', null]);
    assert.equal(await bench.stepsOf(runId), ['wait completed', 'mark completed']);
  });

  /** Publishes a sequence with a delay of an hour, a wait and a mark. Returns its key. */
  const publishPausingSequence = () =>
    bench.published({
      name: 'Pauses',
      nodes: [{ id: 'pause', kind: 'delay', for: 'PT1H' }, waitFor('order_paid'), mark],
      edges: [
        { from: 'pause', to: 'wait' },
        { from: 'wait', when: 'matched', to: 'mark' },
      ],
    });

  test('an event ends the wait if its transaction is open while its run arrives at the wait', async () => {
    const { calls } = bench;
    const { runId } = await calls.sequences.enroll({ keyOrId: await publishPausingSequence(), contact });
    await bench.drain();
    bench.advanceClock(hour);
    const openTransaction = await begin();
    const { fan_out } = await calls.events.emit({ type: 'order_paid', contact }, { trx: openTransaction.trx });
    assert.is(fan_out.sequences_woken, 0);
    const draining = bench.drain();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await openTransaction.commit();
    await draining;
    await bench.drain();
    assert.equal(await bench.stepsOf(runId), ['pause completed', 'wait completed', 'mark completed']);
  });

  test('an event in a transaction that began before the wait counts no later than the timeout of the wait', async () => {
    const { calls } = bench;
    await calls.contacts.upsert(contact);
    const openTransaction = await begin();
    await calls.sequences.list({}, { trx: openTransaction.trx });
    const { runId } = await calls.sequences.enroll({ keyOrId: await publishPausingSequence(), contact });
    await bench.drain();
    bench.advanceClock(hour);
    await bench.drain();
    assert.equal(await bench.stepsOf(runId), ['pause completed', 'wait waiting']);
    await calls.events.emit({ type: 'order_paid', contact }, { trx: openTransaction.trx });
    await openTransaction.commit();
    await bench.drain();
    bench.advanceClock(4 * hour);
    await bench.drain();
    assert.equal(await bench.stepsOf(runId), ['pause completed', 'wait completed', 'mark completed']);
  });

  test('a contact enters once, even in a transaction whose snapshot is older than the other enrolment', async () => {
    const { calls } = bench;
    const { id } = await calls.contacts.upsert(contact);
    const key = await bench.published({ name: 'Waits', nodes: [waitFor('order_paid')] });
    const enrolment = await calls.sequences.enroll({ keyOrId: key, contact: { id } });
    await calls.sequences.runCancel({ runId: enrolment.runId });
    const openTransaction = await begin();
    await calls.sequences.list({}, { trx: openTransaction.trx });
    const first = await calls.sequences.enroll({ keyOrId: key, contact: { id } });
    const second = await calls.sequences.enroll({ keyOrId: key, contact: { id } }, { trx: openTransaction.trx });
    await openTransaction.commit();
    assert.equal([second.runId, second.alreadyEnrolled], [first.runId, true]);
  });

  test('if a run is canceled while an event moves it, it is canceled once', async () => {
    const { calls } = bench;
    const key = await bench.published({
      name: 'Waits',
      nodes: [waitFor('order_paid'), mark],
      edges: [{ from: 'wait', when: 'matched', to: 'mark' }],
    });
    const { runId } = await calls.sequences.enroll({ keyOrId: key, contact });
    await bench.drain();
    const openTransaction = await begin();
    await calls.events.emit({ type: 'order_paid', contact }, { trx: openTransaction.trx });
    const canceling = calls.sequences.runCancel({ runId });
    await openTransaction.commit();
    assert.is((await canceling).status, 'cancelled');
    await bench.drain();
    assert.equal(await statusOf(runId), ['cancelled', null]);
    assert.equal(await bench.stepsOf(runId), ['wait completed', 'mark skipped']);
    const { activeRunCount, stats } = await calls.sequences.read({ keyOrId: key, stats: 'true' });
    assert.is(activeRunCount, 0);
    assert.equal(
      Object.values(stats ?? {}).map(({ waiting }) => waiting),
      [0, 0],
    );
  });

  test('an erasure ends runs that an event is moving, and leaves no data of the person', async () => {
    const { calls } = bench;
    const key = await bench.published({
      name: 'Waits',
      settings: { reentry: 'always' },
      nodes: [waitFor('order_paid'), mark],
      edges: [{ from: 'wait', when: 'matched', to: 'mark' }],
    });
    for (let round = 0; round < 6; round += 1) {
      const { id } = await calls.contacts.upsert(contact);
      const runs: string[] = [];
      for (let time = 0; time < 3; time += 1)
        runs.push(
          (await calls.sequences.enroll({ keyOrId: key, contact: { id }, variables: { secret: 'violet' } })).runId,
        );
      await bench.drain();
      const emitting = bench.codeOf(() =>
        calls.events.emit({ type: 'order_paid', contact: { id }, metadata: { secret: 'violet' } }),
      );
      const [code] = await Promise.all([emitting, calls.contacts.delete({ contactId: id }), bench.drain()]);
      assert.ok(['none', 'contact_not_found'].includes(code), code);
      bench.advanceClock(hour);
      await bench.drain();
      assert.ok(!(await bench.dump()).includes('violet'));
      assert.ok(!(await bench.dump()).includes(id));
      for (const runId of runs) assert.is.not((await statusOf(runId))[0], 'active');
    }
    assert.is((await calls.sequences.read({ keyOrId: key })).activeRunCount, 0);
  });

  test('if members of a list are erased while it is enrolled, no runs of them remain', async () => {
    const { calls } = bench;
    const { listId } = await calls.lists.create({ name: 'News' });
    const contactIds: string[] = [];
    for (let index = 0; index < 60; index += 1)
      contactIds.push((await calls.contacts.upsert({ email: `u${index}@example.org` })).id);
    await calls.lists.membersAdd({ listId, contactIds });
    const key = await bench.published({
      name: 'Waits',
      nodes: [waitFor('order_paid'), mark],
      edges: [{ from: 'wait', when: 'timeout', to: 'mark' }],
    });
    await calls.sequences.enrollList({ keyOrId: key, listId });
    const erasedIds = contactIds.filter((_, index) => index % 3 === 0);
    await Promise.all([bench.drain(), ...erasedIds.map((id) => calls.contacts.delete({ contactId: id }))]);
    bench.advanceClock(hour);
    await bench.drain();
    const dump = await bench.dump();
    for (const id of erasedIds) assert.ok(!dump.includes(id), id);
    assert.is((await calls.sequences.read({ keyOrId: key })).activeRunCount, 40);
    bench.advanceClock(day);
    await bench.drain();
    assert.is((await calls.sequences.read({ keyOrId: key })).activeRunCount, 0);
  });

  /** Tests that enrol lists while a transaction of the program is open. */
  const testListRaces = (waiting: (count: number) => Promise<void>): void => {
    /** Creates a list with these contacts. */
    const listOf = async (name: string, contactIds: readonly string[]) => {
      const { listId } = await bench.calls.lists.create({ name });
      await bench.calls.lists.membersAdd({ listId, contactIds: [...contactIds] });
      return listId;
    };

    /** Creates two contacts and returns their ids in ascending order. */
    const twoContacts = async () => {
      const names = ['one', 'two'];
      const contacts = await Promise.all(
        names.map((name) => bench.calls.contacts.upsert({ email: `${name}@example.org` })),
      );
      return contacts.map(({ id }) => id).sort();
    };

    test('a list with entered and new contacts locks them in the same order as all other calls', async () => {
      const { calls } = bench;
      const [first = '', second = ''] = await twoContacts();
      const keyOrId = await bench.published({
        name: 'A',
        nodes: [waitFor('order_paid')],
        settings: { reentry: 'always' },
      });
      await calls.sequences.enroll({ keyOrId, contact: { id: second } });
      await bench.drain();
      const listId = await listOf('Both', [first, second]);
      const { enrollmentId } = await calls.sequences.enrollList({ keyOrId, listId });
      const openTransaction = await begin();
      await calls.sequences.enroll({ keyOrId, contact: { id: first } }, { trx: openTransaction.trx });
      const draining = bench.drain();
      await waiting(1);
      // The list waits for the first contact and must not lock the second one meanwhile.
      await calls.sequences.enroll({ keyOrId, contact: { id: second } }, { trx: openTransaction.trx });
      await openTransaction.commit();
      await draining;
      assert.equal(bench.faults, []);
      const { status, enrolled } = await calls.sequences.enrollmentRead({ keyOrId, enrollmentId });
      assert.equal([status, enrolled], ['completed', 2]);
    });

    test('a list locks existing runs of its contacts in the same order as events do', async () => {
      const { calls } = bench;
      const ids = await twoContacts();
      const keyOrId = await bench.published({
        name: 'A',
        nodes: [waitFor('order_paid')],
        settings: { reentry: 'always' },
      });
      const runs: string[] = [];
      for (const id of ids) {
        runs.push((await calls.sequences.enroll({ keyOrId, contact: { id } })).runId);
        bench.advanceClock(60_000);
      }
      await bench.drain();
      const [first = '', second = ''] = runs;
      const { enrollmentId } = await calls.sequences.enrollList({ keyOrId, listId: await listOf('Both', ids) });
      const openTransaction = await begin();
      await calls.sequences.runCancel({ runId: first }, { trx: openTransaction.trx });
      const draining = bench.drain();
      await waiting(1);
      // The second run is the newer one: the list must not lock it while it waits for the first.
      await calls.sequences.runCancel({ runId: second }, { trx: openTransaction.trx });
      await openTransaction.commit();
      await draining;
      assert.equal(bench.faults, []);
      const { status, enrolled } = await calls.sequences.enrollmentRead({ keyOrId, enrollmentId });
      assert.equal([status, enrolled], ['completed', 2]);
    });

    test('two lists that wait for the same new entry continue one after the other', async () => {
      const { calls } = bench;
      const { id } = await calls.contacts.upsert(contact);
      const keyOrId = await bench.published({
        name: 'A',
        nodes: [waitFor('order_paid')],
        settings: { reentry: 'always' },
      });
      const enrolments = [];
      for (const name of ['One', 'Other'])
        enrolments.push(await calls.sequences.enrollList({ keyOrId, listId: await listOf(name, [id]) }));
      const openTransaction = await begin();
      await calls.sequences.enroll({ keyOrId, contact }, { trx: openTransaction.trx });
      const draining = bench.drain();
      await waiting(2);
      await openTransaction.commit();
      await draining;
      assert.equal(bench.faults, []);
      for (const { enrollmentId } of enrolments)
        assert.is((await calls.sequences.enrollmentRead({ keyOrId, enrollmentId })).enrolled, 1);
    });
  };
  // On MariaDB, list jobs also wait for gap locks of such a transaction, in any order.
  if (server.waiting !== undefined) testListRaces(server.waiting);

  test.run();
}

for (const server of await joinedServers()) races(server);
