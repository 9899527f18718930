// The interpreter on a simulated clock: waits, branches, quiet hours, late sends, goals, failures.

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type DefinitionInput, definitionSchema } from '../../plugins/sequences/definition/schema.ts';
import { createInterpreter } from '../../plugins/sequences/interpreter/index.ts';
import { unknownZone } from '../../plugins/sequences/interpreter/paths.ts';
import {
  type ActionResult,
  type FinalDecision,
  type RunContact,
  type RunContext,
  type RunEvent,
  type RunState,
  retryDelays,
} from '../../plugins/sequences/interpreter/types.ts';
import { parseTemplate } from '../../plugins/templates/language/liquid.ts';

const test = suite('the interpreter of sequences');
const start = Date.parse('2026-05-20T12:00:00Z');
const hour = 3_600_000;
const day = 24 * hour;

const parse = (body: string) => {
  const template = parseTemplate(body, 'plain');
  return {
    render: (_: string, values: Readonly<Record<string, unknown>>, now: number) => template.render(values, { now }),
  };
};
const interpret = (nodes: DefinitionInput['nodes'], edges: [string, string, string][], settings = {}) =>
  createInterpreter(
    definitionSchema.parse({
      trigger: { kind: 'manual' },
      nodes,
      edges: edges.map(([from, when, to]) => ({ from, when, to })),
      settings,
    }),
    parse,
  );

const ada: RunContact = { id: 'con_1', external_id: null, email: 'ada@example.com', subscribed: true, attributes: {} };
const runContext = (now: number, contact: Partial<RunContact> = {}): RunContext => ({
  now,
  runId: 'run_1',
  sequenceId: 'seq_1',
  contact: { ...ada, ...contact },
  isMember: () => false,
  did: () => false,
  variables: { level: 5, name: 'Ada' },
});
const event = (type: string, at: number, data: RunEvent['data'] = null): RunEvent => ({
  id: 'evt_1',
  type,
  at,
  metadata: { total: 40 },
  data,
});
const actionDone: ActionResult = { kind: 'done' };

/** The state after a step that moves or waits; throws for any other decision. */
function stateOf(decision: FinalDecision | { kind: 'act' }): RunState {
  if (decision.kind !== 'move' && decision.kind !== 'wait') throw new Error(`The run did not go on: ${decision.kind}.`);
  return decision.state;
}
const mail = (id: string) => ({ id, kind: 'send_email' as const, templateKey: id });

test('a delay counts from the planned time, even if the worker is late', () => {
  const sequence = interpret(
    [
      { id: 'one', kind: 'delay', for: 'P1D' },
      { id: 'two', kind: 'delay', for: 'PT2H' },
    ],
    [['one', 'next', 'two']],
  );
  const waiting = stateOf(sequence.step(sequence.begin(start, null), runContext(start + 5_000)));
  assert.equal([waiting.phase, waiting.dueAt], ['waiting', start + day]);
  const earlyStep = sequence.step(waiting, runContext(start + day - 1));
  assert.is(earlyStep.kind, 'wait');
  const second = stateOf(sequence.step(waiting, runContext(start + day + 30_000)));
  const last = stateOf(sequence.step(second, runContext(start + day + 30_000)));
  assert.is(last.dueAt, start + day + 2 * hour);
  const over = sequence.step(last, runContext(start + day + 2 * hour));
  assert.equal(over.kind === 'end' && over.ending, { status: 'completed', reason: null });
});

