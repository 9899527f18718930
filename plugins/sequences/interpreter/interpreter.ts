// The interpreter: computes from a run's state and context what happens next. Pure: the same input gives the same result. The
// engine calls it within the transaction of a step. The simulator calls it too.
import { awakeAt, beginning } from '../../../core/unstable.ts';
import { listsInFilters } from '../definition/references.ts';
import type { Definition, SequenceNode } from '../definition/schema.ts';
import { type ActingNode, actionOf, isActing, isSend } from './actions.ts';
import { isTrue } from './filter.ts';
import { goalTypes } from './goals.ts';
import { addText, branchTaken, createGraph, delayEnd, missingTime, splitTaken, timeMissing } from './graph.ts';
import { laterSendIsDue, overdueAfterMs } from './overdue.ts';
import { type Known, zoneOf } from './paths.ts';
import {
  type Decision,
  type Ending,
  type Interpreter,
  maxSteps,
  type Outcome,
  type ParseText,
  type RunContext,
  type RunEvent,
  type RunState,
  retryDelays,
  type Settled,
  type StepRecord,
} from './types.ts';
import { createRenderer } from './values.ts';

/** Event types that are about a message. Their metadata names the run and the node that sent the message. */
export const aboutMessages = /^(send|sms|transactional)\./;

const record = (
  node: SequenceNode,
  at: number,
  rest: Pick<StepRecord, 'status'> & Partial<StepRecord>,
): StepRecord => ({
  nodeId: node.id,
  kind: node.kind,
  at,
  dueAt: null,
  output: null,
  reason: null,
  ...rest,
});

/** The message of an error of the template language, at most 500 characters. */
const sentenceOf = (error: unknown): string => beginning(error instanceof Error ? error.message : String(error), 500);

