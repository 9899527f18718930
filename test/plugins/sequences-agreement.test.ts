// time-limit: 3600
// The simulator and real runs agree step by step on random graphs with random events; with POSTRIDER_TEST_LONG=1 on 10,000 graphs.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTestService } from '../../hosts/testing/index.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { longTests } from '../support/long-tests.ts';
import { randomOf, randomSequence, randomTypes } from '../support/random-sequences.ts';

const test = suite('simulation and real runs');
const graphs = longTests ? 10_000 : 40;
/**
 * The number of graphs for each service: each group starts before the same clock change, and a graph does not read the rows of thousands
 * of earlier graphs.
 */
const share = 500;
const hour = 3_600_000;
const day = 24 * hour;

async function checkAgreement(
  first: number,
  end: number,
  reached: { kinds: Set<string>; moved: number },
): Promise<void> {
  // The service starts shortly before the clock changes in Vienna and New York.
  const kit = await createTestService({ plugins: standardPlugins, startAt: Date.UTC(2026, 9, 20, 9) });
  const { sequences, templates, lists, contacts, events } = kit.service.as(kit.workspaceId);
  const body = '<p>Hello {{ name }}</p>';
  await templates.create({ key: 'hello', mode: 'html', subject: 'Hello {{ name }}', body });
  await templates.publish({ key: 'hello' });
  const { listId } = await lists.create({ name: 'News', optin: 'single' });
  for (let seed = first; seed < end; seed++) {
    const random = randomOf(seed + 1_000_000);
    const { nodes, edges, settings } = randomSequence(seed, { templateKey: 'hello', listId });
    const { key } = await sequences.create({ name: `Random ${seed}`, nodes, edges, settings: settings ?? {} });
    await sequences.publish({ keyOrId: key });
    const email = `ada${seed}@example.com`;
    await contacts.upsert({ email, attributes: { level: Math.floor(random() * 4), plan: 'pro' } });
    const start = kit.now();
    const eventPlan = Array.from({ length: 6 }, () => ({
      type: randomTypes[Math.floor(random() * 3)] ?? 'order_paid',
      // No event is on the full hour: an event in the same millisecond as a step could come before or after it.
      at: start + Math.floor(random() * 40 * day) + 1_237,
      metadata: { n: Math.floor(random() * 10) },
    })).sort((a, b) => a.at - b.at);
    const simulation = await sequences.simulate({
      keyOrId: key,
      contact: { email },
      startAt: new Date(start).toISOString(),
      events: eventPlan.map(({ at, ...event }) => ({ ...event, at: new Date(at).toISOString() })),
    });
    const { runId } = await sequences.enroll({ keyOrId: key, contact: { email } });
    await kit.drain();
    let run = await sequences.runRead({ runId });
    const waiting = [...eventPlan];
    for (let turn = 0; turn < 200 && run.status === 'active'; turn++) {
      const due = run.steps.at(-1)?.dueAt;
      const [event] = waiting;
      const next = Math.min(
        due === null || due === undefined ? Number.POSITIVE_INFINITY : Date.parse(due),
        event?.at ?? Number.POSITIVE_INFINITY,
      );
      if (next === Number.POSITIVE_INFINITY) break;
      if (next > kit.now()) kit.advanceClock(next - kit.now());
      if (event?.at === next) {
        waiting.shift();
        const { fan_out } = await events.emit({ type: event.type, contact: { email }, metadata: event.metadata });
        reached.moved += fan_out.sequences_woken;
      }
      await kit.drain();
      run = await sequences.runRead({ runId });
    }
    const steps = run.steps.map(({ nodeId, kind, at, status, output, reason }) => {
      reached.kinds.add(kind);
      return `${nodeId} ${kind} ${at} ${String(output?.['edge'] ?? status)} ${reason}`;
    });
    const expectedSteps = simulation.path.map(
      ({ nodeId, kind, at, outcome, reason }) => `${nodeId} ${kind} ${at} ${outcome} ${reason}`,
    );
    assert.equal(steps, expectedSteps, `graph ${seed}: ${JSON.stringify({ nodes, edges, settings })}`);
    assert.equal([run.status, run.exitReason], [simulation.status, simulation.reason], `graph ${seed}`);
    if (kit.now() < start + 41 * day) kit.advanceClock(start + 41 * day - kit.now());
    await kit.drain();
    // A workspace has at most 500 sequences that are not archived.
    await sequences.archive({ keyOrId: key });
  }
  await kit.close();
}

test(`the simulator and real runs agree step by step on ${graphs} random graphs`, async () => {
  const reached = { kinds: new Set<string>(), moved: 0 };
  for (let first = 0; first < graphs; first += share)
    await checkAgreement(first, Math.min(first + share, graphs), reached);
  // The graphs contained every kind of node, and events moved runs.
  assert.equal([...reached.kinds].sort(), [
    'add_to_list',
    'branch',
    'delay',
    'exit',
    'goal',
    'remove_from_list',
    'send_email',
    'split',
    'update_contact',
    'wait_for_event',
  ]);
  assert.ok(reached.moved > 0);
});

test.run();
