// A node with an unknown kind gets a suggestion, and a sequence in code that lacks edges is refused.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { sequenceNode } from '../../plugins/sequences/definition/node-schemas.ts';
import { defineSequence, sequencesPlugin } from '../../plugins/sequences/index.ts';

const errorOf = (node: unknown): string => sequenceNode.safeParse(node).error?.issues[0]?.message ?? '';

test('the error for a wrong kind suggests the right kind, with a valid example', () => {
  for (const [kind, meant] of [
    ['wait', 'delay'],
    ['Send-Email', 'send_email'],
    ['if', 'branch'],
    ['dealy', 'delay'],
    ['end', 'exit'],
  ] as const) {
    const message = errorOf({ id: 'a', kind });
    assert.match(message, `${meant} is probably meant`);
    const example: unknown = JSON.parse(/\{.*\}/.exec(message)?.[0] ?? '');
    assert.ok(sequenceNode.safeParse(example).success, message);
  }
  for (const kind of ['İ', '👩‍👩‍👧', '__proto__', 'constructor', '\ud800', 'x'.repeat(10_000), 7, null, undefined])
    assert.match(errorOf({ id: 'a', kind }), 'The kinds are delay, wait_for_event');
});

test('a sequence in code with several nodes and no edges is refused, and the error names the missing edge', () => {
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
