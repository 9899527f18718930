// time-limit: 480
// An event of the service starts a run while another event of the same contact is being stored: the other event ends the wait of the run,
// whichever transaction commits first.
// full-run: slow
import { setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { definePlugin, type EventConsumer, setInterests } from '../../core/index.ts';
import { inWorkspace } from '../../core/unstable.ts';
import { eachDatabase } from '../support/databases.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { openSequenceBench } from '../support/sequence-bench.ts';

const contact = { email: 'ada@example.org' };

/** A promise that the test resolves. */
function createSignal() {
  let resolvePromise = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    resolvePromise = resolve;
  });
  return { given: promise, give: resolvePromise };
}

/** A consumer that keeps the transaction of an event open until the test releases it, after the sequences have seen the event. */
function createGate() {
  const gate = { reached: createSignal(), opened: createSignal() };
  const consumer: EventConsumer = {
    id: 'gate',
    countName: 'gates_passed',
    async dispatch() {
      gate.reached.give();
      await gate.opened.given;
      return 0;
    },
  };
  return { ...gate, plugin: definePlugin({ id: 'gate', eventConsumers: [consumer] }) };
}

await eachDatabase('a run that starts while an event of its contact is being stored', (test, database) => {
  test('an event that is not committed yet ends the first wait of the run', async () => {
    const gate = createGate();
    // SQLite has one writer at a time: the start comes after the event, and no transaction can stay open.
    if (database.name === 'sqlite') gate.opened.give();
    const bench = await openSequenceBench(database, [...bareStandardPlugins, gate.plugin] as never);
    try {
      const { lists, contacts, events, sequences } = bench.calls;
      const { id } = await contacts.upsert(contact);
      const { listId } = await lists.create({ name: 'News' });
      const keyOrId = await bench.published({
        name: 'Starting',
        trigger: { kind: 'list_joined', listId },
        nodes: [
          { id: 'wait', kind: 'wait_for_event', type: 'paid', since: 'run', timeout: 'P1D' },
          { id: 'paid', kind: 'exit', reason: 'paid' },
        ],
        edges: [{ from: 'wait', to: 'paid', when: 'matched' }],
      });
      const workspace = await bench.service.workspaces.read(bench.workspaceId);
      await inWorkspace(bench.service.core, workspace, ({ trx }) =>
        setInterests(trx, { consumer: 'gate', subscriberId: 'test' }, ['paid']),
      );
      await lists.membersAdd({ listId, contactIds: [id] });
      bench.advanceClock(1);
      const emitting = events.emit({ type: 'paid', contact });
      await gate.reached.given;
      // The start of the run, and its first step unless it must wait for the event.
      const draining = bench.drain();
      await Promise.race([draining, pause(1_500)]);
      gate.opened.give();
      await Promise.all([emitting, draining]);
      await bench.drain();
      const [run] = (await sequences.runs({ keyOrId })).data;
      assert.equal([run?.status, run?.exitReason], ['exited', 'paid']);
      assert.equal(bench.faults, []);
    } finally {
      gate.opened.give();
      await bench.close();
    }
  });
});
