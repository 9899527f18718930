// defineSequence: errors that the compiler reports, and publishing its value unchanged.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTestService } from '../../hosts/testing/index.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { defineSequence, sequencesPlugin } from '../../plugins/sequences/index.ts';

const test = suite('defineSequence');

const nodes = [
  {
    id: 'choose',
    kind: 'branch',
    conditions: [{ filter: {} }, { filter: { path: 'contact.email', op: 'exists', value: true } }],
  },
  { id: 'split', kind: 'split', weights: [50, 50] },
  { id: 'wait', kind: 'wait_for_event', type: 'order_paid', timeout: 'P1D' },
  { id: 'end', kind: 'exit' },
] as const;
const head = { key: 'welcome', name: 'Welcome', trigger: { kind: 'manual' } } as const;

test('the compiler checks ids and edges', () => {
  const sequence = defineSequence({
    ...head,
    nodes,
    edges: [
      { from: 'choose', when: 'branch:0', to: 'split' },
      { from: 'choose', when: 'branch:1', to: 'wait' },
      { from: 'choose', when: 'else', to: 'end' },
      { from: 'split', when: 'split:1', to: 'wait' },
      { from: 'wait', when: 'timeout', to: 'end' },
    ],
  });
  assert.is(sequence.nodes.length, 4);
  // @ts-expect-error No node has this id.
  defineSequence({ ...head, nodes, edges: [{ from: 'choose', when: 'else', to: 'nowhere' }] });
  // @ts-expect-error There are two conditions.
  defineSequence({ ...head, nodes, edges: [{ from: 'choose', when: 'branch:2', to: 'end' }] });
  // @ts-expect-error A wait is matched or times out.
  defineSequence({ ...head, nodes, edges: [{ from: 'wait', when: 'next', to: 'end' }] });
  // @ts-expect-error An exit has no edges.
  defineSequence({ ...head, nodes, edges: [{ from: 'end', when: 'next', to: 'wait' }] });
  // @ts-expect-error There is no such kind.
  defineSequence({ ...head, nodes: [{ id: 'a', kind: 'sleep' }], edges: [] });
});

test('a sequence in code exists in every workspace, and its runs complete', async () => {
  const welcome = defineSequence({
    ...head,
    nodes: [
      { id: 'pause', kind: 'delay', for: 'P1D' },
      { id: 'mark', kind: 'update_contact', attributes: { welcomed: true } },
    ],
    edges: [{ from: 'pause', when: 'next', to: 'mark' }],
  });
  const kit = await createTestService({
    plugins: standardPlugins.map((plugin) =>
      plugin.id === 'sequences' ? sequencesPlugin({ sequences: [welcome] }) : plugin,
    ),
  });
  await kit.drain();
  const { sequences } = kit.service.as(kit.workspaceId);
  assert.equal((await sequences.read({ keyOrId: 'welcome' })).source, 'code');
  const { runId } = await sequences.enroll({ keyOrId: 'welcome', contact: { email: 'ada@example.com' } });
  await kit.drain();
  kit.advanceClock(86_400_000);
  await kit.drain();
  assert.is((await sequences.runRead({ runId })).status, 'completed');
  await kit.close();
});

test.run();
