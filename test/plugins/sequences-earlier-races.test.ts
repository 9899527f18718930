// time-limit: 480
// Events at the moment when a run arrives at a wait: each event is either found among the stored events or delivered to the waiting run.
// full-run: slow
import { setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { eachDatabase } from '../support/databases.ts';
import { openSequenceBench, type SequenceBench } from '../support/sequence-bench.ts';

const rounds = 30;

await eachDatabase('events while a run arrives at a wait', (test, database) => {
  let bench: SequenceBench;
  test.before.each(async () => {
    bench = await openSequenceBench(database);
  });
  test.after.each(() => bench.close());

  test(`each of ${rounds} events before, during and after the arrival counts exactly once`, async () => {
    const { sequences, events } = bench.calls;
    const keyOrId = await bench.published({
      name: 'Races',
      nodes: [
        { id: 'mark', kind: 'update_contact', attributes: { begun: true } },
        { id: 'wait', kind: 'wait_for_event', type: 'paid', timeout: 'P1D' },
        { id: 'again', kind: 'wait_for_event', type: 'paid', since: 'run', timeout: 'P1D' },
      ],
      edges: [
        { from: 'mark', to: 'wait' },
        { from: 'wait', to: 'again', when: 'matched' },
      ],
    });
    let woken = 0;
    for (let round = 0; round < rounds; round += 1) {
      const contact = { email: `person${round}@example.org` };
      const { runId } = await sequences.enroll({ keyOrId, contact });
      const emit = async () => {
        await pause((round * 7) % 60);
        woken += (await events.emit({ type: 'paid', contact })).fan_out.sequences_woken;
      };
      await Promise.all([bench.drain(), emit()]);
      await bench.drain();
      const { steps } = await sequences.runRead({ runId });
      const path = steps.map(({ nodeId, status, output }) => `${nodeId} ${String(output?.['edge'] ?? status)}`);
      assert.equal(path, ['mark completed', 'wait matched', 'again waiting'], `round ${round}`);
    }
    console.log(`# ${rounds - woken} found among the stored events, ${woken} delivered to a waiting run`);
    assert.equal(bench.faults, []);
  });
});
