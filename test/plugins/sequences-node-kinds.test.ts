// A node with an unknown kind gets a suggestion, and a sequence in code without edges is refused.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { sequenceNode } from '../../plugins/sequences/definition/node-schemas.ts';
import { defineSequence, sequencesPlugin } from '../../plugins/sequences/index.ts';

const saidOf = (node: unknown): string => sequenceNode.safeParse(node).error?.issues[0]?.message ?? '';

test('a wrong kind gets the right one as a suggestion, with a valid example', () => {
  for (const [kind, meant] of [
    ['wait', 'delay'],
    ['Send-Email', 'send_email'],
    ['if', 'branch'],
    ['dealy', 'delay'],
    ['end', 'exit'],
  ] as const) {
    const message = saidOf({ id: 'a', kind });
    assert.match(message, `${meant} is probably meant`);
    const example: unknown = JSON.parse(/\{.*\}/.exec(message)?.[0] ?? '');
    assert.ok(sequenceNode.safeParse(example).success, message);
  }
  for (const kind of ['İ', '👩‍👩‍👧', '__proto__', 'constructor', '\ud800', 'x'.repeat(10_000), 7, null, undefined])
    assert.match(saidOf({ id: 'a', kind }), 'The kinds are delay, wait_for_event');
});

test('a sequence in code with several nodes and no edges is refused, naming the missing edge', () => {
  const nodes = [
    { id: 'a', kind: 'delay', for: 'P1D' },
    { id: 'b', kind: 'exit' },
  ] as const;
  const attempt =
    (edges: unknown, some: readonly unknown[] = nodes) =>
    () =>
      sequencesPlugin({
        sequences: [defineSequence({ key: 'x', name: 'X', trigger: { kind: 'manual' }, nodes: some, edges } as never)],
      });
  for (const edges of [undefined, []])
    assert.throws(attempt(edges), /x has 2 nodes and no edges.*edges: \[\{ from: 'a', to: 'b' \}\]/);
  attempt(undefined, [nodes[1]])();
  attempt([{ from: 'a', to: 'b' }])();
});

test.run();