test('only a matching event moves a wait before its timeout', () => {
  const wait = {
    id: 'wait',
    kind: 'wait_for_event' as const,
    type: 'order_paid',
    timeout: 'P1D',
    filter: { path: 'event.metadata.total', op: 'gte' as const, value: 40 },
  };
  const sequence = interpret(
    [wait, { id: 'yes', kind: 'exit', reason: 'paid' }, { id: 'no', kind: 'exit' }],
    [
      ['wait', 'matched', 'yes'],
      ['wait', 'timeout', 'no'],
    ],
  );
  const waiting = stateOf(sequence.step(sequence.begin(start, null), runContext(start)));
  assert.equal(sequence.listensTo(waiting), ['order_paid']);
  assert.is(sequence.wake(waiting, runContext(start), event('order_made', start + hour)), undefined);
  assert.is(
    sequence.wake(waiting, runContext(start), { ...event('order_paid', start + hour), metadata: { total: 39 } }),
    undefined,
  );
  assert.is(sequence.wake(waiting, runContext(start), event('order_paid', start + day)), undefined);
  const woken = sequence.wake(waiting, runContext(start + hour), event('order_paid', start + hour));
  assert.is(woken?.kind === 'move' && woken.state.nodeId, 'yes');
  assert.is(stateOf(sequence.step(waiting, runContext(start + day))).nodeId, 'no');
});

test('ofNode matches only messages that this node sent in this run', () => {
  const wait = { id: 'wait', kind: 'wait_for_event' as const, type: 'send.clicked', ofNode: 'mail', timeout: 'P1D' };
  const sequence = interpret(
    [mail('mail'), wait, { id: 'yes', kind: 'exit' }],
    [
      ['mail', 'next', 'wait'],
      ['wait', 'matched', 'yes'],
    ],
  );
  const afterSend = sequence.finish(sequence.begin(start, null), runContext(start), actionDone);
  const waiting = stateOf(sequence.step(stateOf(afterSend), runContext(start)));
  const wakeByClick = (runId: string, nodeId: string) =>
    sequence.wake(waiting, runContext(start), event('send.clicked', start + 1, { metadata: { runId, nodeId } }))?.kind;
  assert.equal(
    [wakeByClick('run_1', 'mail'), wakeByClick('run_2', 'mail'), wakeByClick('run_1', 'other')],
    ['move', undefined, undefined],
  );
});

test('variables are rendered, and a value that is only a path keeps its type', () => {
  const variables = {
    level: '{{ variables.level }}',
    text: 'Hi {{ variables.name }}',
    none: '{{ contact.attributes.x }}',
    deep: [{ of: '{{ variables.name }}' }],
  };
  const sequence = interpret([{ ...mail('mail'), variables }], []);
  const decision = sequence.step(sequence.begin(start, null), runContext(start));
  assert.equal(decision.kind === 'act' && decision.action.kind === 'send_email' && decision.action.variables, {
    level: 5,
    text: 'Hi Ada',
    deep: [{ of: 'Ada' }],
  });
});

test('a failed action is retried, and then the run takes the edge failed, fails, or continues', () => {
  const failing: ActionResult = { kind: 'failed', reason: 'out_of_order', final: false };
  for (const [edges, settings, expected] of [
    [[['mail', 'failed', 'last']], {}, 'last'],
    [[], {}, 'failed'],
    [[['mail', 'next', 'last']], { onFailure: 'continue' }, 'last'],
  ] as const) {
    const sequence = interpret(
      [mail('mail'), { id: 'last', kind: 'exit' }],
      edges.map((edge) => [...edge] as [string, string, string]),
      settings,
    );
    let state = sequence.begin(start, null);
    let now = start;
    for (const delay of retryDelays) {
      state = stateOf(sequence.finish(state, runContext(now), failing));
      assert.is(state.dueAt, now + delay);
      now += delay;
      assert.is(sequence.step(state, runContext(now)).kind, 'act');
    }
    const last = sequence.finish(state, runContext(now), failing);
    assert.is(last.kind === 'move' ? last.state.nodeId : last.kind === 'end' && last.ending.status, expected);
  }
});

test('quiet hours postpone a send to their end, in the zone of the contact', () => {
  const sequence = interpret([mail('mail')], [], { quietHours: { from: '21:00', to: '08:00' } });
  const tokyo = { attributes: { timezone: 'Asia/Tokyo' } };
  assert.is(sequence.step(sequence.begin(start, null), runContext(start)).kind, 'act');
  const postponed = sequence.step(sequence.begin(start, null), runContext(start, tokyo));
  assert.equal(postponed.kind === 'wait' && [postponed.state.dueAt, postponed.step.reason], [
    Date.parse('2026-05-20T23:00:00Z'),
    'quiet_hours',
  ]);
});

