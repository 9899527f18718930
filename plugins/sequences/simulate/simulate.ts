// A run on a simulated clock: the engine's interpreter, with given events and simulated outcomes. Pure; nothing is written.
import type { ActivityCondition } from '../definition/schema.ts';
import { cameAfter, countsFor, neededCountOf, windowStart } from '../interpreter/activity.ts';
import { zoneOf } from '../interpreter/paths.ts';
import type {
  Action,
  ActionResult,
  FinalDecision,
  Interpreter,
  RunContact,
  RunContext,
  RunEnding,
  RunEvent,
  RunState,
  RunStepRecord,
} from '../interpreter/types.ts';

/** The maximum number of steps that are shown. */
const maxShown = 1_000;

/** The simulated world: performs actions and returns the state of the contact. */
export interface World {
  contact(): RunContact;
  isMember(listId: string): boolean;
  perform(action: Action, nodeId: string, at: number): ActionResult;
}

export interface Simulation {
  readonly interpreter: Interpreter;
  readonly world: World;
  readonly runId: string;
  readonly sequenceId: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly startAt: number;
  /** The simulation ends at this time. */
  readonly until: number;
  /** Sorted by time, each with an id. The first event that matches the trigger starts the run. */
  readonly events: readonly RunEvent[];
  /** The event of the segment that starts the run. (Default: no event, or the first event that matches the trigger) */
  readonly entrance?: RunEvent | undefined;
  /** Custom events that the contact had before the simulation. Only activity conditions read them. */
  readonly history: readonly RunEvent[];
}

export interface SimulatedRun {
  readonly status: 'active' | RunEnding['status'];
  readonly reason: string | null;
  /** Null while the run is active. */
  readonly endsAt: number | null;
  /** One step per node that the run reached, as in the run's history. */
  readonly steps: readonly RunStepRecord[];
  /** Whether an event started the run; null if the trigger is not an event. */
  readonly startedByEvent: boolean | null;
  /** The event that started the run. */
  readonly startedBy: RunEvent | null;
  readonly startedAt: number;
}

export function simulate(simulation: Simulation): SimulatedRun {
  const { interpreter, world, runId, sequenceId, variables, until } = simulation;
  const { trigger, settings } = interpreter.definition;
  /** The events that happened so far. */
  const past: RunEvent[] = [];
  const runContextAt = (now: number): RunContext => {
    const values = {
      now,
      runId,
      sequenceId,
      contact: world.contact(),
      isMember: (listId: string) => world.isMember(listId),
      variables,
    };
    const zone = zoneOf(values.contact, settings.timezone);
    const did = (condition: ActivityCondition): boolean => {
      const from = windowStart(condition, state, now);
      const countedEvents = [...simulation.history, ...past].filter(
        (event) =>
          event.type === condition.did &&
          event.data === null &&
          event.at >= from &&
          countsFor(condition, event, state, { ...values, did, zone }),
      );
      return countedEvents.length >= neededCountOf(condition);
    };
    return { ...values, did };
  };
  // This state is read only after the run has begun, because triggers need no activity.
  let state: RunState = interpreter.begin(simulation.startAt, null);
  const startEvent =
    trigger.kind === 'event'
      ? simulation.events.find((event) => interpreter.isStartedBy(runContextAt(event.at), event))
      : undefined;
  const startAt = startEvent?.at ?? simulation.startAt;
  const comingEvents = simulation.events.filter((event) => event !== startEvent && event.at >= startAt);
  const kindById = new Map(interpreter.definition.nodes.map(({ id, kind }) => [id, kind]));
  const steps: RunStepRecord[] = [];
  let isOpen = false;
  state = interpreter.begin(startAt, startEvent ?? simulation.entrance ?? null);
  past.push(...simulation.events.filter((event) => event === startEvent || event.at < startAt));
  let now = startAt;

  /** The history has one step for each node: while the run waits at the node, later records replace the step. */
  const recordStep = (step: RunStepRecord, staysOpen: boolean) => {
    if (isOpen && steps.at(-1)?.nodeId === step.nodeId) steps.pop();
    steps.push(step);
    isOpen = staysOpen;
  };

  const applyDecision = (decision: FinalDecision): RunEnding | undefined => {
    if (decision.kind === 'end') {
      const { nodeId } = state;
      const reason = decision.ending.reason ?? decision.ending.status;
      // The run leaves its current node without its action or wait.
      const skippedStep = { status: 'skipped', at: now, dueAt: null, output: null, reason } as const;
      const kind = kindById.get(nodeId);
      if (kind !== undefined && decision.step?.nodeId !== nodeId) recordStep({ nodeId, kind, ...skippedStep }, false);
      if (decision.step !== null) recordStep(decision.step, false);
      return decision.ending;
    }
    recordStep(decision.step, decision.kind === 'wait');
    state = decision.state;
    return undefined;
  };

  /** The decision to take instead of this one, because an earlier event moves the run; undefined if no earlier event moves it. */
  const earlierDecision = (decision: FinalDecision, runContext: RunContext): FinalDecision | undefined => {
    const awaitedEvents = interpreter.awaits(state, decision);
    if (awaitedEvents === undefined) return undefined;
    const { type, ofNode } = awaitedEvents;
    const from = ofNode === undefined ? awaitedEvents.from : { at: state.begunAt, id: state.begunBy };
    for (const event of past) {
      if (event.type !== type || !cameAfter(event, from)) continue;
      const eventDecision = interpreter.wake(awaitedEvents.state, runContext, event);
      if (eventDecision !== undefined) return eventDecision;
    }
    return undefined;
  };

  const startFields = {
    startedByEvent: trigger.kind === 'event' ? startEvent !== undefined : null,
    startedBy: startEvent ?? null,
    startedAt: startAt,
  };
  for (let turn = 0; turn < 2 * maxShown + comingEvents.length; turn++) {
    const [event] = comingEvents;
    const stepTime = state.dueAt === null ? Number.POSITIVE_INFINITY : Math.max(state.dueAt, now);
    const nextTime = Math.min(stepTime, event?.at ?? Number.POSITIVE_INFINITY);
    if (nextTime > until || nextTime === Number.POSITIVE_INFINITY) break;
    now = nextTime;
    let ending: RunEnding | undefined;
    if (event !== undefined && event.at < stepTime) {
      comingEvents.shift();
      past.push(event);
      const eventDecision = interpreter.wake(state, runContextAt(now), event);
      ending = eventDecision && applyDecision(eventDecision);
    } else {
      const runContext = runContextAt(now);
      const decision = interpreter.step(state, runContext);
      ending = applyDecision(
        decision.kind === 'act'
          ? interpreter.finish(state, runContext, world.perform(decision.action, decision.nodeId, now))
          : (earlierDecision(decision, runContext) ?? decision),
      );
    }
    if (ending !== undefined) return { ...ending, endsAt: now, steps: steps.slice(0, maxShown), ...startFields };
  }
  return { status: 'active', reason: null, endsAt: null, steps: steps.slice(0, maxShown), ...startFields };
}
