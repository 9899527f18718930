// A run on a simulated clock: the engine's interpreter, with given events and simulated outcomes. Pure; nothing is written.
import type {
  Action,
  Ending,
  Interpreter,
  Outcome,
  RunContact,
  RunContext,
  RunEvent,
  RunState,
  Settled,
  StepRecord,
} from '../interpreter/types.ts';

/** The maximum number of steps that are shown. */
const maxShown = 1_000;

/** The simulated world: performs actions and returns the state of the contact. */
export interface World {
  contact(): RunContact;
  isMember(listId: string): boolean;
  perform(action: Action, nodeId: string, at: number): Outcome;
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
  /** Sorted by time. The first event that matches the trigger starts the run. */
  readonly events: readonly RunEvent[];
}

export interface SimulatedRun {
  readonly status: 'active' | Ending['status'];
  readonly reason: string | null;
  /** Null while the run is active. */
  readonly endsAt: number | null;
  /** One step per node that the run reached, as in the run's history. */
  readonly steps: readonly StepRecord[];
  /** Whether an event started the run; null if the trigger is not an event. */
  readonly startedByEvent: boolean | null;
  /** The event that started it. */
  readonly startedBy: RunEvent | null;
  readonly startedAt: number;
}

export function simulate(simulation: Simulation): SimulatedRun {
  const { interpreter, world, runId, sequenceId, variables, until } = simulation;
  const runContextAt = (now: number): RunContext => ({
    now,
    runId,
    sequenceId,
    contact: world.contact(),
    isMember: (listId) => world.isMember(listId),
    variables,
  });
  const { trigger } = interpreter.definition;
  const starting =
    trigger.kind === 'event'
      ? simulation.events.find((event) => interpreter.startsWith(runContextAt(event.at), event))
      : undefined;
  const startAt = starting?.at ?? simulation.startAt;
  const waiting = simulation.events.filter((event) => event !== starting && event.at >= startAt);
  const kinds = new Map(interpreter.definition.nodes.map(({ id, kind }) => [id, kind]));
  const steps: StepRecord[] = [];
  let open = false;
  let state: RunState = interpreter.begin(startAt, starting ?? null);
  let now = startAt;

  /** A node has one step in the history: while the run rests at it, later records replace the step. */
  const note = (step: StepRecord, rests: boolean) => {
    if (open && steps.at(-1)?.nodeId === step.nodeId) steps.pop();
    steps.push(step);
    open = rests;
  };

  const settle = (decision: Settled): Ending | undefined => {
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

  /** Events about messages from before the run waited for them. They correspond to the timeline of a send. */
  const past: RunEvent[] = [];
  const heardBefore = (decision: Settled, runContext: RunContext): Settled | undefined => {
    if (decision.kind !== 'wait' || state.phase === 'waiting') return undefined;
    if (interpreter.awaits(decision.state) === undefined) return undefined;
    for (const [index, event] of past.entries()) {
      const woken = interpreter.wake(decision.state, runContext, event);
      if (woken === undefined) continue;
      past.splice(index, 1);
      return woken;
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
    let ending: Ending | undefined;
    if (event !== undefined && event.at < due) {
      waiting.shift();
      past.push(event);
      const woken = interpreter.wake(state, runContextAt(now), event);
      ending = woken && settle(woken);
      if (woken !== undefined) past.pop();
    } else {
      const runContext = runContextAt(now);
      const decision = interpreter.step(state, runContext);
      ending = settle(
        decision.kind === 'act'
          ? interpreter.finish(state, runContext, world.perform(decision.action, decision.nodeId, now))
          : (heardBefore(decision, runContext) ?? decision),
      );
    }
    if (ending !== undefined) return { ...ending, endsAt: now, steps: steps.slice(0, maxShown), ...started };
  }
  return { status: 'active', reason: null, endsAt: null, steps: steps.slice(0, maxShown), ...started };
}
