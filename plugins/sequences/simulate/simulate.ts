// A run on a simulated clock: the engine's interpreter, with given events and simulated outcomes. Pure; nothing is written.
import type { ActivityCondition } from '../definition/schema.ts';
import { cameAfter, countsFor, neededFor, windowStart } from '../interpreter/activity.ts';
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
  /** The event with which the run begins if a segment starts it. (Default: no event, or the first that matches the trigger) */
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
  /** The event that started it. */
  readonly startedBy: RunEvent | null;
  readonly startedAt: number;
}

export function simulate(simulation: Simulation): SimulatedRun {
  const { interpreter, world, runId, sequenceId, variables, until } = simulation;
  const { trigger, settings } = interpreter.definition;
  /** The events that happened so far. */
  const past: RunEvent[] = [];
  const runContextAt = (now: number): RunContext => {
    const known = {
      now,
      runId,
      sequenceId,
      contact: world.contact(),
      isMember: (listId: string) => world.isMember(listId),
      variables,
    };
    const zone = zoneOf(known.contact, settings.timezone);
    const did = (condition: ActivityCondition): boolean => {
      const from = windowStart(condition, state, now);
      const counting = [...simulation.history, ...past].filter(
        (event) =>
          event.type === condition.did &&
          event.data === null &&
          event.at >= from &&
          countsFor(condition, event, state, { ...known, did, zone }),
      );
      return counting.length >= neededFor(condition);
    };
    return { ...known, did };
  };
  // Triggers ask for no activity: this state is only read after the run began.
  let state: RunState = interpreter.begin(simulation.startAt, null);
  const starting =
    trigger.kind === 'event'
      ? simulation.events.find((event) => interpreter.isStartedBy(runContextAt(event.at), event))
      : undefined;
  const startAt = starting?.at ?? simulation.startAt;
  const waiting = simulation.events.filter((event) => event !== starting && event.at >= startAt);
  const kinds = new Map(interpreter.definition.nodes.map(({ id, kind }) => [id, kind]));
  const steps: RunStepRecord[] = [];
  let open = false;
  state = interpreter.begin(startAt, starting ?? simulation.entrance ?? null);
  past.push(...simulation.events.filter((event) => event === starting || event.at < startAt));
  let now = startAt;

  /** A node has one step in the history: while the run rests at it, later records replace the step. */
  const note = (step: RunStepRecord, rests: boolean) => {
    if (open && steps.at(-1)?.nodeId === step.nodeId) steps.pop();
    steps.push(step);
    open = rests;
  };

  const settle = (decision: FinalDecision): RunEnding | undefined => {
    if (decision.kind === 'end') {
      const { nodeId } = state;
      const reason = decision.ending.reason ?? decision.ending.status;
      // The run leaves its current node without doing its work.
      const skipped = { status: 'skipped', at: now, dueAt: null, output: null, reason } as const;
      const kind = kinds.get(nodeId);
      if (kind !== undefined && decision.step?.nodeId !== nodeId) note({ nodeId, kind, ...skipped }, false);
      if (decision.step !== null) note(decision.step, false);
      return decision.ending;
    }
    note(decision.step, decision.kind === 'wait');
    state = decision.state;
    return undefined;
  };

  /** The decision that an earlier event causes instead of this one. */
  const earlierDecision = (decision: FinalDecision, runContext: RunContext): FinalDecision | undefined => {
    const awaited = interpreter.awaits(state, decision);
    if (awaited === undefined) return undefined;
    const { type, ofNode } = awaited;
    const from = ofNode === undefined ? awaited.from : { at: state.begunAt, id: state.begunBy };
    for (const event of past) {
      if (event.type !== type || !cameAfter(event, from)) continue;
      const woken = interpreter.wake(awaited.state, runContext, event);
      if (woken !== undefined) return woken;
    }
    return undefined;
  };

  const started = {
    startedByEvent: trigger.kind === 'event' ? starting !== undefined : null,
    startedBy: starting ?? null,
    startedAt: startAt,
  };
  for (let turn = 0; turn < 2 * maxShown + waiting.length; turn++) {
    const [event] = waiting;
    const due = state.dueAt === null ? Number.POSITIVE_INFINITY : Math.max(state.dueAt, now);
    const next = Math.min(due, event?.at ?? Number.POSITIVE_INFINITY);
    if (next > until || next === Number.POSITIVE_INFINITY) break;
    now = next;
    let ending: RunEnding | undefined;
    if (event !== undefined && event.at < due) {
      waiting.shift();
      past.push(event);
      const woken = interpreter.wake(state, runContextAt(now), event);
      ending = woken && settle(woken);
    } else {
      const runContext = runContextAt(now);
      const decision = interpreter.step(state, runContext);
      ending = settle(
        decision.kind === 'act'
          ? interpreter.finish(state, runContext, world.perform(decision.action, decision.nodeId, now))
          : (earlierDecision(decision, runContext) ?? decision),
      );
    }
    if (ending !== undefined) return { ...ending, endsAt: now, steps: steps.slice(0, maxShown), ...started };
  }
  return { status: 'active', reason: null, endsAt: null, steps: steps.slice(0, maxShown), ...started };
}
