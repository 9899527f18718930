// The interpreter: computes the next step of a run from its state and context. Pure: the same input gives the same
// result. The engine calls it within the transaction of a step, and the simulator calls it, too.
import { afterQuietHours, beginning } from '../../../core/unstable.ts';
import { activitiesOf } from '../definition/filter-schema.ts';
import { listsInFilters } from '../definition/references.ts';
import type { Definition, NodeOf, SequenceNode } from '../definition/schema.ts';
import { type ActingNode, actionOf, isActing, isSend } from './actions.ts';
import { isTrue } from './filter.ts';
import { goalTypes } from './goals.ts';
import { addText, branchTaken, createGraph, delayEnd, missingTime, splitTaken, timeMissing } from './graph.ts';
import { laterSendIsDue, overdueAfterMs } from './overdue.ts';
import { type RunValues, zoneOf } from './paths.ts';
import { typesAhead } from './reachable-waits.ts';
import {
  type ActionResult,
  type AwaitedEvents,
  type FinalDecision,
  type Interpreter,
  type Moment,
  maxSteps,
  type ParseText,
  type RunContext,
  type RunEnding,
  type RunEvent,
  type RunState,
  type RunStepRecord,
  retryDelays,
  type StepDecision,
} from './types.ts';
import { createRenderer } from './values.ts';

/** The types of events about a message. Their metadata contains the run and the node that sent the message. */
export const aboutMessages = /^(send|sms|transactional)\./;

const createStepRecord = (
  node: SequenceNode,
  at: number,
  rest: Pick<RunStepRecord, 'status'> & Partial<RunStepRecord>,
): RunStepRecord => ({
  nodeId: node.id,
  kind: node.kind,
  at,
  dueAt: null,
  output: null,
  reason: null,
  ...rest,
});

/**
 * Whether runs wait at the node: at a delay or a wait for an event. The next wait counts events from the time at which the run
 * left the last such node.
 */