const course = (overdue: string, more: object = { overdueAfter: 'P2D' }) =>
  interpret(
    [mail('one'), { id: 'pause', kind: 'delay', for: 'P1D' }, mail('two'), { id: 'rest', kind: 'delay', for: 'P1D' }],
    [
      ['one', 'next', 'pause'],
      ['pause', 'next', 'two'],
      ['two', 'next', 'rest'],
    ],
    { overdue, ...more },
  );

test('a late send is skipped, or is sent and later delays count from then, or only the latest is sent', () => {
  const now = start + day + 2 * hour;
  const firstStep = (overdue: string) => course(overdue).step(course(overdue).begin(start, null), runContext(now));
  const afterSkip = firstStep('skip');
  assert.is(afterSkip.kind === 'move' && afterSkip.step.reason, 'overdue');
  assert.is(firstStep('run').kind, 'act');
  const afterSend = course('run').finish(course('run').begin(start, null), runContext(now), actionDone);
  assert.is(afterSend.kind === 'move' && afterSend.state.plannedAt, now);
  const latest = firstStep('latest');
  assert.is(latest.kind === 'move' && latest.step.reason, 'overdue');
  // Half a day later, no send after the first one is late.
  assert.is(course('latest').step(course('latest').begin(start, null), runContext(start + day / 2)).kind, 'act');
  assert.is(
    firstStep('skip').kind === 'move' &&
      course('skip').step(course('skip').begin(start, null), runContext(start + hour)).kind,
    'act',
  );
});

test('with overdue: run, a late send is sent until overdueAfter, which is one day by default, and later it is skipped', () => {
  for (const [more, last] of [
    [{}, day],
    [{ overdueAfter: 'PT90M' }, 1.5 * hour],
  ] as const) {
    const stepAt = (late: number) => {
      const run = course('run', more);
      return run.step(run.begin(start, null), runContext(start + late));
    };
    assert.equal([stepAt(0).kind, stepAt(2 * hour).kind === 'act', stepAt(last).kind], ['act', last > 2 * hour, 'act']);
    const afterLimit = stepAt(last + 1);
    assert.is(afterLimit.kind === 'move' && afterLimit.step.reason, 'overdue');
  }
});

test('a delay relative to a missing or invalid time fails, and the run takes the edge failed', () => {
  const pause = {
    id: 'pause',
    kind: 'delay' as const,
    relativeTo: { path: 'contact.attributes.ends', offset: '-P3D' },
  };
  const end = { id: 'end', kind: 'exit' as const };
  for (const ends of [
    undefined,
    null,
    '',
    ' ',
    '10.06.2026',
    '2026-02-30',
    'İ',
    '👩‍👩‍👧',
    '\ufffd',
    '\ud800',
    1_780_000_000,
    true,
    ['2026-06-10'],
    '2026-06-10T25:00:00Z',
    'x'.repeat(5_000),
  ]) {
    const contact: RunContact = { ...ada, attributes: ends === undefined ? {} : { ends } };
    const stepOf = (edges: [string, string, string][], settings: object = {}) => {
      const sequence = interpret([pause, end], edges, settings);
      return sequence.step(sequence.begin(start, null), { ...runContext(start), contact });
    };
    const failedStep = stepOf([['pause', 'next', 'end']]);
    assert.equal(
      [failedStep.kind === 'end' && failedStep.ending],
      [{ status: 'failed', reason: 'time_missing' }],
      String(ends),
    );
    const edge = stepOf([['pause', 'failed', 'end']]);
    assert.is(edge.kind === 'move' && edge.step.reason, 'time_missing');
    const on = stepOf([['pause', 'next', 'end']], { onFailure: 'continue' });
    assert.is(on.kind === 'move' && on.state.nodeId, 'end');
  }
});

