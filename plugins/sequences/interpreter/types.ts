// The input and output of the interpreter: plain JSON values, no clock, no I/O. The engine stores them and performs the actions.
// The simulator does the same with a simulated clock. Times are milliseconds since 1970.
import type { ActivityCondition, Definition, NodeKind } from '../definition/schema.ts';

/** A run between two steps. The engine stores it unchanged. */
export interface RunState {
  readonly nodeId: string;
  /** `ready`: the step at the node has not begun. `waiting`: the node's delay or wait is running. */
  readonly phase: 'ready' | 'waiting';
  /** The planned time of the step. Delays count from this time, even if the worker is late. */
  readonly plannedAt: number;
  /** The time of the next call of `step`; null while only an event can move the run. */
  readonly dueAt: number | null;
  /** Failed attempts of the action at this node. */
  readonly attempt: number;
  /** The number of nodes that the run has left so far. */
  readonly steps: number;
  /** The event that started or last moved the run. */
  readonly event: RunEvent | null;
  /** The beginning of the run: the time of the event that started the run, otherwise the time of its enrolment. */
  readonly begunAt: number;
  /**
   * The id of the event that started the run, otherwise the id of the run. It shows which events of the same millisecond came
   * later.
   */
  readonly begunBy: string | null;
  /** The time at which the run left its last delay or wait, or began. Events after this time count for the next wait. */
  readonly leftAt: number;
  /** The id of the event that ended that wait, or `begunBy`. Null after a delay or a timeout. */
  readonly leftBy: string | null;
  /** The ids of the events that ended waits of this run. None of them can end another wait. */
  readonly used: readonly string[];
}

/** An event in the form that filters and texts read. */
export interface RunEvent {
  readonly id: string | null;
  readonly type: string;
  readonly at: number;
  /** Metadata of a custom event; null for other events. */
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** `data` of an event of the service; null for custom events. */
  readonly data: Readonly<Record<string, unknown>> | null;
}