const isPause = ({ kind }: SequenceNode): boolean => kind === 'delay' || kind === 'wait_for_event';

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

  const runValuesOf = (runContext: RunContext, event: RunEvent | null): RunValues => ({
    contact: runContext.contact,
    variables: runContext.variables,
    isMember: runContext.isMember,
    did: runContext.did,
    now: runContext.now,
    event,
    zone: zoneOf(runContext.contact, settings.timezone),
  });

  const typesOfWaitsAhead = typesAhead(graph);

  /** The event types that can move the run from this state. */
  function movingTypes(state: RunState): readonly string[] {
    const node = nodeOf(state);
    const ownType = node.kind === 'wait_for_event' && state.phase === 'waiting' ? [node.type] : [];
    return [...ownType, ...graph.goals.flatMap((goal) => goalTypes(goal))];
  }

  const nodeOf = (state: RunState): SequenceNode => {
    const node = graph.node(state.nodeId);
    if (node === undefined) throw new Error(`The run is at the node ${state.nodeId}, which its version does not have.`);
    return node;
  };

  /** The changed state of a run that leaves a delay or a wait at this time. */
  const leavingAt = (state: RunState, at: number): Partial<RunState> =>
    isPause(nodeOf(state)) && at > state.leftAt ? { leftAt: at, leftBy: null } : {};

  const end = (step: RunStepRecord | null, status: RunEnding['status'], reason: string | null): FinalDecision => ({
    kind: 'end',
    step,
    ending: { status, reason },
  });

  /** Leaves a node along an edge. If the node has no such edge, the run is completed. */
  function leave(
    state: RunState,
    step: RunStepRecord,
    edge: string,
    { plannedAt = state.plannedAt, ...changes }: Partial<RunState> = {},
  ): FinalDecision {
    const nodeId = graph.next(state.nodeId, edge);
    if (nodeId === undefined) return end(step, 'completed', null);
    const leftColumns = leavingAt(state, plannedAt);
    const nextState = {
      nodeId,
      phase: 'ready',
      plannedAt,
      dueAt: plannedAt,
      attempt: 0,
      steps: state.steps + 1,
    } as const;
    return { kind: 'move', step, edge, state: { ...state, ...leftColumns, ...changes, ...nextState } };
  }

  /** Stays at the node until the due time. */
  const stay = (state: RunState, step: RunStepRecord, changes: Partial<RunState>): FinalDecision => ({
    kind: 'wait',
    step: { ...step, dueAt: changes.dueAt ?? null },
    state: { ...state, ...changes },
  });

  /** Ends the run if a condition that applies at every node is met: the step limit, `exitWhen`, or a goal with only a filter. */
  function earlyEnd(state: RunState, known: RunValues): FinalDecision | undefined {
    if (state.steps >= maxSteps) return end(null, 'exited', 'step_limit');
    if (settings.exitWhen !== undefined && isTrue(settings.exitWhen, known)) return end(null, 'exited', 'exit_when');
    const goal = graph.goals.find(({ type, filter }) => type === undefined && isTrue(filter, known));
    return goal && end(createStepRecord(goal, known.now, { status: 'completed' }), 'completed', 'goal');
  }

  /** Whether a send is so late that the sequence's overdue policy skips it. */
  function isOverdue(state: RunState, runContext: RunContext, known: RunValues): boolean {
    const { overdue, overdueAfter } = settings;
    const { now } = runContext;
    if (overdue === 'run') return now > addText(state.plannedAt, overdueAfter, known.zone);
    if (now - state.plannedAt <= overdueAfterMs) return false;
    return overdue === 'skip' || laterSendIsDue(graph, state, runContext, known);
  }

  /** Skips a send that is overdue. Postpones a send during quiet hours to the end of the quiet hours. */
  function postponedOrSkipped(
    node: ActingNode,
    state: RunState,
    runContext: RunContext,
    known: RunValues,
  ): FinalDecision | undefined {
    if (!isSend(node)) return undefined;
    const { now } = runContext;
    if (isOverdue(state, runContext, known))
      return leave(state, createStepRecord(node, now, { status: 'skipped', reason: 'overdue' }), 'next');
    const { quietHours } = settings;
    const quietEnd = quietHours === undefined ? now : afterQuietHours(quietHours, [known.zone], now);
    if (quietEnd <= now) return undefined;
    const step = createStepRecord(node, now, { status: 'pending', reason: 'quiet_hours' });
    return stay(state, step, { plannedAt: quietEnd, dueAt: quietEnd });
  }

  function act(node: ActingNode, state: RunState, runContext: RunContext, known: RunValues): StepDecision {
    const earlyDecision = postponedOrSkipped(node, state, runContext, known);
    if (earlyDecision !== undefined) return earlyDecision;
    try {
      return { kind: 'act', nodeId: node.id, action: actionOf(node, known, renderValues) };
    } catch (error) {
      const output = { message: sentenceOf(error) };
      return finish(state, runContext, { kind: 'failed', reason: 'variables_invalid', final: true, output });
    }
  }

  function step(state: RunState, runContext: RunContext): StepDecision {
    const node = nodeOf(state);
    const { now } = runContext;
    if (state.dueAt === null || now < state.dueAt)
      return stay(state, createStepRecord(node, now, { status: state.phase === 'waiting' ? 'waiting' : 'pending' }), {
        dueAt: state.dueAt,
      });
    const values = runValuesOf(runContext, state.event);
    const earlyEnding = earlyEnd(state, values);
    if (earlyEnding !== undefined) return earlyEnding;
    const leaveAlong = (edge: string, output: RunStepRecord['output'] = null, plannedAt = state.plannedAt) =>
      leave(state, createStepRecord(node, now, { status: 'completed', output }), edge, { plannedAt });
    if (isActing(node)) return act(node, state, runContext, values);
    switch (node.kind) {
      case 'delay': {
        if (state.phase === 'waiting') return leaveAlong('next', null, state.dueAt);
        const dueAt = delayEnd(node, state.plannedAt, values);
        if (dueAt === undefined) {
          const output = { message: missingTime(node, values) };
          return finish(state, runContext, { kind: 'failed', reason: timeMissing, final: true, output });
        }
        if (dueAt <= state.plannedAt) return leaveAlong('next');
        return stay(state, createStepRecord(node, now, { status: 'waiting' }), { phase: 'waiting', dueAt });
      }
      case 'wait_for_event': {
        if (state.phase === 'waiting') return leaveAlong('timeout', { edge: 'timeout' }, state.dueAt);
        const dueAt = addText(state.plannedAt, node.timeout, values.zone);
        return stay(state, createStepRecord(node, now, { status: 'waiting' }), { phase: 'waiting', dueAt });
      }
      case 'branch': {
        const edge = branchTaken(node, values);
        return leaveAlong(edge, { edge });
      }
      case 'split': {
        const edge = splitTaken(node, runContext.sequenceId, values);
        return leaveAlong(edge, { edge });
      }
      case 'goal':
        // The goal was not reached: a reached goal would have ended the run before this step.
        return leaveAlong('next');
      default:
        return end(
          createStepRecord(node, now, { status: 'completed', reason: node.reason ?? null }),
          'exited',
          node.reason ?? null,
        );
    }
  }

  function finish(state: RunState, runContext: RunContext, outcome: ActionResult): FinalDecision {
    const node = nodeOf(state);
    const { now } = runContext;
    if (outcome.kind === 'later') {
      const step = createStepRecord(node, now, { status: 'pending', reason: outcome.reason });
      const dueAt = Math.max(outcome.until, now + 1);
      return stay(state, step, outcome.isPlanned ? { plannedAt: dueAt, dueAt } : { dueAt });
    }
    const output = outcome.output ?? null;
    if (outcome.kind === 'done') {
      // If a send was late, the delays after it count from the time at which it was sent.
      const isLate = isSend(node) && now - state.plannedAt > overdueAfterMs;
      const plannedAt = isLate ? now : state.plannedAt;
      return leave(state, createStepRecord(node, now, { status: 'completed', output }), 'next', { plannedAt });
    }
    const { reason } = outcome;
    if (outcome.kind === 'skipped')
      return leave(state, createStepRecord(node, now, { status: 'skipped', output, reason }), 'next');
    const delay = outcome.final ? undefined : retryDelays[state.attempt];
    if (delay !== undefined) {
      const dueAt = now + delay;
      const step = createStepRecord(node, now, { status: 'pending', output, reason });
      return stay(state, step, { plannedAt: dueAt, dueAt, attempt: state.attempt + 1 });
    }
    const failedStep = createStepRecord(node, now, { status: 'failed', output, reason });
    if (graph.next(node.id, 'failed') !== undefined) return leave(state, failedStep, 'failed');
    return settings.onFailure === 'continue' ? leave(state, failedStep, 'next') : end(failedStep, 'failed', reason);
  }

  function isAbout(event: RunEvent, nodeId: string, runId: string | null): boolean {
    const messageMetadata = aboutMessages.test(event.type) ? event.data?.['metadata'] : undefined;
    if (typeof messageMetadata !== 'object' || messageMetadata === null || runId === null) return false;
    const { runId: ofRun, nodeId: ofNode } = messageMetadata as Record<string, unknown>;
    return ofRun === runId && ofNode === nodeId;
  }

  /** The goal whose filter became true through a change of the contact. If a step is due, the step checks the goals itself. */
  function goalMetByChange(state: RunState, runContext: RunContext, event: RunEvent) {
    if (state.dueAt !== null && state.dueAt <= event.at) return undefined;
    const values = runValuesOf(runContext, state.event);
    const candidates = filterGoals.filter(({ types }) => types.includes(event.type));
    return candidates.find(({ goal }) => isTrue(goal.filter, values))?.goal;
  }

  function wake(state: RunState, runContext: RunContext, event: RunEvent): FinalDecision | undefined {
    const values = runValuesOf(runContext, event);
    const goal = graph.goals.find(({ type, filter }) => type === event.type && isTrue(filter, values));
    const reachedGoal = goal ?? goalMetByChange(state, runContext, event);
    if (reachedGoal !== undefined)
      return end(createStepRecord(reachedGoal, event.at, { status: 'completed' }), 'completed', 'goal');
    const node = nodeOf(state);
    if (node.kind !== 'wait_for_event' || state.phase !== 'waiting' || node.type !== event.type) return undefined;
    if (state.dueAt !== null && event.at >= state.dueAt) return undefined;
    if (node.ofNode !== undefined && !isAbout(event, node.ofNode, runContext.runId)) return undefined;
    // The event that started the run, or that ended another wait, does not end this wait, too.
    if (event.id !== null && (event.id === state.begunBy || state.used.includes(event.id))) return undefined;
    if (!isTrue(node.filter, values)) return undefined;
    const step = createStepRecord(node, Math.max(event.at, state.plannedAt), {
      status: 'completed',
      output: { edge: 'matched', eventId: event.id },
    });
    // The event may have happened before the wait began. The next node is then planned from the beginning of the wait.
    return leave(state, step, 'matched', {
      plannedAt: Math.max(event.at, state.plannedAt),
      event,
      ...(event.at < state.leftAt
        ? { leftAt: state.leftAt, leftBy: state.leftBy }
        : { leftAt: event.at, leftBy: event.id }),
      used: event.id === null ? state.used : [...state.used, event.id],
    });
  }

  /** The moment from which events count for a wait. */
  function countsFrom({ since = 'previous_wait' }: NodeOf<'wait_for_event'>, state: RunState): Moment {
    const { begunAt, begunBy, leftAt, leftBy, plannedAt } = state;
    if (since === 'run') return { at: begunAt, id: begunBy };
    return since === 'node' && plannedAt !== leftAt ? { at: plannedAt, id: null } : { at: leftAt, id: leftBy };
  }

  function awaits(state: RunState, decision: StepDecision): AwaitedEvents | undefined {
    const node = nodeOf(state);
    if (node.kind !== 'wait_for_event') return undefined;
    const { type, ofNode } = node;
    const awaitedFor = (waiting: RunState) => ({ type, ofNode, from: countsFrom(node, state), state: waiting });
    if (state.phase === 'ready')
      return decision.kind === 'wait' && decision.state.phase === 'waiting' ? awaitedFor(decision.state) : undefined;
    const isTimeout =
      (decision.kind === 'move' || decision.kind === 'end') && decision.step?.output?.['edge'] === 'timeout';
    // The next node is planned from the timeout, so an event that is found late does not delay it.
    return isTimeout ? awaitedFor({ ...state, plannedAt: state.dueAt ?? state.plannedAt }) : undefined;
  }

  return {
    definition,
    lists: listsInFilters(definition),
    begin: (at, event, runId = null) => ({
      nodeId: graph.entry,
      phase: 'ready',
      plannedAt: at,
      dueAt: at,
      attempt: 0,
      steps: 0,
      event,
      begunAt: Math.min(at, event?.at ?? at),
      begunBy: event?.id ?? runId,
      leftAt: Math.min(at, event?.at ?? at),
      leftBy: event?.id ?? runId,
      used: [],
    }),
    step,
    finish,
    wake,
    awaits,
    awaitsAtBeginning: ({ steps, phase, begunAt, begunBy }) =>
      steps === 0 && phase === 'ready'
        ? graph.goals.flatMap(({ type }) => (type === undefined ? [] : [{ type, from: { at: begunAt, id: begunBy } }]))
        : [],
    listensTo: (state) => [...new Set([...movingTypes(state), ...typesOfWaitsAhead(state.nodeId)])],
    isMovedBy: (state, type) => movingTypes(state).includes(type),
    activities(state) {
      const node = nodeOf(state);
      const globalFilters = [settings.exitWhen, ...graph.goals.map(({ filter }) => filter)];
      // Under the policy `latest`, a late send follows the run over later branches, so their conditions are needed,
      // too.
      const branches = settings.overdue === 'latest' && isSend(node) ? definition.nodes : [node];
      const ownFilters = branches
        .flatMap((one) => (one.kind === 'branch' ? one.conditions : []))
        .map(({ filter }) => filter);
      return [...globalFilters, ...ownFilters].flatMap((filter) => (filter === undefined ? [] : activitiesOf(filter)));
    },
    activitiesOfGoals: (type) =>
      graph.goals
        .filter((goal) => goalTypes(goal).includes(type))
        .flatMap(({ filter }) => (filter === undefined ? [] : activitiesOf(filter))),
    transition(state, target, now, reason) {
      const node = nodeOf(state);
      const to = 'nodeId' in target ? target.nodeId : graph.next(node.id, target.edge);
      if (to === undefined && 'edge' in target)
        return { ok: false, fault: `The node ${node.id} has no edge ${target.edge}.` };
      if (to === undefined || graph.node(to) === undefined)
        return { ok: false, fault: `This version of the sequence has no node ${String(to)}.` };
      const leftState = leavingAt(state, now);
      const nextState = { nodeId: to, phase: 'ready', plannedAt: now, dueAt: now, attempt: 0, ...leftState } as const;
      const step = createStepRecord(node, now, { status: 'skipped', reason: reason ?? 'transition' });
      const edge = 'edge' in target ? target.edge : 'transition';
      return {
        ok: true,
        decision: { kind: 'move', step, edge, state: { ...state, ...nextState, steps: state.steps + 1 } },
      };
    },
    isStartedBy({ ...runContext }, event) {
      const { trigger } = definition;
      return (
        trigger.kind === 'event' &&
        trigger.type === event.type &&
        isTrue(trigger.filter, runValuesOf(runContext, event))
      );
    },
  };
}