test('the zone of a contact may be an offset, and an unknown zone is reported', () => {
  const sequence = interpret([{ id: 'pause', kind: 'delay', until: { time: '09:00' } }], []);
  const dueFor = (timezone: unknown) => {
    const at = Date.parse('2026-06-10T00:00:00Z');
    const contact: RunContact = { ...ada, attributes: { timezone } };
    const decision = sequence.step(sequence.begin(at, null), { ...runContext(at), contact });
    return decision.kind === 'wait' ? new Date(decision.state.dueAt ?? 0).toISOString().slice(11, 16) : decision.kind;
  };
  assert.equal(['+02:00', '-03:30', '+05:45', '+14:00', 'Europe/Vienna'].map(dueFor), [
    '07:00',
    '12:30',
    '03:15',
    '19:00',
    '07:00',
  ]);
  for (const timezone of ['Mars/Base', 'GMT+2', '+2', '+25:00', '', 'İ', '👩‍👩‍👧', '\ud800', 7, true]) {
    assert.is(dueFor(timezone), '09:00', String(timezone));
    assert.is(unknownZone({ ...ada, attributes: { timezone } }), String(timezone));
  }
  for (const timezone of [undefined, null, '+02:00', 'UTC'])
    assert.is(unknownZone({ ...ada, attributes: { timezone } }), undefined);
});

test('goals and exitWhen end a run at any node', () => {
  const goal = { id: 'paid', kind: 'goal' as const, type: 'order_paid' };
  const sequence = interpret([{ id: 'wait', kind: 'delay', for: 'P1D' }, goal], []);
  const waiting = stateOf(sequence.step(sequence.begin(start, null), runContext(start)));
  const goalReached = sequence.wake(waiting, runContext(start + 1), event('order_paid', start + 1));
  assert.equal(goalReached?.kind === 'end' && goalReached.ending, { status: 'completed', reason: 'goal' });
  const exitWhen = { path: 'contact.attributes.left', op: 'eq', value: true };
  const leaving = interpret([{ id: 'wait', kind: 'delay', for: 'P1D' }], [], { exitWhen });
  const exited = leaving.step(leaving.begin(start, null), runContext(start, { attributes: { left: true } }));
  assert.equal(exited.kind === 'end' && exited.ending, { status: 'exited', reason: 'exit_when' });
});

test('a split has the declared proportions, and a contact always gets the same edge', () => {
  const sequence = interpret(
    [
      { id: 'split', kind: 'split', weights: [20, 80] },
      { id: 'a', kind: 'exit' },
    ],
    [['split', 'split:0', 'a']],
  );
  const edgeOf = (id: string) => sequence.step(sequence.begin(start, null), runContext(start, { id })).kind === 'move';
  const first = Array.from({ length: 5_000 }, (_, index) => edgeOf(`con_${index}`)).filter(Boolean).length;
  assert.ok(first > 900 && first < 1_100, `${first} of 5,000`);
  assert.is(edgeOf('con_7'), edgeOf('con_7'));
});

test('a transition moves a run along an edge or to a node, and skips the current node', () => {
  const sequence = course('skip');
  const transition = sequence.transition(sequence.begin(start, null), { nodeId: 'rest' }, start, 'by hand');
  assert.equal(
    transition.ok &&
      transition.decision.kind === 'move' && [transition.decision.state.nodeId, transition.decision.step.status],
    ['rest', 'skipped'],
  );
  assert.not(sequence.transition(sequence.begin(start, null), { nodeId: 'none' }, start, null).ok);
  assert.not(sequence.transition(sequence.begin(start, null), { edge: 'else' }, start, null).ok);
});

test('a run ends after 1,000 steps', () => {
  const sequence = interpret([mail('one')], []);
  const afterLimit = sequence.step({ ...sequence.begin(start, null), steps: 1_000 }, runContext(start));
  assert.equal(afterLimit.kind === 'end' && afterLimit.ending, { status: 'exited', reason: 'step_limit' });
});

test.run();
