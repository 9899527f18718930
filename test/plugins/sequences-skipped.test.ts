// Steps that a run skips: one event for each step, and at most one log line a minute for late steps.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOverdueLog } from '../../plugins/sequences/engine/overdue-log.ts';
import { twoDatabases } from '../support/databases.ts';
import { openSequenceBench, type SequenceBench } from '../support/sequence-bench.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

const lines = suite('the log of late sends');

lines(
  'the first late send is logged immediately, and later sends at most once a minute with their number, even if the clock is set back',
  () => {
    const logLines: [number, unknown][] = [];
    let now = Date.parse('2026-03-01T09:00:00Z');
    const began = now;
    const warn = (fields: object) => logLines.push([now - began, (fields as { skipped: number }).skipped]);
    const log = createOverdueLog();
    const skip = (at: number) => {
      now = began + at;
      log.skipped({ warn } as never, 'news', now);
    };
    for (const at of [0, 1, 2, minute - 1, minute, minute + 1, 3 * minute, 0]) skip(at);
    assert.equal(logLines, [
      [0, 1],
      [minute, 4],
      [3 * minute, 2],
      [0, 1],
    ]);
  },
);
lines.run();

await twoDatabases('skipped steps of sequences', (test, database) => {
  let bench: SequenceBench;
  test.before.each(async () => {
    bench = await openSequenceBench(database);
    await bench.template('hello');
  });
  test.after.each(() => bench.close());

  const greet = { id: 'greet', kind: 'send_email', templateKey: 'hello', variables: { name: 'you' } } as const;
  const skippedLines = () => bench.faults.filter((line) => line.includes('they come too late'));

  test('each late step emits an event with its run, and all late steps together log one line', async () => {
    const { calls } = bench;
    const { id: webhook } = await calls.webhooks.create({
      url: 'https://127.0.0.1/hooks',
      events: ['sequence_run.step_skipped'],
    });
    const keyOrId = await bench.published({
      name: 'Late',
      nodes: [
        { id: 'pause', kind: 'delay', for: 'PT1H' },
        greet,
        { id: 'mark', kind: 'update_contact', attributes: { marked: true } },
      ],
      edges: [
        { from: 'pause', to: 'greet' },
        { from: 'greet', to: 'mark' },
      ],
    });
    const runs: string[] = [];
    for (let index = 0; index < 5; index += 1)
      runs.push((await calls.sequences.enroll({ keyOrId, contact: { email: `late${index}@example.org` } })).runId);
    await bench.drain();
    assert.equal(await bench.events('sequence_run.step_skipped'), []);
    bench.advanceClock(3 * day);
    await bench.drain();
    const skipEvents = await bench.events('sequence_run.step_skipped');
    assert.equal(
      skipEvents.map(({ run, nodeId, reason }) => [run.runId, run.status, nodeId, reason]).sort(),
      runs.map((runId) => [runId, 'active', 'greet', 'overdue']).sort(),
    );
    assert.equal(
      skipEvents.map(({ run }) => run.contact?.email).sort(),
      [0, 1, 2, 3, 4].map((n) => `late${n}@example.org`),
    );
    assert.is((await calls.webhooks.deliveries({ id: webhook })).data.length, 5);
    assert.is(bench.mail.messages().length, 0);
    assert.is(skippedLines().length, 1, bench.faults.join('\n'));
    assert.ok(skippedLines()[0]?.includes(`"sequence":"${keyOrId}"`));
  });

  test('a send to a suppressed address emits an event with its reason and logs nothing', async () => {
    const { calls } = bench;
    await calls.suppressions.create({ email: 'gone@example.org' });
    const keyOrId = await bench.published({ name: 'Refused', nodes: [greet] });
    const { runId } = await calls.sequences.enroll({ keyOrId, contact: { email: 'gone@example.org' } });
    await bench.drain();
    const skipEvents = await bench.events('sequence_run.step_skipped');
    assert.equal(
      skipEvents.map(({ run, nodeId, reason }) => [run.runId, nodeId, reason]),
      [[runId, 'greet', 'suppressed']],
    );
    assert.equal(skippedLines(), []);
  });
});