/** A contact in the form that filters and texts read. */
export interface RunContact {
  readonly id: string | null;
  readonly external_id: string | null;
  readonly email: string | null;
  readonly subscribed: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Everything on which a decision depends besides the definition and the state. Read at the time of the step. */
export interface RunContext {
  readonly now: number;
  /** Null in a simulation without a run. */
  readonly runId: string | null;
  /** An input of the split, so that a contact always gets the same share within a sequence. */
  readonly sequenceId: string;
  readonly contact: RunContact;
  /** Whether the contact is a confirmed member. Only called for the lists in the definition's filters (`lists`). */
  isMember(listId: string): boolean;
  /** Whether the contact had the events. Only called for the conditions that `activities` returns. */
  did(condition: ActivityCondition): boolean;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** An action of a node. The engine performs it in the transaction of the step. Its strings are already rendered. */
export type Action =
  | {
      readonly kind: 'send_email';
      readonly templateKey: string;
      readonly variables: Readonly<Record<string, unknown>>;
      /** Undefined: the template's own language. */
      readonly locale: string | undefined;
      readonly from: { readonly email: string; readonly name?: string | undefined } | undefined;
      readonly replyTo: string | undefined;
      readonly tags: readonly string[];
    }
  | {
      readonly kind: 'send_sms';
      readonly templateKey: string;
      readonly variables: Readonly<Record<string, unknown>>;
      /** Undefined: the contact has no number, and the step is skipped. */
      readonly to: string | undefined;
      /** Undefined: the latest consent of the number. */
      readonly consentProofId: string | undefined;
    }
  | {
      readonly kind: 'social_event';
      readonly eventKey: string;
      readonly variables: Readonly<Record<string, unknown>>;
      readonly outcome: 'draft' | 'publish';
    }
  | { readonly kind: 'webhook'; readonly webhookId: string }
  | { readonly kind: 'update_contact'; readonly attributes: Readonly<Record<string, unknown>> }
  | { readonly kind: 'add_to_list' | 'remove_from_list'; readonly listId: string }
  | {
      readonly kind: 'enroll';
      readonly sequenceKey: string;
      readonly variables: Readonly<Record<string, unknown>>;
    };

/** The result of an action. */
export type ActionResult =
  | { readonly kind: 'done'; readonly output?: Readonly<Record<string, unknown>> }
  /** The action is not possible for this contact: suppressed, capped, no consent, no address. The run continues. */
  | { readonly kind: 'skipped'; readonly reason: string; readonly output?: Readonly<Record<string, unknown>> }
  /** Retried after `retryDelays` unless `final` is true. */
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly final: boolean;
      readonly output?: Readonly<Record<string, unknown>>;
    }
  /**
   * The action may succeed later, such as after an exhausted budget. It is tried again at `until`, under the overdue
   * policy. If `isPlanned` is true, as after quiet hours, that is the planned time of the step, so the step is not
   * late.
   */
  | { readonly kind: 'later'; readonly until: number; readonly reason: string; readonly isPlanned?: true };

export type StepStatus = 'pending' | 'waiting' | 'running' | 'completed' | 'skipped' | 'failed';

/** An entry of the run's history. */
export interface RunStepRecord {
  readonly nodeId: string;
  readonly kind: NodeKind;
  readonly status: StepStatus;
  /** The time at which the step happened or began to wait. */
  readonly at: number;
  /** The time at which a waiting step continues. Null if the step waits only for an event, or has ended. */
  readonly dueAt: number | null;
  readonly output: Readonly<Record<string, unknown>> | null;
  readonly reason: string | null;
}

/** The end of a run. */
export interface RunEnding {
  readonly status: 'completed' | 'exited' | 'failed';
  /** `goal`, `exit_when`, `step_limit`, the reason of an exit node or of a failed step; null after the last node. */
  readonly reason: string | null;
}

/**
 * The next step of a run.
 * `act`: perform the action and pass its outcome to `finish`, which returns one of the other kinds.
 * `wait`: store the state. `step.status` is `waiting`, or `pending` if an action was postponed.
 * `move`: store the state, which is at the next node. Call `step` again when it is due, which may be now.
 * `end`: the run is over. `step` is null if the run ended before the node began.
 */
export type StepDecision =
  | { readonly kind: 'act'; readonly nodeId: string; readonly action: Action }
  | { readonly kind: 'wait'; readonly step: RunStepRecord; readonly state: RunState }
  | { readonly kind: 'move'; readonly step: RunStepRecord; readonly edge: string; readonly state: RunState }
  | { readonly kind: 'end'; readonly step: RunStepRecord | null; readonly ending: RunEnding };

/** A decision that does not need an action. */
export type FinalDecision = Exclude<StepDecision, { kind: 'act' }>;

/**
 * A time, and the id of the event at that time. An event of the same millisecond comes after it only if its id is
 * greater.
 */
export interface Moment {
  readonly at: number;
  /** Null: every event of this millisecond comes after it. */
  readonly id: string | null;
}

/**
 * The stored events that may end a wait although they came before it: while the run was at another node, or just before
 * the wait began.
 */
export interface AwaitedEvents {
  readonly type: string;
  /** The node whose message the events are about. Undefined: the events are about the contact. */
  readonly ofNode: string | undefined;
  /** Earlier events do not count. */
  readonly from: Moment;
  /** The state that `wake` gets with each of these events, the earliest first. */
  readonly state: RunState;
}

/** A text in the project's template language. `services.templates.text({ body })` returns a compatible value. */
export interface TextOfSource {
  /** @throws if the text cannot be rendered with these values */
  render(resource: string, values: Readonly<Record<string, unknown>>, now: number): string;
}

/** Parses a text once. @throws if the text cannot be parsed */
export type ParseText = (body: string) => TextOfSource;

/** A definition prepared for steps. `createInterpreter` makes it once per version, and it is kept in memory. */
export interface Interpreter {
  readonly definition: Definition;
  /** The state of a new run at `at`. */
  begin(at: number, event: RunEvent | null, runId?: string | null): RunState;
  /** Decides on the next action at the run's node now. Call it when `state.dueAt` is reached. */
  step(state: RunState, runContext: RunContext): StepDecision;
  /** Decides on the next step after the outcome of an action. */
  finish(state: RunState, runContext: RunContext, outcome: ActionResult): FinalDecision;
  /**
   * Decides how an event changes the run; undefined if it does not change the run. After a move, a step follows in the same
   * transaction.
   */
  wake(state: RunState, runContext: RunContext, event: RunEvent): FinalDecision | undefined;
  /** If a decision of `step` begins a wait, or ends a wait by its timeout: the stored events to try before that decision is final. */
  awaits(state: RunState, decision: StepDecision): AwaitedEvents | undefined;
  /** The stored events to try before the first step. They end the run at a goal, even if they came before the run was stored. */
  awaitsAtBeginning(state: RunState): readonly Pick<AwaitedEvents, 'type' | 'from'>[];
  /** The event types that the run listens to: types that can move it now, and types of waits that it may still reach. */
  listensTo(state: RunState): readonly string[];
  /** Whether an event of this type can move the run now. */
  isMovedBy(state: RunState, type: string): boolean;
  /** The activity conditions that `step` and `wake` may ask for in this state. */
  activities(state: RunState): readonly ActivityCondition[];
  /** The activity conditions that `wake` may ask for with an event of this type. */
  activitiesOfGoals(type: string): readonly ActivityCondition[];
  /** Moves an active run to a node, or along an edge of its node. If that is not possible, `fault` says why. */
  transition(
    state: RunState,
    target: { readonly nodeId: string } | { readonly edge: string },
    now: number,
    reason: string | null,
  ): { readonly ok: true; readonly decision: FinalDecision } | { readonly ok: false; readonly fault: string };
  /** Whether the trigger lets an event start a run. */
  isStartedBy(runContext: RunContext, event: RunEvent): boolean;
  /** Lists whose membership the filters read. */
  readonly lists: readonly string[];
}

/** The delays before a failed action is retried, in milliseconds. After the last retry, the action has failed for good. */
export const retryDelays: readonly number[] = [30_000, 120_000, 600_000, 1_800_000, 7_200_000];

/** The number of steps after which a run exits with `step_limit`. */
export const maxSteps = 1_000;
