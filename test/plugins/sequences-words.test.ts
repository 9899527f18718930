// The words for waits and activity conditions, in pictures and on pages.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { definitionSchema, type Filter } from '../../plugins/sequences/definition/schema.ts';
import { filterWords, nodeWords } from '../../plugins/sequences/graph/describe.ts';

const test = suite('nodes as words');

test('the text of a wait says from when events count, unless it is the default', () => {
  const detailOf = (more: object): string => {
    const wait = { id: 'wait', kind: 'wait_for_event', type: 'send.clicked', timeout: 'P1D', ...more } as const;
    const { nodes } = definitionSchema.parse({ trigger: { kind: 'manual' }, nodes: [wait], edges: [], settings: {} });
    return nodes.map((node) => nodeWords(node).detail).join();
  };
  assert.is(detailOf({}), 'at most 1 day');
  assert.is(detailOf({ since: 'previous_wait' }), 'at most 1 day');
  assert.is(detailOf({ since: 'run' }), 'at most 1 day, since the run began');
  assert.is(detailOf({ since: 'node' }), 'at most 1 day, from when the run is at this node');
  assert.is(detailOf({ ofNode: 'mail' }), 'at most 1 day, about mail');
});

test('the text of an activity is one line', () => {
  const cases: readonly [Filter, string][] = [
    [{ did: 'paid' }, 'did paid'],
    [{ not: { did: 'paid', since: 'run' } }, 'not (did paid since the run began)'],
    [
      { did: 'paid', since: 'P30D', atLeast: 2, where: { path: 'event.metadata.total', op: 'gt', value: 5 } },
      'did paid 2 times in the last 30 days where event.metadata.total > 5',
    ],
  ];
  for (const [filter, words] of cases) assert.is(filterWords(filter), words);
});

test.run();