/** @throws if the definition has no entry node */
export function createInterpreter(definition: Definition, parse: ParseText): Interpreter {
  const graph = createGraph(definition);
  const { settings } = definition;
  const renderValues = createRenderer(parse);
  const filterGoals = graph.goals.flatMap((goal) =>
    goal.type === undefined ? [{ goal, types: goalTypes(goal) }] : [],
  );

  const knownOf = (runContext: RunContext, event: RunEvent | null): Known => ({
    contact: runContext.contact,
    variables: runContext.variables,
    isMember: runContext.isMember,
    now: runContext.now,
    event,
    zone: zoneOf(runContext.contact, settings.timezone),
  });

  const nodeOf = (state: RunState): SequenceNode => {
    const node = graph.node(state.nodeId);
    if (node === undefined) throw new Error(`The run stands at ${state.nodeId}, which its version does not have.`);
    return node;
  };

  const end = (step: StepRecord | null, status: Ending['status'], reason: string | null): Settled => ({
    kind: 'end',
    step,
    ending: { status, reason },
  });

  /** Leaves a node along an edge. If the node has no such edge, the run is completed. */
  function leave(
    state: RunState,
    step: StepRecord,
    edge: string,
    { plannedAt = state.plannedAt, event = state.event }: { plannedAt?: number; event?: RunEvent | null } = {},
  ): Settled {
    const nodeId = graph.next(state.nodeId, edge);
    if (nodeId === undefined) return end(step, 'completed', null);
    const dueAt = plannedAt;
    const next: RunState = { nodeId, phase: 'ready', plannedAt, dueAt, attempt: 0, steps: state.steps + 1, event };
    return { kind: 'move', step, edge, state: next };
  }

  /** Stays at the node until the due time. */
  const rest = (state: RunState, step: StepRecord, changes: Partial<RunState>): Settled => ({
    kind: 'wait',
    step: { ...step, dueAt: changes.dueAt ?? null },
    state: { ...state, ...changes },
  });

  /** Ends the run if a condition that applies at every node is met: the step limit, `exitWhen`, or a goal with only a filter. */
  function endedBefore(state: RunState, known: Known): Settled | undefined {
    if (state.steps >= maxSteps) return end(null, 'exited', 'step_limit');
    if (settings.exitWhen !== undefined && isTrue(settings.exitWhen, known)) return end(null, 'exited', 'exit_when');
    const goal = graph.goals.find(({ type, filter }) => type === undefined && isTrue(filter, known));
    return goal && end(record(goal, known.now, { status: 'completed' }), 'completed', 'goal');
  }

  /** Whether a send is so late that the sequence's overdue policy skips it. */
  function isOverdue(state: RunState, runContext: RunContext, known: Known): boolean {
    const { overdue, overdueAfter } = settings;
    const { now } = runContext;
    if (overdue === 'run') return now > addText(state.plannedAt, overdueAfter, known.zone);
    if (now - state.plannedAt <= overdueAfterMs) return false;
    return overdue === 'skip' || laterSendIsDue(graph, state, runContext, known);
  }

  /** Skips a send that is overdue. Postpones a send during quiet hours to the end of the quiet hours. */
  function heldBack(node: ActingNode, state: RunState, runContext: RunContext, known: Known): Settled | undefined {
    if (!isSend(node)) return undefined;
    const { now } = runContext;
    if (isOverdue(state, runContext, known))
      return leave(state, record(node, now, { status: 'skipped', reason: 'overdue' }), 'next');
    const { quietHours } = settings;
    const awake = quietHours === undefined ? now : awakeAt(quietHours, [known.zone], now);
    if (awake <= now) return undefined;
    const step = record(node, now, { status: 'pending', reason: 'quiet_hours' });
    return rest(state, step, { plannedAt: awake, dueAt: awake });
  }

  function act(node: ActingNode, state: RunState, runContext: RunContext, known: Known): Decision {
    const held = heldBack(node, state, runContext, known);
    if (held !== undefined) return held;
    try {
      return { kind: 'act', nodeId: node.id, action: actionOf(node, known, renderValues) };
    } catch (error) {
      const output = { message: sentenceOf(error) };
      return finish(state, runContext, { kind: 'failed', reason: 'variables_invalid', final: true, output });
    }
  }

  function step(state: RunState, runContext: RunContext): Decision {
    const node = nodeOf(state);
    const { now } = runContext;
    if (state.dueAt === null || now < state.dueAt)
      return rest(state, record(node, now, { status: state.phase === 'waiting' ? 'waiting' : 'pending' }), {
        dueAt: state.dueAt,
      });
    const known = knownOf(runContext, state.event);
    const ended = endedBefore(state, known);
    if (ended !== undefined) return ended;
    const passed = (edge: string, output: StepRecord['output'] = null, plannedAt = state.plannedAt) =>
      leave(state, record(node, now, { status: 'completed', output }), edge, { plannedAt });
    if (isActing(node)) return act(node, state, runContext, known);
    switch (node.kind) {
      case 'delay': {
        if (state.phase === 'waiting') return passed('next', null, state.dueAt);
        const dueAt = delayEnd(node, state.plannedAt, known);
        if (dueAt === undefined) {
          const output = { message: missingTime(node, known) };
          return finish(state, runContext, { kind: 'failed', reason: timeMissing, final: true, output });
        }
        if (dueAt <= state.plannedAt) return passed('next');
        return rest(state, record(node, now, { status: 'waiting' }), { phase: 'waiting', dueAt });
      }
      case 'wait_for_event': {
        if (state.phase === 'waiting') return passed('timeout', { edge: 'timeout' }, state.dueAt);
        const dueAt = addText(state.plannedAt, node.timeout, known.zone);
        return rest(state, record(node, now, { status: 'waiting' }), { phase: 'waiting', dueAt });
      }
      case 'branch': {
        const edge = branchTaken(node, known);
        return passed(edge, { edge });
      }
      case 'split': {
        const edge = splitTaken(node, runContext.sequenceId, known);
        return passed(edge, { edge });
      }
      case 'goal':
        // If this goal had been met, the run would have ended before it reached this node.
        return passed('next');
      default:
        return end(
          record(node, now, { status: 'completed', reason: node.reason ?? null }),
          'exited',
          node.reason ?? null,
        );
    }
  }

  function finish(state: RunState, runContext: RunContext, outcome: Outcome): Settled {
    const node = nodeOf(state);
    const { now } = runContext;
    if (outcome.kind === 'later') {
      const step = record(node, now, { status: 'pending', reason: outcome.reason });
      return rest(state, step, { dueAt: Math.max(outcome.until, now + 1) });
    }
    const output = outcome.output ?? null;
    if (outcome.kind === 'done') {
      // If a send went out late, the delays after it count from when it went out.
      const late = isSend(node) && now - state.plannedAt > overdueAfterMs;
      const plannedAt = late ? now : state.plannedAt;
      return leave(state, record(node, now, { status: 'completed', output }), 'next', { plannedAt });
    }
    const { reason } = outcome;
    if (outcome.kind === 'skipped')
      return leave(state, record(node, now, { status: 'skipped', output, reason }), 'next');
    const delay = outcome.final ? undefined : retryDelays[state.attempt];
    if (delay !== undefined) {
      const dueAt = now + delay;
      const step = record(node, now, { status: 'pending', output, reason });
      return rest(state, step, { plannedAt: dueAt, dueAt, attempt: state.attempt + 1 });
    }
    const failed = record(node, now, { status: 'failed', output, reason });
    if (graph.next(node.id, 'failed') !== undefined) return leave(state, failed, 'failed');
    return settings.onFailure === 'continue' ? leave(state, failed, 'next') : end(failed, 'failed', reason);
  }

  function isAbout(event: RunEvent, nodeId: string, runId: string | null): boolean {
    const metadata = aboutMessages.test(event.type) ? event.data?.['metadata'] : undefined;
    if (typeof metadata !== 'object' || metadata === null || runId === null) return false;
    const { runId: ofRun, nodeId: ofNode } = metadata as Record<string, unknown>;
    return ofRun === runId && ofNode === nodeId;
  }

  /** The goal whose filter became true through a change of the contact. If a step is due, the step checks the goals itself. */
  function filterMet(state: RunState, runContext: RunContext, event: RunEvent) {
    if (state.dueAt !== null && state.dueAt <= event.at) return undefined;
    const known = knownOf(runContext, state.event);
    const mayBeMet = filterGoals.filter(({ types }) => types.includes(event.type));
    return mayBeMet.find(({ goal }) => isTrue(goal.filter, known))?.goal;
  }

  function wake(state: RunState, runContext: RunContext, event: RunEvent): Settled | undefined {
    const known = knownOf(runContext, event);
    const goal = graph.goals.find(({ type, filter }) => type === event.type && isTrue(filter, known));
    const met = goal ?? filterMet(state, runContext, event);
    if (met !== undefined) return end(record(met, event.at, { status: 'completed' }), 'completed', 'goal');
    const node = nodeOf(state);
    if (node.kind !== 'wait_for_event' || state.phase !== 'waiting' || node.type !== event.type) return undefined;
    if (state.dueAt !== null && event.at >= state.dueAt) return undefined;
    if (node.ofNode !== undefined && !isAbout(event, node.ofNode, runContext.runId)) return undefined;
    // The event that moved the run to this node does not also end the wait.
    if (event.id !== null && event.id === state.event?.id) return undefined;
    if (!isTrue(node.filter, known)) return undefined;
    const step = record(node, Math.max(event.at, state.plannedAt), {
      status: 'completed',
      output: { edge: 'matched', eventId: event.id },
    });
    // The event may have happened before the wait began. The next node is then planned from when the wait began.
    return leave(state, step, 'matched', { plannedAt: Math.max(event.at, state.plannedAt), event });
  }

  return {
    definition,
    lists: listsInFilters(definition),
    begin: (at, event) => ({
      nodeId: graph.entry,
      phase: 'ready',
      plannedAt: at,
      dueAt: at,
      attempt: 0,
      steps: 0,
      event,
    }),
    step,
    finish,
    wake,
    awaits(state) {
      const node = nodeOf(state);
      if (node.kind !== 'wait_for_event' || node.ofNode === undefined || state.phase !== 'waiting') return undefined;
      return { ofNode: node.ofNode, type: node.type };
    },
    listensTo(state) {
      const node = nodeOf(state);
      const waiting = node.kind === 'wait_for_event' && state.phase === 'waiting' ? [node] : [];
      const own = waiting.map(({ id, type }) => ({ nodeId: id, type }));
      return [...own, ...graph.goals.flatMap((goal) => goalTypes(goal).map((type) => ({ nodeId: goal.id, type })))];
    },
    transition(state, target, now, reason) {
      const node = nodeOf(state);
      const to = 'nodeId' in target ? target.nodeId : graph.next(node.id, target.edge);
      if (to === undefined && 'edge' in target)
        return { ok: false, fault: `The node ${node.id} has no edge ${target.edge}.` };
      if (to === undefined || graph.node(to) === undefined)
        return { ok: false, fault: `This version of the sequence has no node ${String(to)}.` };
      const moved = { nodeId: to, phase: 'ready', plannedAt: now, dueAt: now, attempt: 0 } as const;
      const step = record(node, now, { status: 'skipped', reason: reason ?? 'transition' });
      const edge = 'edge' in target ? target.edge : 'transition';
      return {
        ok: true,
        decision: { kind: 'move', step, edge, state: { ...state, ...moved, steps: state.steps + 1 } },
      };
    },
    startsWith({ ...runContext }, event) {
      const { trigger } = definition;
      return (
        trigger.kind === 'event' && trigger.type === event.type && isTrue(trigger.filter, knownOf(runContext, event))
      );
    },
  };
}
